/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/ui/ui_spans.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"

static void on_track(void *context, const struct timeline_track *track) {
    struct ui_spans *spans = context;
    char *name = strdup(track->name);
    if (!name ||
        !gnomon_array_room(&spans->tracks, &spans->track_room, spans->track_count + 1, sizeof *spans->tracks)) {
        free(name);
        spans->failed = true;
        return;
    }
    spans->tracks[spans->track_count++] = (struct ui_track){.group = track->group, .rank = track->rank, .name = name};
}

static uint32_t new_word(struct ui_spans *spans, const char *text) {
    if (!gnomon_array_room(&spans->words, &spans->word_room, spans->word_count + 1, sizeof *spans->words) ||
        !(spans->words[spans->word_count] = strdup(text))) {
        spans->failed = true;
        return UI_WORD;
    }
    return UI_WORD + (uint32_t)spans->word_count++;
}

static void on_name(void *context, const struct timeline_name *name) {
    struct ui_spans *spans = context;
    if (!gnomon_array_room(&spans->names, &spans->name_room, (size_t)name->number + 1, sizeof *spans->names)) {
        spans->failed = true;
        return;
    }
    while (spans->name_count <= name->number)
        spans->names[spans->name_count++] = UI_WORD;
    const bool word = name->function == GNOMON_PROFILE_UNPROFILED;
    spans->names[name->number] = word ? new_word(spans, name->text) : name->function;
}

/* "by put (queue.c:31), hart 1"; returns its offset in `details`. */
static uint32_t detail_of(struct ui_spans *spans, const struct timeline_event *event) {
    char text[1024];
    size_t used = 0;
    for (size_t i = 0; i < event->count && used < sizeof text; i++) {
        const struct timeline_argument *argument = &event->arguments[i];
        const char *comma = i ? ", " : "", *key = timeline_keys[argument->key];
        const int length =
            argument->text ? snprintf(text + used, sizeof text - used, "%s%s %s", comma, key, argument->text)
                           : snprintf(text + used, sizeof text - used, "%s%s %" PRIu64, comma, key, argument->number);
        used += length > 0 ? (size_t)length : 0;
    }
    if (!event->count)
        return 0;
    const size_t size = strlen(text) + 1, at = spans->detail_size ? spans->detail_size : 1;
    if (at + size > UINT32_MAX || !gnomon_array_room(&spans->details, &spans->detail_room, at + size, 1)) {
        spans->failed = true;
        return 0;
    }
    memcpy(spans->details + at, text, size);
    spans->detail_size = at + size;
    return (uint32_t)at;
}

static struct ui_track *track_of(struct ui_spans *spans, uint32_t number) {
    return number < spans->track_count ? &spans->tracks[number] : NULL;
}

static struct ui_span span_of(struct ui_spans *spans, const struct ui_track *track,
                              const struct timeline_event *event) {
    const size_t most = UINT16_MAX;
    return (struct ui_span){
        .from = event->cycle,
        .to = event->cycle,
        .name = event->name.number < spans->name_count ? spans->names[event->name.number] : UI_WORD,
        .parent = track->depth ? track->open[track->depth - 1] : UI_NO_SPAN,
        .detail = detail_of(spans, event),
        .depth = (uint16_t)(track->depth < most ? track->depth : most),
        .category = (uint8_t)event->category,
    };
}

/* What a hart runs before the first message has the number of the hart * 65536. */
static void note_hart(struct ui_spans *spans, uint64_t thread, uint64_t hart) {
    if (thread >= GNOMON_MAX_HARTS * (UINT16_MAX + UINT64_C(1)))
        return;
    if (!gnomon_array_room(&spans->thread_harts, &spans->thread_room, thread + 1, 1)) {
        spans->failed = true;
        return;
    }
    while (spans->thread_count <= thread)
        spans->thread_harts[spans->thread_count++] = 0;
    spans->thread_harts[thread] |= (uint8_t)(1u << hart);
}

static void on_begin(void *context, const struct timeline_event *event) {
    struct ui_spans *spans = context;
    struct ui_track *track = track_of(spans, event->track);
    if (!track)
        return;
    if (event->category == TIMELINE_THREAD)
        note_hart(spans, event->arguments[0].number, track->rank / TIMELINE_HART_TRACKS);
    if (track->count >= UI_NO_SPAN ||
        !gnomon_array_room(&track->spans, &track->room, track->count + 1, sizeof *track->spans) ||
        !gnomon_array_room(&track->open, &track->open_room, track->depth + 1, sizeof *track->open)) {
        spans->failed = true;
        return;
    }
    const struct ui_span span = span_of(spans, track, event);
    track->mixed |= track->count && span.from < track->spans[track->count - 1].from;
    track->lanes = span.depth + 1u > track->lanes ? span.depth + 1u : track->lanes;
    track->open[track->depth++] = (uint32_t)track->count;
    track->spans[track->count++] = span;
}

static void on_end(void *context, uint32_t number, uint64_t cycle) {
    struct ui_track *track = track_of(context, number);
    if (!track || !track->depth)
        return;
    struct ui_span *span = &track->spans[track->open[--track->depth]];
    span->to = cycle > span->from ? cycle : span->from;
}

static void on_instant(void *context, const struct timeline_event *event) {
    struct ui_spans *spans = context;
    struct ui_track *track = track_of(spans, event->track);
    if (!track)
        return;
    if (!gnomon_array_room(&track->instants, &track->instant_room, track->instant_count + 1, sizeof *track->instants))
        spans->failed = true;
    else
        track->instants[track->instant_count++] = span_of(spans, track, event);
}

static void on_value(void *context, uint32_t number, uint64_t cycle, uint32_t value) {
    struct ui_spans *spans = context;
    struct ui_track *track = track_of(spans, number);
    if (!track)
        return;
    if (!gnomon_array_room(&track->values, &track->value_room, track->value_count + 1, sizeof *track->values))
        spans->failed = true;
    else
        track->values[track->value_count++] = (struct ui_value){cycle, value};
}

const struct timeline_writer ui_spans_writer = {
    .track = on_track,
    .name = on_name,
    .begin = on_begin,
    .end = on_end,
    .instant = on_instant,
    .value = on_value,
};

static int by_time(const void *a, const void *b) {
    const struct ui_span *left = a, *right = b;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    return (left->depth > right->depth) - (left->depth < right->depth);
}

static int by_place(const void *a, const void *b) {
    const struct ui_value *left = a, *right = b;
    return (left->cycle > right->cycle) - (left->cycle < right->cycle);
}

/* Equal times stay in the order in which they came. */
static bool are_ordered(const struct ui_track *track) {
    for (size_t i = 1; i < track->value_count; i++)
        if (track->values[i].cycle < track->values[i - 1].cycle)
            return false;
    return true;
}

void ui_spans_finish(struct ui_spans *spans, uint64_t length) {
    spans->length = length;
    for (size_t i = 0; i < spans->track_count; i++) {
        struct ui_track *track = &spans->tracks[i];
        while (track->depth)
            on_end(spans, (uint32_t)i, length);
        for (size_t span = 0; track->mixed && span < track->count; span++)
            track->spans[span].parent = UI_NO_SPAN; /* spans of locks: none is around another */
        if (track->mixed)
            qsort(track->spans, track->count, sizeof *track->spans, by_time);
        if (track->instant_count)
            qsort(track->instants, track->instant_count, sizeof *track->instants, by_time);
        if (!are_ordered(track))
            qsort(track->values, track->value_count, sizeof *track->values, by_place);
    }
}

void ui_spans_free(struct ui_spans *spans) {
    for (size_t i = 0; i < spans->track_count; i++) {
        struct ui_track *track = &spans->tracks[i];
        free(track->name);
        free(track->spans);
        free(track->instants);
        free(track->values);
        free(track->open);
    }
    for (size_t i = 0; i < spans->word_count; i++)
        free(spans->words[i]);
    free(spans->tracks);
    free(spans->words);
    free(spans->names);
    free(spans->details);
    free(spans->thread_harts);
    *spans = (struct ui_spans){0};
}
