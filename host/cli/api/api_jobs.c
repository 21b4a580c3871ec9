/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/api/api_jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "lib/util/array.h"

/* ---- The command line of a recording ---- */

struct words {
    size_t count, room;
    char **list; /* each owned; the last is NULL */
    bool failed;
};

static void add_word(struct words *words, char *word) {
    if (!word || !gnomon_array_room(&words->list, &words->room, words->count + 2, sizeof *words->list)) {
        words->failed = true;
        free(word);
        return;
    }
    words->list[words->count++] = word;
    words->list[words->count] = NULL;
}

static void add_text(struct words *words, const char *text) {
    add_word(words, strdup(text));
}

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

static void free_words(struct words *words) {
    for (size_t i = 0; i < words->count; i++)
        free(words->list[i]);
    free(words->list);
}

/* Where this command's own file is: the recordings must not be of another version. */
#define SELF "/proc/self/exe"
#define RECORDING "run.gnt"

static void command_of(const struct api_jobs *jobs, const struct api_job *job, struct words *words) {
    char *program = realpath(jobs->project->program, NULL);
    static const char *const always[] = {"gnomon", "record", "-q", "-o", RECORDING, "-d"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        add_text(words, always[i]);
    add_text(words, jobs->project->devices.items[job->device]);
    add_text(words, job->events ? "--events" : "--records");
    for (size_t i = 0; i < jobs->project->sim_options->count; i++) {
        add_text(words, "--sim-option");
        add_text(words, jobs->project->sim_options->items[i]);
    }
    if (job->scenario->duration) {
        add_text(words, "--duration");
        add_text(words, job->scenario->duration);
    }
    add_text(words, "--watch");
    for (size_t i = 0; i < job->only_count; i++) {
        add_text(words, "--watch-only");
        add_word(words, as_pattern(job->only[i]));
    }
    for (size_t i = 0; i < job->scenario->put_count; i++) {
        add_text(words, "--put");
        add_text(words, job->scenario->put[i]);
    }
    add_word(words, program ? program : strdup(jobs->project->program));
    add_text(words, "--");
    for (size_t i = 0; i < job->scenario->argument_count; i++)
        add_text(words, job->scenario->arguments[i]);
}

/* ---- Processes ---- */

static char *in_folder(const struct api_job *job, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", job->folder, name) < 0 ? NULL : path;
}

char *api_job_file(const struct api_job *job) {
    return in_folder(job, RECORDING);
}

/* Its console goes into files of its folder. */
static int spawn(struct api_job *job, char *const *words) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int failed = posix_spawn_file_actions_addchdir_np(&actions, job->folder);
    failed = failed ? failed : posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    failed = failed ? failed
                    : posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "console", O_WRONLY | O_CREAT | O_TRUNC,
                                                       0666);
    failed = failed ? failed
                    : posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "errors", O_WRONLY | O_CREAT | O_TRUNC,
                                                       0666);
    if (!failed)
        failed = posix_spawn(&job->child, SELF, &actions, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
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
    struct words words = {0};
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
    } else if ((errno = spawn(job, words.list))) {
        job->child = 0;
        status = gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot start gnomon record");
    }
    free_words(&words);
    return status;
}

/* What the recording's command said, in one line. */
static enum gnomon_status failed_job(const struct api_job *job, int how, struct gnomon_error *error) {
    char text[400] = "";
    char *path = in_folder(job, "errors");
    FILE *file = path ? fopen(path, "r") : NULL;
    const size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[got] = '\0';
    for (size_t i = 0; i < got; i++)
        if (text[i] == '\n')
            text[i] = ' ';
    if (file)
        fclose(file);
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

/* Waits for a child, or for a tenth of a second. 0: none has ended. */
static pid_t wait_some(int *how) {
    const struct timespec tenth = {.tv_nsec = 100000000};
    const pid_t child = waitpid(-1, how, WNOHANG);
    if (child == 0)
        nanosleep(&tenth, NULL);
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
