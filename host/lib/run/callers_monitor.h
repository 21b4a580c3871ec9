/* SPDX-License-Identifier: Apache-2.0 */
/* The callers of a function, found by the monitor in a program that was linked with gnomon cc --gnomon-monitor
 * (docs/guide/callers.md). The request is written before the run, the result is read after it. */
#ifndef GNOMON_LIB_CALLERS_MONITOR_H
#define GNOMON_LIB_CALLERS_MONITOR_H

#include "gnomon/monitor.h"
#include "lib/device/board.h"

/* Finds a variable of the monitor: it begins at *address and has at least `bytes` bytes. GNOMON_ERR_UNSUPPORTED: the
 * program has none. */
enum gnomon_status gnomon_monitor_find(const struct gnomon_board *board, const char *path, const char *name,
                                       uint32_t bytes, uint32_t *address, struct gnomon_error *error);

/* Writes the request, and fills its magic and version. Call it between gnomon_session_prepare and gnomon_session_run.
 * `path` is the program's file. GNOMON_ERR_UNSUPPORTED: the program has no monitor, or the device has no counters for
 * it. */
enum gnomon_status gnomon_callers_ask(struct gnomon_device *device, const struct gnomon_board *board, const char *path,
                                      const struct gnomon_monitor_request *request, struct gnomon_error *error);
/* Reads the result after the program has ended. GNOMON_ERR_PROTOCOL: the program left no valid result. */
enum gnomon_status gnomon_callers_read(struct gnomon_device *device, const struct gnomon_board *board, const char *path,
                                       struct gnomon_monitor_results *results, struct gnomon_error *error);

#endif
