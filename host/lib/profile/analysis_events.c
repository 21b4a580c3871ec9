/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a file, one by one or for a profile. A profile of one hart's events is made by two threads: one reads
 * and decodes, the other counts. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "lib/profile/analysis_internal.h"

/* ---- One by one ---- */

bool gnomon_analysis_tell_modules(struct gnomon_analysis *analysis, struct gnomon_event *event) {
    const struct gnomon_modules *modules = analysis->modules;
    if (event->type == GNOMON_EVENT_MODULE)
        return gnomon_modules_note(analysis->modules, event);
    if (event->type == GNOMON_EVENT_ENTER || event->type == GNOMON_EVENT_EXIT)
        event->number = gnomon_modules_id(modules, event->number);
    if (event->type == GNOMON_EVENT_CHANNEL && event->number == GNOMON_CHANNEL_LANDED)
        event->value = ~gnomon_modules_id(modules, ~event->value);
    return true;
}

/* The next call that was decoded in advance. */
static bool next_call(struct gnomon_analysis *analysis, struct gnomon_event *event) {
    const struct gnomon_calls *calls = analysis->calls;
    if (!calls || analysis->next_call == calls->count)
        return false;
    *event = gnomon_calls_event(calls, analysis->next_call++, analysis->call_cycle);
    analysis->call_cycle = event->cycle;
    event->depth = event->type == GNOMON_EVENT_ENTER ? analysis->call_depth++ : --analysis->call_depth;
    return true;
}

/* Decodes the calls that come next. False: none come. */
static bool take_calls(struct gnomon_analysis *analysis) {
    struct gnomon_calls *calls = analysis->calls;
    if (!calls)
        calls = analysis->calls = malloc(sizeof *calls);
    analysis->next_call = 0;
    if (!calls || !gnomon_trace_calls(analysis->trace, gnomon_modules_first(analysis->modules), calls))
        return false;
    analysis->call_cycle = calls->from;
    analysis->call_depth = calls->depth;
    return true;
}

const struct gnomon_calls *gnomon_analysis_calls(struct gnomon_analysis *analysis) {
    const bool begun = analysis->calls && analysis->next_call < analysis->calls->count;
    if (!analysis->ahead || analysis->other || begun || !take_calls(analysis))
        return NULL;
    analysis->next_call = analysis->calls->count;
    return analysis->calls;
}

/* Of one hart, with the numbers of the trace. */
static enum gnomon_status next_of_one(struct gnomon_analysis *analysis, struct gnomon_event *event, bool *got,
                                      struct gnomon_error *error) {
    *got = false;
    while (analysis->file) {
        enum gnomon_trace_result result = gnomon_trace_next(analysis->trace, event);
        if (result == GNOMON_TRACE_FAILED)
            return gnomon_fail(error, GNOMON_ERR_TOO_BIG, "%s nests too deep to be followed", analysis->path);
        *got = result == GNOMON_TRACE_EVENT;
        if (*got)
            return GNOMON_OK;
        const uint8_t *frame;
        enum gnomon_status status = gnomon_gnt_next(analysis->file, &frame, error);
        if (!status && !frame && analysis->hart && gnomon_trace_stats(analysis->trace)->frames == 0)
            return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s has no events of hart %u", analysis->path,
                               analysis->hart);
        if (status || !frame)
            return status;
        gnomon_trace_feed(analysis->trace, frame);
    }
    return GNOMON_OK;
}

/* The records say how many events went into them, which the statistics of both harts need. */
static enum gnomon_status end_events(struct gnomon_analysis *analysis, struct gnomon_error *error) {
    const enum gnomon_status status =
        analysis->other ? analysis_take_both_records(analysis, error) : analysis_take_records(analysis, error);
    if (!status && analysis->other)
        analysis->both = gnomon_merge_stats(gnomon_trace_stats(analysis->trace), gnomon_trace_stats(analysis->other));
    return status ? status : analysis_take_samples(analysis, error);
}

enum gnomon_status gnomon_analysis_next(struct gnomon_analysis *analysis, struct gnomon_event *event, bool *got,
                                        struct gnomon_error *error) {
    *got = analysis->ahead && !analysis->other &&
           (next_call(analysis, event) || (take_calls(analysis) && next_call(analysis, event)));
    if (*got) /* of functions that are of no module */
        return GNOMON_OK;
    enum gnomon_status status = analysis->other ? gnomon_merge_next(analysis->harts, analysis->path, event, got, error)
                                                : next_of_one(analysis, event, got, error);
    if (!status && !*got)
        return end_events(analysis, error);
    return status || gnomon_analysis_tell_modules(analysis, event) ? status : gnomon_fail_memory(error);
}

/* ---- For a profile ---- */

/* Calls, or an event that is more than a call, as they come in the trace. */
struct item {
    enum { ITEM_CALLS, ITEM_EVENT, ITEM_END } kind;
    struct gnomon_event event;
    struct gnomon_calls calls;
};

#define ITEMS 128
#define BATCHES 3
struct batch {
    size_t count;
    struct item items[ITEMS];
};

/* Batches go round: the reader fills those that are free, the counting side takes those that are full. */
struct ahead {
    struct gnomon_analysis *analysis;
    struct batch batches[BATCHES];
    sem_t free, full;
    atomic_bool stop; /* the counting side takes no more */
    enum gnomon_status status;
    struct gnomon_error error; /* with a status */
};

/* The functions of modules are left to events: what their numbers mean is known when they are counted. */
static void read_item(struct ahead *ahead, struct item *item) {
    struct gnomon_analysis *analysis = ahead->analysis;
    bool got = false;
    if (gnomon_trace_calls(analysis->trace, gnomon_modules_first(analysis->modules), &item->calls)) {
        item->kind = ITEM_CALLS;
        return;
    }
    ahead->status = next_of_one(analysis, &item->event, &got, &ahead->error);
    item->kind = !ahead->status && got ? ITEM_EVENT : ITEM_END;
}

static bool fill(struct ahead *ahead, struct batch *batch) {
    for (batch->count = 0; batch->count < ITEMS; batch->count++) {
        read_item(ahead, &batch->items[batch->count]);
        if (batch->items[batch->count].kind == ITEM_END) {
            batch->count++;
            return false;
        }
    }
    return true;
}

static void wait_for(sem_t *semaphore) {
    while (sem_wait(semaphore))
        ; /* a signal came */
}

static void *read_ahead(void *context) {
    struct ahead *ahead = context;
    bool more = true;
    for (size_t i = 0; more; i = (i + 1) % BATCHES) {
        wait_for(&ahead->free);
        more = !ahead->stop && fill(ahead, &ahead->batches[i]);
        sem_post(&ahead->full);
    }
    return NULL;
}

/* *more false: there are no more. */
static enum gnomon_status count_batch(struct gnomon_analysis *analysis, struct batch *batch,
                                      struct gnomon_profile *profile, bool *more, struct gnomon_error *error) {
    for (size_t i = 0; i < batch->count; i++) {
        struct item *item = &batch->items[i];
        *more = item->kind != ITEM_END;
        const bool good = item->kind == ITEM_CALLS   ? gnomon_profile_calls(profile, &item->calls)
                          : item->kind == ITEM_EVENT ? gnomon_analysis_tell_modules(analysis, &item->event) &&
                                                           gnomon_profile_event(profile, &item->event)
                                                     : true;
        if (!good)
            return gnomon_fail_memory(error);
    }
    return GNOMON_OK;
}

static enum gnomon_status count_all(struct ahead *ahead, struct gnomon_profile *profile, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    bool more = true;
    for (size_t i = 0; more && !status; i = (i + 1) % BATCHES) {
        wait_for(&ahead->full);
        status = count_batch(ahead->analysis, &ahead->batches[i], profile, &more, error);
        sem_post(&ahead->free);
    }
    return status;
}

/* If there can be no second thread, this one does both. */
static enum gnomon_status run_ahead(struct ahead *ahead, struct gnomon_profile *profile, struct gnomon_error *error) {
    pthread_t reader;
    sem_init(&ahead->free, 0, BATCHES);
    sem_init(&ahead->full, 0, 0);
    const bool apart = !pthread_create(&reader, NULL, read_ahead, ahead);
    enum gnomon_status status = GNOMON_OK;
    if (apart) {
        status = count_all(ahead, profile, error);
        ahead->stop = true;
        sem_post(&ahead->free);
        pthread_join(reader, NULL);
    }
    for (bool more = !apart; more && !status;) {
        fill(ahead, ahead->batches);
        status = count_batch(ahead->analysis, ahead->batches, profile, &more, error);
    }
    sem_destroy(&ahead->free);
    sem_destroy(&ahead->full);
    if (!status && ahead->status)
        *error = ahead->error;
    return status ? status : ahead->status;
}

static enum gnomon_status read_one(struct gnomon_analysis *analysis, struct gnomon_profile *profile,
                                   struct gnomon_error *error) {
    struct ahead *ahead = malloc(sizeof *ahead);
    if (!ahead)
        return gnomon_fail_memory(error);
    ahead->analysis = analysis;
    ahead->stop = false;
    ahead->status = GNOMON_OK;
    enum gnomon_status status = run_ahead(ahead, profile, error);
    free(ahead);
    return status ? status : end_events(analysis, error);
}

enum gnomon_status analysis_read_events(struct gnomon_analysis *analysis, struct gnomon_profile *profile,
                                        struct gnomon_error *error) {
    struct gnomon_event event;
    bool got;
    enum gnomon_status status;
    if (!analysis->other)
        return read_one(analysis, profile, error);
    while (!(status = gnomon_analysis_next(analysis, &event, &got, error)) && got)
        if (!gnomon_profile_event(profile, &event))
            return gnomon_fail_memory(error);
    return status;
}
