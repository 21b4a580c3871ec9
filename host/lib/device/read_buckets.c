/* SPDX-License-Identifier: Apache-2.0 */
/* The buckets of the device's records. Only those between the shortest and the longest call of a function are read. */
#include <stdlib.h>

#include "lib/device/records_window.h"

static gnomon_uint128 most_squares(void) {
    return ((gnomon_uint128)1 << GNOMON_RECORD_SQUARES_BITS) - 1;
}

static struct gnomon_record_bucket take(const uint32_t *words, uint32_t number, unsigned bucket) {
    struct gnomon_record_bucket taken = {
        .number = number,
        .bucket = bucket,
        .figures.calls = GNOMON_ENTRY_PAIR(words, CALLS),
        .figures.cycles = GNOMON_ENTRY_PAIR(words, TOTAL),
        .figures.squares = (gnomon_uint128)(GNOMON_ENTRY_WORD(words, SQUARES_HI) & 0xFFFF) << 64 |
                           (uint64_t)GNOMON_ENTRY_WORD(words, SQUARES_MID) << 32 | GNOMON_ENTRY_WORD(words, SQUARES_LO),
    };
    taken.figures.calls &= (UINT64_C(1) << GNOMON_RECORD_CALLS_BITS) - 1;
    taken.figures.cycles &= (UINT64_C(1) << GNOMON_RECORD_CYCLES_BITS) - 1;
    taken.saturated = taken.figures.calls == (UINT64_C(1) << GNOMON_RECORD_CALLS_BITS) - 1 ||
                      taken.figures.cycles == (UINT64_C(1) << GNOMON_RECORD_CYCLES_BITS) - 1 ||
                      taken.figures.squares == most_squares();
    return taken;
}

static enum gnomon_status read_function(struct gnomon_device *device, uint32_t epoch,
                                        const struct gnomon_record *record, struct gnomon_records *records,
                                        struct gnomon_error *error) {
    uint32_t words[GNOMON_WINDOW_ENTRIES * GNOMON_ENTRY_WORDS];
    unsigned first = gnomon_bucket_of(record->min), last = gnomon_bucket_of(record->max);
    if (first > last) /* impossible for a device */
        return GNOMON_OK;
    if (!gnomon_records_more_buckets(records, last - first + 1))
        return gnomon_fail_memory(error);
    enum gnomon_status status =
        gnomon_records_window(device, records->hart, GNOMON_PROFILE_RECORD_PAGE_BUCKETS | epoch | record->number, first,
                              last - first + 1, words, error);
    for (unsigned i = first; !status && i <= last; i++) {
        struct gnomon_record_bucket taken = take(words + (size_t)(i - first) * GNOMON_ENTRY_WORDS, record->number, i);
        if (taken.figures.calls)
            records->buckets[records->bucket_count++] = taken;
    }
    return status;
}

enum gnomon_status gnomon_records_read_buckets(struct gnomon_device *device, uint32_t epoch,
                                               struct gnomon_records *records, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; !status && i < records->count; i++)
        if (records->list[i].calls && records->list[i].number < records->bucketed)
            status = read_function(device, epoch, &records->list[i], records, error);
    return status;
}
