/* SPDX-License-Identifier: Apache-2.0 */
#include "target.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_file(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* "NAME=FILE" or "NAME": does it begin with this name? Sets *file to what follows, or to the name. */
static bool names(const char *item, const char *name, const char **file) {
    size_t length = strlen(name);
    if (strncmp(item, name, length) != 0 || (item[length] && item[length] != '='))
        return false;
    *file = item[length] ? item + length + 1 : item;
    return true;
}

static bool asked_for(const struct target_values *values, const char *name, const char **file) {
    for (size_t i = 0; i < values->get.count; i++)
        if (names(values->get.items[i], name, file))
            return true;
    return false;
}

/* FILE[=NAME]; a FILE with "=" in its name needs the NAME. */
static enum gnomon_status add_file(struct gnomon_files *files, const char *item, struct gnomon_error *error) {
    const char *equals = strrchr(item, '=');
    char *path = equals ? strndup(item, (size_t)(equals - item)) : strdup(item);
    if (!path)
        return gnomon_fail_memory(error);
    enum gnomon_status status = gnomon_files_add(files, equals ? equals + 1 : path, path, error);
    free(path);
    return status;
}

static enum gnomon_status gather_files(struct target *target, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    const char *ignored;
    for (size_t i = 0; i < target->values->put.count && !status; i++)
        status = add_file(&target->inputs, target->values->put.items[i], error);
    for (size_t i = 0; i < target->values->offer.count && !status; i++)
        status = add_file(&target->offers, target->values->offer.items[i], error);
    for (int i = 1; i < target->argc && !status; i++) {
        const char *name = target->argv[i];
        if (is_file(name) && !gnomon_files_has(&target->inputs, name) && !asked_for(target->values, name, &ignored))
            status = gnomon_files_add(&target->inputs, name, name, error);
    }
    return status;
}

static enum gnomon_status open_device(struct target *target, const struct cli_context *context,
                                      struct gnomon_error *error) {
    struct gnomon_transport_options options = {target->values->sim_options.items, target->values->sim_options.count};
    enum gnomon_status status = gnomon_device_open(context->device, &options, &target->device, error);
    return status ? status : gnomon_board_read(target->device, &target->board, error);
}

enum gnomon_status target_open(struct target *target, const struct cli_context *context,
                               const struct target_values *values, struct gnomon_error *error) {
    memset(target, 0, sizeof *target);
    target->values = values;
    target->argc = context->argc;
    target->argv = (const char *const *)context->argv;
    uint32_t end = 0;
    enum gnomon_status status = gnomon_image_open(target->argv[0], &target->image, error);
    if (!status)
        status = gather_files(target, error);
    if (!status)
        status = open_device(target, context, error);
    if (!status)
        status = gnomon_image_fits(target->image, &target->board, &end, error);
    if (!status)
        status =
            gnomon_param_build(&target->board, end, target->argc, target->argv, &target->inputs, &target->param, error);
    if (status)
        target_close(target);
    return status;
}

void target_close(struct target *target) {
    gnomon_device_close(target->device);
    gnomon_image_close(target->image);
    gnomon_files_free(&target->inputs);
    gnomon_files_free(&target->offers);
    gnomon_param_free(&target->param);
    memset(target, 0, sizeof *target);
}

/* Where an output file goes; NULL: nobody asked for it. */
static const char *destination(const struct target *target, const char *name) {
    const char *file;
    if (asked_for(target->values, name, &file))
        return file;
    for (int i = 1; i < target->argc; i++)
        if (!strcmp(target->argv[i], name))
            return name;
    return NULL;
}

/* Every --get must have been written. */
static enum gnomon_status check_asked(const struct target *target, const struct gnomon_output *outputs, size_t count,
                                      struct gnomon_error *error) {
    const char *file;
    for (size_t i = 0; i < target->values->get.count; i++) {
        const char *item = target->values->get.items[i];
        bool found = false;
        for (size_t n = 0; n < count; n++)
            found |= names(item, outputs[n].name, &file);
        if (!found) {
            gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "the program wrote no file %.*s", (int)strcspn(item, "="), item);
            return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "gnomon run -v lists the files that it wrote");
        }
    }
    return GNOMON_OK;
}

enum gnomon_status target_fetch(const struct target *target, const struct cli_context *context,
                                struct gnomon_error *error) {
    struct gnomon_output *outputs;
    size_t count;
    enum gnomon_status status =
        gnomon_param_outputs(target->device, &target->board, target->param.address, &outputs, &count, error);
    for (size_t i = 0; i < count && !status; i++) {
        const char *path = destination(target, outputs[i].name);
        if (context->verbose)
            cli_note(context, "file %s, %u bytes%s%s", outputs[i].name, (unsigned)outputs[i].size,
                     path ? " -> " : ": not asked for", path ? path : "");
        if (path)
            status = gnomon_param_fetch(target->device, &outputs[i], path, error);
    }
    if (!status)
        status = check_asked(target, outputs, count, error);
    free(outputs);
    return status;
}

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

void target_watch_interrupts(void) {
    /* SA_RESETHAND: the second one ends the process. No SA_RESTART: waiting is to end. */
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool target_interrupted(void) {
    return interrupted;
}

void target_console(const uint8_t *data, size_t size) {
    fwrite(data, 1, size, stdout);
    fflush(stdout); /* errors stick to the stream, see target_check_console */
}

int target_check_console(const struct cli_context *context) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return CLI_OK;
    struct gnomon_error error;
    gnomon_fail_errno(&error, GNOMON_ERR_SYSTEM, "cannot write the program's output to standard output");
    return cli_error(context, &error);
}

void target_console_beside(const struct cli_context *context, const uint8_t *data, size_t size) {
    if (context->json && !context->output)
        fwrite(data, 1, size, stderr);
    else
        target_console(data, size);
}

FILE *target_open_figures(const struct cli_context *context) {
    struct gnomon_error error;
    FILE *stream = context->output ? fopen(context->output, "we") : context->json ? stdout : stderr;
    if (stream)
        return stream;
    gnomon_fail_errno(&error, GNOMON_ERR_SYSTEM, "cannot write %s", context->output);
    cli_error(context, &error);
    return NULL;
}

int target_close_figures(const struct cli_context *context, FILE *stream, bool good) {
    struct gnomon_error error;
    good = fflush(stream) == 0 && !ferror(stream) && good;
    if (context->output)
        good = fclose(stream) == 0 && good;
    if (good)
        return target_check_console(context);
    gnomon_fail_errno(&error, GNOMON_ERR_SYSTEM, "cannot write the counters to %s",
                      context->output ? context->output : "standard output");
    return cli_error(context, &error);
}

struct gnomon_session target_session(const struct target *target, void *context) {
    return (struct gnomon_session){
        .device = target->device,
        .board = &target->board,
        .image = target->image,
        .param = &target->param,
        .offers = &target->offers,
        .context = context,
    };
}

enum gnomon_status target_explain_debug(const struct gnomon_session *session, struct gnomon_error *error) {
    static const char *const causes[] = {
        "for an unknown reason", "at an ebreak",      "at a trigger", "when asked to halt",
        "after a single step",   "when reset halted", "as a group"};
    uint32_t cause = session->debug_cause < 7 ? session->debug_cause : 0;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "the program stopped in debug mode, %s", causes[cause]);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "take the ebreak out of the program");
}
