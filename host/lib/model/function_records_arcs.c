/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of caller and callee from several runs. */
#include <stdlib.h>
#include <string.h>

#include "lib/model/function_records_internal.h"

int gnomon_records_by_pair(const void *left, const void *right) {
    const struct gnomon_record_arc *a = left, *b = right;
    uint64_t a_pair = (uint64_t)a->caller << 32 | a->callee, b_pair = (uint64_t)b->caller << 32 | b->callee;
    return (a_pair > b_pair) - (a_pair < b_pair);
}

static bool is_call(const struct gnomon_records *records, const struct gnomon_record *record) {
    return record->number != records->size - GNOMON_RECORD_TRAPS + GNOMON_RECORD_NONE;
}

uint64_t gnomon_records_calls(const struct gnomon_records *records) {
    uint64_t calls = 0;
    for (size_t i = 0; i < records->count; i++)
        if (is_call(records, &records->list[i]))
            calls += records->list[i].calls;
    return calls;
}

uint64_t gnomon_records_missing(const struct gnomon_records *records, uint64_t *missing) {
    uint64_t sum = 0;
    memset(missing, 0, records->size * sizeof *missing);
    for (size_t i = 0; i < records->count; i++)
        if (is_call(records, &records->list[i]))
            missing[records->list[i].number] = records->list[i].calls;
    for (size_t i = 0; i < records->arc_count; i++) {
        uint64_t *left = &missing[records->arcs[i].callee];
        *left -= records->arcs[i].calls < *left ? records->arcs[i].calls : *left;
    }
    for (uint32_t i = 0; i < records->size; i++)
        sum += missing[i];
    return sum;
}

/* Do two runs agree on a pair? A pair in the table has all its calls, whatever other pairs the table has. */
static bool agree(const struct gnomon_record_arc *a, const struct gnomon_record_arc *b) {
    return a->calls == b->calls && a->self == b->self && a->total == b->total && a->saturated == b->saturated;
}

enum gnomon_status gnomon_records_add_arcs(struct gnomon_records *records, const struct gnomon_records *found,
                                           struct gnomon_error *error) {
    size_t before = records->arc_count, most = before + found->arc_count;
    struct gnomon_record_arc *arcs = realloc(records->arcs, (most + 1) * sizeof *arcs);
    if (!arcs)
        return gnomon_fail_memory(error);
    records->arcs = arcs;
    for (size_t i = 0; i < found->arc_count; i++) {
        const struct gnomon_record_arc *arc = &found->arcs[i];
        const struct gnomon_record_arc *known = bsearch(arc, arcs, before, sizeof *arcs, gnomon_records_by_pair);
        if (known && !agree(known, arc))
            return gnomon_fail(error, GNOMON_ERR_MISMATCH,
                               "two runs of as many cycles have different calls from record %u to %u",
                               (unsigned)arc->caller, (unsigned)arc->callee);
        if (!known && records->arc_count < GNOMON_MOST_ARCS)
            arcs[records->arc_count++] = *arc;
    }
    qsort(arcs, records->arc_count, sizeof *arcs, gnomon_records_by_pair);
    return GNOMON_OK;
}
