/* SPDX-License-Identifier: Apache-2.0 */
/* Finds functions that can have been open more than once at a time: those on a cycle of the call graph, and those that
 * traps call. */
#include <stdlib.h>

#include "lib/model/function_records.h"

/* Marks the callees of all reached records as reached. False: there was none to add. */
static bool reach_further(const struct gnomon_records *records, bool *reached) {
    bool more = false;
    for (size_t i = 0; i < records->arc_count; i++) {
        const struct gnomon_record_arc *arc = &records->arcs[i];
        if (!reached[arc->caller] || reached[arc->callee])
            continue;
        reached[arc->callee] = more = true;
    }
    return more;
}

static bool is_trap(const struct gnomon_records *records, uint32_t number) {
    uint32_t first = records->size - GNOMON_RECORD_TRAPS;
    return number >= first && number != first + GNOMON_RECORD_NONE;
}

bool gnomon_records_recursive(const struct gnomon_records *records, uint32_t number) {
    if (!records->with_arcs || records->arc_overflow > 0 || number >= records->size)
        return true;
    bool *reached = calloc(records->size, sizeof *reached);
    if (!reached)
        return true;
    for (size_t i = 0; i < records->arc_count; i++)
        if (records->arcs[i].caller == number || is_trap(records, records->arcs[i].caller))
            reached[records->arcs[i].callee] = true;
    while (!reached[number] && reach_further(records, reached))
        continue;
    bool recursive = reached[number];
    free(reached);
    return recursive;
}

bool gnomon_records_trapped(const struct gnomon_records *records) {
    for (size_t i = 0; i < records->count; i++)
        if (is_trap(records, records->list[i].number) && records->list[i].calls > 0)
            return true;
    return false;
}
