/* SPDX-License-Identifier: Apache-2.0 */
/* The callers of a function, found by the monitor in a program that gnomon cc --gnomon-monitor has linked
 * (docs/callers.md): asked for before the run, read behind it. */
#ifndef GNOMON_LIB_CALLERS_H
#define GNOMON_LIB_CALLERS_H

#include "board.h"
#include "gnomon/monitor.h"

/* Between gnomon_session_prepare and gnomon_session_run. `path` is the program's file. Fills magic and version of the
 * request. GNOMON_ERR_UNSUPPORTED: the program has no monitor, or the device no counters for it. */
enum gnomon_status gnomon_callers_ask(struct gnomon_device *device, const struct gnomon_board *board, const char *path,
                                      const struct gnomon_monitor_request *request, struct gnomon_error *error);
/* When the program has ended. GNOMON_ERR_PROTOCOL: what the program left is none. */
enum gnomon_status gnomon_callers_read(struct gnomon_device *device, const struct gnomon_board *board, const char *path,
                                       struct gnomon_monitor_results *results, struct gnomon_error *error);

#endif
