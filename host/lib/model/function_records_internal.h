/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files records*.c. */
#ifndef GNOMON_LIB_FUNCTION_RECORDS_INTERNAL_H
#define GNOMON_LIB_FUNCTION_RECORDS_INTERNAL_H

#include "lib/model/function_records.h"

/* Widths of the figures in the device. */
#define GNOMON_RECORD_CALLS_BITS 40
#define GNOMON_RECORD_CYCLES_BITS 48
#define GNOMON_RECORD_SHORT_BITS 36 /* of min and max */
#define GNOMON_RECORD_SQUARES_BITS 80
#define GNOMON_RECORD_LOST_BITS 32

/* The largest number of `bits` bits. */
static inline uint64_t gnomon_ones(unsigned bits) {
    return (UINT64_C(1) << bits) - 1;
}

/* Empty lists, with room for `size` records and as many pairs. False: out of memory. */
bool gnomon_records_make(struct gnomon_records *records, size_t size);

/* Reads an array of `count` numbers into `fields`, each from 0 to its `most`. False: `json` is not such an array. */
bool gnomon_records_numbers(const json_t *json, size_t count, const uint64_t *most, uint64_t *fields);

/* For qsort and bsearch of pairs. */
int gnomon_records_by_pair(const void *left, const void *right);

/* Lost calls and cycles as JSON, and back from JSON into records that are in the list. Records without losses are left
 * out. */
json_t *gnomon_records_losses_json(const struct gnomon_records *records);
enum gnomon_status gnomon_records_parse_losses(const json_t *json, struct gnomon_records *records,
                                               struct gnomon_error *error);

/* Makes room for `more` buckets after the existing ones. False: out of memory. */
bool gnomon_records_more_buckets(struct gnomon_records *records, size_t more);
/* Buckets as JSON, and back. */
json_t *gnomon_records_buckets_json(const struct gnomon_records *records);
enum gnomon_status gnomon_records_parse_buckets(const json_t *json, struct gnomon_records *records,
                                                struct gnomon_error *error);

#endif
