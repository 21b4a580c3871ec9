/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/service/writer.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define MOST_AT_A_TIME 256 /* submissions in a transaction */
#define CLEAN_SECONDS 3600 /* between two looks for what is too old */
#define DAY_SECONDS 86400

/* A submission that waits for a shard. */
struct part {
    struct part *next;
    struct gnomon_fleet_submission submission;
    struct job *job;
};

/* A submission that waits for all of them; in the stack of the thread that waits. */
struct job {
    unsigned waiting; /* shards */
    enum gnomon_status status;
    struct gnomon_error *error;
    bool stored;
    pthread_cond_t done;
    struct part parts[GNOMON_FLEET_MOST_SHARDS];
};

struct shard {
    struct gnomon_writer *writer;
    unsigned number;
    struct gnomon_fleet_store *store;
    pthread_t thread;
    bool runs;
    struct part *first, **end;
    time_t cleaned;
};

struct gnomon_writer {
    struct gnomon_writer_settings settings;
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* for the shards' threads */
    bool closing;
    struct shard shards[GNOMON_FLEET_MOST_SHARDS];
};

/* ---- A shard's thread ---- */

static int64_t today(void) {
    return time(NULL) / DAY_SECONDS;
}

static void finish(struct part *part, enum gnomon_status status, const struct gnomon_error *error) {
    struct job *job = part->job;
    job->stored |= part->submission.stored;
    if (status && !job->status) {
        job->status = status;
        *job->error = *error;
    }
    if (--job->waiting == 0)
        pthread_cond_signal(&job->done);
}

/* Writes what waits. The mutex is held, and let go meanwhile. */
static void write_waiting(struct shard *shard) {
    struct part *parts[MOST_AT_A_TIME];
    struct gnomon_fleet_submission *submissions[MOST_AT_A_TIME];
    size_t count = 0;
    for (; shard->first && count < MOST_AT_A_TIME; shard->first = shard->first->next) {
        submissions[count] = &shard->first->submission;
        parts[count++] = shard->first;
    }
    if (!shard->first)
        shard->end = &shard->first;
    pthread_mutex_unlock(&shard->writer->mutex);
    struct gnomon_error error;
    const enum gnomon_status status =
        gnomon_fleet_store_add(shard->store, shard->number, submissions, count, today(), &error);
    pthread_mutex_lock(&shard->writer->mutex);
    for (size_t i = 0; i < count; i++)
        finish(parts[i], status, &error);
}

/* A failure is tried again with the next look. */
static void clean(struct shard *shard) {
    struct gnomon_error ignored;
    const int64_t day = today() - (int64_t)shard->writer->settings.retention_days;
    shard->cleaned = time(NULL);
    pthread_mutex_unlock(&shard->writer->mutex);
    gnomon_fleet_store_clean(shard->store, shard->number, day, &ignored);
    pthread_mutex_lock(&shard->writer->mutex);
}

static bool is_clean(const struct shard *shard) {
    return !shard->writer->settings.retention_days || time(NULL) - shard->cleaned < CLEAN_SECONDS;
}

static void wait_for_work(struct shard *shard) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += CLEAN_SECONDS;
    pthread_cond_timedwait(&shard->writer->changed, &shard->writer->mutex, &until);
}

static void *run_shard(void *context) {
    struct shard *shard = context;
    struct gnomon_writer *writer = shard->writer;
    pthread_mutex_lock(&writer->mutex);
    while (!writer->closing || shard->first) {
        if (shard->first)
            write_waiting(shard);
        else if (!is_clean(shard))
            clean(shard);
        else
            wait_for_work(shard);
    }
    pthread_mutex_unlock(&writer->mutex);
    return NULL;
}

/* ---- The service's side ---- */

enum gnomon_status gnomon_writer_store(struct gnomon_writer *writer, const struct gnomon_fleet_submission *submission,
                                       bool *stored, struct gnomon_error *error) {
    struct job job = {.waiting = writer->settings.shards, .error = error};
    pthread_cond_init(&job.done, NULL);
    pthread_mutex_lock(&writer->mutex);
    for (unsigned i = 0; i < writer->settings.shards; i++) {
        struct shard *shard = &writer->shards[i];
        job.parts[i] = (struct part){.submission = *submission, .job = &job};
        *shard->end = &job.parts[i];
        shard->end = &job.parts[i].next;
    }
    pthread_cond_broadcast(&writer->changed);
    while (job.waiting)
        pthread_cond_wait(&job.done, &writer->mutex);
    pthread_mutex_unlock(&writer->mutex);
    pthread_cond_destroy(&job.done);
    *stored = job.stored;
    return job.status;
}

static enum gnomon_status open_shard(struct gnomon_writer *writer, unsigned number, struct gnomon_error *error) {
    struct shard *shard = &writer->shards[number];
    shard->writer = writer;
    shard->number = number;
    shard->end = &shard->first;
    const enum gnomon_status status =
        gnomon_fleet_store_open(&shard->store, writer->settings.database, writer->settings.shards, true, error);
    if (status)
        return status;
    shard->runs = !pthread_create(&shard->thread, NULL, run_shard, shard);
    return shard->runs ? GNOMON_OK : gnomon_fail(error, GNOMON_ERR_SYSTEM, "cannot start a thread");
}

enum gnomon_status gnomon_writer_open(struct gnomon_writer **writer, const struct gnomon_writer_settings *settings,
                                      struct gnomon_error *error) {
    struct gnomon_writer *made = calloc(1, sizeof *made);
    *writer = NULL;
    if (!made)
        return gnomon_fail_memory(error);
    made->settings = *settings;
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->changed, NULL);
    enum gnomon_status status = GNOMON_OK;
    for (unsigned i = 0; i < settings->shards && !status; i++)
        status = open_shard(made, i, error);
    if (status)
        gnomon_writer_close(made);
    else
        *writer = made;
    return status;
}

void gnomon_writer_close(struct gnomon_writer *writer) {
    if (!writer)
        return;
    pthread_mutex_lock(&writer->mutex);
    writer->closing = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
    for (unsigned i = 0; i < writer->settings.shards; i++) {
        if (writer->shards[i].runs)
            pthread_join(writer->shards[i].thread, NULL);
        gnomon_fleet_store_close(writer->shards[i].store);
    }
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->mutex);
    free(writer);
}
