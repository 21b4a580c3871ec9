/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/api/api_project.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/util/file.h"
#include "lib/util/toml.h"

/* ---- Texts of the file ---- */

static enum gnomon_status wrong(const char *key, const char *what, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_FORMAT, "the key %s: %s", key, what);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "docs/guide/api.md describes the file; gnomon api --help, too");
}

/* Only these keys may be there. */
static enum gnomon_status check_keys(json_t *table, const char *const *keys, struct gnomon_error *error) {
    const char *key;
    json_t *value;
    json_object_foreach(table, key, value) {
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0)
            i++;
        if (!keys[i])
            return wrong(key, "there is no such key", error);
    }
    return GNOMON_OK;
}

/* A list of texts, or one text. */
static enum gnomon_status take_list(struct cli_list *list, json_t *table, const char *key, struct gnomon_error *error) {
    json_t *value = json_object_get(table, key), *item;
    const size_t count = json_is_array(value) ? json_array_size(value) : 1;
    size_t i;
    if (!value)
        return GNOMON_OK;
    const char **items = realloc(list->items, (list->count + count + 1) * sizeof *items);
    if (!items)
        return gnomon_fail_memory(error);
    list->items = items;
    if (json_is_string(value)) {
        items[list->count++] = json_string_value(value);
        return GNOMON_OK;
    }
    if (!json_is_array(value))
        return wrong(key, "a string or an array of strings is expected", error);
    json_array_foreach(value, i, item) {
        if (!json_is_string(item))
            return wrong(key, "an array of strings is expected", error);
        items[list->count++] = json_string_value(item);
    }
    return GNOMON_OK;
}

static enum gnomon_status take_text(const char **text, json_t *table, const char *key, struct gnomon_error *error) {
    json_t *value = json_object_get(table, key);
    if (value && !json_is_string(value))
        return wrong(key, "a string is expected", error);
    if (value)
        *text = json_string_value(value);
    return GNOMON_OK;
}

static enum gnomon_status take_size(uint64_t *size, json_t *table, struct gnomon_error *error) {
    json_t *value = json_object_get(table, "size");
    if (value && (!json_is_integer(value) || json_integer_value(value) <= 0))
        return wrong("size", "a number above 0 is expected", error);
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

static enum gnomon_status read_scenario(struct api_project *project, json_t *table, struct gnomon_error *error) {
    static const char *const keys[] = {"name", "size", "arguments", "put", NULL};
    struct api_scenario *scenario = &project->scenarios[project->scenario_count];
    struct cli_list arguments = {0}, put = {0};
    enum gnomon_status status = check_keys(table, keys, error);
    if (!status)
        status = take_text(&scenario->name, table, "name", error);
    if (!status && !scenario->name)
        status = wrong("scenario", "it has no name", error);
    if (!status)
        status = take_size(&scenario->size, table, error);
    for (size_t i = 0; i < project->scenario_count && !status; i++)
        if (!strcmp(project->scenarios[i].name, scenario->name) && project->scenarios[i].size == scenario->size)
            status = wrong(scenario->name, "two scenarios have this name, and the same size", error);
    project->scenario_count += !status;
    if (!status)
        status = take_list(&arguments, table, "arguments", error);
    scenario->arguments = arguments.items;
    scenario->argument_count = arguments.count;
    if (!status)
        status = take_list(&put, table, "put", error);
    if (!status)
        status = place_files(project, scenario, &put, error);
    free(put.items);
    return status;
}

static enum gnomon_status read_scenarios(struct api_project *project, struct gnomon_error *error) {
    json_t *list = json_object_get(project->file, "scenario"), *table;
    size_t i;
    enum gnomon_status status = GNOMON_OK;
    if (!json_is_array(list) || !json_array_size(list))
        return wrong("scenario", "there is none: [[scenario]] begins one", error);
    project->scenarios = calloc(json_array_size(list) + 1, sizeof *project->scenarios);
    if (!project->scenarios)
        return gnomon_fail_memory(error);
    json_array_foreach(list, i, table) {
        if (!status)
            status = json_is_object(table) ? read_scenario(project, table, error)
                                           : wrong("scenario", "[[scenario]] is expected", error);
    }
    return status;
}

/* ---- The file, and the command line ---- */

static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

static bool is_toml(const char *path) {
    const size_t length = strlen(path);
    return length > 5 && !strcmp(path + length - 5, ".toml");
}

static enum gnomon_status read_file(struct api_project *project, const char *path, struct gnomon_error *error) {
    static const char *const keys[] = {"program", "functions", "headers", "devices", "output", "scenario", NULL};
    const char *program = NULL, *output = NULL;
    uint8_t *text = NULL;
    size_t size;
    enum gnomon_status status = gnomon_read_file(path, &text, &size, error);
    if (!status) {
        text[size] = '\0'; /* the file's memory has a byte more */
        status = strlen((char *)text) == size ? gnomon_toml_read(&project->file, (char *)text, path, error)
                                              : gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is no text", path);
    }
    free(text);
    if (!status)
        status = check_keys(project->file, keys, error);
    if (!status)
        status = take_text(&program, project->file, "program", error);
    if (!status)
        status = take_text(&output, project->file, "output", error);
    if (!status && !program)
        status = wrong("program", "it is missing", error);
    if (!status)
        status = take_list(&project->functions, project->file, "functions", error);
    if (!status)
        status = take_list(&project->headers, project->file, "headers", error);
    if (!status)
        status = take_list(&project->devices, project->file, "devices", error);
    if (status)
        return status;
    project->program = below(project, program);
    project->output = output ? below(project, output) : NULL;
    return project->program ? read_scenarios(project, error) : gnomon_fail_memory(error);
}

static enum gnomon_status take_operands(struct api_project *project, char *const *operands,
                                        const struct api_values *values, struct gnomon_error *error) {
    const struct cli_list none = {0};
    project->program = strdup(operands[0]);
    project->scenarios = calloc(1, sizeof *project->scenarios);
    if (!project->program || !project->scenarios)
        return gnomon_fail_memory(error);
    struct api_scenario *one = &project->scenarios[project->scenario_count++];
    one->name = values->scenario ? values->scenario : gnomon_basename(operands[0]);
    one->size = values->size;
    while (operands[1 + one->argument_count])
        one->argument_count++;
    one->arguments = calloc(one->argument_count + 1, sizeof *one->arguments);
    if (!one->arguments)
        return gnomon_fail_memory(error);
    memcpy(one->arguments, &operands[1], one->argument_count * sizeof *one->arguments);
    return place_files(project, one, &none, error);
}

static enum gnomon_status append(struct cli_list *list, const struct cli_list *more, struct gnomon_error *error) {
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
    *project = (struct api_project){.folder = file ? folder_of(operands[0]) : strdup(".")};
    if (!project->folder)
        return gnomon_fail_memory(error);
    enum gnomon_status status =
        file ? read_file(project, operands[0], error) : take_operands(project, operands, values, error);
    if (!status)
        status = append(&project->functions, &values->functions, error);
    if (!status)
        status = append(&project->headers, &values->headers, error);
    if (!status && values->devices.count) {
        project->devices.count = 0;
        status = append(&project->devices, &values->devices, error);
    }
    if (!status)
        status = check_functions(project, error);
    if (!status && project->headers.count)
        status = gnomon_declared_read(&project->declared, project->program, project->headers.items,
                                      project->headers.count, error);
    return status;
}

void api_project_close(struct api_project *project) {
    for (size_t i = 0; i < project->scenario_count; i++) {
        for (size_t j = 0; j < project->scenarios[i].put_count; j++)
            free(project->scenarios[i].put[j]);
        free(project->scenarios[i].put);
        free(project->scenarios[i].arguments);
    }
    free(project->scenarios);
    gnomon_declared_free(&project->declared);
    free(project->functions.items);
    free(project->headers.items);
    free(project->devices.items);
    free(project->output);
    free(project->program);
    free(project->folder);
    json_decref(project->file);
}

bool api_project_wants(void *context, const char *name, const char *symbol) {
    const struct api_project *project = context;
    bool wanted = gnomon_declared_has(&project->declared, symbol);
    for (size_t i = 0; i < project->functions.count && !wanted; i++)
        wanted = !fnmatch(project->functions.items[i], name, 0) || !fnmatch(project->functions.items[i], symbol, 0);
    return wanted;
}
