/* SPDX-License-Identifier: Apache-2.0 */
/* speedscope's own format: for each thread a profile of the calls in the time in which it ran, so that speedscope's
 * sums are those of `gnomon report`. What runs in an interrupt is in a profile of its own, with a clock of its own. */
#include "lib/export/event_labels.h"
#include "lib/export/export_internal.h"
#include "lib/export/json_stream.h"
#include "lib/export/spool.h"
#include "lib/export/timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"

/* A clock that runs while a thread runs, or an interrupt within it, or one within that. */
struct profile {
    uint32_t thread;
    unsigned level; /* traps that are open around it */
    uint64_t clock;
    bool begun;
    struct spool_text events;
};

#define EVENTS_PER_LINE 65536
#define LEVEL_LOST UINT32_MAX /* the profile of gaps; its thread is the hart */

struct speedscope {
    struct gnomon_export *export;
    struct spool spool;
    struct profile_map profile_map; /* by thread and level */
    struct profile *profiles;
    size_t profile_room;
    struct profile_map level_map; /* by thread */
    unsigned *levels;             /* traps that are open in each thread */
    size_t level_room;
    struct profile_map frame_map; /* by index of the function + 1; 0: lost */
    struct frame {
        uint32_t function, id; /* index and id */
    } * frames;
    size_t frame_room;
    struct event_labels labels;
    struct {
        bool runs;
        uint32_t thread; /* number */
        uint64_t last;
    } harts[GNOMON_MAX_HARTS];
    bool failed, listed;
    struct export_clock clock;
    struct gnomon_decimal_near time;
    struct gnomon_text_buffer text;
};

static struct profile *profile_of(struct speedscope *speedscope, uint32_t thread, unsigned level) {
    const uint32_t known = speedscope->profile_map.count;
    const uint32_t index = profile_map_find(&speedscope->profile_map, (uint64_t)level << 32 | thread);
    if (index == PROFILE_MAP_NONE || !gnomon_array_room(&speedscope->profiles, &speedscope->profile_room,
                                                        (size_t)index + 1, sizeof *speedscope->profiles)) {
        speedscope->failed = true;
        return NULL;
    }
    if (index == known)
        speedscope->profiles[index] = (struct profile){.thread = thread, .level = level};
    return &speedscope->profiles[index];
}

static unsigned *level_of(struct speedscope *speedscope, uint32_t thread) {
    const uint32_t known = speedscope->level_map.count;
    const uint32_t index = profile_map_find(&speedscope->level_map, thread);
    if (index == PROFILE_MAP_NONE || !gnomon_array_room(&speedscope->levels, &speedscope->level_room, (size_t)index + 1,
                                                        sizeof *speedscope->levels)) {
        speedscope->failed = true;
        return NULL;
    }
    if (index == known)
        speedscope->levels[index] = 0;
    return &speedscope->levels[index];
}

static uint32_t frame_of(struct speedscope *speedscope, uint32_t function, uint32_t id) {
    const uint32_t known = speedscope->frame_map.count;
    const uint32_t index = profile_map_find(&speedscope->frame_map, (uint64_t)function + 1);
    if (index == PROFILE_MAP_NONE || !gnomon_array_room(&speedscope->frames, &speedscope->frame_room, (size_t)index + 1,
                                                        sizeof *speedscope->frames)) {
        speedscope->failed = true;
        return 0;
    }
    if (index == known)
        speedscope->frames[index] = (struct frame){function, id};
    return index;
}

/* ---- Events ---- */

/* The times are in microseconds with three decimals; in cycles if the clock is not known. */
static char *put_time(struct speedscope *speedscope, char *to, uint64_t cycle) {
    return speedscope->export->analysis.clock_hz
               ? gnomon_decimal_put_thousandths(&speedscope->time, to,
                                                export_clock_nanoseconds(&speedscope->clock, cycle))
               : gnomon_decimal_put(to, cycle);
}

static void put_event(struct speedscope *speedscope, struct profile *profile, char type, uint32_t frame) {
    static const char head[] = ",\n{\"type\":\"?\",\"at\":", middle[] = ",\"frame\":";
    char text[sizeof head + GNOMON_DECIMAL_ROOM + sizeof middle + GNOMON_DECIMAL_MOST], *to = text;
    memcpy(to, head, sizeof head);
    to[strcspn(head, "?")] = type;
    to = put_time(speedscope, to + sizeof head - 1, profile->clock);
    memcpy(to, middle, sizeof middle);
    to = gnomon_decimal_put(to + sizeof middle - 1, frame);
    *to++ = '}';
    const size_t comma = profile->begun ? 0 : 1;
    spool_put(&speedscope->spool, &profile->events, text + comma, (size_t)(to - text) - comma);
    profile->begun = true;
}

static void put_lost(struct speedscope *speedscope, struct profile *profile, uint64_t cycles) {
    const uint32_t frame = frame_of(speedscope, GNOMON_PROFILE_UNPROFILED, 0);
    put_event(speedscope, profile, 'O', frame);
    profile->clock += cycles;
    put_event(speedscope, profile, 'C', frame);
}

/* Gives the time since the hart's last step to what it ran. */
static void advance(struct speedscope *speedscope, unsigned hart, uint64_t cycle) {
    const uint64_t passed = cycle - speedscope->harts[hart].last;
    speedscope->harts[hart].last = cycle;
    if (!speedscope->harts[hart].runs)
        return;
    const uint32_t thread = speedscope->harts[hart].thread;
    const unsigned *level = level_of(speedscope, thread);
    struct profile *profile = level ? profile_of(speedscope, thread, *level) : NULL;
    if (profile)
        profile->clock += passed;
}

/* What happens in the thread itself. */
static void show(struct speedscope *speedscope, const struct gnomon_profile_step *step) {
    unsigned *level = level_of(speedscope, step->thread);
    if (!level || (speedscope->export->analysis.one_thread && step->thread != speedscope->export->analysis.thread))
        return;
    *level += step->type == GNOMON_STEP_OPEN && step->trap;
    struct profile *profile = profile_of(speedscope, step->thread, *level);
    if (!profile)
        return;
    if (step->type == GNOMON_STEP_OPEN || step->type == GNOMON_STEP_ENTRY)
        put_event(speedscope, profile, 'O', frame_of(speedscope, step->function, step->id));
    if (step->type == GNOMON_STEP_CLOSE || step->type == GNOMON_STEP_ENTRY)
        put_event(speedscope, profile, 'C', frame_of(speedscope, step->function, step->id));
    if (step->type == GNOMON_STEP_LOST)
        put_lost(speedscope, profile, step->cycles);
    *level -= step->type == GNOMON_STEP_CLOSE && step->trap;
}

static void on_step(void *context, const struct gnomon_profile_step *step) {
    struct speedscope *speedscope = context;
    const bool gap = step->type == GNOMON_STEP_LOST && !speedscope->harts[step->hart].runs;
    advance(speedscope, step->hart, step->cycle);
    if (step->type == GNOMON_STEP_RUNS || step->type == GNOMON_STEP_STOPS) {
        speedscope->harts[step->hart].runs = step->type == GNOMON_STEP_RUNS;
        speedscope->harts[step->hart].thread = step->thread;
        return;
    }
    if (!gap)
        show(speedscope, step);
    struct profile *lost = gap ? profile_of(speedscope, step->hart, LEVEL_LOST) : NULL;
    if (lost)
        put_lost(speedscope, lost, step->cycles);
    if (step->type == GNOMON_STEP_LOST)
        speedscope->harts[step->hart].last += step->cycles;
}

/* Nothing but these calls happens meanwhile, so the profile of them all is the same. */
static void on_calls(void *context, const struct gnomon_profile_calls *calls) {
    struct speedscope *speedscope = context;
    advance(speedscope, calls->hart, calls->from);
    const unsigned *level = level_of(speedscope, calls->thread);
    struct profile *profile = level ? profile_of(speedscope, calls->thread, *level) : NULL;
    for (size_t i = 0; profile && i < calls->count; i++) {
        const struct gnomon_call *call = &calls->calls[i];
        profile->clock += call->cycles;
        speedscope->harts[calls->hart].last += call->cycles;
        put_event(speedscope, profile, call->ends ? 'C' : 'O',
                  frame_of(speedscope, gnomon_profile_index(speedscope->export->profile, call->number), call->number));
    }
}

/* The file is written at the end. Empty lines show before that whether it can be written. */
static bool can_write(FILE *stream, uint64_t before, uint64_t events) {
    if (before / EVENTS_PER_LINE != events / EVENTS_PER_LINE) {
        putc('\n', stream);
        fflush(stream);
    }
    return !ferror(stream);
}

/* *events 0: there are no more. */
static enum gnomon_status read_next(struct speedscope *speedscope, uint64_t *events, struct gnomon_error *error) {
    struct gnomon_export *export = speedscope->export;
    const struct gnomon_calls *calls = gnomon_analysis_calls(&export->analysis);
    struct gnomon_event event;
    bool got = true;
    *events = calls ? calls->count : 1;
    if (calls)
        return gnomon_profile_calls(export->profile, calls) ? GNOMON_OK : gnomon_fail_memory(error);
    const enum gnomon_status status = gnomon_analysis_next(&export->analysis, &event, &got, error);
    *events = got;
    return status || !got || gnomon_profile_event(export->profile, &event) ? status : gnomon_fail_memory(error);
}

static enum gnomon_status read_all(struct speedscope *speedscope, struct gnomon_error *error) {
    struct gnomon_export *export = speedscope->export;
    uint64_t events = 0, more = 1;
    export->analysis.ahead = true;
    enum gnomon_status status = gnomon_analysis_new_profile(&export->analysis, &export->profile, error);
    if (status)
        return status;
    gnomon_profile_listen(export->profile, on_step, on_calls, speedscope);
    for (; !status && more && can_write(speedscope->text.stream, events, events + more);) {
        events += more;
        status = read_next(speedscope, &more, error);
        if (!status && speedscope->failed)
            status = gnomon_fail_memory(error);
    }
    if (!status)
        gnomon_export_end(export);
    return status;
}

/* ---- The file ---- */

static void put_remark(void *context, const char *line) {
    struct speedscope *speedscope = context;
    gnomon_text_put(&speedscope->text, speedscope->listed ? ",\n" : "\n");
    json_add_string(&speedscope->text, line);
    speedscope->listed = true;
}

/* speedscope shows the name, and ignores what it does not know. */
static void put_metadata(struct speedscope *speedscope) {
    struct gnomon_text_buffer *text = &speedscope->text;
    gnomon_text_put(text, "\"name\":");
    char phrase[GNOMON_EXACTNESS_BYTES];
    gnomon_exactness_phrase(&speedscope->export->exactness, NULL, phrase);
    export_clean(phrase);
    json_add_string(text, phrase);
    gnomon_text_format(text, ",\"gnomon\":{\"clock_hz\":%" PRIu64 ",\"remarks\":[",
                       speedscope->export->analysis.clock_hz);
    gnomon_export_remarks(speedscope->export, put_remark, speedscope);
    gnomon_text_put(text, "\n]},\n\"shared\":{\"frames\":[");
}

static void put_frames(struct speedscope *speedscope) {
    struct gnomon_text_buffer *text = &speedscope->text;
    for (uint32_t i = 0; i < speedscope->frame_map.count; i++) {
        const struct frame *frame = &speedscope->frames[i];
        const bool lost = frame->function == GNOMON_PROFILE_UNPROFILED;
        const char *label = lost ? GNOMON_EXPORT_LOST
                                 : event_label(&speedscope->labels, speedscope->export, frame->function, frame->id);
        struct gnomon_name name = {0};
        gnomon_text_put(text, i ? ",\n{\"name\":" : "\n{\"name\":");
        json_add_string(&speedscope->text, label ? label : "");
        speedscope->failed |= !label;
        if (!lost)
            gnomon_name_of(&name, &speedscope->export->analysis, frame->id);
        char *file = name.file ? strdup(name.file) : NULL;
        if (file) {
            export_clean(file);
            gnomon_text_put(text, ",\"file\":");
            json_add_string(&speedscope->text, file);
            gnomon_text_format(text, ",\"line\":%u", name.line);
        }
        free(file);
        gnomon_text_put(text, "}");
    }
}

static void put_name(struct speedscope *speedscope, const struct profile *profile) {
    char thread[GNOMON_LOCK_NAME_BYTES], text[GNOMON_LOCK_NAME_BYTES + 64];
    gnomon_thread_name(&speedscope->export->names, profile->thread, thread);
    if (profile->level == LEVEL_LOST)
        snprintf(text, sizeof text, "missing frames of hart %" PRIu32, profile->thread);
    else
        snprintf(text, sizeof text, "%s%s", thread,
                 profile->level == 0   ? ""
                 : profile->level == 1 ? ": interrupts"
                                       : ": nested interrupts");
    export_clean(text);
    json_add_string(&speedscope->text, text);
}

static void put_profiles(struct speedscope *speedscope) {
    const struct gnomon_analysis *analysis = &speedscope->export->analysis;
    struct gnomon_text_buffer *text = &speedscope->text;
    bool listed = false;
    gnomon_text_put(text, "\n]},\n\"profiles\":[");
    for (uint32_t i = 0; i < speedscope->profile_map.count; i++) {
        struct profile *profile = &speedscope->profiles[i];
        if (analysis->one_thread && profile->thread != analysis->thread && profile->level != LEVEL_LOST)
            continue;
        gnomon_text_format(text,
                           "%s\n{\"type\":\"evented\",\"unit\":\"%s\",\"startValue\":0,\"name\":", listed ? "," : "",
                           analysis->clock_hz ? "microseconds" : "none");
        put_name(speedscope, profile);
        gnomon_text_put(text, ",\"endValue\":");
        gnomon_text_end(text, put_time(speedscope, gnomon_text_room(text, GNOMON_DECIMAL_ROOM), profile->clock));
        gnomon_text_put(text, ",\"events\":[");
        gnomon_text_flush(text);
        spool_write(&speedscope->spool, &profile->events, text->stream);
        gnomon_text_put(text, "\n]}");
        listed = true;
    }
    gnomon_text_put(text, "\n]}\n");
    gnomon_text_flush(text);
}

static void free_all(struct speedscope *speedscope) {
    for (uint32_t i = 0; i < speedscope->profile_map.count && i < speedscope->profile_room; i++)
        spool_free(&speedscope->profiles[i].events);
    profile_map_free(&speedscope->profile_map);
    profile_map_free(&speedscope->level_map);
    profile_map_free(&speedscope->frame_map);
    free(speedscope->profiles);
    free(speedscope->levels);
    free(speedscope->frames);
    event_labels_free(&speedscope->labels);
    spool_close(&speedscope->spool);
}

static enum gnomon_status write_speedscope(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    struct speedscope speedscope = {.export = export, .text.stream = stream, .clock.hz = export->analysis.clock_hz};
    enum gnomon_status status = spool_open(&speedscope.spool, error);
    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"gnomon\",", stream);
    if (!status)
        status = read_all(&speedscope, error);
    if (!status) {
        put_metadata(&speedscope);
        put_frames(&speedscope);
        put_profiles(&speedscope);
    }
    if (!status && speedscope.failed)
        status = gnomon_fail_memory(error);
    errno = speedscope.spool.reason;
    if (!status && errno)
        status = gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write the temporary file");
    free_all(&speedscope);
    return status;
}

const struct gnomon_export_format gnomon_export_speedscope = {
    .name = "speedscope",
    .extension = "speedscope.json",
    .description = "calls of each thread in the order of time: for speedscope",
    .needs = GNOMON_EXPORT_EVENTS,
    .write = write_speedscope,
};
