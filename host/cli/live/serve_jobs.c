/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <time.h>

#include "cli/live/serve.h"
#include "lib/util/clock.h"

#define LOOK_MS 200 /* between two looks whether a client still waits */

/* ---- Moments ---- */

static void let_go(struct serve_moment *moment) {
    if (!moment || --moment->users > 0)
        return;
    gnomon_live_moment_free(&moment->moment);
    free(moment);
}

static struct serve_moment *hold(struct serve_moment *moment) {
    if (moment)
        moment->users++;
    return moment;
}

static enum gnomon_status take_moment(struct serve *serve, bool last, struct serve_moment **moment,
                                      struct gnomon_error *error) {
    *moment = calloc(1, sizeof **moment);
    if (!*moment)
        return gnomon_fail_memory(error);
    (*moment)->users = 1;
    struct gnomon_live *live = &serve->live.live;
    enum gnomon_status status = last ? gnomon_live_take_last(live, &serve->live.session, &(*moment)->moment, error)
                                     : gnomon_live_take(live, &(*moment)->moment, error);
    if (status) {
        free(*moment);
        *moment = NULL;
    }
    return status;
}

/* ---- For requests ---- */

static void open_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool serve_jobs_open(struct serve *serve) {
    open_condition(&serve->changed);
    open_condition(&serve->asked);
    return pthread_mutex_init(&serve->mutex, NULL) == 0;
}

static void wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, unsigned ms) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)ms * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(condition, mutex, &until);
}

struct serve_job *serve_job_new(const struct serve_job *wanted) {
    struct serve_job *job = calloc(1, sizeof *job);
    if (job)
        *job = *wanted;
    return job;
}

void serve_job_free(struct serve_job *job) {
    if (!job)
        return;
    free(job->body);
    free(job);
}

static void fail_closing(struct serve_job *job) {
    job->done = true;
    job->status = gnomon_fail(&job->error, GNOMON_ERR_DISCONNECTED, "gnomon serve ends");
}

/* *job is NULL afterwards if the client has gone: the thread of the device frees it then. */
void serve_job_wait(struct serve *serve, struct serve_job **job, const struct gnomon_http_request *request) {
    struct serve_job *one = *job;
    pthread_mutex_lock(&serve->mutex);
    if (serve->closing) {
        fail_closing(one);
    } else {
        one->next = serve->jobs;
        serve->jobs = one;
        pthread_cond_signal(&serve->asked);
    }
    while (!one->done) {
        wait_for(&serve->changed, &serve->mutex, LOOK_MS);
        if (!one->done && gnomon_http_gone(request)) {
            one->abandoned = true;
            *job = NULL;
            break;
        }
    }
    pthread_mutex_unlock(&serve->mutex);
}

/* ---- In the thread of the device ---- */

/* Takes the job out of the list, and tells its request. */
static void end_job(struct serve *serve, struct serve_job **link) {
    struct serve_job *job = *link;
    *link = job->next;
    job->next = NULL;
    serve_sampling_leave(serve, &job->sampling, NULL); /* what fails there fails the next step, too */
    let_go(job->start);
    job->start = NULL;
    if (job->abandoned)
        serve_job_free(job);
    else
        job->done = true;
    pthread_cond_broadcast(&serve->changed);
}

static void drop_abandoned(struct serve *serve) {
    for (struct serve_job **link = &serve->jobs; *link;) {
        if ((*link)->abandoned)
            end_job(serve, link);
        else
            link = &(*link)->next;
    }
}

static bool is_due(const struct serve_job *job, uint64_t now) {
    return job->kind != SERVE_TIMED || !job->begun || now >= job->due;
}

static bool any_due(const struct serve *serve, uint64_t now) {
    for (const struct serve_job *job = serve->jobs; job; job = job->next)
        if (is_due(job, now))
            return true;
    return false;
}

static void begin_control(struct serve *serve, struct serve_job *job, struct serve_moment *moment) {
    if (serve->control) {
        gnomon_fail(&job->error, GNOMON_ERR_BUSY, "a profile has been started already");
        job->status = gnomon_remedy(&job->error, GNOMON_ERR_BUSY, "stop it first: POST /pprof/stop");
        return;
    }
    serve->controlled = job->sampling;
    if (job->sampling.event)
        job->status = serve_sampling_join(serve, &serve->controlled, &job->error);
    if (!job->status)
        serve->control = hold(moment);
}

static void show_control(struct serve *serve, struct serve_job *job, struct serve_moment *moment) {
    if (!serve->control) {
        gnomon_fail(&job->error, GNOMON_ERR_NOT_FOUND, "no profile has been started");
        job->status = gnomon_remedy(&job->error, GNOMON_ERR_NOT_FOUND, "start one: POST /pprof/start");
        return;
    }
    if (serve->controlled.joined)
        serve_sampled_profile(serve, job, &serve->controlled);
    else
        serve_profile(serve, job, serve->control, moment);
    if (job->kind != SERVE_STOP)
        return;
    serve_sampling_leave(serve, &serve->controlled, NULL);
    let_go(serve->control);
    serve->control = NULL;
}

/* The next seconds; true: they have passed. */
static bool do_timed(struct serve *serve, struct serve_job *job, struct serve_moment *moment) {
    const bool begins = !job->begun && (!serve->over || job->sampling.event);
    if (begins && job->sampling.event)
        job->status = serve_sampling_join(serve, &job->sampling, &job->error);
    if (begins) {
        job->begun = true;
        job->start = hold(moment);
        job->due = gnomon_now_ms() + job->ms;
        return job->status;
    }
    if (job->sampling.event)
        serve_sampled_profile(serve, job, &job->sampling);
    else
        serve_profile(serve, job, job->start, moment);
    return true;
}

/* Does what the job wants at this moment. True: it is done. */
static bool do_job(struct serve *serve, struct serve_job *job, struct serve_moment *moment) {
    switch (job->kind) {
    case SERVE_START:
        begin_control(serve, job, moment);
        return true;
    case SERVE_CURRENT:
    case SERVE_STOP:
        show_control(serve, job, moment);
        return true;
    case SERVE_HEAP:
    case SERVE_GROWTH:
    case SERVE_CONTENTION:
        serve_account(serve, job, moment);
        return true;
    case SERVE_SO_FAR:
        serve_profile(serve, job, NULL, moment);
        return true;
    case SERVE_RATE:
        job->status = serve_sampling_rate(serve, job->sampling.period, &job->error);
        return true;
    default:
        return do_timed(serve, job, moment);
    }
}

/* The mutex is held all the time: requests only wait meanwhile. */
static void do_due(struct serve *serve, uint64_t now, struct serve_moment *moment) {
    for (struct serve_job **link = &serve->jobs; *link;) {
        if ((serve->over || is_due(*link, now)) && do_job(serve, *link, moment))
            end_job(serve, link);
        else
            link = &(*link)->next;
    }
}

enum gnomon_status serve_jobs_step(struct serve *serve, struct gnomon_error *error) {
    const uint64_t now = gnomon_now_ms();
    pthread_mutex_lock(&serve->mutex);
    drop_abandoned(serve);
    const bool due = any_due(serve, now);
    pthread_mutex_unlock(&serve->mutex);
    struct serve_moment *moment;
    enum gnomon_status status = serve->samplers ? gnomon_live_samples_take(&serve->samples, error) : GNOMON_OK;
    if (!status && due)
        status = take_moment(serve, false, &moment, error);
    if (status || !due)
        return status;
    pthread_mutex_lock(&serve->mutex);
    do_due(serve, now, moment);
    let_go(moment);
    pthread_mutex_unlock(&serve->mutex);
    return GNOMON_OK;
}

/* Reads what the device has at the end, and leaves it without a sampler. */
static enum gnomon_status read_last(struct serve *serve, struct gnomon_error *error) {
    enum gnomon_status status = serve->samplers ? gnomon_live_samples_take(&serve->samples, error) : GNOMON_OK;
    if (!status && serve->samplers)
        status = gnomon_event_samples_end(&serve->samples.device, error);
    return status ? status : take_moment(serve, true, &serve->last, error);
}

enum gnomon_status serve_jobs_over(struct serve *serve, struct gnomon_error *error) {
    enum gnomon_status status = serve->last ? GNOMON_OK : read_last(serve, error);
    if (status)
        return status;
    pthread_mutex_lock(&serve->mutex);
    serve->over = true;
    drop_abandoned(serve);
    do_due(serve, gnomon_now_ms(), serve->last);
    pthread_mutex_unlock(&serve->mutex);
    return GNOMON_OK;
}

void serve_jobs_sleep(struct serve *serve, unsigned ms) {
    pthread_mutex_lock(&serve->mutex);
    if (!serve->jobs)
        wait_for(&serve->asked, &serve->mutex, ms);
    pthread_mutex_unlock(&serve->mutex);
}

void serve_jobs_close(struct serve *serve) {
    pthread_mutex_lock(&serve->mutex);
    serve->closing = true;
    drop_abandoned(serve);
    while (serve->jobs) {
        fail_closing(serve->jobs);
        end_job(serve, &serve->jobs);
    }
    pthread_mutex_unlock(&serve->mutex);
    gnomon_http_close(serve->http);
    let_go(serve->control);
    let_go(serve->last);
    gnomon_live_samples_close(&serve->samples);
    pthread_mutex_destroy(&serve->mutex);
    pthread_cond_destroy(&serve->changed);
    pthread_cond_destroy(&serve->asked);
}
