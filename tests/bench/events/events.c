/* SPDX-License-Identifier: Apache-2.0 */
#include "events.h"

#include <stdlib.h>

#define DEEPEST 24
#define JOB_EVENTS 400 /* a job ends after about that many events */

static uint32_t mixed(uint32_t function, uint32_t step) {
    return (function * 8 + step + 1) * UINT32_C(2654435761) >> 12;
}

/* A program's call graph: a function calls a fixed number of others in a fixed order, and only functions of higher
 * numbers: mostly near ones, some that are called everywhere, and that call nothing. */
static unsigned children_of(uint32_t function) {
    static const uint8_t usual[] = {0, 0, 1, 1, 2, 2, 3, 4};
    return function < THREADS * 3 ? 4 : function >= FUNCTIONS - 16 ? 0 : usual[mixed(function, 0) & 7];
}

static uint16_t child_of(uint32_t function, uint32_t step) {
    const uint32_t hash = mixed(function, step), near = function + 1 + hash % 40;
    return (uint16_t)(step == 3 || near >= FUNCTIONS ? FUNCTIONS - 1 - hash % 16 : near);
}

static uint32_t next_random(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* Cycles up to the event: nearly always those of this place in the program, else more or less, at times many. */
static uint32_t some_cycles(uint32_t place, uint32_t random) {
    static const uint16_t usual[] = {2, 3, 3, 4, 5, 5, 6, 8, 8, 11, 13, 17, 21, 34, 90, 400};
    return random % 997 == 0 ? 20000 : usual[(random & 7 ? place : random >> 8) & 15];
}

struct walk {
    struct block *block;
    uint64_t random;
    uint16_t open[DEEPEST];
    uint8_t step[DEEPEST]; /* of each: which call comes next */
    uint8_t depth, thread;
};

static void add(struct walk *walk, uint16_t function, bool enters) {
    struct block *block = walk->block;
    const uint32_t step = enters || !walk->depth ? 7 : walk->step[walk->depth - 1];
    block->cycles += some_cycles(mixed(function, step), next_random(&walk->random));
    block->events[block->count++] = (struct call_event){block->cycles, function, walk->thread, walk->depth, enters};
}

static void enter(struct walk *walk, uint16_t function) {
    add(walk, function, true);
    walk->step[walk->depth] = 0;
    walk->open[walk->depth++] = function;
}

static void leave(struct walk *walk) {
    const uint16_t function = walk->open[--walk->depth];
    add(walk, function, false);
}

/* Calls of a thread from its outermost one on, until that one ends. One call in eight is left out: data decide it. */
static void run_job(struct walk *walk) {
    const size_t first = walk->block->count;
    enter(walk, (uint16_t)(walk->thread * 3 + next_random(&walk->random) % 3));
    while (walk->depth) {
        const uint16_t top = walk->open[walk->depth - 1];
        const uint32_t step = walk->step[walk->depth - 1]++;
        const bool long_enough = walk->block->count - first > JOB_EVENTS;
        if (long_enough || walk->depth == DEEPEST || step >= children_of(top))
            leave(walk);
        else if (next_random(&walk->random) & 7)
            enter(walk, child_of(top, step));
    }
}

struct block block_new(size_t wanted) {
    struct block block = {.events =
                              malloc((wanted + (THREADS + 1) * (JOB_EVENTS + 2 * DEEPEST)) * sizeof *block.events)};
    if (!block.events)
        die("out of memory", "block");
    struct walk walk = {.block = &block, .random = 1};
    do {
        run_job(&walk);
        walk.thread = (uint8_t)((walk.thread + 1) % THREADS);
    } while (block.count < wanted || walk.thread != 0);
    block.cycles += 10;
    return block;
}

void block_free(struct block *block) {
    free(block->events);
}

struct totals block_totals(const struct block *block, uint64_t repetitions) {
    struct totals totals = {.cycles = block->cycles * repetitions};
    uint64_t entered[DEEPEST], within[DEEPEST + 1] = {0}; /* within: time in the calls that this one made */
    for (size_t i = 0; i < block->count; i++) {
        const struct call_event *event = &block->events[i];
        if (event->enters) {
            entered[event->depth] = event->cycle;
            within[event->depth + 1] = 0;
            continue;
        }
        const uint64_t cycles = event->cycle - entered[event->depth];
        totals.calls[event->function] += repetitions;
        totals.total[event->function] += cycles * repetitions;
        totals.self[event->function] += (cycles - within[event->depth + 1]) * repetitions;
        within[event->depth] += cycles;
    }
    return totals;
}
