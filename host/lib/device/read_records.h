/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the records that a device keeps of functions and traps (docs/internals/profile.md, "Records"). */
#ifndef GNOMON_LIB_READ_RECORDS_H
#define GNOMON_LIB_READ_RECORDS_H

#include "lib/device/board.h"
#include "lib/model/function_records.h"

/* Reads the records after END. It waits until the device has closed the open calls, and reads the calls that ended in
 * the last epoch: all calls, if no epoch was ended before. The caller frees the result. */
enum gnomon_status gnomon_records_read(struct gnomon_device *device, const struct gnomon_board *board, unsigned hart,
                                       struct gnomon_records *records, struct gnomon_error *error);
/* The same for pairs only. The caller frees the result. */
enum gnomon_status gnomon_records_read_arcs(struct gnomon_device *device, const struct gnomon_board *board,
                                            unsigned hart, struct gnomon_records *records, struct gnomon_error *error);

#endif
