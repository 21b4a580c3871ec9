/* SPDX-License-Identifier: Apache-2.0 */
/* The records of two harts, added. Lists of both are sorted in the same way, so a merge finds what is in both. */
#include <stdlib.h>

#include "lib/model/function_records_internal.h"

static uint64_t lower(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t higher(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static struct gnomon_record add_record(const struct gnomon_record *a, const struct gnomon_record *b) {
    const uint64_t none = gnomon_ones(GNOMON_RECORD_SHORT_BITS);
    return (struct gnomon_record){
        .number = a->number,
        .calls = a->calls + b->calls,
        .self = a->self + b->self,
        .total = a->total + b->total,
        .min = lower(a->calls ? a->min : none, b->calls ? b->min : none),
        .max = higher(a->max, b->max),
        .lost_here = a->lost_here || b->lost_here,
        .lost_within = a->lost_within || b->lost_within,
        .lost_calls = a->lost_calls + b->lost_calls,
        .lost_cycles = a->lost_cycles + b->lost_cycles,
        .saturated = a->saturated || b->saturated,
        .untimed = a->untimed || b->untimed,
    };
}

static void add_records(const struct gnomon_records *one, const struct gnomon_records *other,
                        struct gnomon_records *sum) {
    for (size_t i = 0, j = 0; i < one->count || j < other->count;) {
        const struct gnomon_record *a = &one->list[i], *b = &other->list[j];
        struct gnomon_record *record = &sum->list[sum->count++];
        if (j == other->count || (i < one->count && a->number < b->number))
            *record = *a, i++;
        else if (i == one->count || b->number < a->number)
            *record = *b, j++;
        else
            *record = add_record(a, b), i++, j++;
    }
}

static void add_arcs(const struct gnomon_records *one, const struct gnomon_records *other, struct gnomon_records *sum) {
    for (size_t i = 0, j = 0; i < one->arc_count || j < other->arc_count;) {
        const struct gnomon_record_arc *a = &one->arcs[i], *b = &other->arcs[j];
        struct gnomon_record_arc *arc = &sum->arcs[sum->arc_count++];
        const int order = i == one->arc_count ? 1 : j == other->arc_count ? -1 : gnomon_records_by_pair(a, b);
        *arc = order <= 0 ? *a : *b;
        if (order == 0) {
            arc->calls += b->calls;
            arc->self += b->self;
            arc->total += b->total;
            arc->saturated |= b->saturated;
        }
        i += order <= 0;
        j += order >= 0;
    }
}

static uint64_t place(const struct gnomon_record_bucket *bucket) {
    return (uint64_t)bucket->number * GNOMON_BUCKETS + bucket->bucket;
}

static void add_buckets(const struct gnomon_records *one, const struct gnomon_records *other,
                        struct gnomon_records *sum) {
    for (size_t i = 0, j = 0; i < one->bucket_count || j < other->bucket_count;) {
        const struct gnomon_record_bucket *a = &one->buckets[i], *b = &other->buckets[j];
        struct gnomon_record_bucket *bucket = &sum->buckets[sum->bucket_count++];
        const uint64_t first = i < one->bucket_count ? place(a) : UINT64_MAX,
                       second = j < other->bucket_count ? place(b) : UINT64_MAX;
        *bucket = first <= second ? *a : *b;
        if (first == second) {
            bucket->figures.calls += b->figures.calls;
            bucket->figures.cycles += b->figures.cycles;
            bucket->figures.squares += b->figures.squares;
            bucket->saturated |= b->saturated;
        }
        i += first <= second;
        j += second <= first;
    }
}

enum gnomon_status gnomon_records_add_up(const struct gnomon_records *one, const struct gnomon_records *other,
                                         struct gnomon_records *sum, struct gnomon_error *error) {
    const size_t entries = one->count + other->count + one->arc_count + other->arc_count + 1;
    *sum = (struct gnomon_records){
        .size = one->size,
        .aggregated = one->aggregated + other->aggregated,
        .overflow = one->overflow + other->overflow,
        .deep = one->deep + other->deep,
        .deepest = higher(one->deepest, other->deepest),
        .threads = one->threads,
        .unbalanced = one->unbalanced + other->unbalanced,
        .untracked = one->untracked + other->untracked,
        .with_arcs = one->with_arcs && other->with_arcs,
        .arc_overflow = one->arc_overflow + other->arc_overflow,
        .with_losses = one->with_losses && other->with_losses,
        .bucketed = one->bucketed,
    };
    if (one->size != other->size || one->bucketed != other->bucketed || one->threads != other->threads)
        return gnomon_fail(error, GNOMON_ERR_FORMAT, "the records of the two harts in it are of different devices");
    if (!gnomon_records_make(sum, entries) ||
        !gnomon_records_more_buckets(sum, one->bucket_count + other->bucket_count + 1)) {
        gnomon_records_free(sum);
        return gnomon_fail_memory(error);
    }
    add_records(one, other, sum);
    add_arcs(one, other, sum);
    add_buckets(one, other, sum);
    return GNOMON_OK;
}
