/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/api/api_jobs.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/api/api_command.h"
#include "cli/interrupt.h"

/* ---- The command line of a recording ---- */

/* A name as a pattern that matches only itself. */
static char *as_pattern(const char *name) {
    char *pattern = malloc(2 * strlen(name) + 1), *to = pattern;
    for (const char *at = name; pattern && *at; at++) {
        if (strchr("*?[]\\", *at))
            *to++ = '\\';
        *to++ = *at;
    }
    if (pattern)
        *to = '\0';
    return pattern;
}

#define RECORDING "run.gnt"

static void command_of(const struct api_jobs *jobs, const struct api_job *job, struct api_words *words) {
    char *program = realpath(jobs->project->program, NULL);
    static const char *const always[] = {"gnomon", "record", "-q", "-o", RECORDING, "-d"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        api_words_add(words, always[i]);
    api_words_add(words, jobs->project->devices.items[job->device]);
    api_words_add(words, job->events ? "--events" : "--records");
    for (size_t i = 0; i < jobs->project->sim_options->count; i++) {
        api_words_add(words, "--sim-option");
        api_words_add(words, jobs->project->sim_options->items[i]);
    }
    if (job->scenario->duration) {
        api_words_add(words, "--duration");
        api_words_add(words, job->scenario->duration);
    }
    if (job->cost && strcmp(job->cost, GNOMON_API_CYCLES) != 0) {
        api_words_add(words, "--clock");
        api_words_add(words, job->cost);
    }
    api_words_add(words, "--watch");
    for (size_t i = 0; i < job->only_count; i++) {
        api_words_add(words, "--watch-only");
        api_words_take(words, as_pattern(job->only[i]));
    }
    for (size_t i = 0; i < job->scenario->put_count; i++) {
        api_words_add(words, "--put");
        api_words_add(words, job->scenario->put[i]);
    }
    api_words_take(words, program ? program : strdup(jobs->project->program));
    api_words_add(words, "--");
    for (size_t i = 0; i < job->scenario->argument_count; i++)
        api_words_add(words, job->scenario->arguments[i]);
}

/* ---- Processes ---- */

static char *in_folder(const struct api_job *job, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", job->folder, name) < 0 ? NULL : path;
}

char *api_job_file(const struct api_job *job) {
    return in_folder(job, RECORDING);
}

/* The recordings are made in other folders. */
static void keep_simulators(void) {
    const char *folder = getenv("GNOMON_SIM_DIR");
    char *whole = folder ? realpath(folder, NULL) : NULL;
    if (whole)
        setenv("GNOMON_SIM_DIR", whole, 1);
    free(whole);
}

static enum gnomon_status start(struct api_jobs *jobs, struct api_job *job, struct gnomon_error *error) {
    struct api_words words = {0};
    enum gnomon_status status = GNOMON_OK;
    if (mkdir(job->folder, 0777) && errno != EEXIST)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot make the folder %s", job->folder);
    char *earlier = api_job_file(job);
    if (earlier)
        unlink(earlier); /* of a run that was not finished */
    free(earlier);
    command_of(jobs, job, &words);
    if (words.failed) {
        status = gnomon_fail_memory(error);
    } else if ((errno = api_command_start(&job->child, &words, job->folder, "console", "errors"))) {
        job->child = 0;
        status = gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot start gnomon record");
    }
    api_words_free(&words);
    return status;
}

/* What the recording's command said, in one line. */
static enum gnomon_status failed_job(const struct api_job *job, int how, struct gnomon_error *error) {
    char text[400], *path = in_folder(job, "errors");
    api_command_said(text, sizeof text, path);
    free(path);
    if (WIFSIGNALED(how))
        return gnomon_fail(error, GNOMON_ERR_SYSTEM, "scenario %s: gnomon record ended by signal %d",
                           job->scenario->name, WTERMSIG(how));
    gnomon_fail(error, GNOMON_ERR_SYSTEM, "scenario %s ended with status %d: %s", job->scenario->name, WEXITSTATUS(how),
                text);
    return gnomon_remedy(error, GNOMON_ERR_SYSTEM, "its console and its errors are in %s", job->folder);
}

enum gnomon_status api_job_ended(const struct api_job *job, const struct gnomon_exactness *exactness,
                                 struct gnomon_error *error) {
    const int wanted = job->scenario->status;
    const bool ended = exactness->end == GNOMON_RUN_ENDED, crashed = exactness->end == GNOMON_RUN_CRASHED;
    if (exactness->end == GNOMON_RUN_LIMITED)
        return GNOMON_OK;
    if ((!ended && !crashed) || (ended && job->how))
        return failed_job(job, job->how, error);
    if (wanted == API_ANY_STATUS || wanted == exactness->status)
        return GNOMON_OK;
    if (crashed)
        gnomon_fail(error, GNOMON_ERR_SYSTEM, "scenario %s: the program died (status %d): %s", job->scenario->name,
                    exactness->status, exactness->cause);
    else
        gnomon_fail(error, GNOMON_ERR_SYSTEM, "scenario %s: the program ended with status %d, and not %d",
                    job->scenario->name, exactness->status, wanted);
    return gnomon_remedy(error, GNOMON_ERR_SYSTEM,
                         "what it printed is in %s/console; if it is right like that: --status %d, in a file status = "
                         "%d",
                         job->folder, exactness->status, exactness->status);
}

/* The command of a program that died fails, too, but has a recording. */
static bool has_recording(const struct api_job *job) {
    char *path = api_job_file(job);
    const bool there = path && access(path, R_OK) == 0;
    free(path);
    return there && WIFEXITED(job->how) && WEXITSTATUS(job->how) <= CLI_FAILED;
}

static struct api_job *job_of(const struct api_jobs *jobs, pid_t child) {
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->jobs[i].child == child)
            return &jobs->jobs[i];
    return NULL;
}

static void stop_all(const struct api_jobs *jobs) {
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->jobs[i].child)
            kill(jobs->jobs[i].child, SIGTERM);
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->jobs[i].child)
            waitpid(jobs->jobs[i].child, NULL, 0);
}

/* ---- All jobs ---- */

static void draw(struct cli_progress *progress, const struct api_jobs *jobs) {
    const double seconds = cli_progress_seconds(progress);
    const size_t left = jobs->count - jobs->finished;
    if (!cli_progress_due(progress))
        return;
    if (jobs->finished)
        cli_progress_draw(progress, "%zu of %zu runs, about %.0f s left", jobs->finished, jobs->count,
                          seconds / (double)jobs->finished * (double)left);
    else
        cli_progress_draw(progress, "%zu of %zu runs", jobs->finished, jobs->count);
}

/* Waits for a child, or for a hundredth of a second. 0: none has ended. */
static pid_t wait_some(int *how) {
    const struct timespec pause = {.tv_nsec = 10000000};
    const pid_t child = waitpid(-1, how, WNOHANG);
    if (child == 0)
        nanosleep(&pause, NULL);
    return child > 0 ? child : 0;
}

enum gnomon_status api_jobs_run(struct api_jobs *jobs, struct gnomon_error *error) {
    const size_t devices = jobs->project->devices.count;
    struct api_job **on = calloc(devices + 1, sizeof *on); /* what each device runs */
    struct cli_progress progress;
    enum gnomon_status status = on ? GNOMON_OK : gnomon_fail_memory(error);
    size_t next = jobs->finished;
    keep_simulators();
    cli_progress_begin(&progress, jobs->context);
    while (!status && jobs->finished < jobs->count) {
        for (size_t i = 0; i < devices && !status && next < jobs->count; i++)
            if (!on[i]) {
                on[i] = &jobs->jobs[next++];
                on[i]->device = i;
                status = start(jobs, on[i], error);
            }
        int how;
        const pid_t child = status ? 0 : wait_some(&how);
        struct api_job *job = child ? job_of(jobs, child) : NULL;
        if (!status && cli_interrupted())
            status = gnomon_fail(error, GNOMON_ERR_INTERRUPTED, "interrupted after %zu of %zu runs", jobs->finished,
                                 jobs->count);
        if (job) {
            job->child = 0;
            on[job->device] = NULL;
            job->how = how;
            if (!status)
                status = has_recording(job) ? jobs->done(jobs->owner, jobs, job, error) : failed_job(job, how, error);
            jobs->finished += !status;
        }
        draw(&progress, jobs);
    }
    cli_progress_end(&progress);
    stop_all(jobs);
    free(on);
    return status;
}
