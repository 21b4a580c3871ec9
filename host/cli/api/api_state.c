/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/api/api_state.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/elf/symbols.h"
#include "lib/util/file.h"
#include "lib/util/json_text.h"

#define PLAN "plan.json"

static char *in_folder(const struct api_measured *measured, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", measured->folder, name) < 0 ? NULL : path;
}

char *api_measured_file(const struct api_measured *measured, size_t run, const char *cost) {
    char name[40], file[120];
    if (run == API_BLOCKS)
        return in_folder(measured, "blocks.gnp");
    if (run == API_AT_ONCE)
        snprintf(name, sizeof name, "at-once");
    else
        snprintf(name, sizeof name, "run-%zu", run + 1);
    const bool cycles = !strcmp(cost, GNOMON_API_CYCLES);
    snprintf(file, sizeof file, "%s%s%s.gnp", name, cycles ? "" : ".", cycles ? "" : cost);
    return in_folder(measured, file);
}

/* ---- What it is made of ---- */

static json_t *texts_of(const char *const *items, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, gnomon_json_text(items[i]));
    return list;
}

/* A file by its place, size and time of change. */
static json_t *files_of(char *const *puts, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        struct stat about = {0};
        char *path = strdup(puts[i]);
        if (path) {
            *strrchr(path, '=') = '\0';
            stat(path, &about);
        }
        json_array_append_new(list, json_pack("{s:o, s:I, s:I, s:I}", "put", gnomon_json_text(puts[i]), "size",
                                              (json_int_t)about.st_size, "seconds", (json_int_t)about.st_mtim.tv_sec,
                                              "nanoseconds", (json_int_t)about.st_mtim.tv_nsec));
        free(path);
    }
    return list;
}

static enum gnomon_status find_inputs(struct api_measured *measured, const struct api_project *project,
                                      struct gnomon_error *error) {
    struct gnomon_symbols *symbols = NULL;
    const struct api_scenario *scenario = measured->scenario;
    const enum gnomon_status status = gnomon_symbols_load_any(&symbols, project->program, error);
    if (status)
        return status;
    measured->inputs = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:i, s:I, s:o}", "build", gnomon_symbols_build_id(symbols), "functions",
        texts_of(project->functions.items, project->functions.count), "headers",
        texts_of(project->headers.items, project->headers.count), "arguments",
        texts_of(scenario->arguments, scenario->argument_count), "files", files_of(scenario->put, scenario->put_count),
        "device", gnomon_json_text(project->devices.items[0]), "status", scenario->status, "size",
        (json_int_t)scenario->size, "duration", gnomon_json_text(scenario->duration ? scenario->duration : ""));
    const bool hooks = gnomon_symbols_total(symbols) > 0;
    gnomon_symbols_free(symbols);
    if (!measured->inputs)
        return gnomon_fail_memory(error);
    if (!hooks)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s has hooks in its functions", project->program);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                         "compile it with gnomon cc --gnomon-off, or with another compiler: the device watches the "
                         "functions that are measured, and no function has a cycle of overhead");
}

/* ---- The plan ---- */

static bool make_room(struct api_measured *measured, size_t count) {
    measured->symbols = calloc(count + 1, sizeof *measured->symbols);
    measured->names = calloc(count + 1, sizeof *measured->names);
    measured->calls = calloc(count + 1, sizeof *measured->calls);
    return measured->symbols && measured->names && measured->calls;
}

static json_t *plan_json(const struct api_measured *measured) {
    json_t *functions = json_array();
    for (size_t i = 0; i < measured->count; i++)
        json_array_append_new(functions,
                              json_pack("{s:o, s:o, s:I, s:I}", "symbol", gnomon_json_text(measured->symbols[i]),
                                        "name", gnomon_json_text(measured->names[i]), "calls",
                                        (json_int_t)measured->calls[i], "run", (json_int_t)measured->plan.run_of[i]));
    json_t *tails = json_array();
    for (size_t i = 0; i < measured->tail_count; i++)
        json_array_append_new(tails, json_pack("{s:I, s:o}", "function", (json_int_t)measured->tails[i].function, "to",
                                               gnomon_json_text(measured->tails[i].symbol)));
    return json_pack("{s:O, s:I, s:I, s:I, s:I, s:b, s:o, s:o}", "inputs", measured->inputs, "cycles",
                     (json_int_t)measured->cycles, "bound", (json_int_t)measured->bound, "runs",
                     (json_int_t)measured->plan.runs, "twins", (json_int_t)measured->twins, "from_pairs",
                     measured->from_pairs, "functions", functions, "tails", tails);
}

static enum gnomon_status write_plan(const struct api_measured *measured, struct gnomon_error *error) {
    char *path = in_folder(measured, PLAN);
    const enum gnomon_status status =
        gnomon_json_write(plan_json(measured), JSON_INDENT(1), path, gnomon_write_file, error);
    free(path);
    return status;
}

static bool take_tails(struct api_measured *measured, const json_t *list) {
    json_t *tail;
    size_t i;
    measured->tails = calloc(json_array_size(list) + 1, sizeof *measured->tails);
    json_array_foreach(list, i, tail) {
        if (!measured->tails)
            return false;
        measured->tails[i].function = (size_t)json_integer_value(json_object_get(tail, "function"));
        measured->tails[i].symbol = gnomon_json_text_read(json_object_get(tail, "to"));
        measured->tail_count++;
        if (!measured->tails[i].symbol || measured->tails[i].function >= measured->count)
            return false;
    }
    return measured->tails;
}

/* ---- Names ---- */

static int compare_places(const void *a, const void *b, void *context) {
    const struct api_measured *measured = context;
    return strcmp(measured->symbols[*(const size_t *)a], measured->symbols[*(const size_t *)b]);
}

/* False: out of memory. */
static bool sort_names(struct api_measured *measured) {
    measured->sorted = malloc((measured->count + 1) * sizeof *measured->sorted);
    for (size_t i = 0; measured->sorted && i < measured->count; i++)
        measured->sorted[i] = i;
    if (measured->sorted)
        qsort_r(measured->sorted, measured->count, sizeof *measured->sorted, compare_places, measured);
    return measured->sorted;
}

size_t api_measured_find(const struct api_measured *measured, const char *symbol) {
    size_t from = 0, to = measured->count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2, place = measured->sorted[middle];
        const int order = strcmp(symbol, measured->symbols[place]);
        if (!order)
            return place;
        if (order < 0)
            to = middle;
        else
            from = middle + 1;
    }
    return measured->count;
}

/* ---- The plan that was made before ---- */

/* False: it is damaged, or out of memory. */
static bool take_plan(struct api_measured *measured, const json_t *json) {
    json_t *functions = json_object_get(json, "functions"), *function;
    size_t i;
    measured->cycles = (uint64_t)json_integer_value(json_object_get(json, "cycles"));
    measured->bound = (size_t)json_integer_value(json_object_get(json, "bound"));
    measured->twins = (size_t)json_integer_value(json_object_get(json, "twins"));
    measured->from_pairs = json_is_true(json_object_get(json, "from_pairs"));
    measured->plan.runs = (size_t)json_integer_value(json_object_get(json, "runs"));
    measured->plan.run_of = calloc(json_array_size(functions) + 1, sizeof *measured->plan.run_of);
    if (!make_room(measured, json_array_size(functions)) || !measured->plan.run_of)
        return false;
    json_array_foreach(functions, i, function) {
        measured->symbols[i] = gnomon_json_text_read(json_object_get(function, "symbol"));
        measured->names[i] = gnomon_json_text_read(json_object_get(function, "name"));
        measured->calls[i] = (uint64_t)json_integer_value(json_object_get(function, "calls"));
        measured->plan.run_of[i] = (size_t)json_integer_value(json_object_get(function, "run"));
        measured->count++;
        if (!measured->symbols[i] || !measured->names[i] || measured->plan.run_of[i] >= measured->plan.runs)
            return false;
    }
    return measured->count > 0 && sort_names(measured) && take_tails(measured, json_object_get(json, "tails"));
}

static void forget_plan(struct api_measured *measured) {
    for (size_t i = 0; i < measured->count; i++) {
        free(measured->symbols[i]);
        free(measured->names[i]);
    }
    for (size_t i = 0; i < measured->tail_count; i++)
        free(measured->tails[i].symbol);
    free(measured->tails);
    free(measured->symbols);
    free(measured->names);
    free(measured->calls);
    free(measured->sorted);
    gnomon_api_plan_free(&measured->plan);
    measured->tails = NULL;
    measured->tail_count = 0;
    measured->symbols = measured->names = NULL;
    measured->calls = NULL;
    measured->sorted = NULL;
    measured->count = 0;
}

static void read_plan(struct api_measured *measured) {
    char *path = in_folder(measured, PLAN);
    json_t *json = path ? json_load_file(path, 0, NULL) : NULL;
    measured->planned = json_equal(json_object_get(json, "inputs"), measured->inputs) && take_plan(measured, json);
    if (!measured->planned)
        forget_plan(measured);
    json_decref(json);
    free(path);
}

/* `kept`: for each function that was found its place among those that are measured, or SIZE_MAX. */
static bool keep_tails(struct api_measured *measured, const struct gnomon_api_stacks *stacks, const size_t *kept) {
    measured->tails = calloc(stacks->tail_count + 1, sizeof *measured->tails);
    for (size_t i = 0; measured->tails && i < stacks->tail_count; i++) {
        struct gnomon_api_tail *tail = &measured->tails[measured->tail_count];
        if (kept[stacks->tails[i].function] == SIZE_MAX)
            continue;
        tail->function = kept[stacks->tails[i].function];
        tail->symbol = strdup(stacks->tails[i].symbol);
        measured->tail_count++;
        if (!tail->symbol)
            return false;
    }
    return measured->tails;
}

enum gnomon_status api_measured_plan(struct api_measured *measured, const struct gnomon_api_stacks *stacks,
                                     struct gnomon_error *error) {
    measured->cycles = stacks->cycles;
    measured->bound = stacks->graph.deepest;
    measured->from_pairs = stacks->from_pairs;
    size_t *kept = malloc((stacks->count + 1) * sizeof *kept);
    bool good = kept && make_room(measured, stacks->count) && gnomon_api_plan_make(&measured->plan, &stacks->graph);
    for (size_t i = 0; i < stacks->count && good; i++) {
        kept[i] = SIZE_MAX;
        if (stacks->functions[i].twins) {
            measured->twins++;
            continue;
        }
        const size_t at = kept[i] = measured->count++;
        measured->symbols[at] = strdup(stacks->functions[i].symbol);
        measured->names[at] = strdup(stacks->functions[i].name);
        measured->calls[at] = stacks->functions[i].calls;
        measured->plan.run_of[at] = measured->plan.run_of[i];
        good = measured->symbols[at] && measured->names[at];
    }
    good = good && keep_tails(measured, stacks, kept) && sort_names(measured);
    free(kept);
    if (!good)
        return gnomon_fail_memory(error);
    if (!measured->count) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "scenario %s calls none of the functions", measured->scenario->name);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                             "gnomon record --watch and gnomon report show what it calls; functions that the compiler "
                             "inlined are not called");
    }
    measured->planned = true;
    return write_plan(measured, error);
}

/* ---- The folder ---- */

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place) {
    (void)about;
    (void)kind;
    (void)place;
    remove(path); /* what cannot be removed stays */
    return 0;
}

void api_remove_folder(const char *folder) {
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void api_measured_remove(const struct api_measured *measured) {
    api_remove_folder(measured->folder);
}

enum gnomon_status api_measured_open(struct api_measured *measured, const struct api_project *project,
                                     const struct api_scenario *scenario, const char *folder,
                                     struct gnomon_error *error) {
    *measured = (struct api_measured){.scenario = scenario, .folder = strdup(folder)};
    if (!measured->folder)
        return gnomon_fail_memory(error);
    const enum gnomon_status status = find_inputs(measured, project, error);
    if (status)
        return status;
    read_plan(measured);
    if (!measured->planned)
        api_measured_remove(measured); /* runs of another plan are of no use */
    if (mkdir(folder, 0777) && errno != EEXIST)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot make the folder %s", folder);
    return GNOMON_OK;
}

void api_measured_close(struct api_measured *measured) {
    forget_plan(measured);
    json_decref(measured->inputs);
    free(measured->folder);
}
