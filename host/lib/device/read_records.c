/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/read_records.h"

#include <stdlib.h>

#include "lib/device/records_window.h"

#define PER_PAGE GNOMON_WINDOW_ENTRIES
#define RECORD_WORDS GNOMON_ENTRY_WORDS
#define PAGE_WORDS (PER_PAGE * RECORD_WORDS)
#define MOST_ATTEMPTS 100 /* attempts to find the device done, or a record delivered: both take microseconds */

static enum gnomon_status await_end(struct gnomon_device *device, unsigned hart, struct gnomon_error *error) {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        uint32_t state;
        enum gnomon_status status =
            gnomon_device_get(device, GNOMON_BLOCKS_OF_HART(hart) + GNOMON_PROFILE_STATUS, &state, error);
        if (status || state & GNOMON_PROFILE_STATUS_RECORDED)
            return status;
    }
    gnomon_fail(error, GNOMON_ERR_TIMEOUT, "%s does not close its records", device->transport->address);
    return gnomon_remedy(error, GNOMON_ERR_TIMEOUT, "gnomon record --events does without them");
}

#define WORD GNOMON_ENTRY_WORD
#define PAIR GNOMON_ENTRY_PAIR

static struct gnomon_record take(const uint32_t *words, uint32_t number) {
    struct gnomon_record record = {
        .number = number,
        .calls = PAIR(words, CALLS),
        .self = PAIR(words, SELF),
        .total = PAIR(words, TOTAL),
        .min = PAIR(words, MIN),
        .max = PAIR(words, MAX),
        .lost_here = WORD(words, STATE) & GNOMON_PROFILE_RECORD_STATE_LOST_HERE,
        .lost_within = WORD(words, STATE) & GNOMON_PROFILE_RECORD_STATE_LOST_WITHIN,
        .untimed = WORD(words, STATE) & GNOMON_PROFILE_RECORD_STATE_UNTIMED,
        .lost_calls = WORD(words, LOST_CALLS),
        .lost_cycles = PAIR(words, LOST_CYCLES),
    };
    record.saturated = record.lost_calls == gnomon_ones(GNOMON_RECORD_LOST_BITS) ||
                       record.lost_cycles == gnomon_ones(GNOMON_RECORD_CYCLES_BITS) ||
                       record.calls == gnomon_ones(GNOMON_RECORD_CALLS_BITS) ||
                       record.self == gnomon_ones(GNOMON_RECORD_CYCLES_BITS) ||
                       record.total == gnomon_ones(GNOMON_RECORD_CYCLES_BITS) ||
                       record.max == gnomon_ones(GNOMON_RECORD_SHORT_BITS);
    return record;
}

static bool is_ready(const uint32_t *words, uint32_t number) {
    uint32_t state = WORD(words, STATE);
    return state & GNOMON_PROFILE_RECORD_STATE_READY && (state & GNOMON_PROFILE_RECORD_STATE_NUMBER) == number;
}

static void keep(struct gnomon_records *records, const uint32_t *words, uint32_t number) {
    struct gnomon_record record = take(words, number);
    if (number < records->size &&
        (record.calls || record.self || record.total || record.lost_here || record.lost_calls || record.lost_cycles))
        records->list[records->count++] = record;
    if (number >= records->size && record.calls)
        records->arcs[records->arc_count++] = (struct gnomon_record_arc){
            .caller = WORD(words, PAIR) >> GNOMON_PROFILE_RECORD_PAIR_CALLER_SHIFT,
            .callee = WORD(words, PAIR) & GNOMON_PROFILE_RECORD_PAIR_CALLEE,
            .calls = record.calls,
            .self = record.self,
            .total = record.total,
            .saturated = record.saturated,
        };
}

enum gnomon_status gnomon_records_window(struct gnomon_device *device, unsigned hart, uint32_t page, uint32_t first,
                                         uint32_t count, uint32_t *words, struct gnomon_error *error) {
    const uint32_t window = GNOMON_BLOCKS_OF_HART(hart) + GNOMON_PROFILE_RECORD;
    uint32_t base = (page & GNOMON_PROFILE_RECORD_PAGE_PAGE) * PER_PAGE;
    enum gnomon_status status =
        gnomon_device_set(device, GNOMON_BLOCKS_OF_HART(hart) + GNOMON_PROFILE_RECORD_PAGE, page, error);
    if (!status)
        status =
            gnomon_device_read(device, window + first * RECORD_WORDS * 4, words, (size_t)count * RECORD_WORDS, error);
    for (uint32_t i = 0; !status && i < count; i++) {
        uint32_t *at = words + (size_t)i * RECORD_WORDS, place = first + i;
        for (int attempt = 0; !status && !is_ready(at, base + place); attempt++) {
            if (attempt == MOST_ATTEMPTS)
                return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s does not show record %u", device->transport->address,
                                   (unsigned)(base + place));
            status = gnomon_device_read(device, window + place * RECORD_WORDS * 4, at, RECORD_WORDS, error);
        }
    }
    return status;
}

static enum gnomon_status read_page(struct gnomon_device *device, uint32_t page, uint32_t epoch,
                                    struct gnomon_records *records, struct gnomon_error *error) {
    uint32_t words[PAGE_WORDS];
    enum gnomon_status status = gnomon_records_window(device, records->hart, page | epoch, 0, PER_PAGE, words, error);
    for (uint32_t i = 0; !status && i < PER_PAGE; i++)
        keep(records, words + (size_t)i * RECORD_WORDS, page * PER_PAGE + i);
    return status;
}

/* *highest: highest number of a function with a record; *arcs: number of pairs. */
static enum gnomon_status read_counts(struct gnomon_device *device, uint32_t epoch, struct gnomon_records *records,
                                      uint32_t *highest, uint32_t *arcs, struct gnomon_error *error) {
    enum { FIRST = GNOMON_PROFILE_AGGREGATED_LO, LAST = GNOMON_PROFILE_DEEPEST, COUNT = (LAST - FIRST) / 4 + 1 };
    uint32_t words[COUNT];
    enum gnomon_status status =
        gnomon_device_read(device, GNOMON_BLOCKS_OF_HART(records->hart) + FIRST, words, COUNT, error);
    if (status)
        return status;
#define COUNTER(name) words[(GNOMON_PROFILE_##name - FIRST) / 4]
    records->aggregated = COUNTER(AGGREGATED_LO) | (uint64_t)COUNTER(AGGREGATED_HI) << 32;
    records->overflow = COUNTER(OVERFLOW);
    records->unbalanced = COUNTER(UNBALANCED);
    records->untracked = COUNTER(UNTRACKED);
    records->deep = COUNTER(DEEP);
    records->deepest = COUNTER(DEEPEST);
    records->arc_overflow = COUNTER(ARC_OVERFLOW);
    *highest = COUNTER(RECORD_HIGHEST);
    *arcs = epoch ? COUNTER(ENDED_ARC_COUNT) : COUNTER(ARC_COUNT);
#undef COUNTER
    return GNOMON_OK;
}

static enum gnomon_status fetch_arcs(struct gnomon_device *device, uint32_t arcs, uint32_t epoch,
                                     struct gnomon_records *records, struct gnomon_error *error) {
    uint32_t size = records->size, pages = size / PER_PAGE;
    enum gnomon_status status = GNOMON_OK;
    for (uint32_t done = 0; !status && records->with_arcs && done < arcs && done < size; done += PER_PAGE)
        status = read_page(device, pages + done / PER_PAGE, epoch, records, error);
    qsort(records->arcs, records->arc_count, sizeof *records->arcs, gnomon_records_by_pair);
    return status;
}

enum gnomon_status gnomon_records_fetch(struct gnomon_device *device, const struct gnomon_board *board, unsigned hart,
                                        uint32_t epoch, struct gnomon_records *records, struct gnomon_error *error) {
    uint32_t size = board->records;
    *records = (struct gnomon_records){.hart = hart,
                                       .size = size,
                                       .threads = board->threads,
                                       .with_arcs = board->arcs,
                                       .with_losses = board->losses,
                                       .bucketed = board->bucketed};
    if (!gnomon_records_make(records, size))
        return gnomon_fail_memory(error);
    uint32_t highest = 0, arcs = 0, pages = size / PER_PAGE, traps = (size - GNOMON_RECORD_TRAPS) / PER_PAGE;
    enum gnomon_status status = read_counts(device, epoch, records, &highest, &arcs, error);
    for (uint32_t page = 0; !status && page < pages; page++)
        if (page <= highest / PER_PAGE || page >= traps)
            status = read_page(device, page, epoch, records, error);
    if (!status)
        status = fetch_arcs(device, arcs, epoch, records, error);
    if (!status)
        status = gnomon_records_read_buckets(device, epoch, records, error);
    if (status)
        gnomon_records_free(records);
    return status;
}

enum gnomon_status gnomon_records_read(struct gnomon_device *device, const struct gnomon_board *board, unsigned hart,
                                       struct gnomon_records *records, struct gnomon_error *error) {
    enum gnomon_status status = await_end(device, hart, error);
    *records = (struct gnomon_records){0};
    return status ? status : gnomon_records_fetch(device, board, hart, 0, records, error);
}

enum gnomon_status gnomon_records_read_arcs(struct gnomon_device *device, const struct gnomon_board *board,
                                            unsigned hart, struct gnomon_records *records, struct gnomon_error *error) {
    uint32_t highest, arcs = 0;
    *records = (struct gnomon_records){.hart = hart, .size = board->records, .with_arcs = board->arcs};
    if (!gnomon_records_make(records, records->size))
        return gnomon_fail_memory(error);
    enum gnomon_status status = await_end(device, hart, error);
    if (!status)
        status = read_counts(device, 0, records, &highest, &arcs, error);
    if (!status)
        status = fetch_arcs(device, arcs, 0, records, error);
    if (status)
        gnomon_records_free(records);
    return status;
}
