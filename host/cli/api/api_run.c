/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/api/api_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/interrupt.h"

/* ---- Opening ---- */

static enum gnomon_status open_scenarios(struct api_measurement *measurement, struct gnomon_error *error) {
    const struct api_project *project = &measurement->project;
    enum gnomon_status status = GNOMON_OK;
    measurement->measured = calloc(project->scenario_count + 1, sizeof *measurement->measured);
    if (!measurement->measured)
        return gnomon_fail_memory(error);
    if (mkdir(measurement->folder, 0777) && errno != EEXIST)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot make the folder %s", measurement->folder);
    while (!status && measurement->count < project->scenario_count) {
        char *folder = NULL;
        const size_t i = measurement->count++;
        if (asprintf(&folder, "%s/scenario-%zu", measurement->folder, i + 1) < 0)
            return gnomon_fail_memory(error);
        status = api_measured_open(&measurement->measured[i], project, &project->scenarios[i], folder, error);
        free(folder);
    }
    return status;
}

static enum gnomon_status open_measurement(struct api_measurement *measurement, const char *folder,
                                           struct gnomon_error *error) {
    const struct api_values *values = measurement->context->values;
    measurement->folder = strdup(folder);
    if (!measurement->folder)
        return gnomon_fail_memory(error);
    const enum gnomon_status status = api_project_devices(&measurement->project, values->jobs, error);
    return status ? status : open_scenarios(measurement, error);
}

static void close_measurement(struct api_measurement *measurement) {
    for (size_t i = 0; i < measurement->count; i++)
        api_measured_close(&measurement->measured[i]);
    free(measurement->measured);
    free(measurement->folder);
    api_project_close(&measurement->project);
}

static void remove_measurement(const struct api_measurement *measurement) {
    for (size_t i = 0; i < measurement->count; i++)
        api_measured_remove(&measurement->measured[i]);
    rmdir(measurement->folder);
}

/* ---- The pass that lists functions ---- */

struct job_of {
    struct api_measurement *measurement;
    struct api_measured **measured; /* of each job */
    size_t *runs;                   /* the run of each job */
    const char ***only;             /* owned lists of each job */
};

static size_t index_of(const struct api_jobs *jobs, const struct api_job *job) {
    return (size_t)(job - jobs->jobs);
}

/* The functions that one run measures: with BLOCKS and AT_ONCE all. */
struct group {
    const struct api_measured *measured;
    size_t run;
};

static bool in_run(const struct group *group, size_t function) {
    return group->run == API_BLOCKS || group->run == API_AT_ONCE ||
           group->measured->plan.run_of[function] == group->run;
}

static bool in_group(void *context, const char *name, const char *symbol) {
    const struct group *group = context;
    (void)name;
    const size_t function = api_measured_find(group->measured, symbol);
    return function < group->measured->count && in_run(group, function);
}

/* Adds the recording of a job to a profile of its own, and keeps it. */
static enum gnomon_status keep_recording(const struct api_measurement *measurement, struct group *group,
                                         const struct api_job *job, const char *recording, enum gnomon_api_what what,
                                         struct gnomon_error *error) {
    const struct gnomon_api_recording of = {.path = recording,
                                            .elf = measurement->project.program,
                                            .scenario = group->measured->scenario->name,
                                            .size = group->measured->scenario->size,
                                            .what = what,
                                            .chosen = in_group,
                                            .context = group};
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    struct gnomon_exactness exactness;
    char *path = api_measured_file(group->measured, group->run, job->cost);
    enum gnomon_status status =
        profile && path ? gnomon_api_recording_add(profile, &of, &exactness, error) : gnomon_fail_memory(error);
    if (!status && what != GNOMON_API_ONLY_BLOCKS) /* which does not judge it */
        status = api_job_ended(job, &exactness, error);
    if (!status)
        status = gnomon_api_file_save(profile, path, error);
    free(path);
    gnomon_api_profile_free(profile);
    return status;
}

static enum gnomon_status list_done(void *owner, const struct api_jobs *jobs, struct api_job *job,
                                    struct gnomon_error *error) {
    struct job_of *of = owner;
    struct api_measurement *measurement = of->measurement;
    struct api_measured *measured = of->measured[index_of(jobs, job)];
    struct gnomon_api_stacks stacks = {0};
    char *path = api_job_file(job);
    enum gnomon_status status = path ? gnomon_api_stacks_read(&stacks, path, measurement->project.program,
                                                              api_project_wants, &measurement->project, error)
                                     : gnomon_fail_memory(error);
    struct group group = {.measured = measured, .run = API_BLOCKS};
    measured->lossy = status && stacks.lost && !stacks.from_pairs;
    if (!status || measured->lossy)
        status = api_job_ended(job, &stacks.exactness, error);
    if (!status && !measured->lossy)
        status = api_measured_plan(measured, &stacks, error);
    if (!status && !measured->lossy)
        status = keep_recording(measurement, &group, job, path, GNOMON_API_ONLY_BLOCKS, error);
    if (!status)
        unlink(path);
    gnomon_api_stacks_free(&stacks);
    free(path);
    return status;
}

/* ---- Jobs ---- */

static bool make_jobs(struct api_jobs *jobs, struct job_of *of, size_t most) {
    jobs->jobs = calloc(most + 1, sizeof *jobs->jobs);
    of->measured = calloc(most + 1, sizeof *of->measured);
    of->runs = calloc(most + 1, sizeof *of->runs);
    of->only = calloc(most + 1, sizeof *of->only);
    jobs->owner = of;
    return jobs->jobs && of->measured && of->runs && of->only;
}

static void free_jobs(struct api_jobs *jobs, struct job_of *of) {
    for (size_t i = 0; jobs->jobs && i < jobs->count; i++)
        free(jobs->jobs[i].folder);
    for (size_t i = 0; of->only && i < jobs->count; i++)
        free(of->only[i]);
    free(jobs->jobs);
    free(of->measured);
    free(of->runs);
    free(of->only);
}

static bool add_job(struct api_jobs *jobs, struct job_of *of, struct api_measured *measured, size_t run,
                    const char *cost) {
    const size_t index = jobs->count++;
    of->measured[index] = measured;
    of->runs[index] = run;
    jobs->jobs[index].scenario = measured->scenario;
    jobs->jobs[index].cost = cost;
    return asprintf(&jobs->jobs[index].folder, "%s/job-%zu", measured->folder, jobs->count) >= 0;
}

/* Runs the scenarios that have no plan yet. */
static enum gnomon_status list_from(struct api_measurement *measurement, bool events, struct gnomon_error *error) {
    struct job_of of = {.measurement = measurement};
    struct api_jobs jobs = {.context = measurement->context, .project = &measurement->project, .done = list_done};
    bool good = make_jobs(&jobs, &of, measurement->count);
    for (size_t i = 0; i < measurement->count && good; i++) {
        if (measurement->measured[i].planned)
            continue;
        good = add_job(&jobs, &of, &measurement->measured[i], API_BLOCKS, GNOMON_API_CYCLES);
        jobs.jobs[jobs.count - 1].events = events;
    }
    const enum gnomon_status status = good ? api_jobs_run(&jobs, error) : gnomon_fail_memory(error);
    free_jobs(&jobs, &of);
    return status;
}

/* Events say who shares a stack, exactly. Where some are lost, function records say who can. */
static enum gnomon_status list_functions(struct api_measurement *measurement, struct gnomon_error *error) {
    enum gnomon_status status = list_from(measurement, true, error);
    bool again = false;
    for (size_t i = 0; i < measurement->count && !status; i++) {
        const struct api_measured *measured = &measurement->measured[i];
        again |= measured->lossy;
        if (measured->lossy)
            cli_note(
                measurement->context,
                "scenario %s: events were lost; it runs again for pairs of callers and callees, perhaps there will "
                "be more runs than needed, and bytes of the heap are not measured",
                measured->scenario->name);
    }
    return again ? list_from(measurement, false, error) : status;
}

/* ---- The runs ---- */

static enum gnomon_status run_done(void *owner, const struct api_jobs *jobs, struct api_job *job,
                                   struct gnomon_error *error) {
    struct job_of *of = owner;
    const size_t index = index_of(jobs, job);
    struct group group = {.measured = of->measured[index], .run = of->runs[index]};
    char *path = api_job_file(job);
    enum gnomon_status status = path ? GNOMON_OK : gnomon_fail_memory(error);
    if (!status && group.run != API_AT_ONCE)
        status = gnomon_api_stacks_check(path, of->measurement->project.program, in_group, &group, error);
    if (!status)
        status = keep_recording(of->measurement, &group, job, path, GNOMON_API_ONLY_CALLS, error);
    if (!status)
        unlink(path);
    free(path);
    return status;
}

/* The functions of a run, and what must be watched with them. */
static bool choose_only(struct api_job *job, const char ***only, const struct group *group) {
    const struct api_measured *measured = group->measured;
    const char **list = *only = calloc(measured->count + measured->tail_count + 1, sizeof *list);
    for (size_t i = 0; list && i < measured->count; i++)
        if (in_run(group, i))
            list[job->only_count++] = measured->symbols[i];
    for (size_t i = 0; list && i < measured->tail_count; i++)
        if (in_run(group, measured->tails[i].function))
            list[job->only_count++] = measured->tails[i].symbol;
    job->only = list;
    return list;
}

static bool is_there(const struct api_measured *measured, size_t run, const char *cost) {
    char *path = api_measured_file(measured, run, cost);
    const bool there = path && access(path, R_OK) == 0;
    free(path);
    return there;
}

static size_t run_at(const struct api_measured *measured, size_t index) {
    return index < measured->plan.runs ? index : API_AT_ONCE;
}

/* Adds the jobs of a scenario that measure in `cost`, except those that have ended before: *before counts them. */
static bool add_jobs(struct api_jobs *jobs, struct job_of *of, struct api_measured *measured, const char *cost,
                     size_t *before) {
    bool good = true;
    for (size_t index = 0; index <= measured->plan.runs && good; index++) {
        const struct group group = {.measured = measured, .run = run_at(measured, index)};
        if (is_there(measured, group.run, cost)) {
            ++*before;
            continue;
        }
        good = add_job(jobs, of, measured, group.run, cost) &&
               choose_only(&jobs->jobs[jobs->count - 1], &of->only[jobs->count - 1], &group);
    }
    return good;
}

static enum gnomon_status measure(struct api_measurement *measurement, struct gnomon_error *error) {
    struct job_of of = {.measurement = measurement};
    struct api_jobs jobs = {.context = measurement->context, .project = &measurement->project, .done = run_done};
    const struct cli_list *costs = &measurement->project.costs;
    size_t most = 0, before = 0;
    for (size_t i = 0; i < measurement->count; i++)
        most += (measurement->measured[i].plan.runs + 1) * costs->count;
    bool good = make_jobs(&jobs, &of, most);
    for (size_t i = 0; i < measurement->count * costs->count && good; i++)
        good = add_jobs(&jobs, &of, &measurement->measured[i / costs->count], costs->items[i % costs->count], &before);
    if (before)
        cli_note(measurement->context, "%zu of %zu runs were made before", before, most);
    const enum gnomon_status status = good ? api_jobs_run(&jobs, error) : gnomon_fail_memory(error);
    free_jobs(&jobs, &of);
    return status;
}

/* ---- The results ---- */

static enum gnomon_status add_file(struct gnomon_api_profile *profile, const struct api_measured *measured, size_t run,
                                   const char *cost, struct gnomon_error *error) {
    bool is_profile = true;
    char *path = api_measured_file(measured, run, cost);
    enum gnomon_status status =
        path ? gnomon_api_file_add(profile, path, &is_profile, error) : gnomon_fail_memory(error);
    if (!status && !is_profile)
        status = gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is no API profile", path);
    free(path);
    return status;
}

static enum gnomon_status add_up(const struct api_measurement *measurement, struct gnomon_api_profile *alone,
                                 struct gnomon_api_profile *at_once, struct gnomon_error *error) {
    const struct cli_list *costs = &measurement->project.costs;
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < measurement->count && !status; i++) {
        const struct api_measured *measured = &measurement->measured[i];
        status = add_file(alone, measured, API_BLOCKS, GNOMON_API_CYCLES, error);
        for (size_t j = 0; j < costs->count && !status; j++) {
            for (size_t run = 0; run < measured->plan.runs && !status; run++)
                status = add_file(alone, measured, run, costs->items[j], error);
            if (!status)
                status = add_file(at_once, measured, API_AT_ONCE, costs->items[j], error);
        }
    }
    return status;
}

static int show_results(struct api_measurement *measurement, struct gnomon_error *error) {
    const struct api_values *values = measurement->context->values;
    struct gnomon_api_profile *alone = gnomon_api_profile_new(), *at_once = gnomon_api_profile_new();
    enum gnomon_status status =
        alone && at_once ? add_up(measurement, alone, at_once, error) : gnomon_fail_memory(error);
    bool equal = false;
    if (!status)
        status = gnomon_api_file_save(alone, measurement->project.output, error);
    int result = status ? cli_error(measurement->context, error) : api_print_runs(measurement, alone, at_once, &equal);
    if (!status && !result) {
        remove_measurement(measurement);
        cli_note(measurement->context, "wrote %s", measurement->project.output);
        result = equal || !values->strict ? CLI_OK : CLI_INCOMPLETE;
    }
    gnomon_api_profile_free(alone);
    gnomon_api_profile_free(at_once);
    return result;
}

/* ---- The actions ---- */

int api_run(struct cli_context *context) {
    struct api_measurement measurement = {.context = context};
    struct gnomon_error error;
    char *folder = NULL;
    enum gnomon_status status = api_project_open(&measurement.project, context, context->argv + 1, &error);
    if (!status && context->output) {
        free(measurement.project.output);
        measurement.project.output = strdup(context->output);
    }
    if (!status && !measurement.project.output) {
        close_measurement(&measurement);
        return cli_usage(context, "missing option: -o PROFILE.gnp (in a file: the key output)");
    }
    cli_watch_interrupts(true);
    if (!status && asprintf(&folder, "%s.runs", measurement.project.output) < 0)
        status = gnomon_fail_memory(&error);
    if (!status)
        status = open_measurement(&measurement, folder, &error);
    if (!status)
        status = list_functions(&measurement, &error);
    if (!status)
        status = measure(&measurement, &error);
    if (status == GNOMON_ERR_INTERRUPTED)
        gnomon_remedy(&error, status, "the same command goes on from there: it keeps the runs in %s", folder);
    const int result = status ? cli_error(context, &error) : show_results(&measurement, &error);
    free(folder);
    close_measurement(&measurement);
    return result;
}

int api_plan(struct cli_context *context) {
    struct api_measurement measurement = {.context = context};
    struct gnomon_error error;
    const char *temporary = getenv("TMPDIR");
    char folder[4096];
    snprintf(folder, sizeof folder, "%.4000s/gnomon-api-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    enum gnomon_status status = api_project_open(&measurement.project, context, context->argv + 1, &error);
    cli_watch_interrupts(true);
    if (!status && !mkdtemp(folder))
        status = gnomon_fail_errno(&error, GNOMON_ERR_SYSTEM, "cannot make the folder %s", folder);
    if (!status)
        status = open_measurement(&measurement, folder, &error);
    if (!status)
        status = list_functions(&measurement, &error);
    const int result = status ? cli_error(context, &error) : api_print_plan(&measurement);
    if (measurement.folder && status != GNOMON_ERR_SYSTEM) /* the message names what a failed run has left */
        remove_measurement(&measurement);
    close_measurement(&measurement);
    return result;
}
