/* SPDX-License-Identifier: Apache-2.0 */
/* The runs: each function with each input, and with all values in turn. Where a run does not end well, it is made again
 * with each value alone. What has been found is kept in a folder for each run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/api/api_command.h"
#include "cli/api/exhaust.h"
#include "lib/fleet/api_recording.h"
#include "lib/util/file.h"
#include "lib/util/json_text.h"

#define VALUES "0,1,-1,2,8,255,4096,65536,2147483647"
#define FOUND "found.json"

struct run {
    size_t function;
    const struct exhaust_input *input;
    char *values; /* owned */
    char *folder; /* owned */
    const char *arguments[3];
    char *put; /* owned */
    struct api_scenario scenario;
    enum exhaust_verdict verdict;
    char *why;      /* owned */
    size_t parent;  /* the run whose values this one has one of; SIZE_MAX: none */
    bool explained; /* by the runs with single values */
};

struct runs {
    struct exhaust *exhaust;
    size_t count;
    struct run *list;
    size_t *of_job;
};

/* ---- What is known of a run ---- */

static char *file_of(const struct run *run, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", run->folder, name) < 0 ? NULL : path;
}

static enum gnomon_status keep(const struct run *run, struct gnomon_error *error) {
    json_t *json = json_pack("{s:i, s:o}", "verdict", (int)run->verdict, "why", gnomon_json_text(run->why));
    char *path = file_of(run, FOUND);
    const enum gnomon_status status = gnomon_json_write(json, 0, path, gnomon_write_file, error);
    free(path);
    return status;
}

/* False: it has not been made yet. */
static bool is_known(struct run *run) {
    char *path = file_of(run, FOUND);
    json_t *json = path ? json_load_file(path, 0, NULL) : NULL;
    const json_int_t verdict = json_integer_value(json_object_get(json, "verdict"));
    const bool known = verdict > EXHAUST_OPEN && verdict <= EXHAUST_CRASHES;
    if (known) {
        run->verdict = (enum exhaust_verdict)verdict;
        run->why =
            json_is_string(json_object_get(json, "why")) ? gnomon_json_text_read(json_object_get(json, "why")) : NULL;
    }
    json_decref(json);
    free(path);
    return known;
}

/* ---- The runs ---- */

static bool describe(struct run *run, struct exhaust *exhaust) {
    const struct api_values *values = exhaust->context->values;
    const struct exhaust_function *function = &exhaust->functions[run->function];
    const size_t input = (size_t)(run->input - exhaust->inputs);
    const bool given = run->input->path;
    if (!run->values || asprintf(&run->folder, "%s/runs/%s-%zu%s%s", exhaust->folder, function->name, input,
                                 run->parent == SIZE_MAX ? "" : "-", run->parent == SIZE_MAX ? "" : run->values) < 0)
        return false;
    run->arguments[0] = function->name;
    run->arguments[1] = run->values;
    run->arguments[2] = "input";
    if (given && asprintf(&run->put, "%s=input", run->input->path) < 0)
        return false;
    run->scenario = (struct api_scenario){.name = run->input->name,
                                          .argument_count = given ? 3 : 2,
                                          .arguments = run->arguments,
                                          .put_count = given,
                                          .put = &run->put,
                                          .duration = values->duration ? values->duration : "100ms",
                                          .status = API_ANY_STATUS,
                                          .size = run->input->size};
    return true;
}

static bool add_run(struct runs *runs, size_t function, const struct exhaust_input *input, char *values,
                    size_t parent) {
    struct run *list = realloc(runs->list, (runs->count + 1) * sizeof *list);
    if (!list) {
        free(values);
        return false;
    }
    runs->list = list;
    runs->list[runs->count++] = (struct run){.function = function, .input = input, .values = values, .parent = parent};
    return values;
}

static bool list_runs(struct runs *runs) {
    const struct exhaust *exhaust = runs->exhaust;
    bool good = true;
    for (size_t i = 0; i < exhaust->function_count; i++) {
        const struct exhaust_function *function = &exhaust->functions[i];
        const size_t first = function->takes_input, last = function->takes_input ? exhaust->input_count : 1;
        const char *values = !function->takes_values                        ? "0"
                             : function->recipe && function->recipe->values ? function->recipe->values
                                                                            : VALUES;
        for (size_t input = first; input < last && good && function->verdict == EXHAUST_OPEN; input++)
            good = add_run(runs, i, &exhaust->inputs[input], strdup(values), SIZE_MAX);
    }
    return good;
}

/* Each value alone of the runs that did not end well. */
static bool list_values(struct runs *runs) {
    const size_t count = runs->count;
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        if (runs->list[i].verdict < EXHAUST_SCRIBBLES || !strchr(runs->list[i].values, ','))
            continue;
        for (const char *at = runs->list[i].values; *at && good; at += strcspn(at, ","), at += *at == ',')
            good = add_run(runs, runs->list[i].function, runs->list[i].input, strndup(at, strcspn(at, ",")), i);
    }
    return good;
}

/* ---- The end of a run ---- */

static bool is_function(void *context, const char *name, const char *symbol) {
    (void)name;
    return !strcmp(symbol, context);
}

/* The program's last words. */
static char *last_line(const struct api_job *job) {
    char text[400], *path = NULL;
    if (asprintf(&path, "%s/console", job->folder) < 0)
        return NULL;
    api_command_said(text, sizeof text, path);
    free(path);
    for (size_t length = strlen(text); length > 0 && text[length - 1] == ' ';)
        text[--length] = '\0';
    return strdup(text);
}

static char *format(const char *text, int number) {
    char *made = NULL;
    return asprintf(&made, text, number) < 0 ? NULL : made;
}

static void judge_status(struct run *run, const struct api_job *job, int status) {
    run->verdict = status == EXHAUST_DONE        ? EXHAUST_OK
                   : status == EXHAUST_SCRIBBLED ? EXHAUST_SCRIBBLES
                   : status == EXHAUST_UNABLE    ? EXHAUST_SKIPPED
                                                 : EXHAUST_ENDS;
    if (run->verdict == EXHAUST_ENDS)
        run->why = format("ended the program with status %d", status);
    else if (run->verdict != EXHAUST_OK)
        run->why = last_line(job);
}

static enum gnomon_status judge(struct run *run, const struct api_job *job, const struct gnomon_exactness *exactness,
                                struct gnomon_error *error) {
    char text[200];
    switch (exactness->end) {
    case GNOMON_RUN_ENDED:
        judge_status(run, job, exactness->status);
        return api_job_ended(job, exactness, error);
    case GNOMON_RUN_CRASHED:
    case GNOMON_RUN_DEBUG:
        run->verdict = EXHAUST_CRASHES;
        run->why = strdup(*exactness->cause ? exactness->cause : "stopped in debug mode");
        return GNOMON_OK;
    case GNOMON_RUN_LIMITED:
        run->verdict = EXHAUST_HANGS;
        snprintf(text, sizeof text, "has not returned after %s", run->scenario.duration);
        run->why = strdup(text);
        return GNOMON_OK;
    default:
        return api_job_ended(job, exactness, error);
    }
}

static enum gnomon_status run_done(void *owner, const struct api_jobs *jobs, struct api_job *job,
                                   struct gnomon_error *error) {
    struct runs *runs = owner;
    struct exhaust *exhaust = runs->exhaust;
    struct run *run = &runs->list[runs->of_job[job - jobs->jobs]];
    char *recording = api_job_file(job), *path = file_of(run, "run.gnp");
    const struct gnomon_api_recording of = {.path = recording,
                                            .elf = exhaust->project.program,
                                            .scenario = run->scenario.name,
                                            .size = run->scenario.size,
                                            .what = GNOMON_API_ONLY_CALLS,
                                            .chosen = is_function,
                                            .context = (void *)exhaust->functions[run->function].name};
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    struct gnomon_exactness exactness;
    enum gnomon_status status = recording && path && profile ? gnomon_api_recording_add(profile, &of, &exactness, error)
                                                             : gnomon_fail_memory(error);
    if (!status)
        status = judge(run, job, &exactness, error);
    if (!status && run->verdict == EXHAUST_OK)
        status = gnomon_api_file_save(profile, path, error);
    if (!status)
        status = keep(run, error);
    if (!status)
        unlink(recording);
    gnomon_api_profile_free(profile);
    free(recording);
    free(path);
    return status;
}

/* ---- Jobs ---- */

static bool add_jobs(struct runs *runs, size_t from, struct api_jobs *jobs) {
    jobs->jobs = calloc(runs->count - from + 1, sizeof *jobs->jobs);
    runs->of_job = calloc(runs->count - from + 1, sizeof *runs->of_job);
    bool good = jobs->jobs && runs->of_job;
    for (size_t i = from; i < runs->count && good; i++) {
        struct run *run = &runs->list[i];
        good = describe(run, runs->exhaust);
        if (!good || is_known(run))
            continue;
        struct api_job *job = &jobs->jobs[jobs->count];
        runs->of_job[jobs->count++] = i;
        job->scenario = &run->scenario;
        job->folder = run->folder;
        job->only =
            &runs->exhaust->functions[run->function].name; /* until it returns, also where it jumps to another */
        job->only_count = 1;
    }
    return good;
}

/* Makes the runs from `from` on. */
static enum gnomon_status make_runs(struct runs *runs, size_t from, struct gnomon_error *error) {
    struct api_jobs jobs = {
        .context = runs->exhaust->context, .project = &runs->exhaust->project, .done = run_done, .owner = runs};
    const bool good = add_jobs(runs, from, &jobs);
    const size_t before = runs->count - from - jobs.count;
    if (good && before)
        cli_note(runs->exhaust->context, "%zu of %zu runs were made before", before, runs->count - from);
    const enum gnomon_status status = good ? api_jobs_run(&jobs, error) : gnomon_fail_memory(error);
    free(jobs.jobs);
    free(runs->of_job);
    runs->of_job = NULL;
    return status;
}

/* ---- Results ---- */

/* "with 255, of random (4096 bytes): load access fault ..." */
static bool judge_function(struct exhaust *exhaust, const struct run *run) {
    char *why = NULL, with[64] = "", of[200] = "";
    const bool several = strchr(run->values, ',');
    const struct exhaust_function *function = &exhaust->functions[run->function];
    if (function->takes_values)
        snprintf(with, sizeof with, "%s%s: ", several ? "with the values after each other" : "with ",
                 several ? "" : run->values);
    if (run->input->path)
        snprintf(of, sizeof of, "%.100s, %llu bytes: ", run->input->name, (unsigned long long)run->input->size);
    if (asprintf(&why, "%s%s%s", of, with, run->why ? run->why : "") < 0)
        return false;
    const bool good =
        exhaust_judge(&exhaust->functions[run->function], run->verdict, run->verdict == EXHAUST_OK ? NULL : why);
    free(why);
    return good;
}

static enum gnomon_status take_profile(struct exhaust *exhaust, const struct run *run, struct gnomon_error *error) {
    bool is_profile = true;
    char *path = file_of(run, "run.gnp");
    enum gnomon_status status =
        path ? gnomon_api_file_add(exhaust->profile, path, &is_profile, error) : gnomon_fail_memory(error);
    if (!status && !is_profile)
        status = gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is no API profile", path);
    free(path);
    return status;
}

/* A run with all values whose bad end one of the runs with a single value explains is not told; also not one whose
 * calls only took too long together. */
static enum gnomon_status take_results(struct runs *runs, struct gnomon_error *error) {
    struct exhaust *exhaust = runs->exhaust;
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < runs->count; i++)
        if (runs->list[i].parent != SIZE_MAX &&
            (runs->list[i].verdict >= EXHAUST_SCRIBBLES || runs->list[runs->list[i].parent].verdict == EXHAUST_HANGS))
            runs->list[runs->list[i].parent].explained = true;
    for (size_t i = 0; i < runs->count && !status; i++) {
        const struct run *run = &runs->list[i];
        struct exhaust_function *function = &exhaust->functions[run->function];
        function->runs++;
        function->good += run->verdict == EXHAUST_OK;
        if (!run->explained && !judge_function(exhaust, run))
            status = gnomon_fail_memory(error);
        if (!status && run->verdict == EXHAUST_OK)
            status = take_profile(exhaust, run, error);
    }
    exhaust->run_count = runs->count;
    return status;
}

static void free_runs(struct runs *runs) {
    for (size_t i = 0; i < runs->count; i++) {
        free(runs->list[i].values);
        free(runs->list[i].folder);
        free(runs->list[i].put);
        free(runs->list[i].why);
    }
    free(runs->list);
}

enum gnomon_status exhaust_run(struct exhaust *exhaust, struct gnomon_error *error) {
    struct runs runs = {.exhaust = exhaust};
    exhaust->profile = gnomon_api_profile_new();
    enum gnomon_status status = exhaust->profile && list_runs(&runs) ? GNOMON_OK : gnomon_fail_memory(error);
    if (!status)
        status = make_runs(&runs, 0, error);
    const size_t before = runs.count;
    if (!status && !list_values(&runs))
        status = gnomon_fail_memory(error);
    if (!status && runs.count > before)
        status = make_runs(&runs, before, error);
    if (!status)
        status = take_results(&runs, error);
    free_runs(&runs);
    return status;
}
