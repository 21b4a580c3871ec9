/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon serve. With --http, profiles of a running program: requests come in threads of their own (serve_http.c) and
 * wait for jobs, which the thread of the device does (serve_jobs.c). */
#ifndef GNOMON_CLI_SERVE_H
#define GNOMON_CLI_SERVE_H

#include <pthread.h>

#include "cli/live/live_target.h"
#include "lib/http/http.h"
#include "lib/live/live_samples.h"

#define SERVE_MOST_SECONDS 3600                /* of a profile */
#define SERVE_SAMPLED_PAGE "/pprof/pmuprofile" /* always sampled; google-pprof adds an event and a period only here */

struct serve_values {
    struct target_values target;
    const char *http, *usbip;
    struct cli_list hosts;
    uint64_t clients, timeout;
    bool allow_control, events;
};

/* A moment that several profiles begin or end with. */
struct serve_moment {
    struct gnomon_live_moment moment;
    unsigned users;
};

enum serve_kind {
    SERVE_TIMED,      /* the next `seconds` */
    SERVE_SO_FAR,     /* from the run's start up to now */
    SERVE_START,      /* begins the profile that a client controls */
    SERVE_CURRENT,    /* what it has so far */
    SERVE_STOP,       /* the same, and ends it */
    SERVE_RATE,       /* gives its samples another period */
    SERVE_HEAP,       /* the heap from the run's start up to now */
    SERVE_GROWTH,     /* where it grew */
    SERVE_CONTENTION, /* where threads waited for locks */
};

/* What a sampled profile wants, and where its samples begin. */
struct serve_sampling {
    const struct gnomon_pmu_event *event; /* NULL: the profile is of all cycles */
    uint32_t period;
    bool joined, rated; /* `rated`: the period was changed */
    size_t first;
    uint64_t lost;
};

/* What a request waits for. */
struct serve_job {
    struct serve_job *next;
    enum serve_kind kind;
    bool legacy; /* for google-pprof */
    uint64_t ms; /* of SERVE_TIMED */
    struct serve_sampling sampling;
    /* Of the device's thread. */
    struct serve_moment *start; /* NULL: not begun, or from the run's start */
    bool begun;
    uint64_t due;
    /* The result. */
    bool done, abandoned; /* no request waits for it any more */
    enum gnomon_status status;
    struct gnomon_error error;
    char *body; /* owned */
    size_t body_bytes;
    char exactness[GNOMON_EXACTNESS_BYTES]; /* of the profile in the body, in one line */
};

struct serve {
    struct live_target live; /* first: the session's callbacks get this structure */
    struct gnomon_http *http;
    pthread_mutex_t mutex;  /* of the jobs, `over` and `closing` */
    pthread_cond_t changed; /* a job is done */
    pthread_cond_t asked;   /* there is a new job */
    struct serve_job *jobs;
    bool over;                           /* the program has ended: `last` is valid */
    bool closing;                        /* no job is done any more */
    struct serve_moment *last, *control; /* `control`: since when the controlled profile counts; NULL: there is none */
    struct gnomon_live_samples samples;
    unsigned samplers;                /* profiles that want samples now */
    struct serve_sampling controlled; /* of the controlled profile */
    enum gnomon_status status;        /* of what failed in a callback */
    struct gnomon_error error;
};

/* ---- serve_jobs.c ---- */

bool serve_jobs_open(struct serve *serve);
void serve_jobs_close(struct serve *serve);
/* In the thread of a request: waits until the job is done, the client has gone, or the server ends. The caller frees
 * the result with serve_job_free. NULL: out of memory. */
struct serve_job *serve_job_new(const struct serve_job *wanted);
void serve_job_wait(struct serve *serve, struct serve_job **job, const struct gnomon_http_request *request);
void serve_job_free(struct serve_job *job);
/* In the thread of the device: begins and ends the jobs that are due. An error is the device's. */
enum gnomon_status serve_jobs_step(struct serve *serve, struct gnomon_error *error);
/* The program is over: ends all jobs, now and until the server closes. */
enum gnomon_status serve_jobs_over(struct serve *serve, struct gnomon_error *error);
/* Waits for a new job, at most `ms`. */
void serve_jobs_sleep(struct serve *serve, unsigned ms);

/* ---- serve_profile.c ---- */

/* Writes the profile of what lies between; `from` NULL: from the run's start. Fills the job's result. */
void serve_profile(struct serve *serve, struct serve_job *job, const struct serve_moment *from,
                   const struct serve_moment *to);
/* Writes one of the heap or the locks at the moment. */
void serve_account(struct serve *serve, struct serve_job *job, const struct serve_moment *now);

/* ---- serve_sampled.c ---- */

/* Begins and ends with samples, in the thread of the device. */
enum gnomon_status serve_sampling_join(struct serve *serve, struct serve_sampling *sampling,
                                       struct gnomon_error *error);
enum gnomon_status serve_sampling_leave(struct serve *serve, struct serve_sampling *sampling,
                                        struct gnomon_error *error);
/* Gives the samples of the controlled profile another period. */
enum gnomon_status serve_sampling_rate(struct serve *serve, uint32_t period, struct gnomon_error *error);
/* The same as serve_profile, of the samples that have come since the profile joined. */
void serve_sampled_profile(struct serve *serve, struct serve_job *job, const struct serve_sampling *sampling);
/* Reads the query's frequency, event and period. False: they make no sense, and `reply` says so. */
bool serve_sampling_parse(const struct serve *serve, const struct gnomon_http_request *request,
                          struct serve_sampling *sampling, struct gnomon_http_reply *reply);

/* ---- serve_http.c ---- */

enum gnomon_status serve_http_open(struct serve *serve, struct gnomon_error *error);

/* ---- serve_usbip.c ---- */

/* Returns the command's exit status. */
int serve_usbip(struct cli_context *context, const struct serve_values *values);

/* ---- serve_symbol.c ---- */

/* /pprof/symbol: names of addresses "0x..+0x..". */
void serve_symbol(const struct serve *serve, const struct gnomon_http_request *request,
                  struct gnomon_http_reply *reply);
/* /pprof/cmdline */
void serve_cmdline(const struct serve *serve, struct gnomon_http_reply *reply);

#endif
