/* SPDX-License-Identifier: Apache-2.0 */
/* Records in the form of a trace file. */
#include "lib/model/function_records_internal.h"

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
                     (json_int_t)records->size, "aggregated", (json_int_t)records->aggregated, "overflow",
                     (json_int_t)records->overflow, "unbalanced", (json_int_t)records->unbalanced, "untracked",
                     (json_int_t)records->untracked, "deep", (json_int_t)records->deep, "deepest",
                     (json_int_t)records->deepest, "threads", (json_int_t)records->threads, "records", list,
                     "with_arcs", (int)records->with_arcs, "arc_overflow", (json_int_t)records->arc_overflow, "arcs",
                     arcs, "bucketed", (json_int_t)records->bucketed, "buckets", gnomon_records_buckets_json(records),
                     "with_losses", (int)records->with_losses, "losses", gnomon_records_losses_json(records));
}

enum { OLD_THREADS = 8 };

/* Reads a number. False: `json` is no number from 0 to `most`. */
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
    const uint64_t most[FIELDS] = {size - 1,
                                   gnomon_ones(GNOMON_RECORD_CALLS_BITS),
                                   gnomon_ones(GNOMON_RECORD_CYCLES_BITS),
                                   gnomon_ones(GNOMON_RECORD_CYCLES_BITS),
                                   gnomon_ones(GNOMON_RECORD_SHORT_BITS),
                                   gnomon_ones(GNOMON_RECORD_SHORT_BITS),
                                   ALL_FLAGS};
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
    const uint64_t most[ARC_FIELDS] = {size - 1,
                                       size - 1,
                                       gnomon_ones(GNOMON_RECORD_CALLS_BITS),
                                       gnomon_ones(GNOMON_RECORD_CYCLES_BITS),
                                       gnomon_ones(GNOMON_RECORD_CYCLES_BITS),
                                       FLAG_SATURATED};
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
        !get(json_object_get(json, "arc_overflow"), UINT32_MAX, &records->arc_overflow))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!parse_arc(json_array_get(list, i), records->size, &records->arcs[i]) ||
            (i > 0 && gnomon_records_by_pair(&records->arcs[i], &records->arcs[i - 1]) <= 0))
            return false;
        records->arc_count++;
    }
    return true;
}

/* Reads the fields that files of earlier versions do not have. */
static bool parse_depths(const json_t *json, struct gnomon_records *records) {
    uint64_t threads = OLD_THREADS;
    const json_t *deep = json_object_get(json, "deep"), *deepest = json_object_get(json, "deepest"),
                 *followed = json_object_get(json, "threads");
    if ((deep && !get(deep, UINT32_MAX, &records->deep)) || (deepest && !get(deepest, UINT32_MAX, &records->deepest)) ||
        (followed && !get(followed, UINT32_MAX, &threads)))
        return false;
    records->threads = (unsigned)threads;
    return records->deep <= records->overflow;
}

static bool parse(const json_t *json, struct gnomon_records *records) {
    uint64_t size;
    const json_t *list = json_object_get(json, "records");
    if (!get(json_object_get(json, "size"), GNOMON_MOST_RECORDS, &size) || size <= GNOMON_RECORD_TRAPS ||
        json_array_size(list) > size || !get(json_object_get(json, "aggregated"), INT64_MAX, &records->aggregated) ||
        !get(json_object_get(json, "overflow"), UINT32_MAX, &records->overflow) ||
        !get(json_object_get(json, "unbalanced"), UINT32_MAX, &records->unbalanced) ||
        !get(json_object_get(json, "untracked"), UINT32_MAX, &records->untracked) || !parse_depths(json, records))
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
    if (!gnomon_records_make(records, GNOMON_MOST_RECORDS))
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
