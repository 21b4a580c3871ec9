/* SPDX-License-Identifier: Apache-2.0 */
/* What function records counted between two moments. Lists of both are sorted in the same way. */
#include "lib/model/function_records_internal.h"

/* Cycles of dropped calls are taken from a function before it has them, so a figure can fall for a while. */
static uint64_t grown(uint64_t later, uint64_t earlier) {
    return (int64_t)(later - earlier) > 0 ? later - earlier : 0;
}

static void put_record(struct gnomon_records *difference, struct gnomon_record record,
                       const struct gnomon_record *before) {
    if (before) {
        record.calls = grown(record.calls, before->calls);
        record.self = grown(record.self, before->self);
        record.total = grown(record.total, before->total);
        record.lost_calls = grown(record.lost_calls, before->lost_calls);
        record.lost_cycles = grown(record.lost_cycles, before->lost_cycles);
        record.min = gnomon_ones(GNOMON_RECORD_SHORT_BITS);
        record.max = 0;
    }
    if (record.calls || record.self || record.total || record.lost_calls || record.lost_cycles)
        difference->list[difference->count++] = record;
}

static void put_arc(struct gnomon_records *difference, struct gnomon_record_arc arc,
                    const struct gnomon_record_arc *before) {
    if (before) {
        arc.calls = grown(arc.calls, before->calls);
        arc.self = grown(arc.self, before->self);
        arc.total = grown(arc.total, before->total);
    }
    if (arc.calls || arc.self || arc.total)
        difference->arcs[difference->arc_count++] = arc;
}

enum gnomon_status gnomon_records_between(const struct gnomon_records *earlier, const struct gnomon_records *later,
                                          struct gnomon_records *difference, struct gnomon_error *error) {
    const size_t most = later->count > later->arc_count ? later->count : later->arc_count;
    *difference = *later;
    difference->list = NULL;
    difference->arcs = NULL;
    difference->buckets = NULL;
    difference->count = difference->arc_count = difference->bucket_count = 0;
    difference->bucketed = 0;
    if (!gnomon_records_make(difference, most + 1)) {
        gnomon_records_free(difference);
        return gnomon_fail_memory(error);
    }
    for (size_t i = 0, j = 0; i < later->count; i++) {
        while (j < earlier->count && earlier->list[j].number < later->list[i].number)
            j++;
        const bool both = j < earlier->count && earlier->list[j].number == later->list[i].number;
        put_record(difference, later->list[i], both ? &earlier->list[j] : NULL);
    }
    for (size_t i = 0, j = 0; i < later->arc_count; i++) {
        while (j < earlier->arc_count && gnomon_records_by_pair(&earlier->arcs[j], &later->arcs[i]) < 0)
            j++;
        const bool both = j < earlier->arc_count && gnomon_records_by_pair(&earlier->arcs[j], &later->arcs[i]) == 0;
        put_arc(difference, later->arcs[i], both ? &earlier->arcs[j] : NULL);
    }
    return GNOMON_OK;
}
