/* SPDX-License-Identifier: Apache-2.0 */
/* What a recording of all functions says before single ones are measured: which functions ran, how often, and which
 * were on one stack. */
#ifndef GNOMON_LIB_API_STACKS_H
#define GNOMON_LIB_API_STACKS_H

#include "lib/fleet/api_plan.h"
#include "lib/fleet/api_recording.h"

struct gnomon_api_function {
    char *symbol; /* the linker's name; owned */
    char *name;   /* as shown; owned */
    uint64_t calls;
    bool twins; /* two functions of this name were on one stack */
};

/* `function` (its place) ended with a jump to another function. When that one is not watched, `function` seems to go on
 * until it returns; so whoever watches `function` must watch it, too. */
struct gnomon_api_tail {
    size_t function;
    char *symbol; /* of the other; owned */
};

struct gnomon_api_stacks {
    size_t count;
    struct gnomon_api_function *functions; /* chosen ones that ran, in the order of their first call */
    struct gnomon_api_graph graph;         /* of these functions */
    size_t tail_count, tail_room;
    struct gnomon_api_tail *tails; /* each pair once */
    uint64_t cycles;               /* of the run */
    bool from_pairs; /* known are only pairs of caller and callee: `graph` has who can share a stack, perhaps more */
    bool lost;       /* the recording has lost events, and does not say who shares a stack */
    struct gnomon_exactness exactness; /* of the recording, and how the run ended */
};

/* Reads a recording of one run, with events or with function records. A function that an interrupt or exception called
 * is taken to share a stack with all others, because it can come at any time. Function records have pairs of caller and
 * callee: functions can share a stack if one leads to the other; where a call is in no pair, each function can have
 * made it. GNOMON_ERR_UNSUPPORTED: events were lost (then `lost` is true), or records. The caller frees `stacks`,
 * whatever the status is. */
enum gnomon_status gnomon_api_stacks_read(struct gnomon_api_stacks *stacks, const char *path, const char *elf,
                                          gnomon_api_chosen *chosen, void *context, struct gnomon_error *error);
/* Checks a recording in which only chosen functions were measured, which share no stack; what else was watched does not
 * matter. GNOMON_ERR_MISMATCH: one of them
 * called another one, directly or not, or it was called by an interrupt and another one was measured, too. */
enum gnomon_status gnomon_api_stacks_check(const char *path, const char *elf, gnomon_api_chosen *chosen, void *context,
                                           struct gnomon_error *error);
void gnomon_api_stacks_free(struct gnomon_api_stacks *stacks);

#endif
