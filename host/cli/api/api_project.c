/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/api/api_project.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/api/api_toml.h"
#include "lib/device/event_clock.h"
#include "lib/util/file.h"

/* ---- Texts of the file ---- */

/* "any", or a number of 8 bits; NULL: 0. False: it is neither. */
static bool read_status(const char *text, int *status) {
    char *end = NULL;
    *status = text && !strcmp(text, "any") ? API_ANY_STATUS : 0;
    if (!text || *status)
        return true;
    const unsigned long number = strtoul(text, &end, 10);
    *status = (int)(number & 0xFF);
    return *text >= '0' && *text <= '9' && !*end && number <= 0xFF;
}

static enum gnomon_status take_status(int *status, json_t *table, struct gnomon_error *error) {
    json_t *value = json_object_get(table, "status");
    const json_int_t number = json_integer_value(value);
    if (json_is_integer(value) && number >= 0 && number <= 0xFF)
        *status = (int)number;
    else if (json_is_string(value) && !strcmp(json_string_value(value), "any"))
        *status = API_ANY_STATUS;
    else if (value)
        return api_toml_wrong("status", "a number from 0 to 255, or \"any\", is expected", error);
    return GNOMON_OK;
}

static enum gnomon_status take_size(uint64_t *size, json_t *table, struct gnomon_error *error) {
    json_t *value = json_object_get(table, "size");
    if (value && (!json_is_integer(value) || json_integer_value(value) <= 0))
        return api_toml_wrong("size", "a number above 0 is expected", error);
    if (value)
        *size = (uint64_t)json_integer_value(value);
    return GNOMON_OK;
}

/* `path` below the project's folder. NULL: out of memory. */
static char *below(const struct api_project *project, const char *path) {
    char *whole = NULL;
    if (*path == '/' || !strcmp(project->folder, "."))
        return strdup(path);
    return asprintf(&whole, "%s/%s", project->folder, path) < 0 ? NULL : whole;
}

/* ---- Scenarios ---- */

/* An argument that names a file is placed, as gnomon run does it. */
static enum gnomon_status add_put(const struct api_project *project, struct api_scenario *scenario, const char *name,
                                  bool must, struct gnomon_error *error) {
    char *path = below(project, name), *whole = path ? realpath(path, NULL) : NULL, *put = NULL;
    enum gnomon_status status = path ? GNOMON_OK : gnomon_fail_memory(error);
    if (!status && must && !whole)
        status = gnomon_fail_errno(error, GNOMON_ERR_NOT_FOUND, "cannot open %s, which scenario %s needs", path,
                                   scenario->name);
    if (!status && whole && access(whole, R_OK) == 0) {
        if (asprintf(&put, "%s=%s", whole, name) < 0)
            status = gnomon_fail_memory(error);
        else
            scenario->put[scenario->put_count++] = put;
    }
    free(path);
    free(whole);
    return status;
}

static enum gnomon_status place_files(const struct api_project *project, struct api_scenario *scenario,
                                      const struct cli_list *put, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    scenario->put = calloc(scenario->argument_count + put->count + 1, sizeof *scenario->put);
    if (!scenario->put)
        return gnomon_fail_memory(error);
    for (size_t i = 0; i < scenario->argument_count && !status; i++)
        status = add_put(project, scenario, scenario->arguments[i], false, error);
    for (size_t i = 0; i < put->count && !status; i++)
        status = add_put(project, scenario, put->items[i], true, error);
    return status;
}

/* `usual` has what the command line says of all scenarios. */
static enum gnomon_status read_scenario(struct api_project *project, json_t *table, const struct api_scenario *usual,
                                        struct gnomon_error *error) {
    static const char *const keys[] = {"name", "size", "arguments", "put", "duration", "status", NULL};
    struct api_scenario *scenario = &project->scenarios[project->scenario_count];
    struct cli_list arguments = {0}, put = {0};
    *scenario = *usual;
    enum gnomon_status status = api_toml_keys(table, keys, error);
    if (!status)
        status = api_toml_text(&scenario->name, table, "name", error);
    if (!status)
        status = api_toml_text(&scenario->duration, table, "duration", error);
    if (!status)
        status = take_status(&scenario->status, table, error);
    if (!status && !scenario->name)
        status = api_toml_wrong("scenario", "it has no name", error);
    if (!status)
        status = take_size(&scenario->size, table, error);
    for (size_t i = 0; i < project->scenario_count && !status; i++)
        if (!strcmp(project->scenarios[i].name, scenario->name) && project->scenarios[i].size == scenario->size)
            status = api_toml_wrong(scenario->name, "two scenarios have this name, and the same size", error);
    project->scenario_count += !status;
    if (!status)
        status = api_toml_list(&arguments, table, "arguments", error);
    scenario->arguments = arguments.items;
    scenario->argument_count = arguments.count;
    if (!status)
        status = api_toml_list(&put, table, "put", error);
    if (!status)
        status = place_files(project, scenario, &put, error);
    free(put.items);
    return status;
}

static enum gnomon_status read_scenarios(struct api_project *project, const struct api_scenario *usual,
                                         struct gnomon_error *error) {
    json_t *list = json_object_get(project->file, "scenario"), *table;
    size_t i;
    enum gnomon_status status = GNOMON_OK;
    if (!json_is_array(list) || !json_array_size(list))
        return api_toml_wrong("scenario", "there is none: [[scenario]] begins one", error);
    project->scenarios = calloc(json_array_size(list) + 1, sizeof *project->scenarios);
    if (!project->scenarios)
        return gnomon_fail_memory(error);
    json_array_foreach(list, i, table) {
        if (!status)
            status = json_is_object(table) ? read_scenario(project, table, usual, error)
                                           : api_toml_wrong("scenario", "[[scenario]] is expected", error);
    }
    return status;
}

/* ---- The file, and the command line ---- */

static bool is_toml(const char *path) {
    const size_t length = strlen(path);
    return length > 5 && !strcmp(path + length - 5, ".toml");
}

static enum gnomon_status read_file(struct api_project *project, const char *path, const struct api_scenario *usual,
                                    struct gnomon_error *error) {
    static const char *const keys[] = {"program", "functions", "headers",  "devices",
                                       "costs",   "output",    "scenario", NULL};
    const char *program = NULL, *output = NULL;
    enum gnomon_status status = api_toml_read(&project->file, path, error);
    if (!status)
        status = api_toml_keys(project->file, keys, error);
    if (!status)
        status = api_toml_text(&program, project->file, "program", error);
    if (!status)
        status = api_toml_text(&output, project->file, "output", error);
    if (!status && !program)
        status = api_toml_wrong("program", "it is missing", error);
    if (!status)
        status = api_toml_list(&project->functions, project->file, "functions", error);
    if (!status)
        status = api_toml_list(&project->headers, project->file, "headers", error);
    if (!status)
        status = api_toml_list(&project->devices, project->file, "devices", error);
    if (!status)
        status = api_toml_list(&project->costs, project->file, "costs", error);
    if (status)
        return status;
    project->program = below(project, program);
    project->output = output ? below(project, output) : NULL;
    return project->program ? read_scenarios(project, usual, error) : gnomon_fail_memory(error);
}

static enum gnomon_status take_operands(struct api_project *project, char *const *operands,
                                        const struct api_scenario *usual, struct gnomon_error *error) {
    const struct cli_list none = {0};
    project->program = strdup(operands[0]);
    project->scenarios = calloc(1, sizeof *project->scenarios);
    if (!project->program || !project->scenarios)
        return gnomon_fail_memory(error);
    struct api_scenario *one = &project->scenarios[project->scenario_count++];
    *one = *usual;
    one->name = usual->name ? usual->name : gnomon_basename(operands[0]);
    while (operands[1 + one->argument_count])
        one->argument_count++;
    one->arguments = calloc(one->argument_count + 1, sizeof *one->arguments);
    if (!one->arguments)
        return gnomon_fail_memory(error);
    memcpy(one->arguments, &operands[1], one->argument_count * sizeof *one->arguments);
    return place_files(project, one, &none, error);
}

enum gnomon_status api_project_append(struct cli_list *list, const struct cli_list *more, struct gnomon_error *error) {
    if (!more->count)
        return GNOMON_OK;
    const char **items = realloc(list->items, (list->count + more->count) * sizeof *items);
    if (!items)
        return gnomon_fail_memory(error);
    memcpy(items + list->count, more->items, more->count * sizeof *items);
    list->items = items;
    list->count += more->count;
    return GNOMON_OK;
}

/* Cycles, if no cost is named. */
static enum gnomon_status check_costs(struct api_project *project, struct gnomon_error *error) {
    static const char *cycles[] = {GNOMON_API_CYCLES};
    const struct cli_list usual = {.items = cycles, .count = 1};
    const struct gnomon_pmu_event *event;
    const struct cli_list *costs = &project->costs;
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < costs->count && !status; i++) {
        status = gnomon_event_clock_parse(costs->items[i], &event, error);
        for (size_t j = 0; j < i && !status; j++)
            if (!strcmp(costs->items[i], costs->items[j]))
                status = gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the cost %s is named twice", costs->items[i]);
    }
    return status || costs->count ? status : api_project_append(&project->costs, &usual, error);
}

static enum gnomon_status check_functions(const struct api_project *project, struct gnomon_error *error) {
    if (project->functions.count || project->headers.count)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "no functions are named");
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                         "name a header of the library with --header, or functions with --function 'png_*'; in a file "
                         "the keys are headers and functions");
}

enum gnomon_status api_project_open(struct api_project *project, const struct cli_context *context,
                                    char *const *operands, struct gnomon_error *error) {
    const struct api_values *values = context->values;
    const bool file = is_toml(operands[0]);
    struct api_scenario usual = {
        .name = file ? NULL : values->scenario, .duration = values->duration, .size = file ? 0 : values->size};
    *project = (struct api_project){.folder = file ? api_toml_folder(operands[0]) : strdup("."),
                                    .sim_options = &values->sim_options};
    if (!project->folder)
        return gnomon_fail_memory(error);
    if (!read_status(values->status, &usual.status))
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "--status %s is no number from 0 to 255, and not any",
                           values->status);
    enum gnomon_status status =
        file ? read_file(project, operands[0], &usual, error) : take_operands(project, operands, &usual, error);
    if (!status)
        status = api_project_append(&project->functions, &values->functions, error);
    if (!status)
        status = api_project_append(&project->headers, &values->headers, error);
    if (!status && values->devices.count) {
        project->devices.count = 0;
        status = api_project_append(&project->devices, &values->devices, error);
    }
    if (!status && values->costs.count) {
        project->costs.count = 0;
        status = api_project_append(&project->costs, &values->costs, error);
    }
    if (!status)
        status = check_costs(project, error);
    if (!status)
        status = check_functions(project, error);
    if (!status && project->headers.count)
        status = gnomon_declared_read(&project->declared, project->program, project->headers.items,
                                      project->headers.count, error);
    return status;
}

enum gnomon_status api_project_devices(struct api_project *project, uint64_t jobs, struct gnomon_error *error) {
    struct cli_list *devices = &project->devices;
    const char *first = devices->count ? devices->items[0] : "sim:full";
    if (devices->count > 1 || strncmp(first, "sim:", 4) != 0)
        return GNOMON_OK;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t count = jobs ? (size_t)jobs : processors > 0 ? (size_t)processors : 1;
    const char **items = realloc(devices->items, count * sizeof *items);
    if (!items)
        return gnomon_fail_memory(error);
    devices->items = items;
    devices->count = count;
    for (size_t i = 0; i < count; i++)
        items[i] = first;
    return GNOMON_OK;
}

void api_project_close(struct api_project *project) {
    for (size_t i = 0; i < project->scenario_count; i++) {
        for (size_t j = 0; j < project->scenarios[i].put_count; j++)
            free(project->scenarios[i].put[j]);
        free(project->scenarios[i].put);
        free(project->scenarios[i].arguments);
    }
    free(project->scenarios);
    gnomon_name_set_free(&project->declared);
    free(project->functions.items);
    free(project->headers.items);
    free(project->devices.items);
    free(project->costs.items);
    free(project->output);
    free(project->program);
    free(project->folder);
    json_decref(project->file);
}

bool api_project_wants(void *context, const char *name, const char *symbol) {
    const struct api_project *project = context;
    bool wanted = gnomon_name_set_has(&project->declared, symbol);
    for (size_t i = 0; i < project->functions.count && !wanted; i++)
        wanted = !fnmatch(project->functions.items[i], name, 0) || !fnmatch(project->functions.items[i], symbol, 0);
    return wanted;
}
