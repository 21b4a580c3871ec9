/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a plan for a device from targets with actions: the tag numbers, what each number does, and the tags of each
 * word.
 *
 * An instruction or word has only one tag. Where targets overlap, the common part gets its own number, which does what
 * both targets want. The count of a target is the sum over all numbers that belong to it. */
#ifndef GNOMON_LIB_TAG_PLAN_H
#define GNOMON_LIB_TAG_PLAN_H

#include "lib/tag/tag_target.h"

#define GNOMON_TAG_TIMERS 4              /* at most */
#define GNOMON_TAG_STEPS 4               /* of each timer, at most */
#define GNOMON_TAG_MOST_CYCLES INT32_MAX /* of a threshold */
/* Blocks of the shadow memory, for code and for data each, at most. */
#define GNOMON_TAG_BLOCKS_LOG2 4
#define GNOMON_TAG_BLOCKS (1 << GNOMON_TAG_BLOCKS_LOG2)

/* A target and its action, as bits of a device's register MODE. */
struct gnomon_tag_spec {
    struct gnomon_tag_target target;
    uint32_t mode;
    unsigned module; /* the target's addresses are offsets in this module, counted from 1; 0: they are the program's */
};

/* Lengths of a timer's intervals that are counted, and for which the program may be interrupted. */
struct gnomon_tag_thresholds {
    uint32_t cycles[GNOMON_TAG_STEPS]; /* 0: not in use */
    uint32_t interrupts;               /* bit n: an interval that reaches cycles[n] asks for the profile interrupt */
};

struct gnomon_tag_list {
    size_t count;
    struct gnomon_tag_spec specs[GNOMON_TAG_VALUES];
    struct gnomon_tag_thresholds thresholds[GNOMON_TAG_TIMERS];
};

/* Parses "count", "each", "start=0,interrupt" into bits of MODE; the bits of EXECUTE, READ and WRITE are set only if
 * the text names them. GNOMON_ERR_ARGUMENT: there is no such action, or two actions exclude each other. */
enum gnomon_status gnomon_tag_parse_actions(const char *text, uint32_t *mode, struct gnomon_error *error);

/* Finds WHAT, or WHAT:ACTIONS, in the program and adds it. */
enum gnomon_status gnomon_tag_list_add(struct gnomon_tag_list *list, const struct gnomon_tag_program *program,
                                       const char *text, struct gnomon_error *error);
/* The same with known actions. */
enum gnomon_status gnomon_tag_list_find(struct gnomon_tag_list *list, const struct gnomon_tag_program *program,
                                        const char *what, uint32_t mode, struct gnomon_error *error);
void gnomon_tag_list_free(struct gnomon_tag_list *list);

/* Adds a threshold, or the interrupt to an equal one. False: the timer has GNOMON_TAG_STEPS others. */
bool gnomon_tag_list_step(struct gnomon_tag_list *list, unsigned timer, uint32_t cycles, bool interrupt);
/* Adds the thresholds "TIMER=CYCLES[:interrupt][,CYCLES[:interrupt]...]". */
enum gnomon_status gnomon_tag_list_threshold(struct gnomon_tag_list *list, const char *text,
                                             struct gnomon_error *error);

#define GNOMON_TAG_FILLED_VALUES 15 /* numbers that tags in main memory can have: from 1 on */

/* Where the tags of a plan are. */
enum gnomon_tag_shadow {
    GNOMON_TAG_SHADOW_AUTO,   /* what fits in blocks, the rest in main memory if the device can have it there */
    GNOMON_TAG_SHADOW_CHIP,   /* in blocks */
    GNOMON_TAG_SHADOW_MEMORY, /* in main memory */
};

/* The tag resources of a device. */
struct gnomon_tag_sizes {
    uint32_t bytes;  /* main memory that all blocks together cover, of code and of data; 0: the device has only hints */
    unsigned blocks; /* a power of two. The address chooses the block: address / (bytes / blocks) % blocks */
    unsigned timers, steps;
    bool reduced;               /* only executions of instructions, timers and interrupts, by fewer numbers */
    uint32_t per_address_bytes; /* addresses that differ by a multiple of this share a per-address counter; 0: none */
    bool cache;                 /* main memory has a shadow: its tags come with the line */
    enum gnomon_tag_shadow shadow;
};

/* GNOMON_ERR_ARGUMENT: a tag of a module has an action that needs an address before the module is loaded. */
enum gnomon_status gnomon_tag_check_modules(const struct gnomon_tag_list *list, struct gnomon_error *error);

/* A part of a module whose targets are all the same. The loader gives it its tag. */
struct gnomon_tag_part {
    unsigned module;
    uint32_t start, end, number;
    bool data;
};

/* A block of the shadow memory. */
struct gnomon_tag_block {
    bool used, per_address;
    uint32_t address; /* any in the block */
};

struct gnomon_tag_word {
    uint32_t address, tags; /* `tags` as in TAGS.TAG */
    uint32_t filled;        /* those of them that are in main memory, not in a block */
};

struct gnomon_tag_plan {
    const struct gnomon_tag_list *list;
    uint32_t modes[GNOMON_TAG_VALUES + 1];   /* by number; 0: not used */
    uint32_t members[GNOMON_TAG_VALUES + 1]; /* bit i: the number is part of specs[i] */
    uint32_t timers;                         /* bit i: an action uses timer i */
    bool hints, trace;                       /* bits of CONTROL */
    bool reduced;                            /* for a device with reduced tags */
    bool traced_first;                       /* the trace is on when the program starts, because no tag can start it */
    size_t word_count, word_capacity;
    struct gnomon_tag_block code[GNOMON_TAG_BLOCKS], data[GNOMON_TAG_BLOCKS]; /* by number */
    struct gnomon_tag_word *words;                                            /* of the program, by address */
    size_t part_count, part_capacity;
    struct gnomon_tag_part *parts; /* of modules: instructions before data */
};

/* `device`: its name, for messages. `list` must outlive the plan. The caller frees the plan whatever the status is.
 * GNOMON_ERR_UNSUPPORTED: the device has too few of some resource; GNOMON_ERR_ARGUMENT: the actions of overlapping
 * targets exclude each other, or a threshold is for a timer that no action uses. */
enum gnomon_status gnomon_tag_plan_make(struct gnomon_tag_plan *plan, const struct gnomon_tag_list *list,
                                        const struct gnomon_tag_sizes *sizes, const char *device,
                                        struct gnomon_error *error);
/* GNOMON_ERR_ARGUMENT: a tag or threshold asks for the profile interrupt, and the program certainly does not handle it.
 * *doubt, unless `doubt` is NULL: one asks for it, and the file does not say whether the program handles it. */
enum gnomon_status gnomon_tag_check_interrupt(const struct gnomon_tag_list *list,
                                              const struct gnomon_tag_program *program, bool *doubt,
                                              struct gnomon_error *error);
/* True if the instruction at `address`, or the word there, has a tag that counts in a per-address counter. */
bool gnomon_tag_plan_each(const struct gnomon_tag_plan *plan, uint32_t address, bool data);
void gnomon_tag_plan_free(struct gnomon_tag_plan *plan);

#endif
