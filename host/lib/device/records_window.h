/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that read a device's records. */
#ifndef GNOMON_LIB_RECORDS_WINDOW_H
#define GNOMON_LIB_RECORDS_WINDOW_H

#include "gnomon/registers.h"
#include "lib/device/board.h"
#include "lib/model/function_records_internal.h"

#define GNOMON_WINDOW_ENTRIES 32
#define GNOMON_ENTRY_WORDS 16

/* One word of an entry, and a number of two words. */
#define GNOMON_ENTRY_WORD(words, name) ((words)[(GNOMON_PROFILE_RECORD_##name - GNOMON_PROFILE_RECORD) / 4])
#define GNOMON_ENTRY_PAIR(words, name)                                                                                 \
    (GNOMON_ENTRY_WORD(words, name##_LO) | (uint64_t)GNOMON_ENTRY_WORD(words, name##_HI) << 32)

/* Reads `count` entries from `first` on through the hart's window; `page` is a value of RECORD_PAGE. Entries that the
 * device did not deliver in time are read again. */
enum gnomon_status gnomon_records_window(struct gnomon_device *device, unsigned hart, uint32_t page, uint32_t first,
                                         uint32_t count, uint32_t *words, struct gnomon_error *error);

/* Reads all records, pairs and buckets of the current epoch, or (GNOMON_PROFILE_RECORD_PAGE_ENDED) of the previous
 * epoch. The caller frees the result. */
enum gnomon_status gnomon_records_fetch(struct gnomon_device *device, const struct gnomon_board *board, unsigned hart,
                                        uint32_t epoch, struct gnomon_records *records, struct gnomon_error *error);

/* Reads the buckets of all records that have calls and buckets, of the same epochs. */
enum gnomon_status gnomon_records_read_buckets(struct gnomon_device *device, uint32_t epoch,
                                               struct gnomon_records *records, struct gnomon_error *error);

#endif
