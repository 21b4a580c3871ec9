/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/api/exhaust.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/api/api_state.h"
#include "cli/interrupt.h"
#include "lib/elf/symbols.h"
#include "lib/util/file.h"
#include "lib/util/json_text.h"

char *exhaust_file(const struct exhaust *exhaust, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", exhaust->folder, name) < 0 ? NULL : path;
}

bool exhaust_judge(struct exhaust_function *function, enum exhaust_verdict verdict, const char *why) {
    if (verdict <= function->verdict)
        return true;
    char *copy = why ? strdup(why) : NULL;
    if (why && !copy)
        return false;
    free(function->why);
    function->why = copy;
    function->verdict = verdict;
    return true;
}

/* ---- What was done before ---- */

/* What the runs are made of: the build id of the program, the inputs, and how long a call may take. */
static json_t *state_of(const struct exhaust *exhaust, const char *build) {
    const struct api_values *values = exhaust->context->values;
    json_t *inputs = json_array(), *recipes = json_array();
    for (size_t i = 0; i < exhaust->input_count; i++) {
        struct stat about = {0};
        if (exhaust->inputs[i].path)
            stat(exhaust->inputs[i].path, &about);
        const bool made = !values->inputs; /* again each time */
        json_array_append_new(inputs,
                              json_pack("{s:o, s:I, s:I, s:I}", "name", gnomon_json_text(exhaust->inputs[i].name),
                                        "size", (json_int_t)exhaust->inputs[i].size, "seconds",
                                        made ? 0 : (json_int_t)about.st_mtim.tv_sec, "nanoseconds",
                                        made ? 0 : (json_int_t)about.st_mtim.tv_nsec));
    }
    for (size_t i = 0; i < exhaust->recipes.count; i++)
        json_array_append_new(recipes, gnomon_json_text(exhaust->recipes.list[i].values));
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "build", build, "inputs", inputs, "values", recipes, "device",
                     gnomon_json_text(exhaust->project.devices.items[0]), "duration",
                     gnomon_json_text(values->duration ? values->duration : ""));
}

static enum gnomon_status check_hooks(const struct gnomon_symbols *symbols, struct gnomon_error *error) {
    if (!gnomon_symbols_total(symbols))
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the library has hooks in its functions");
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                         "compile it with gnomon cc --gnomon-off: the device watches the function that is measured");
}

/* Runs of something else are removed. */
static enum gnomon_status go_on(struct exhaust *exhaust, struct gnomon_error *error) {
    struct gnomon_symbols *symbols = NULL;
    enum gnomon_status status = gnomon_symbols_load_any(&symbols, exhaust->project.program, error);
    if (!status)
        status = check_hooks(symbols, error);
    json_t *state = status ? NULL : state_of(exhaust, gnomon_symbols_build_id(symbols));
    char *path = exhaust_file(exhaust, "state.json"), *runs = exhaust_file(exhaust, "runs");
    json_t *before = path ? json_load_file(path, 0, NULL) : NULL;
    if (!status && (!path || !runs || !state))
        status = gnomon_fail_memory(error);
    if (!status && !json_equal(before, state))
        api_remove_folder(runs);
    if (!status && mkdir(runs, 0777) && errno != EEXIST)
        status = gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot make the folder %s", runs);
    if (!status)
        status = gnomon_json_write(json_incref(state), JSON_INDENT(1), path, gnomon_write_file, error);
    json_decref(state);
    json_decref(before);
    free(path);
    free(runs);
    gnomon_symbols_free(symbols);
    return status;
}

/* ---- The action ---- */

static enum gnomon_status open_exhaust(struct exhaust *exhaust, struct gnomon_error *error) {
    const struct api_values *values = exhaust->context->values;
    struct api_project *project = &exhaust->project;
    if (asprintf(&exhaust->folder, "%s.runs", exhaust->context->output) < 0) {
        exhaust->folder = NULL;
        return gnomon_fail_memory(error);
    }
    enum gnomon_status status = api_project_append(&project->headers, &values->headers, error);
    if (!status)
        status = api_project_append(&project->devices, &values->devices, error);
    if (!status)
        status = api_project_devices(project, values->jobs, error);
    if (!status && values->recipe)
        status = exhaust_recipes_read(&exhaust->recipes, values->recipe, error);
    if (!status && mkdir(exhaust->folder, 0777) && errno != EEXIST)
        status = gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot make the folder %s", exhaust->folder);
    return status;
}

static void close_exhaust(struct exhaust *exhaust) {
    for (size_t i = 0; i < exhaust->function_count; i++)
        free(exhaust->functions[i].why);
    for (size_t i = 0; i < exhaust->input_count; i++) {
        free(exhaust->inputs[i].name);
        free(exhaust->inputs[i].path);
    }
    free(exhaust->functions);
    free(exhaust->inputs);
    free(exhaust->folder);
    exhaust_recipes_close(&exhaust->recipes);
    gnomon_name_set_free(&exhaust->declared);
    gnomon_name_set_free(&exhaust->defined);
    gnomon_prototypes_free(&exhaust->prototypes);
    gnomon_api_profile_free(exhaust->profile);
    api_project_close(&exhaust->project);
}

static bool any_failed(const struct exhaust *exhaust) {
    bool any = false;
    for (size_t i = 0; i < exhaust->function_count; i++)
        any |= exhaust->functions[i].verdict >= EXHAUST_SCRIBBLES;
    return any;
}

static int finish(struct exhaust *exhaust, struct gnomon_error *error) {
    const struct api_values *values = exhaust->context->values;
    if (gnomon_api_file_save(exhaust->profile, exhaust->context->output, error))
        return cli_error(exhaust->context, error);
    const int result = exhaust_print(exhaust);
    const bool failed = any_failed(exhaust);
    if (!result)
        cli_note(exhaust->context, "wrote %s", exhaust->context->output);
    if (!result && failed)
        cli_note(exhaust->context, "all runs are kept in %s/runs; gnomon run %s FUNCTION VALUE [INPUT] repeats one",
                 exhaust->folder, exhaust->project.program);
    if (!result && !failed)
        api_remove_folder(exhaust->folder);
    return result ? result : failed && values->strict ? CLI_INCOMPLETE : CLI_OK;
}

int api_exhaust(struct cli_context *context) {
    const struct api_values *values = context->values;
    struct exhaust exhaust = {.context = context, .project.sim_options = &values->sim_options};
    struct gnomon_error error;
    if (!context->output)
        return cli_usage(context, "missing option: -o PROFILE.gnp");
    if (!values->headers.count)
        return cli_usage(context, "missing option: --header FILE: it declares the functions of the library");
    cli_watch_interrupts(true);
    enum gnomon_status status = open_exhaust(&exhaust, &error);
    if (!status)
        status = exhaust_find_inputs(&exhaust, &error);
    if (!status)
        status = exhaust_build(&exhaust, &error);
    if (!status)
        status = go_on(&exhaust, &error);
    if (!status)
        status = exhaust_run(&exhaust, &error);
    if (status == GNOMON_ERR_INTERRUPTED)
        gnomon_remedy(&error, status, "the same command goes on from there: it keeps the runs in %s", exhaust.folder);
    const int result = status ? cli_error(context, &error) : finish(&exhaust, &error);
    close_exhaust(&exhaust);
    return result;
}
