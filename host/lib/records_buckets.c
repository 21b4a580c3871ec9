/* SPDX-License-Identifier: Apache-2.0 */
/* The buckets of the device's records. Only those between the shortest and the longest call of a function are read. */
#include <stdlib.h>

#include "records_internal.h"

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

static bool make_room(struct gnomon_records *records, size_t more) {
    struct gnomon_record_bucket *bigger =
        realloc(records->buckets, (records->bucket_count + more) * sizeof *records->buckets);
    if (bigger)
        records->buckets = bigger;
    return bigger;
}

static enum gnomon_status read_function(struct gnomon_device *device, uint32_t epoch,
                                        const struct gnomon_record *record, struct gnomon_records *records,
                                        struct gnomon_error *error) {
    uint32_t words[GNOMON_WINDOW_ENTRIES * GNOMON_ENTRY_WORDS];
    unsigned first = gnomon_bucket_of(record->min), last = gnomon_bucket_of(record->max);
    if (first > last) /* nothing that a device can mean */
        return GNOMON_OK;
    if (!make_room(records, last - first + 1))
        return gnomon_fail_memory(error);
    enum gnomon_status status = gnomon_records_window(
        device, GNOMON_PROFILE_RECORD_PAGE_BUCKETS | epoch | record->number, first, last - first + 1, words, error);
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

/* ---- In a trace file: the squares in two halves, for a JSON reader's integers ---- */

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

/* Files from before there were buckets have none. */
enum gnomon_status gnomon_records_parse_buckets(const json_t *json, struct gnomon_records *records,
                                                struct gnomon_error *error) {
    const json_t *list = json_object_get(json, "buckets"), *bucketed = json_object_get(json, "bucketed");
    json_int_t functions = json_integer_value(bucketed);
    if (!bucketed && !list)
        return GNOMON_OK;
    bool good = functions >= 0 && functions <= records->size && json_is_integer(bucketed) && json_is_array(list);
    records->bucketed = good ? (uint32_t)functions : 0;
    good = good && json_array_size(list) <= (size_t)records->bucketed * GNOMON_BUCKETS;
    if (good && json_array_size(list) && !make_room(records, json_array_size(list)))
        return gnomon_fail_memory(error);
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        good = parse(json_array_get(list, i), records->bucketed, &records->buckets[i]) &&
               (i == 0 || by_place(&records->buckets[i], &records->buckets[i - 1]) > 0);
        records->bucket_count += good;
    }
    return good ? GNOMON_OK : gnomon_fail(error, GNOMON_ERR_FORMAT, "the buckets of the records in it make no sense");
}
