/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/live/live_open.h"

#include <stdlib.h>

#include "lib/model/function_records_internal.h"

void live_same_counts(const struct gnomon_records *from, struct gnomon_records *to) {
    to->aggregated = from->aggregated;
    to->overflow = from->overflow;
    to->deep = from->deep;
    to->unbalanced = from->unbalanced;
    to->untracked = from->untracked;
    to->arc_overflow = from->arc_overflow;
    to->deepest = from->deepest;
}

static int by_number(const void *a, const void *b) {
    const struct gnomon_record *left = a, *right = b;
    return (left->number > right->number) - (left->number < right->number);
}

/* A function can be open more than once. */
static void add_equal_records(struct gnomon_records *open) {
    size_t kept = 0;
    qsort(open->list, open->count, sizeof *open->list, by_number);
    for (size_t i = 0; i < open->count; i++) {
        struct gnomon_record *last = kept ? &open->list[kept - 1] : NULL;
        if (last && last->number == open->list[i].number) {
            last->self += open->list[i].self;
            last->total += open->list[i].total;
        } else {
            open->list[kept++] = open->list[i];
        }
    }
    open->count = kept;
}

static void add_equal_arcs(struct gnomon_records *open) {
    size_t kept = 0;
    qsort(open->arcs, open->arc_count, sizeof *open->arcs, gnomon_records_by_pair);
    for (size_t i = 0; i < open->arc_count; i++) {
        struct gnomon_record_arc *last = kept ? &open->arcs[kept - 1] : NULL;
        if (last && gnomon_records_by_pair(last, &open->arcs[i]) == 0) {
            last->self += open->arcs[i].self;
            last->total += open->arcs[i].total;
        } else {
            open->arcs[kept++] = open->arcs[i];
        }
    }
    open->arc_count = kept;
}

/* The frames of a thread follow each other, the innermost first; the outermost is what passes in no function. Nothing
 * calls that one, and nothing in the program calls traps. */
static void put_frame(struct gnomon_records *open, const struct gnomon_epoch *epoch, size_t index) {
    const struct gnomon_open_frame *frame = &epoch->open[index];
    const uint32_t traps = open->size - GNOMON_RECORD_TRAPS, none = traps + GNOMON_RECORD_NONE;
    const uint64_t self = (uint64_t)frame->self, total = frame->outermost || frame->number == none ? frame->total : 0;
    open->list[open->count++] = (struct gnomon_record){
        .number = frame->number, .self = self, .total = total, .min = gnomon_ones(GNOMON_RECORD_SHORT_BITS)};
    if (frame->number == none || !open->with_arcs || (frame->number < traps && index + 1 == epoch->open_count))
        return;
    open->arcs[open->arc_count++] =
        (struct gnomon_record_arc){.caller = frame->number < traps ? epoch->open[index + 1].number : none,
                                   .callee = frame->number,
                                   .self = self,
                                   .total = total};
}

enum gnomon_status live_open_records(const struct gnomon_epoch *epoch, struct gnomon_records *open,
                                     struct gnomon_error *error) {
    const struct gnomon_records *ended = &epoch->records;
    *open = (struct gnomon_records){.size = ended->size,
                                    .threads = ended->threads,
                                    .with_arcs = ended->with_arcs,
                                    .with_losses = ended->with_losses,
                                    .bucketed = ended->bucketed};
    if (!gnomon_records_make(open, epoch->open_count + 1))
        return gnomon_fail_memory(error);
    for (size_t i = 0; i < epoch->open_count; i++)
        put_frame(open, epoch, i);
    add_equal_records(open);
    add_equal_arcs(open);
    return GNOMON_OK;
}
