/* SPDX-License-Identifier: Apache-2.0 */
/* The time line of a recording in memory: spans, instants and values of each track, in the order of time. */
#ifndef GNOMON_LIB_UI_SPANS_H
#define GNOMON_LIB_UI_SPANS_H

#include "lib/export/timeline.h"

#define UI_NO_SPAN UINT32_MAX
#define UI_WORD UINT32_C(0x80000000) /* in a name: the rest is the index of a word, not of a function */

struct ui_span {
    uint64_t from, to; /* cycles; equal for instants */
    uint32_t name;     /* index of a function of the profile, or UI_WORD + index of a word */
    uint32_t parent;   /* index of the span around it; UI_NO_SPAN: none */
    uint32_t detail;   /* offset into `details`; 0: none */
    uint16_t depth;    /* spans around it; larger numbers are cut to UINT16_MAX */
    uint8_t category;  /* enum timeline_category */
};

struct ui_value {
    uint64_t cycle;
    uint32_t value;
};

struct ui_track {
    enum timeline_group group;
    uint64_t rank;
    char *name; /* owned */
    struct ui_span *spans, *instants;
    size_t count, room, instant_count, instant_room;
    struct ui_value *values;
    size_t value_count, value_room;
    uint32_t *open; /* spans without an end so far, the outermost first */
    size_t depth, open_room;
    unsigned lanes; /* the largest depth + 1 */
    bool mixed;     /* spans are not in the order of time */
};

/* Starts as zeros. */
struct ui_spans {
    size_t track_count, track_room, word_count, word_room, name_count, name_room, detail_room;
    struct ui_track *tracks;
    char **words;    /* owned */
    uint32_t *names; /* by number of timeline_name: the name of spans */
    char *details;
    size_t detail_size;
    uint64_t length;       /* cycles */
    uint8_t *thread_harts; /* by the thread's number: bit N, it ran on hart N */
    size_t thread_count, thread_room;
    bool failed; /* out of memory */
};

/* Takes what a time line says; the context is a struct ui_spans. */
extern const struct timeline_writer ui_spans_writer;
/* After the last event: ends what is open, at `length`. */
void ui_spans_finish(struct ui_spans *spans, uint64_t length);
void ui_spans_free(struct ui_spans *spans);

#endif
