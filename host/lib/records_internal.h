/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that read a device's records share. */
#ifndef GNOMON_LIB_RECORDS_INTERNAL_H
#define GNOMON_LIB_RECORDS_INTERNAL_H

#include "gnomon/registers.h"
#include "records.h"

#define GNOMON_WINDOW_ENTRIES 32
#define GNOMON_ENTRY_WORDS 16

#define GNOMON_RECORD_CALLS_BITS 40
#define GNOMON_RECORD_CYCLES_BITS 48
#define GNOMON_RECORD_SQUARES_BITS 80
#define GNOMON_RECORD_LOST_BITS 32

/* Of an entry: a word; two of them. */
#define GNOMON_ENTRY_WORD(words, name) ((words)[(GNOMON_PROFILE_RECORD_##name - GNOMON_PROFILE_RECORD) / 4])
#define GNOMON_ENTRY_PAIR(words, name)                                                                                 \
    (GNOMON_ENTRY_WORD(words, name##_LO) | (uint64_t)GNOMON_ENTRY_WORD(words, name##_HI) << 32)

/* `count` entries of the window from `first` on; `page` is as RECORD_PAGE takes it. What the device had not taken in
 * time is read again. */
enum gnomon_status gnomon_records_window(struct gnomon_device *device, uint32_t page, uint32_t first, uint32_t count,
                                         uint32_t *words, struct gnomon_error *error);

/* False: no array of `count` numbers, each from 0 to its `most`. */
bool gnomon_records_numbers(const json_t *json, size_t count, const uint64_t *most, uint64_t *fields);

/* For qsort and bsearch of pairs. */
int gnomon_records_by_pair(const void *left, const void *right);

/* All records, pairs and buckets, of the epoch that runs or (GNOMON_PROFILE_RECORD_PAGE_ENDED) of the one before. Free
 * the result. */
enum gnomon_status gnomon_records_fetch(struct gnomon_device *device, const struct gnomon_board *board, uint32_t epoch,
                                        struct gnomon_records *records, struct gnomon_error *error);

/* The buckets of all records that have calls and buckets, likewise; and as a trace file holds them. */
enum gnomon_status gnomon_records_read_buckets(struct gnomon_device *device, uint32_t epoch,
                                               struct gnomon_records *records, struct gnomon_error *error);
/* Lost calls and cycles, where there were some, and the other way round, into records that are in the list. */
json_t *gnomon_records_losses_json(const struct gnomon_records *records);
enum gnomon_status gnomon_records_parse_losses(const json_t *json, struct gnomon_records *records,
                                               struct gnomon_error *error);

json_t *gnomon_records_buckets_json(const struct gnomon_records *records);
enum gnomon_status gnomon_records_parse_buckets(const json_t *json, struct gnomon_records *records,
                                                struct gnomon_error *error);

#endif
