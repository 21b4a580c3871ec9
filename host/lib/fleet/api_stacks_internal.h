/* SPDX-License-Identifier: Apache-2.0 */
/* What the files share that read who shares a stack: from events, and from pairs of caller and callee. */
#ifndef GNOMON_LIB_API_STACKS_INTERNAL_H
#define GNOMON_LIB_API_STACKS_INTERNAL_H

#include "lib/fleet/api_stacks.h"
#include "lib/profile/analysis.h"

#define GNOMON_STACKS_NOT_CHOSEN SIZE_MAX

struct gnomon_stacks_reading {
    struct gnomon_api_stacks *stacks;
    struct gnomon_analysis analysis;
    struct gnomon_profile *profile;
    size_t *chosen;  /* for each function of the profile: its place in `stacks`, or GNOMON_STACKS_NOT_CHOSEN */
    size_t *stack;   /* room for one stack */
    uint32_t *owner; /* for each place, the function of the profile that was found last on this stack */
};

static inline bool gnomon_stacks_is_trap(uint32_t id) {
    return id >= GNOMON_PROFILE_TRAP && id < GNOMON_PROFILE_UNKNOWN;
}

/* The function with the linker's name `from`, if it is a chosen one, ends with a jump to `to`. False: out of memory. */
bool gnomon_stacks_add_tail(struct gnomon_api_stacks *stacks, const char *from, const char *to);

/* Makes the graph from the profile's pairs of caller and callee. False: out of memory. */
bool gnomon_stacks_of_pairs(struct gnomon_stacks_reading *reading);
/* Finds tail calls in the program's machine code: function records do not tell them. */
enum gnomon_status gnomon_stacks_tails_of_code(struct gnomon_stacks_reading *reading, struct gnomon_error *error);

#endif
