/* SPDX-License-Identifier: Apache-2.0 */
/* From targets with actions to what a device is told: numbers of tags, what each does, and the tags of each word.
 *
 * An instruction, or a word, has one tag. Where targets overlap, what they have in common gets a number of its own,
 * which does what both want; what a target counted is the sum over all numbers that are part of it. */
#ifndef GNOMON_LIB_TAG_PLAN_H
#define GNOMON_LIB_TAG_PLAN_H

#include "tag_target.h"

#define GNOMON_TAG_TIMERS 4   /* at most */
#define GNOMON_TAG_STEPS 4    /* of each timer, at most */
#define GNOMON_TAG_SEGMENTS 4 /* of the shadow memory, and of own counters, at most */

/* A target and what is to happen there, as bits of a device's register MODE. */
struct gnomon_tag_spec {
    struct gnomon_tag_target target;
    uint32_t mode;
};

struct gnomon_tag_list {
    size_t count;
    struct gnomon_tag_spec specs[GNOMON_TAG_VALUES];
};

/* "count", "each", "start=0,interrupt": bits of MODE; those of EXECUTE, READ and WRITE only where they are asked for.
 * GNOMON_ERR_ARGUMENT: there is no such action, or two exclude each other. */
enum gnomon_status gnomon_tag_parse_actions(const char *text, uint32_t *mode, struct gnomon_error *error);

/* WHAT, or WHAT:ACTIONS, is found in the program and added. */
enum gnomon_status gnomon_tag_list_add(struct gnomon_tag_list *list, const struct gnomon_tag_program *program,
                                       const char *text, struct gnomon_error *error);
/* The same with actions that are known. */
enum gnomon_status gnomon_tag_list_find(struct gnomon_tag_list *list, const struct gnomon_tag_program *program,
                                        const char *what, uint32_t mode, struct gnomon_error *error);
void gnomon_tag_list_free(struct gnomon_tag_list *list);

/* What a device has. */
struct gnomon_tag_sizes {
    uint32_t segment_bytes; /* of main memory that a segment of the shadow memory covers; 0: there are only hints */
    unsigned segments, timers, steps;
    uint32_t own_counters; /* in a segment; 0: there are none */
    unsigned own_segments;
};

struct gnomon_tag_word {
    uint32_t address, tags; /* as TAGS.TAG has them */
};

struct gnomon_tag_own {
    uint32_t base;
    bool data;
};

struct gnomon_tag_plan {
    const struct gnomon_tag_list *list;
    uint32_t modes[GNOMON_TAG_VALUES + 1];   /* by number; 0: not used */
    uint32_t members[GNOMON_TAG_VALUES + 1]; /* bit i: the number is part of specs[i] */
    uint32_t timers;                         /* bit i: an action is about timer i */
    bool hints, trace;                       /* CONTROL's bits */
    bool traced_first;                       /* the trace is on when the program starts: no tag can start it */
    size_t map_count, own_count, word_count, word_capacity;
    uint32_t maps[GNOMON_TAG_SEGMENTS]; /* what segments of the shadow memory cover: first addresses */
    struct gnomon_tag_own own[GNOMON_TAG_SEGMENTS];
    struct gnomon_tag_word *words;                            /* by address */
    uint32_t thresholds[GNOMON_TAG_TIMERS][GNOMON_TAG_STEPS]; /* cycles; 0: none */
};

/* `device`: its name, for messages. `list` must outlive the plan; the thresholds are the caller's to set. To be freed
 * whatever the status is. GNOMON_ERR_UNSUPPORTED: the device has not so much of something; GNOMON_ERR_ARGUMENT: what
 * overlapping targets want excludes each other. */
enum gnomon_status gnomon_tag_plan_make(struct gnomon_tag_plan *plan, const struct gnomon_tag_list *list,
                                        const struct gnomon_tag_sizes *sizes, const char *device,
                                        struct gnomon_error *error);
void gnomon_tag_plan_free(struct gnomon_tag_plan *plan);

#endif
