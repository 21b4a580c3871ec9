/* SPDX-License-Identifier: Apache-2.0 */
#include "records.h"

#include <stdlib.h>
#include <string.h>

#include "records_internal.h"

#define PER_PAGE GNOMON_WINDOW_ENTRIES
#define RECORD_WORDS GNOMON_ENTRY_WORDS
#define PAGE_WORDS (PER_PAGE * RECORD_WORDS)
#define MOST_ATTEMPTS 100 /* to find the device done, or a record taken: both take it microseconds */

#define CALLS_BITS GNOMON_RECORD_CALLS_BITS
#define CYCLES_BITS GNOMON_RECORD_CYCLES_BITS
#define SHORT_BITS 36 /* of min and max */

static uint64_t ones(unsigned bits) {
    return (UINT64_C(1) << bits) - 1;
}

static enum gnomon_status await_end(struct gnomon_device *device, struct gnomon_error *error) {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        uint32_t state;
        enum gnomon_status status = gnomon_device_get(device, GNOMON_PROFILE_STATUS, &state, error);
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
    record.saturated = record.lost_calls == ones(GNOMON_RECORD_LOST_BITS) || record.lost_cycles == ones(CYCLES_BITS) ||
                       record.calls == ones(CALLS_BITS) || record.self == ones(CYCLES_BITS) ||
                       record.total == ones(CYCLES_BITS) || record.max == ones(SHORT_BITS);
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

enum gnomon_status gnomon_records_window(struct gnomon_device *device, uint32_t page, uint32_t first, uint32_t count,
                                         uint32_t *words, struct gnomon_error *error) {
    uint32_t base = (page & GNOMON_PROFILE_RECORD_PAGE_PAGE) * PER_PAGE;
    enum gnomon_status status = gnomon_device_set(device, GNOMON_PROFILE_RECORD_PAGE, page, error);
    if (!status)
        status = gnomon_device_read(device, GNOMON_PROFILE_RECORD + first * RECORD_WORDS * 4, words,
                                    (size_t)count * RECORD_WORDS, error);
    for (uint32_t i = 0; !status && i < count; i++) {
        uint32_t *at = words + (size_t)i * RECORD_WORDS, place = first + i;
        for (int attempt = 0; !status && !is_ready(at, base + place); attempt++) {
            if (attempt == MOST_ATTEMPTS)
                return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s does not show record %u", device->transport->address,
                                   (unsigned)(base + place));
            status =
                gnomon_device_read(device, GNOMON_PROFILE_RECORD + place * RECORD_WORDS * 4, at, RECORD_WORDS, error);
        }
    }
    return status;
}

static enum gnomon_status read_page(struct gnomon_device *device, uint32_t page, uint32_t epoch,
                                    struct gnomon_records *records, struct gnomon_error *error) {
    uint32_t words[PAGE_WORDS];
    enum gnomon_status status = gnomon_records_window(device, page | epoch, 0, PER_PAGE, words, error);
    for (uint32_t i = 0; !status && i < PER_PAGE; i++)
        keep(records, words + (size_t)i * RECORD_WORDS, page * PER_PAGE + i);
    return status;
}

/* *highest: number of a function with a record; *arcs: how many of pairs there are. */
static enum gnomon_status read_counts(struct gnomon_device *device, uint32_t epoch, struct gnomon_records *records,
                                      uint32_t *highest, uint32_t *arcs, struct gnomon_error *error) {
    enum { FIRST = GNOMON_PROFILE_FOLDED_LO, LAST = GNOMON_PROFILE_DEEPEST, COUNT = (LAST - FIRST) / 4 + 1 };
    uint32_t words[COUNT];
    enum gnomon_status status = gnomon_device_read(device, FIRST, words, COUNT, error);
    if (status)
        return status;
#define COUNTER(name) words[(GNOMON_PROFILE_##name - FIRST) / 4]
    records->folded = COUNTER(FOLDED_LO) | (uint64_t)COUNTER(FOLDED_HI) << 32;
    records->placeless = COUNTER(PLACELESS);
    records->unbalanced = COUNTER(UNBALANCED);
    records->aside = COUNTER(ASIDE);
    records->deep = COUNTER(DEEP);
    records->deepest = COUNTER(DEEPEST);
    records->arc_placeless = COUNTER(ARC_PLACELESS);
    *highest = COUNTER(RECORD_HIGHEST);
    *arcs = epoch ? COUNTER(ENDED_ARC_COUNT) : COUNTER(ARC_COUNT);
#undef COUNTER
    return GNOMON_OK;
}

static bool make_lists(struct gnomon_records *records, size_t size) {
    records->list = calloc(size, sizeof *records->list);
    records->arcs = calloc(size, sizeof *records->arcs);
    if (records->list && records->arcs)
        return true;
    gnomon_records_free(records);
    return false;
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

enum gnomon_status gnomon_records_fetch(struct gnomon_device *device, const struct gnomon_board *board, uint32_t epoch,
                                        struct gnomon_records *records, struct gnomon_error *error) {
    uint32_t size = board->records;
    *records = (struct gnomon_records){.size = size,
                                       .threads = board->threads,
                                       .with_arcs = board->arcs,
                                       .with_losses = board->losses,
                                       .bucketed = board->bucketed};
    if (!make_lists(records, size))
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

enum gnomon_status gnomon_records_read(struct gnomon_device *device, const struct gnomon_board *board,
                                       struct gnomon_records *records, struct gnomon_error *error) {
    enum gnomon_status status = await_end(device, error);
    *records = (struct gnomon_records){0};
    return status ? status : gnomon_records_fetch(device, board, 0, records, error);
}

enum gnomon_status gnomon_records_read_arcs(struct gnomon_device *device, const struct gnomon_board *board,
                                            struct gnomon_records *records, struct gnomon_error *error) {
    uint32_t highest, arcs = 0;
    *records = (struct gnomon_records){.size = board->records, .with_arcs = board->arcs};
    if (!make_lists(records, records->size))
        return gnomon_fail_memory(error);
    enum gnomon_status status = await_end(device, error);
    if (!status)
        status = read_counts(device, 0, records, &highest, &arcs, error);
    if (!status)
        status = fetch_arcs(device, arcs, 0, records, error);
    if (status)
        gnomon_records_free(records);
    return status;
}

void gnomon_records_free(struct gnomon_records *records) {
    free(records->list);
    free(records->arcs);
    free(records->buckets);
    *records = (struct gnomon_records){0};
}

/* ---- In a trace file ---- */

enum { NUMBER, CALLS, SELF, TOTAL, MIN, MAX, FLAGS, FIELDS };
enum { FLAG_LOST_HERE = 1, FLAG_LOST_WITHIN = 2, FLAG_SATURATED = 4, FLAG_UNTIMED = 8, ALL_FLAGS = 15 };

static json_t *record_json(const struct gnomon_record *record) {
    int flags = (record->lost_here ? FLAG_LOST_HERE : 0) | (record->lost_within ? FLAG_LOST_WITHIN : 0) |
                (record->saturated ? FLAG_SATURATED : 0) | (record->untimed ? FLAG_UNTIMED : 0);
    return json_pack("[I, I, I, I, I, I, i]", (json_int_t)record->number, (json_int_t)record->calls,
                     (json_int_t)record->self, (json_int_t)record->total, (json_int_t)record->min,
                     (json_int_t)record->max, flags);
}

enum { ARC_CALLER, ARC_CALLEE, ARC_CALLS, ARC_SELF, ARC_TOTAL, ARC_FLAGS, ARC_FIELDS };

static json_t *arc_json(const struct gnomon_record_arc *arc) {
    return json_pack("[I, I, I, I, I, i]", (json_int_t)arc->caller, (json_int_t)arc->callee, (json_int_t)arc->calls,
                     (json_int_t)arc->self, (json_int_t)arc->total, arc->saturated ? FLAG_SATURATED : 0);
}

json_t *gnomon_records_json(const struct gnomon_records *records) {
    json_t *list = json_array();
    for (size_t i = 0; i < records->count; i++)
        json_array_append_new(list, record_json(&records->list[i]));
    json_t *arcs = json_array();
    for (size_t i = 0; i < records->arc_count; i++)
        json_array_append_new(arcs, arc_json(&records->arcs[i]));
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:b, s:I, s:o, s:I, s:o, s:b, s:o}", "size",
                     (json_int_t)records->size, "folded", (json_int_t)records->folded, "placeless",
                     (json_int_t)records->placeless, "unbalanced", (json_int_t)records->unbalanced, "aside",
                     (json_int_t)records->aside, "deep", (json_int_t)records->deep, "deepest",
                     (json_int_t)records->deepest, "threads", (json_int_t)records->threads, "records", list,
                     "with_arcs", (int)records->with_arcs, "arc_placeless", (json_int_t)records->arc_placeless, "arcs",
                     arcs, "bucketed", (json_int_t)records->bucketed, "buckets", gnomon_records_buckets_json(records),
                     "with_losses", (int)records->with_losses, "losses", gnomon_records_losses_json(records));
}

enum { OLD_THREADS = 8 };

/* False: no number from 0 to `most`. */
static bool get(const json_t *json, uint64_t most, uint64_t *value) {
    json_int_t number = json_integer_value(json);
    *value = (uint64_t)number;
    return json_is_integer(json) && number >= 0 && *value <= most;
}

bool gnomon_records_numbers(const json_t *json, size_t count, const uint64_t *most, uint64_t *fields) {
    bool good = json_array_size(json) == count;
    for (size_t i = 0; i < count && good; i++)
        good = get(json_array_get(json, i), most[i], &fields[i]);
    return good;
}

static bool parse_record(const json_t *json, uint32_t size, struct gnomon_record *record) {
    uint64_t field[FIELDS];
    const uint64_t most[FIELDS] = {size - 1,         ones(CALLS_BITS), ones(CYCLES_BITS), ones(CYCLES_BITS),
                                   ones(SHORT_BITS), ones(SHORT_BITS), ALL_FLAGS};
    if (!gnomon_records_numbers(json, FIELDS, most, field))
        return false;
    *record = (struct gnomon_record){
        .number = (uint32_t)field[NUMBER],
        .calls = field[CALLS],
        .self = field[SELF],
        .total = field[TOTAL],
        .min = field[MIN],
        .max = field[MAX],
        .lost_here = field[FLAGS] & FLAG_LOST_HERE,
        .lost_within = field[FLAGS] & FLAG_LOST_WITHIN,
        .saturated = field[FLAGS] & FLAG_SATURATED,
        .untimed = field[FLAGS] & FLAG_UNTIMED,
    };
    return true;
}

static bool parse_arc(const json_t *json, uint32_t size, struct gnomon_record_arc *arc) {
    uint64_t field[ARC_FIELDS];
    const uint64_t most[ARC_FIELDS] = {size - 1,          size - 1,          ones(CALLS_BITS),
                                       ones(CYCLES_BITS), ones(CYCLES_BITS), FLAG_SATURATED};
    if (!gnomon_records_numbers(json, ARC_FIELDS, most, field))
        return false;
    *arc = (struct gnomon_record_arc){
        .caller = (uint32_t)field[ARC_CALLER],
        .callee = (uint32_t)field[ARC_CALLEE],
        .calls = field[ARC_CALLS],
        .self = field[ARC_SELF],
        .total = field[ARC_TOTAL],
        .saturated = field[ARC_FLAGS] & FLAG_SATURATED,
    };
    return true;
}

static bool parse_arcs(const json_t *json, struct gnomon_records *records) {
    const json_t *list = json_object_get(json, "arcs");
    records->with_arcs = json_is_true(json_object_get(json, "with_arcs"));
    if (json_array_size(list) > GNOMON_MOST_ARCS ||
        !get(json_object_get(json, "arc_placeless"), UINT32_MAX, &records->arc_placeless))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!parse_arc(json_array_get(list, i), records->size, &records->arcs[i]) ||
            (i > 0 && gnomon_records_by_pair(&records->arcs[i], &records->arcs[i - 1]) <= 0))
            return false;
        records->arc_count++;
    }
    return true;
}

/* What files of before do not have. */
static bool parse_depths(const json_t *json, struct gnomon_records *records) {
    uint64_t threads = OLD_THREADS;
    const json_t *deep = json_object_get(json, "deep"), *deepest = json_object_get(json, "deepest"),
                 *followed = json_object_get(json, "threads");
    if ((deep && !get(deep, UINT32_MAX, &records->deep)) || (deepest && !get(deepest, UINT32_MAX, &records->deepest)) ||
        (followed && !get(followed, UINT32_MAX, &threads)))
        return false;
    records->threads = (unsigned)threads;
    return records->deep <= records->placeless;
}

static bool parse(const json_t *json, struct gnomon_records *records) {
    uint64_t size;
    const json_t *list = json_object_get(json, "records");
    if (!get(json_object_get(json, "size"), GNOMON_MOST_RECORDS, &size) || size <= GNOMON_RECORD_TRAPS ||
        json_array_size(list) > size || !get(json_object_get(json, "folded"), INT64_MAX, &records->folded) ||
        !get(json_object_get(json, "placeless"), UINT32_MAX, &records->placeless) ||
        !get(json_object_get(json, "unbalanced"), UINT32_MAX, &records->unbalanced) ||
        !get(json_object_get(json, "aside"), UINT32_MAX, &records->aside) || !parse_depths(json, records))
        return false;
    records->size = (uint32_t)size;
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct gnomon_record *record = &records->list[i];
        if (!parse_record(json_array_get(list, i), records->size, record) ||
            (i > 0 && record->number <= records->list[i - 1].number))
            return false;
        records->count++;
    }
    return parse_arcs(json, records);
}

enum gnomon_status gnomon_records_parse(const json_t *json, struct gnomon_records *records,
                                        struct gnomon_error *error) {
    *records = (struct gnomon_records){0};
    if (!make_lists(records, GNOMON_MOST_RECORDS))
        return gnomon_fail_memory(error);
    enum gnomon_status status = GNOMON_OK;
    if (!parse(json, records))
        status = gnomon_fail(error, GNOMON_ERR_FORMAT, "the records in it make no sense");
    if (!status)
        status = gnomon_records_parse_buckets(json, records, error);
    if (!status)
        status = gnomon_records_parse_losses(json, records, error);
    if (status)
        gnomon_records_free(records);
    return status;
}
