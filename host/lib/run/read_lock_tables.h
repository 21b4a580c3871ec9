/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the tables of threads and locks of a program from main memory, at the end of its run. */
#ifndef GNOMON_LIB_READ_LOCK_TABLES_H
#define GNOMON_LIB_READ_LOCK_TABLES_H

#include "lib/device/board.h"
#include "lib/elf/image.h"
#include "lib/model/lock_tables.h"

/* Valid while the hart is stopped. If the program has no tables, `tables->known` is false and `doubt` is "". The
 * content of memory is not trusted: `doubt` says what of it makes no sense and was left out. A status other than OK
 * means that the device could not be read. The caller frees `tables`, whatever the status is. */
#define GNOMON_LOCK_DOUBT_BYTES 200
enum gnomon_status gnomon_lock_tables_read(struct gnomon_lock_tables *tables, struct gnomon_device *device,
                                           const struct gnomon_board *board, const struct gnomon_image *image,
                                           char doubt[GNOMON_LOCK_DOUBT_BYTES], struct gnomon_error *error);

#endif
