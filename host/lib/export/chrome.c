/* SPDX-License-Identifier: Apache-2.0 */
/* Trace Event Format, as JSON: the groups of tracks are its processes, the tracks its threads. */
#include "lib/export/json_stream.h"
#include "lib/export/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"

struct chrome {
    const struct gnomon_export *export;
    FILE *stream;
    struct timeline_unknown unknown;
    bool started, listed; /* something stands before: an event, a remark */
    bool failed;          /* out of memory */
    /* Of each track: its group; of those of values, the name. */
    struct track {
        enum timeline_group group;
        char *name;
    } * tracks;
    size_t count, room;
};

/* Process and thread 0 would be the idle ones. */
static void put_group(struct chrome *chrome, char phase, enum timeline_group group) {
    fprintf(chrome->stream, "%s\n{\"ph\":\"%c\",\"pid\":%d", chrome->started ? "," : "", phase, (int)group + 1);
    chrome->started = true;
}

static void put_head(struct chrome *chrome, char phase, enum timeline_group group, uint32_t track) {
    put_group(chrome, phase, group);
    fprintf(chrome->stream, ",\"tid\":%" PRIu32, track + 1);
}

static void put_time(struct chrome *chrome, uint64_t cycle) {
    fputs(",\"ts\":", chrome->stream);
    json_put_microseconds(chrome->stream, export_nanoseconds(chrome->export, cycle));
}

/* Names the process or thread whose event has begun, and says its place in the order. */
static void put_name(struct chrome *chrome, const char *of, const char *name) {
    fprintf(chrome->stream, ",\"name\":\"%s_name\",\"args\":{\"name\":", of);
    json_put_string(chrome->stream, name);
    fputs("}}", chrome->stream);
}

static void put_rank(struct chrome *chrome, const char *of, uint64_t rank) {
    fprintf(chrome->stream, ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%" PRIu64 "}}", of, rank);
}

static void on_track(void *context, const struct timeline_track *track) {
    struct chrome *chrome = context;
    if (!gnomon_array_room(&chrome->tracks, &chrome->room, chrome->count + 1, sizeof *chrome->tracks)) {
        chrome->failed = true;
        return;
    }
    char *name = track->group == TIMELINE_VALUES ? strdup(track->name) : NULL;
    chrome->tracks[chrome->count++] = (struct track){track->group, name};
    if (track->group == TIMELINE_VALUES) {
        chrome->failed |= !name;
        return;
    }
    put_head(chrome, 'M', track->group, track->number);
    put_name(chrome, "thread", track->name);
    put_head(chrome, 'M', track->group, track->number);
    put_rank(chrome, "thread", track->rank);
}

static void put_arguments(struct chrome *chrome, const struct timeline_event *event) {
    for (size_t i = 0; i < event->count; i++) {
        const struct timeline_argument *argument = &event->arguments[i];
        fprintf(chrome->stream, "%s\"%s\":", i ? "," : ",\"args\":{", timeline_keys[argument->key]);
        if (argument->text)
            json_put_string(chrome->stream, argument->text);
        else
            fprintf(chrome->stream, "%" PRIu64, argument->number);
    }
    if (event->count)
        putc_unlocked('}', chrome->stream);
}

static void put_event(struct chrome *chrome, char phase, const struct timeline_event *event) {
    if (event->track >= chrome->count)
        return;
    put_head(chrome, phase, chrome->tracks[event->track].group, event->track);
    put_time(chrome, event->cycle);
    fprintf(chrome->stream, ",\"cat\":\"%s\",\"name\":", timeline_categories[event->category]);
    json_put_string(chrome->stream, event->name.text);
    put_arguments(chrome, event);
}

static void on_begin(void *context, const struct timeline_event *event) {
    struct chrome *chrome = context;
    put_event(chrome, 'B', event);
    putc_unlocked('}', chrome->stream);
}

static void on_end(void *context, uint32_t track, uint64_t cycle) {
    struct chrome *chrome = context;
    if (track >= chrome->count)
        return;
    put_head(chrome, 'E', chrome->tracks[track].group, track);
    put_time(chrome, cycle);
    putc_unlocked('}', chrome->stream);
}

static void on_instant(void *context, const struct timeline_event *event) {
    struct chrome *chrome = context;
    put_event(chrome, 'i', event);
    fputs(",\"s\":\"t\"}", chrome->stream);
}

static void on_value(void *context, uint32_t track, uint64_t cycle, uint32_t value) {
    struct chrome *chrome = context;
    if (track >= chrome->count || !chrome->tracks[track].name)
        return;
    put_head(chrome, 'C', TIMELINE_VALUES, track);
    put_time(chrome, cycle);
    fprintf(chrome->stream, ",\"name\":\"%s\",\"args\":{\"value\":%" PRIu32 "}}", chrome->tracks[track].name, value);
}

static void put_remark(void *context, const char *line) {
    struct chrome *chrome = context;
    fputs(chrome->listed ? ",\n" : "\n", chrome->stream);
    json_put_string(chrome->stream, line);
    chrome->listed = true;
}

static void put_metadata(struct chrome *chrome) {
    fprintf(chrome->stream,
            "\n],\"displayTimeUnit\":\"ns\",\"otherData\":{\"clock_hz\":%" PRIu64 ",\"exact\":%s,\"remarks\":[",
            chrome->export->analysis.clock_hz, gnomon_exactness_exact(&chrome->export->exactness) ? "true" : "false");
    timeline_remarks(chrome->export, &chrome->unknown, put_remark, chrome);
    fputs("\n]}}\n", chrome->stream);
}

static enum gnomon_status write_chrome(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    static const struct timeline_writer writer = {
        .track = on_track, .begin = on_begin, .end = on_end, .instant = on_instant, .value = on_value};
    struct chrome chrome = {.export = export, .stream = stream};
    fputs("{\"traceEvents\":[", stream);
    for (enum timeline_group group = 0; group < TIMELINE_GROUPS; group++) {
        put_group(&chrome, 'M', group);
        put_name(&chrome, "process", timeline_groups[group]);
        put_group(&chrome, 'M', group);
        put_rank(&chrome, "process", group);
    }
    enum gnomon_status status = timeline_read(export, &writer, &chrome, stream, &chrome.unknown, error);
    if (!status && chrome.failed)
        status = gnomon_fail_memory(error);
    if (!status)
        put_metadata(&chrome);
    for (size_t i = 0; i < chrome.count; i++)
        free(chrome.tracks[i].name);
    free(chrome.tracks);
    return status;
}

const struct gnomon_export_format gnomon_export_chrome = {
    .name = "chrome",
    .extension = "trace.json",
    .description = "time line of threads, calls, interrupts, locks: for ui.perfetto.dev, chrome://tracing",
    .needs = GNOMON_EXPORT_EVENTS,
    .write = write_chrome,
};
