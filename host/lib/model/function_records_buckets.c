/* SPDX-License-Identifier: Apache-2.0 */
/* The buckets of records: as histograms, and in the form of a trace file. */
#include <stdlib.h>

#include "lib/model/function_records_internal.h"

bool gnomon_records_more_buckets(struct gnomon_records *records, size_t more) {
    struct gnomon_record_bucket *bigger =
        realloc(records->buckets, (records->bucket_count + more) * sizeof *records->buckets);
    if (bigger)
        records->buckets = bigger;
    return bigger;
}

static int by_place(const struct gnomon_record_bucket *a, const struct gnomon_record_bucket *b) {
    uint32_t a_place = a->number * GNOMON_BUCKETS + a->bucket, b_place = b->number * GNOMON_BUCKETS + b->bucket;
    return (a_place > b_place) - (a_place < b_place);
}

bool gnomon_records_histogram(const struct gnomon_records *records, uint32_t number,
                              struct gnomon_histogram **histogram) {
    const struct gnomon_record_bucket wanted = {.number = number};
    size_t low = 0, high = records->bucket_count;
    *histogram = NULL;
    if (number >= records->bucketed)
        return true;
    *histogram = calloc(1, sizeof **histogram);
    if (!*histogram)
        return false;
    (*histogram)->counts_only = records->in_memory;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (by_place(&records->buckets[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < records->bucket_count && records->buckets[low].number == number; low++)
        (*histogram)->buckets[records->buckets[low].bucket] = records->buckets[low].figures;
    return true;
}

/* ---- In a trace file: squares are split into two halves, because JSON readers have limited integers ---- */

enum { NUMBER, BUCKET, CALLS, CYCLES, SQUARES_HIGH, SQUARES_LOW, SATURATED, FIELDS };
#define HALF (GNOMON_RECORD_SQUARES_BITS / 2)
#define HALF_ONES ((UINT64_C(1) << HALF) - 1)

json_t *gnomon_records_buckets_json(const struct gnomon_records *records) {
    json_t *list = json_array();
    for (size_t i = 0; i < records->bucket_count; i++) {
        const struct gnomon_record_bucket *bucket = &records->buckets[i];
        const struct gnomon_bucket *figures = &bucket->figures;
        json_array_append_new(list, json_pack("[I, I, I, I, I, I, i]", (json_int_t)bucket->number,
                                              (json_int_t)bucket->bucket, (json_int_t)figures->calls,
                                              (json_int_t)figures->cycles, (json_int_t)(figures->squares >> HALF),
                                              (json_int_t)(figures->squares & HALF_ONES), (int)bucket->saturated));
    }
    return list;
}

static bool parse(const json_t *json, uint32_t bucketed, struct gnomon_record_bucket *bucket) {
    uint64_t field[FIELDS];
    const uint64_t most[FIELDS] = {bucketed - 1,
                                   GNOMON_BUCKETS - 1,
                                   (UINT64_C(1) << GNOMON_RECORD_CALLS_BITS) - 1,
                                   (UINT64_C(1) << GNOMON_RECORD_CYCLES_BITS) - 1,
                                   HALF_ONES,
                                   HALF_ONES,
                                   1};
    if (!gnomon_records_numbers(json, FIELDS, most, field) || !field[CALLS])
        return false;
    *bucket = (struct gnomon_record_bucket){
        .number = (uint32_t)field[NUMBER],
        .bucket = (unsigned)field[BUCKET],
        .figures = {field[CALLS], field[CYCLES], (gnomon_uint128)field[SQUARES_HIGH] << HALF | field[SQUARES_LOW]},
        .saturated = field[SATURATED],
    };
    return true;
}

/* Files of versions without buckets have none. */
enum gnomon_status gnomon_records_parse_buckets(const json_t *json, struct gnomon_records *records,
                                                struct gnomon_error *error) {
    const json_t *list = json_object_get(json, "buckets"), *bucketed = json_object_get(json, "bucketed");
    json_int_t functions = json_integer_value(bucketed);
    if (!bucketed && !list)
        return GNOMON_OK;
    bool good = functions >= 0 && functions <= records->size && json_is_integer(bucketed) && json_is_array(list);
    records->bucketed = good ? (uint32_t)functions : 0;
    good = good && json_array_size(list) <= (size_t)records->bucketed * GNOMON_BUCKETS;
    if (good && json_array_size(list) && !gnomon_records_more_buckets(records, json_array_size(list)))
        return gnomon_fail_memory(error);
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        good = parse(json_array_get(list, i), records->bucketed, &records->buckets[i]) &&
               (i == 0 || by_place(&records->buckets[i], &records->buckets[i - 1]) > 0);
        records->bucket_count += good;
    }
    return good ? GNOMON_OK : gnomon_fail(error, GNOMON_ERR_FORMAT, "the buckets of the records in it make no sense");
}
