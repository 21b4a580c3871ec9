/* SPDX-License-Identifier: Apache-2.0 */
/* The calls and switches are those of the profile, and the spans of locks those of their account, so that the sums of a
 * time line are those of `gnomon report` and `gnomon locks`. */
#include "lib/export/timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/export/event_labels.h"
#include "lib/export/export_internal.h"
#include "lib/util/array.h"

#define TEXT_BYTES 240 /* longest message that is one instant */

/* A thread: its interrupts are on the hart's track while it runs. */
struct thread {
    uint32_t track; /* + 1; 0: none yet */
    uint64_t last;  /* cycle of its last event */
    struct open_entry {
        struct timeline_name name;
        bool trap;
    } * entries; /* traps that are open, and what is open in them */
    size_t depth, room;
};

struct hart {
    bool runs;
    uint32_t running; /* index */
    uint64_t last;    /* cycle of its last event */
    char text[TEXT_BYTES + 1];
    size_t text_bytes;
};

/* Names that need no other key than their number, in the order of use. */
enum name_kind { NAME_FUNCTION, NAME_THREAD, NAME_MARK, NAME_WORD };
enum word { WORD_LOST, WORD_HOLD, WORD_WAIT, WORD_TEXT, WORD_DROPPED, WORD_MISSING, WORD_DAMAGED };
static const char *const words[] = {
    [WORD_LOST] = GNOMON_EXPORT_LOST,
    [WORD_HOLD] = "hold",
    [WORD_WAIT] = "wait",
    [WORD_TEXT] = "text",
    [WORD_DROPPED] = "[dropped events]",
    [WORD_MISSING] = "[missing frames]",
    [WORD_DAMAGED] = "[damaged frame]",
};

struct timeline {
    struct gnomon_export *export;
    const struct timeline_writer *writer;
    void *context;
    bool failed; /* out of memory */
    struct gnomon_lock_run locks;
    struct hart harts[GNOMON_MAX_HARTS];
    struct profile_map thread_map; /* by number */
    struct thread *threads;
    size_t thread_room;
    struct event_labels labels;
    struct profile_map name_map; /* by kind and number */
    char **names;
    size_t name_room;
    struct timeline_name *functions; /* names of those that have been met, by id; text NULL: not met */
    uint32_t function_count;
    struct profile_map track_map; /* by group and rank */
};

/* ---- Names and tracks ---- */

static char *new_name(struct timeline *timeline, enum name_kind kind, uint32_t number, uint32_t id) {
    char text[GNOMON_LOCK_NAME_BYTES];
    const char *label = NULL;
    if (kind == NAME_FUNCTION)
        label = event_label(&timeline->labels, timeline->export, number, id);
    else if (kind == NAME_THREAD)
        label = gnomon_thread_name(&timeline->locks.names, number, text);
    else if (kind == NAME_WORD)
        label = words[number];
    else if (snprintf(text, sizeof text, "mark %" PRIu32, number) > 0)
        label = text;
    char *name = label ? strdup(label) : NULL;
    if (name)
        export_clean(name);
    return name;
}

/* `id`: of a function. */
static struct timeline_name name_of(struct timeline *timeline, enum name_kind kind, uint32_t number, uint32_t id) {
    const uint32_t known = timeline->name_map.count;
    const uint32_t index = profile_map_find(&timeline->name_map, (uint64_t)kind << 32 | number);
    if (index == PROFILE_MAP_NONE ||
        !gnomon_array_room(&timeline->names, &timeline->name_room, (size_t)index + 1, sizeof *timeline->names)) {
        timeline->failed = true;
        return (struct timeline_name){0, GNOMON_PROFILE_UNPROFILED, ""};
    }
    const bool fresh = index == known;
    if (fresh)
        timeline->names[index] = new_name(timeline, kind, number, id);
    timeline->failed |= !timeline->names[index];
    const struct timeline_name name = {index, kind == NAME_FUNCTION ? number : GNOMON_PROFILE_UNPROFILED,
                                       timeline->names[index] ? timeline->names[index] : ""};
    if (fresh && timeline->writer->name)
        timeline->writer->name(timeline->context, &name);
    return name;
}

static struct timeline_name word(struct timeline *timeline, enum word which) {
    return name_of(timeline, NAME_WORD, which, 0);
}

/* Of functions without a place in the table there are few. */
static struct timeline_name function_name(struct timeline *timeline, uint32_t id) {
    if (id < timeline->function_count && timeline->functions[id].text)
        return timeline->functions[id];
    const struct timeline_name name =
        name_of(timeline, NAME_FUNCTION, gnomon_profile_index(timeline->export->profile, id), id);
    if (id < timeline->function_count)
        timeline->functions[id] = name;
    return name;
}

static void write_track_name(const struct timeline *timeline, enum timeline_group group, uint64_t rank, char *text,
                             size_t size) {
    char name[GNOMON_LOCK_NAME_BYTES], thread[GNOMON_LOCK_NAME_BYTES];
    const struct gnomon_lock_names *names = &timeline->locks.names;
    switch (group) {
    case TIMELINE_HARTS:
        snprintf(text, size, "hart %u%s", (unsigned)(rank / TIMELINE_HART_TRACKS),
                 rank % TIMELINE_HART_TRACKS == TIMELINE_HART_RUNS ? "" : " interrupts");
        break;
    case TIMELINE_THREADS:
        snprintf(text, size, "%s", gnomon_thread_name(names, (uint32_t)rank, thread));
        break;
    case TIMELINE_LOCKS:
        snprintf(text, size, "%s: %s", gnomon_lock_name(names, (unsigned)(rank / GNOMON_THREADS_MOST), name),
                 gnomon_thread_name(names, (uint32_t)(rank % GNOMON_THREADS_MOST), thread));
        break;
    case TIMELINE_VALUES:
        snprintf(text, size, "value %" PRIu64, rank);
        break;
    default:
        snprintf(text, size, "lost events");
    }
    export_clean(text);
}

static uint32_t track_of(struct timeline *timeline, enum timeline_group group, uint64_t rank) {
    char name[2 * GNOMON_LOCK_NAME_BYTES + 3];
    const uint32_t known = timeline->track_map.count;
    const uint32_t index = profile_map_find(&timeline->track_map, (uint64_t)group << 56 | rank);
    timeline->failed |= index == PROFILE_MAP_NONE;
    if (index != known)
        return index;
    write_track_name(timeline, group, rank, name, sizeof name);
    timeline->writer->track(timeline->context,
                            &(struct timeline_track){.number = index, .group = group, .rank = rank, .name = name});
    return index;
}

static uint32_t hart_track(struct timeline *timeline, unsigned hart, enum timeline_hart_track which) {
    return track_of(timeline, TIMELINE_HARTS, (uint64_t)hart * TIMELINE_HART_TRACKS + which);
}

static struct thread *thread_of(struct timeline *timeline, uint32_t number, uint32_t *index) {
    const uint32_t known = timeline->thread_map.count;
    *index = profile_map_find(&timeline->thread_map, number);
    if (*index == PROFILE_MAP_NONE ||
        !gnomon_array_room(&timeline->threads, &timeline->thread_room, (size_t)*index + 1, sizeof *timeline->threads)) {
        timeline->failed = true;
        return NULL;
    }
    if (*index == known)
        timeline->threads[*index] = (struct thread){0};
    return &timeline->threads[*index];
}

/* ---- Events ---- */

/* With --thread, only this thread's calls, messages and locks are shown. */
static bool is_shown(const struct timeline *timeline, uint32_t thread) {
    return !timeline->export->analysis.one_thread || timeline->export->analysis.thread == thread;
}

static void begin(struct timeline *timeline, uint32_t track, uint64_t cycle, enum timeline_category category,
                  struct timeline_name name) {
    timeline->writer->begin(timeline->context, &(struct timeline_event){category, track, cycle, name, NULL, 0});
}

static void end(struct timeline *timeline, uint32_t track, uint64_t cycle) {
    timeline->writer->end(timeline->context, track, cycle);
}

/* The track of the thread's calls. What it does is after what it did before. */
static uint32_t thread_track(struct timeline *timeline, struct thread *thread, uint32_t number, uint64_t *cycle) {
    if (!thread->track)
        thread->track = track_of(timeline, TIMELINE_THREADS, number) + 1;
    if (*cycle < thread->last)
        *cycle = thread->last;
    thread->last = *cycle;
    return thread->track - 1;
}

static void suspend(struct timeline *timeline, unsigned number, uint64_t cycle) {
    struct hart *hart = &timeline->harts[number];
    if (!hart->runs)
        return;
    for (size_t i = timeline->threads[hart->running].depth; i > 0; i--)
        end(timeline, hart_track(timeline, number, TIMELINE_HART_INTERRUPTS), cycle);
    end(timeline, hart_track(timeline, number, TIMELINE_HART_RUNS), cycle);
    hart->runs = false;
}

static void run(struct timeline *timeline, const struct gnomon_profile_step *step, const struct thread *thread,
                uint32_t index) {
    struct hart *hart = &timeline->harts[step->hart];
    if (hart->runs && hart->running == index)
        return;
    suspend(timeline, step->hart, step->cycle);
    hart->runs = true;
    hart->running = index;
    hart->text_bytes = 0;
    const struct timeline_argument number = {TIMELINE_NUMBER, NULL, step->thread};
    timeline->writer->begin(timeline->context,
                            &(struct timeline_event){TIMELINE_THREAD,
                                                     hart_track(timeline, step->hart, TIMELINE_HART_RUNS), step->cycle,
                                                     name_of(timeline, NAME_THREAD, step->thread, 0), &number, 1});
    for (size_t i = 0; i < thread->depth; i++)
        begin(timeline, hart_track(timeline, step->hart, TIMELINE_HART_INTERRUPTS), step->cycle,
              thread->entries[i].trap ? TIMELINE_RESUMED_TRAP : TIMELINE_RESUMED, thread->entries[i].name);
}

static void open_call(struct timeline *timeline, const struct gnomon_profile_step *step, struct thread *thread) {
    const struct timeline_name name = function_name(timeline, step->id);
    uint64_t cycle = step->cycle;
    const enum timeline_category category = !step->called ? TIMELINE_RESUMED
                                            : step->trap  ? TIMELINE_TRAP
                                                          : TIMELINE_CALL;
    if (!step->trap && !thread->depth) {
        const uint32_t track = thread_track(timeline, thread, step->thread, &cycle);
        begin(timeline, track, cycle, category, name);
        return;
    }
    if (!gnomon_array_room(&thread->entries, &thread->room, thread->depth + 1, sizeof *thread->entries)) {
        timeline->failed = true;
        return;
    }
    thread->entries[thread->depth++] = (struct open_entry){name, step->trap};
    begin(timeline, hart_track(timeline, step->hart, TIMELINE_HART_INTERRUPTS), cycle, category, name);
}

static void close_call(struct timeline *timeline, const struct gnomon_profile_step *step, struct thread *thread,
                       bool runs) {
    uint64_t cycle = step->cycle;
    if (!thread->depth) {
        const uint32_t track = thread_track(timeline, thread, step->thread, &cycle);
        end(timeline, track, cycle);
        return;
    }
    thread->depth--;
    if (runs) /* else it has ended when the thread stopped */
        end(timeline, hart_track(timeline, step->hart, TIMELINE_HART_INTERRUPTS), cycle);
}

/* Where a thread's instant or loss is shown. */
static uint32_t place(struct timeline *timeline, unsigned hart, uint32_t number, struct thread *thread,
                      uint64_t *cycle) {
    return thread->depth ? hart_track(timeline, hart, TIMELINE_HART_INTERRUPTS)
                         : thread_track(timeline, thread, number, cycle);
}

static void show_lost(struct timeline *timeline, const struct gnomon_profile_step *step, struct thread *thread,
                      bool runs) {
    uint64_t cycle = step->cycle;
    const uint32_t track = runs ? place(timeline, step->hart, step->thread, thread, &cycle)
                                : hart_track(timeline, step->hart, TIMELINE_HART_RUNS);
    begin(timeline, track, cycle, TIMELINE_LOST, word(timeline, WORD_LOST));
    end(timeline, track, cycle + step->cycles);
}

static void on_step(void *context, const struct gnomon_profile_step *step) {
    struct timeline *timeline = context;
    uint32_t index;
    struct thread *thread = thread_of(timeline, step->thread, &index);
    const struct hart *hart = &timeline->harts[step->hart];
    if (!thread)
        return;
    const bool runs = hart->runs && hart->running == index;
    if (step->type == GNOMON_STEP_RUNS)
        run(timeline, step, thread, index);
    else if (step->type == GNOMON_STEP_STOPS)
        suspend(timeline, step->hart, step->cycle);
    else if (!is_shown(timeline, step->thread) && (runs || step->type != GNOMON_STEP_LOST))
        return;
    else if (step->type == GNOMON_STEP_OPEN)
        open_call(timeline, step, thread);
    else if (step->type == GNOMON_STEP_CLOSE)
        close_call(timeline, step, thread, runs);
    else if (step->type == GNOMON_STEP_LOST)
        show_lost(timeline, step, thread, runs);
    else {
        uint64_t cycle = step->cycle;
        const uint32_t track = place(timeline, step->hart, step->thread, thread, &cycle);
        timeline->writer->instant(
            timeline->context,
            &(struct timeline_event){TIMELINE_ENTRY, track, cycle, function_name(timeline, step->id), NULL, 0});
    }
}

/* The calls of a thread in no interrupt. A new name comes between those before it and those after it. */
static void show_calls(struct timeline *timeline, const struct gnomon_profile_calls *calls, struct thread *thread) {
    struct timeline_call list[GNOMON_FRAME_BYTES];
    uint64_t cycle = calls->from;
    const uint32_t track = thread_track(timeline, thread, calls->thread, &cycle);
    size_t count = 0;
    cycle = calls->from;
    for (size_t i = 0; i < calls->count; i++) {
        const struct gnomon_call *call = &calls->calls[i];
        const struct timeline_name *name = call->ends ? NULL : &timeline->functions[call->number];
        if (name && !name->text) {
            timeline->writer->calls(timeline->context, track, list, count);
            count = 0;
            function_name(timeline, call->number);
        }
        cycle += call->cycles;
        list[count++] = (struct timeline_call){cycle, name};
    }
    thread->last = cycle;
    timeline->writer->calls(timeline->context, track, list, count);
}

static void on_calls(void *context, const struct gnomon_profile_calls *calls) {
    struct timeline *timeline = context;
    struct gnomon_profile_step step = {
        .hart = calls->hart, .thread = calls->thread, .called = true, .cycle = calls->from};
    uint32_t index;
    struct thread *thread = thread_of(timeline, calls->thread, &index);
    const struct hart *hart = &timeline->harts[calls->hart];
    const bool runs = hart->runs && hart->running == index;
    if (thread && !thread->depth && timeline->writer->calls) {
        show_calls(timeline, calls, thread);
        return;
    }
    for (size_t i = 0; thread && i < calls->count; i++) {
        step.cycle += calls->calls[i].cycles;
        step.id = calls->calls[i].number;
        if (calls->calls[i].ends)
            close_call(timeline, &step, thread, runs);
        else
            open_call(timeline, &step, thread);
    }
}

/* ---- Messages and losses ---- */

static void show_message(struct timeline *timeline, const struct gnomon_event *event, struct timeline_name name,
                         const struct timeline_argument *argument) {
    uint32_t index;
    struct thread *thread = thread_of(timeline, event->thread, &index);
    uint64_t cycle = event->cycle;
    if (!thread)
        return;
    const uint32_t track = place(timeline, event->hart, event->thread, thread, &cycle);
    timeline->writer->instant(timeline->context,
                              &(struct timeline_event){TIMELINE_MESSAGE, track, cycle, name, argument, 1});
}

/* A text comes in words of four characters; the last one has a 0. */
static void take_text(struct timeline *timeline, const struct gnomon_event *event) {
    struct hart *hart = &timeline->harts[event->hart];
    bool ends = false;
    for (unsigned i = 0; i < 4 && !ends; i++) {
        const char character = (char)(event->value >> 8 * i);
        ends = !character;
        if (!ends)
            hart->text[hart->text_bytes++] = character;
    }
    if (!ends && hart->text_bytes + 4 <= TEXT_BYTES)
        return;
    hart->text[hart->text_bytes] = '\0';
    hart->text_bytes = 0;
    export_clean(hart->text);
    const struct timeline_argument argument = {TIMELINE_TEXT, hart->text, 0};
    show_message(timeline, event, word(timeline, WORD_TEXT), &argument);
}

static void take_channel(struct timeline *timeline, const struct gnomon_event *event) {
    const struct timeline_argument value = {TIMELINE_VALUE, NULL, event->value};
    if (!is_shown(timeline, event->thread))
        return;
    if (event->number == GNOMON_CHANNEL_TEXT)
        take_text(timeline, event);
    else if (event->number >= GNOMON_CHANNEL_VALUE && event->number < GNOMON_CHANNEL_VALUE_END)
        timeline->writer->value(timeline->context,
                                track_of(timeline, TIMELINE_VALUES, event->number - GNOMON_CHANNEL_VALUE), event->cycle,
                                event->value);
    else if (event->number >= GNOMON_CHANNEL_MARK && event->number < GNOMON_CHANNEL_VALUE)
        show_message(timeline, event, name_of(timeline, NAME_MARK, event->number - GNOMON_CHANNEL_MARK, 0), &value);
}

/* A loss is shown where it can have begun: at the hart's event before it. */
static void show_loss(struct timeline *timeline, const struct gnomon_event *event) {
    struct timeline_argument list[6] = {{TIMELINE_HART, NULL, event->hart}};
    size_t count = 1;
    enum word which = WORD_DAMAGED;
    if (event->type == GNOMON_EVENT_LOST) {
        which = WORD_DROPPED;
        list[count++] = (struct timeline_argument){TIMELINE_ENTERS, NULL, event->lost.enters};
        list[count++] = (struct timeline_argument){TIMELINE_EXITS, NULL, event->lost.exits};
        list[count++] = (struct timeline_argument){TIMELINE_OTHERS, NULL, event->lost.others};
        list[count++] = (struct timeline_argument){TIMELINE_CYCLES, NULL, event->lost.cycles};
        if (event->lost.counts_bus)
            list[count++] = (struct timeline_argument){TIMELINE_BUS, NULL, event->lost.bus};
    } else if (event->type == GNOMON_EVENT_GAP) {
        which = WORD_MISSING;
        list[count++] = (struct timeline_argument){TIMELINE_FRAMES, NULL, event->gap.frames};
    } else {
        list[count++] = (struct timeline_argument){TIMELINE_TEXT, event->damage, 0};
    }
    timeline->writer->instant(timeline->context,
                              &(struct timeline_event){TIMELINE_LOST, track_of(timeline, TIMELINE_RECORDING, 0),
                                                       timeline->harts[event->hart].last, word(timeline, which), list,
                                                       count});
}

static void take_event(struct timeline *timeline, const struct gnomon_event *event) {
    if (event->type == GNOMON_EVENT_CHANNEL)
        take_channel(timeline, event);
    if (event->type == GNOMON_EVENT_LOST || event->type == GNOMON_EVENT_GAP || event->type == GNOMON_EVENT_DAMAGE)
        show_loss(timeline, event);
    if (event->type != GNOMON_EVENT_LOST && event->type != GNOMON_EVENT_DAMAGE)
        timeline->harts[event->hart].last = event->cycle;
}

/* ---- Locks ---- */

/* A span of the lock's track of the thread. */
static void show_span(struct timeline *timeline, const struct gnomon_lock_span *span, enum timeline_category category) {
    char by[GNOMON_LOCK_NAME_BYTES];
    struct timeline_argument list[2] = {{TIMELINE_HART, NULL, span->hart}};
    size_t count = 1;
    if (!is_shown(timeline, span->thread))
        return;
    const uint32_t track =
        track_of(timeline, TIMELINE_LOCKS, (uint64_t)span->lock * GNOMON_THREADS_MOST + span->thread);
    if (span->caller) {
        gnomon_lock_caller_text(&timeline->locks.names, span->caller, by);
        export_clean(by);
        list[count++] = (struct timeline_argument){TIMELINE_BY, by, 0};
    }
    const struct timeline_name name = word(timeline, span->hold ? WORD_HOLD : WORD_WAIT);
    timeline->writer->begin(timeline->context,
                            &(struct timeline_event){category, track, span->from, name, list, count});
    end(timeline, track, span->from + span->cycles);
}

static void on_lock(void *context, const struct gnomon_lock_span *span) {
    show_span(context, span, span->hold ? TIMELINE_HOLD : TIMELINE_WAIT);
}

/* What has no end: up to the end of the recording. */
static void show_open(struct timeline *timeline, struct gnomon_lock_span span, uint64_t last) {
    span.cycles = last > span.from ? last - span.from : 0;
    show_span(timeline, &span, TIMELINE_OPEN);
}

static void end_locks(struct timeline *timeline, struct timeline_unknown *unknown) {
    const struct gnomon_lock_results *results = timeline->locks.results;
    const uint64_t last = gnomon_analysis_stats(&timeline->export->analysis)->last_cycle;
    *unknown = (struct timeline_unknown){0};
    for (size_t i = 0; i < results->held_count; i++) {
        const struct gnomon_lock_held *held = &results->held[i];
        show_open(timeline,
                  (struct gnomon_lock_span){true, held->lock, held->thread, held->hart, held->caller, held->since, 0},
                  last);
    }
    for (size_t i = 0; i < results->waiting_count; i++) {
        const struct gnomon_lock_waiting *waiting = &results->waiting[i];
        show_open(timeline,
                  (struct gnomon_lock_span){false, waiting->lock, waiting->thread, waiting->hart, waiting->caller,
                                            waiting->since, 0},
                  last);
    }
    for (size_t i = 0; i < results->lock_count; i++) {
        unknown->holds += results->locks[i]->holds_unknown;
        unknown->waits += results->locks[i]->waits_unknown + results->locks[i]->contended_unknown;
    }
}

/* ---- Reading ---- */

/* With `ahead` the locks come from messages, so calls tell their account no more than the time. */
static enum gnomon_status take_calls(struct timeline *timeline, const struct gnomon_calls *calls,
                                     struct gnomon_error *error) {
    struct gnomon_export *export = timeline->export;
    if (!gnomon_profile_calls(export->profile, calls))
        return gnomon_fail_memory(error);
    const uint64_t cycle = gnomon_profile_running(export->profile, calls->hart).now;
    timeline->harts[calls->hart].last = cycle;
    gnomon_lock_account_calls(timeline->locks.account, calls->hart, cycle);
    return GNOMON_OK;
}

/* *got false: there is no more. */
static enum gnomon_status take_next(struct timeline *timeline, bool *got, struct gnomon_error *error) {
    struct gnomon_export *export = timeline->export;
    const struct gnomon_calls *calls = gnomon_analysis_calls(&export->analysis);
    struct gnomon_event event;
    *got = true;
    if (calls)
        return take_calls(timeline, calls, error);
    const enum gnomon_status status = gnomon_analysis_next(&export->analysis, &event, got, error);
    if (status || !*got)
        return status;
    if (!gnomon_profile_event(export->profile, &event))
        return gnomon_fail_memory(error);
    take_event(timeline, &event);
    return gnomon_lock_run_take(&timeline->locks, &export->analysis, &event, error);
}

static enum gnomon_status take_all(struct timeline *timeline, FILE *stream, struct gnomon_error *error) {
    const struct gnomon_export *export = timeline->export;
    bool got = true;
    enum gnomon_status status = GNOMON_OK;
    while (!(stream && ferror(stream)) && !(status = take_next(timeline, &got, error)) && got) {
        if (!stream && export->stop && export->stop())
            return gnomon_fail(error, GNOMON_ERR_INTERRUPTED, "interrupted while reading %s", export->analysis.path);
        if (timeline->failed)
            return gnomon_fail_memory(error);
    }
    return status;
}

static void free_all(struct timeline *timeline) {
    for (uint32_t i = 0; i < timeline->thread_map.count && i < timeline->thread_room; i++)
        free(timeline->threads[i].entries);
    for (uint32_t i = 0; i < timeline->name_map.count && i < timeline->name_room; i++)
        free(timeline->names[i]);
    free(timeline->threads);
    free(timeline->names);
    free(timeline->functions);
    event_labels_free(&timeline->labels);
    profile_map_free(&timeline->thread_map);
    profile_map_free(&timeline->name_map);
    profile_map_free(&timeline->track_map);
    gnomon_lock_run_close(&timeline->locks);
}

enum gnomon_status timeline_read(struct gnomon_export *export, const struct timeline_writer *writer, void *context,
                                 FILE *stream, struct timeline_unknown *unknown, struct gnomon_error *error) {
    struct timeline timeline = {.export = export, .writer = writer, .context = context};
    export->analysis.ahead = !export->analysis.watch.roles; /* calls of lock functions are locks: with what is open */
    enum gnomon_status status = gnomon_analysis_new_profile(&export->analysis, &export->profile, error);
    if (!status) {
        gnomon_profile_listen(export->profile, on_step, on_calls, &timeline);
        timeline.function_count = gnomon_modules_first(export->analysis.modules);
        timeline.functions = calloc((size_t)timeline.function_count + 1, sizeof *timeline.functions);
        status = timeline.functions ? GNOMON_OK : gnomon_fail_memory(error);
    }
    if (!status) {
        status = gnomon_lock_run_open(&timeline.locks, &export->analysis, error);
    }
    if (!status) {
        gnomon_lock_account_listen(timeline.locks.account, on_lock, &timeline);
        status = take_all(&timeline, stream, error);
    }
    if (!status)
        status = gnomon_analysis_records(&export->analysis, export->profile, error);
    if (!status)
        status = gnomon_lock_run_finish(&timeline.locks, &export->analysis, error);
    if (!status) {
        end_locks(&timeline, unknown);
        gnomon_export_end(export);
        timeline.failed |= writer->locks && !writer->locks(context, &timeline.locks);
    }
    if (!status && timeline.failed)
        status = gnomon_fail_memory(error);
    free_all(&timeline);
    return status;
}
