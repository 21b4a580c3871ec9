/* SPDX-License-Identifier: Apache-2.0 */
/* Trace Event Format, as JSON: the groups of tracks are its processes, the tracks its threads. An event is put together
 * from texts that are made once for each track, category and name. */
#include "lib/export/json_stream.h"
#include "lib/export/timeline.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/util/array.h"

/* A text of up to PIECE_BYTES. All of them are copied, because that is faster. */
#define PIECE_BYTES 48
struct piece {
    size_t size;
    char text[PIECE_BYTES];
};
#define AT_PHASE 9                                     /* in the head of a track */
#define HEAD_BYTES (PIECE_BYTES + GNOMON_DECIMAL_ROOM) /* what may be written for an event up to its time */

struct chrome {
    const struct gnomon_export *export;
    struct timeline_unknown unknown;
    bool started, listed; /* something stands before: an event, a remark */
    bool failed;          /* out of memory */
    struct export_clock clock;
    struct gnomon_decimal_near time;
    struct piece categories[TIMELINE_CATEGORIES];
    struct track {
        struct piece head; /* of its events, up to the time */
        char *name;        /* of one of values */
    } * tracks;
    size_t count, room;
    struct name {
        char *call; /* the end of a call that begins: category, and name */
        size_t size;
    } * names;
    size_t name_count, name_room;
    struct gnomon_text_buffer text;
};

/* Process and thread 0 would be the idle ones. */
static void put_group(struct chrome *chrome, char phase, enum timeline_group group) {
    gnomon_text_format(&chrome->text, "%s\n{\"ph\":\"%c\",\"pid\":%d", chrome->started ? "," : "", phase,
                       (int)group + 1);
    chrome->started = true;
}

static void put_thread(struct chrome *chrome, enum timeline_group group, uint32_t track) {
    put_group(chrome, 'M', group);
    gnomon_text_format(&chrome->text, ",\"tid\":%" PRIu32, track + 1);
}

/* Names the process or thread whose event has begun, and says its place in the order. */
static void put_name(struct chrome *chrome, const char *of, const char *name) {
    gnomon_text_format(&chrome->text, ",\"name\":\"%s_name\",\"args\":{\"name\":", of);
    json_add_string(&chrome->text, name);
    gnomon_text_put(&chrome->text, "}}");
}

static void put_rank(struct chrome *chrome, const char *of, uint64_t rank) {
    gnomon_text_format(&chrome->text, ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%" PRIu64 "}}", of, rank);
}

static void on_track(void *context, const struct timeline_track *track) {
    struct chrome *chrome = context;
    if (!gnomon_array_room(&chrome->tracks, &chrome->room, chrome->count + 1, sizeof *chrome->tracks)) {
        chrome->failed = true;
        return;
    }
    struct track *made = &chrome->tracks[chrome->count++];
    made->name = track->group == TIMELINE_VALUES ? strdup(track->name) : NULL;
    made->head.size = (size_t)snprintf(made->head.text, PIECE_BYTES,
                                       ",\n{\"ph\":\"?\",\"pid\":%d,\"tid\":%" PRIu32 ",\"ts\":", (int)track->group + 1,
                                       track->number + 1);
    if (track->group == TIMELINE_VALUES) {
        chrome->failed |= !made->name;
        return;
    }
    put_thread(chrome, track->group, track->number);
    put_name(chrome, "thread", track->name);
    put_thread(chrome, track->group, track->number);
    put_rank(chrome, "thread", track->rank);
}

static char *put_piece(char *to, const struct piece *piece) {
    memcpy(to, piece->text, PIECE_BYTES);
    return to + piece->size;
}

/* Copies at least SHORT_BYTES, because that is faster. */
#define SHORT_BYTES 64
static char *put_call(char *to, const struct name *name) {
    if (name->size <= SHORT_BYTES)
        memcpy(to, name->call, SHORT_BYTES);
    else
        memcpy(to, name->call, name->size);
    return to + name->size;
}

static void on_name(void *context, const struct timeline_name *name) {
    struct chrome *chrome = context;
    const struct piece *category = &chrome->categories[TIMELINE_CALL];
    const size_t most = PIECE_BYTES + json_string_room(name->text) + 1;
    char *call = malloc(most > SHORT_BYTES ? most : SHORT_BYTES);
    if (!call ||
        !gnomon_array_room(&chrome->names, &chrome->name_room, chrome->name_count + 1, sizeof *chrome->names)) {
        chrome->failed = true;
        free(call);
        return;
    }
    char *end = json_write_string(put_piece(call, category), name->text);
    *end++ = '}';
    chrome->names[chrome->name_count++] = (struct name){call, (size_t)(end - call)};
}

/* An event up to its time. */
static inline char *put_head(struct chrome *chrome, char *to, char phase, const struct track *track, uint64_t cycle) {
    char *time = put_piece(to, &track->head);
    to[AT_PHASE] = phase;
    return gnomon_decimal_put_thousandths(&chrome->time, time, export_clock_nanoseconds(&chrome->clock, cycle));
}

static void put_arguments(struct chrome *chrome, const struct timeline_event *event) {
    struct gnomon_text_buffer *text = &chrome->text;
    for (size_t i = 0; i < event->count; i++) {
        const struct timeline_argument *argument = &event->arguments[i];
        gnomon_text_put(text, i ? ",\"" : ",\"args\":{\"");
        gnomon_text_put(text, timeline_keys[argument->key]);
        gnomon_text_put(text, "\":");
        if (argument->text)
            json_add_string(text, argument->text);
        else
            gnomon_text_number(text, argument->number);
    }
    if (event->count)
        gnomon_text_put(text, "}");
}

/* The name is a part of what calls have of it. */
static void put_event(struct chrome *chrome, char phase, const struct timeline_event *event, const char *end) {
    struct gnomon_text_buffer *text = &chrome->text;
    const size_t before = chrome->categories[TIMELINE_CALL].size;
    if (chrome->failed)
        return;
    const struct name *name = &chrome->names[event->name.number];
    char *to = put_head(chrome, gnomon_text_room(text, HEAD_BYTES + PIECE_BYTES), phase, &chrome->tracks[event->track],
                        event->cycle);
    gnomon_text_end(text, put_piece(to, &chrome->categories[event->category]));
    gnomon_text_add(text, name->call + before, name->size - before - 1);
    put_arguments(chrome, event);
    gnomon_text_put(text, end);
}

static void on_begin(void *context, const struct timeline_event *event) {
    put_event(context, 'B', event, "}");
}

#define LONG_BYTES (GNOMON_TEXT_BYTES / 2) /* a call with such a name is put like other events */

static void on_calls(void *context, uint32_t track, const struct timeline_call *calls, size_t count) {
    static char brace[SHORT_BYTES] = "}";
    static const struct name end = {brace, 1};
    struct chrome *chrome = context;
    struct gnomon_text_buffer *text = &chrome->text;
    char *to = gnomon_text_room(text, 0);
    for (const struct timeline_call *call = calls; !chrome->failed && call < calls + count; call++) {
        const struct name *name = call->name ? &chrome->names[call->name->number] : &end;
        if (gnomon_text_left(text, to) < HEAD_BYTES + SHORT_BYTES + name->size) {
            gnomon_text_end(text, to);
            gnomon_text_flush(text);
            to = gnomon_text_room(text, 0);
        }
        if (name->size < LONG_BYTES) {
            to = put_call(put_head(chrome, to, call->name ? 'B' : 'E', &chrome->tracks[track], call->cycle), name);
        } else {
            on_begin(chrome, &(struct timeline_event){TIMELINE_CALL, track, call->cycle, *call->name, NULL, 0});
            to = gnomon_text_room(text, 0);
        }
    }
    gnomon_text_end(text, to);
}

static void on_end(void *context, uint32_t track, uint64_t cycle) {
    on_calls(context, track, &(struct timeline_call){cycle, NULL}, 1);
}

static void on_instant(void *context, const struct timeline_event *event) {
    put_event(context, 'i', event, ",\"s\":\"t\"}");
}

static void on_value(void *context, uint32_t track, uint64_t cycle, uint32_t value) {
    struct chrome *chrome = context;
    if (chrome->failed)
        return;
    gnomon_text_end(&chrome->text,
                    put_head(chrome, gnomon_text_room(&chrome->text, HEAD_BYTES), 'C', &chrome->tracks[track], cycle));
    gnomon_text_format(&chrome->text, ",\"name\":\"%s\",\"args\":{\"value\":%" PRIu32 "}}", chrome->tracks[track].name,
                       value);
}

static void put_remark(void *context, const char *line) {
    struct chrome *chrome = context;
    gnomon_text_put(&chrome->text, chrome->listed ? ",\n" : "\n");
    json_add_string(&chrome->text, line);
    chrome->listed = true;
}

static void put_metadata(struct chrome *chrome) {
    gnomon_text_format(
        &chrome->text,
        "\n],\"displayTimeUnit\":\"ns\",\"otherData\":{\"clock_hz\":%" PRIu64 ",\"exact\":%s,\"remarks\":[",
        chrome->export->analysis.clock_hz, gnomon_exactness_exact(&chrome->export->exactness) ? "true" : "false");
    timeline_remarks(chrome->export, &chrome->unknown, put_remark, chrome);
    gnomon_text_put(&chrome->text, "\n]}}\n");
}

static void put_groups(struct chrome *chrome) {
    gnomon_text_put(&chrome->text, "{\"traceEvents\":[");
    for (enum timeline_group group = 0; group < TIMELINE_GROUPS; group++) {
        put_group(chrome, 'M', group);
        put_name(chrome, "process", timeline_groups[group]);
        put_group(chrome, 'M', group);
        put_rank(chrome, "process", group);
    }
}

static void free_all(struct chrome *chrome) {
    for (size_t i = 0; i < chrome->count; i++)
        free(chrome->tracks[i].name);
    for (size_t i = 0; i < chrome->name_count; i++)
        free(chrome->names[i].call);
    free(chrome->tracks);
    free(chrome->names);
    free(chrome);
}

static enum gnomon_status write_chrome(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    static const struct timeline_writer writer = {.track = on_track,
                                                  .name = on_name,
                                                  .begin = on_begin,
                                                  .end = on_end,
                                                  .calls = on_calls,
                                                  .instant = on_instant,
                                                  .value = on_value};
    struct chrome *chrome = calloc(1, sizeof *chrome);
    if (!chrome)
        return gnomon_fail_memory(error);
    chrome->export = export;
    chrome->text.stream = stream;
    chrome->clock.hz = export->analysis.clock_hz;
    for (size_t i = 0; i < TIMELINE_CATEGORIES; i++)
        chrome->categories[i].size = (size_t)snprintf(chrome->categories[i].text, PIECE_BYTES,
                                                      ",\"cat\":\"%s\",\"name\":", timeline_categories[i]);
    put_groups(chrome);
    enum gnomon_status status = timeline_read(export, &writer, chrome, stream, &chrome->unknown, error);
    if (!status && chrome->failed)
        status = gnomon_fail_memory(error);
    if (!status)
        put_metadata(chrome);
    gnomon_text_flush(&chrome->text);
    free_all(chrome);
    return status;
}

const struct gnomon_export_format gnomon_export_chrome = {
    .name = "chrome",
    .extension = "trace.json",
    .description = "time line of threads, calls, interrupts, locks: for ui.perfetto.dev, chrome://tracing",
    .needs = GNOMON_EXPORT_EVENTS,
    .write = write_chrome,
};
