/* SPDX-License-Identifier: Apache-2.0 */
/* speedscope's own format: for each thread a profile of the calls in the time in which it ran, so that speedscope's
 * sums are those of `gnomon report`. What runs in an interrupt is in a profile of its own, with a clock of its own. */
#include "lib/export/event_labels.h"
#include "lib/export/export_internal.h"
#include "lib/export/json_stream.h"
#include "lib/export/spool.h"
#include "lib/export/timeline.h"

#include <errno.h>
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
    FILE *stream;
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
static int format_time(const struct speedscope *speedscope, uint64_t cycle, char *text, size_t size) {
    if (!speedscope->export->analysis.clock_hz)
        return snprintf(text, size, "%" PRIu64, cycle);
    const uint64_t nanoseconds = export_nanoseconds(speedscope->export, cycle);
    return snprintf(text, size, "%" PRIu64 ".%03u", nanoseconds / 1000, (unsigned)(nanoseconds % 1000));
}

static void put_event(struct speedscope *speedscope, struct profile *profile, char type, uint32_t frame) {
    char time[32], text[80];
    format_time(speedscope, profile->clock, time, sizeof time);
    const int length = snprintf(text, sizeof text, "%s{\"type\":\"%c\",\"at\":%s,\"frame\":%" PRIu32 "}",
                                profile->begun ? ",\n" : "\n", type, time, frame);
    spool_put(&speedscope->spool, &profile->events, text, (size_t)length);
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

/* The file is written at the end. Empty lines show before that whether it can be written. */
static bool can_write(FILE *stream, uint64_t events) {
    if (events % EVENTS_PER_LINE == 0) {
        putc('\n', stream);
        fflush(stream);
    }
    return !ferror(stream);
}

static enum gnomon_status read_all(struct speedscope *speedscope, struct gnomon_error *error) {
    struct gnomon_export *export = speedscope->export;
    uint64_t events = 0;
    struct gnomon_event event;
    bool got;
    enum gnomon_status status = gnomon_analysis_new_profile(&export->analysis, &export->profile, error);
    if (status)
        return status;
    gnomon_profile_listen(export->profile, on_step, NULL, speedscope);
    while (can_write(speedscope->stream, ++events) &&
           !(status = gnomon_analysis_next(&export->analysis, &event, &got, error)) && got)
        if (!gnomon_profile_event(export->profile, &event) || speedscope->failed)
            return gnomon_fail_memory(error);
    if (!status)
        gnomon_export_end(export);
    return status;
}

/* ---- The file ---- */

static void put_remark(void *context, const char *line) {
    struct speedscope *speedscope = context;
    fputs(speedscope->listed ? ",\n" : "\n", speedscope->stream);
    json_put_string(speedscope->stream, line);
    speedscope->listed = true;
}

/* speedscope shows the name, and ignores what it does not know. */
static void put_metadata(struct speedscope *speedscope) {
    FILE *stream = speedscope->stream;
    fputs("\"name\":", stream);
    char phrase[GNOMON_EXACTNESS_BYTES];
    gnomon_exactness_phrase(&speedscope->export->exactness, NULL, phrase);
    export_clean(phrase);
    json_put_string(stream, phrase);
    fprintf(stream, ",\"gnomon\":{\"clock_hz\":%" PRIu64 ",\"remarks\":[", speedscope->export->analysis.clock_hz);
    gnomon_export_remarks(speedscope->export, put_remark, speedscope);
    fputs("\n]},\n\"shared\":{\"frames\":[", stream);
}

static void put_frames(struct speedscope *speedscope) {
    for (uint32_t i = 0; i < speedscope->frame_map.count; i++) {
        const struct frame *frame = &speedscope->frames[i];
        const bool lost = frame->function == GNOMON_PROFILE_UNPROFILED;
        const char *label = lost ? GNOMON_EXPORT_LOST
                                 : event_label(&speedscope->labels, speedscope->export, frame->function, frame->id);
        struct gnomon_name name = {0};
        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", speedscope->stream);
        json_put_string(speedscope->stream, label ? label : "");
        speedscope->failed |= !label;
        if (!lost)
            gnomon_name_of(&name, &speedscope->export->analysis, frame->id);
        char *file = name.file ? strdup(name.file) : NULL;
        if (file) {
            export_clean(file);
            fputs(",\"file\":", speedscope->stream);
            json_put_string(speedscope->stream, file);
            fprintf(speedscope->stream, ",\"line\":%u", name.line);
        }
        free(file);
        putc('}', speedscope->stream);
    }
}

static void put_name(const struct speedscope *speedscope, const struct profile *profile) {
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
    json_put_string(speedscope->stream, text);
}

static void put_profiles(struct speedscope *speedscope) {
    const struct gnomon_analysis *analysis = &speedscope->export->analysis;
    bool listed = false;
    fputs("\n]},\n\"profiles\":[", speedscope->stream);
    for (uint32_t i = 0; i < speedscope->profile_map.count; i++) {
        struct profile *profile = &speedscope->profiles[i];
        char end[32];
        if (analysis->one_thread && profile->thread != analysis->thread && profile->level != LEVEL_LOST)
            continue;
        fprintf(speedscope->stream,
                "%s\n{\"type\":\"evented\",\"unit\":\"%s\",\"startValue\":0,\"name\":", listed ? "," : "",
                analysis->clock_hz ? "microseconds" : "none");
        put_name(speedscope, profile);
        format_time(speedscope, profile->clock, end, sizeof end);
        fprintf(speedscope->stream, ",\"endValue\":%s,\"events\":[", end);
        spool_write(&speedscope->spool, &profile->events, speedscope->stream);
        fputs("\n]}", speedscope->stream);
        listed = true;
    }
    fputs("\n]}\n", speedscope->stream);
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
    struct speedscope speedscope = {.export = export, .stream = stream};
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
