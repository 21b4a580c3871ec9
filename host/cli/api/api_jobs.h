/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings that are made at the same time, each by a `gnomon record` of its own, in a folder of its own: what the
 * programs write does not meet. */
#ifndef GNOMON_CLI_API_JOBS_H
#define GNOMON_CLI_API_JOBS_H

#include <sys/types.h>

#include "cli/api/api_project.h"
#include "lib/profile/exactness.h"

struct api_job {
    const struct api_scenario *scenario;
    char *folder;            /* is made; owned */
    const char *const *only; /* the linker's names of the functions to watch */
    size_t only_count;       /* 0: all functions */
    const char *cost;        /* what calls are measured in: an event; NULL: cycles */
    bool events;             /* record events; false: the device's records */
    pid_t child;             /* 0: it does not run */
    int how;                 /* how its command has ended, as waitpid tells it */
    size_t device;           /* index of the device that it runs on */
};

struct api_jobs {
    const struct cli_context *context;
    const struct api_project *project;
    size_t count;
    struct api_job *jobs;
    /* Called when a job has ended, and has left its recording at api_job_file. */
    enum gnomon_status (*done)(void *owner, const struct api_jobs *jobs, struct api_job *job,
                               struct gnomon_error *error);
    void *owner;
    size_t finished; /* of all jobs */
};

/* Runs all jobs. GNOMON_ERR_INTERRUPTED: Ctrl-C; jobs that had not ended were stopped. */
enum gnomon_status api_jobs_run(struct api_jobs *jobs, struct gnomon_error *error);

/* Has the program ended as its scenario says, or was it stopped after the scenario's duration? Otherwise fills `error`.
 * `exactness` is that of the recording. */
enum gnomon_status api_job_ended(const struct api_job *job, const struct gnomon_exactness *exactness,
                                 struct gnomon_error *error);

/* The recording of a job; the caller frees it. NULL: out of memory. */
char *api_job_file(const struct api_job *job);

#endif
