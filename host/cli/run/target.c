/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "lib/run/measure.h"

static struct gnomon_input standard_input; /* there is only one standard input */

struct gnomon_input *target_input(void) {
    return &standard_input;
}

/* The program's progress, shown on the terminal. */
static struct cli_progress progress;
static uint64_t expected;

void target_expect(uint64_t cycles) {
    expected = cycles;
}

void target_end_progress(void) {
    cli_progress_end(&progress);
}

static void on_progress(void *context, uint64_t cycles) {
    (void)context;
    const double seconds = cli_progress_seconds(&progress);
    char share[16] = "";
    if (expected)
        snprintf(share, sizeof share, "   %.0f %%", 100.0 * (double)cycles / (double)expected);
    cli_progress_draw(&progress, "  %.1f M cycles   %.1f M cycles/s%s", (double)cycles / 1e6,
                      seconds > 0 ? (double)cycles / 1e6 / seconds : 0.0, share);
}

static void on_flashing(void *context, const char *doing, size_t done, size_t size) {
    (void)context;
    if (cli_progress_due(&progress))
        cli_progress_draw(&progress, "  %s flash memory   %zu %%", doing, size ? done * 100 / size : 100);
}

/* Reads "2s", "500ms", "10us", or "1e6c" for cycles. */
static enum gnomon_status read_duration(const char *text, uint32_t clock_hz, uint64_t *cycles,
                                        struct gnomon_error *error) {
    const struct {
        const char *unit;
        double cycles;
    } units[] = {{"s", clock_hz}, {"ms", clock_hz / 1e3}, {"us", clock_hz / 1e6}, {"c", 1}};
    char *end;
    const double number = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const double wanted = number * units[i].cycles;
        if (end == text || strcmp(end, units[i].unit) != 0 || !(wanted >= 1 && wanted < 1e18))
            continue;
        *cycles = (uint64_t)wanted;
        return GNOMON_OK;
    }
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "--duration %s is not a time", text);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "write 2s, 500ms, 10us, or 1e6c for cycles");
}

static bool is_file(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* Does "NAME=FILE" or "NAME" have this NAME? Sets *file to the FILE, or to the NAME if there is no FILE. */
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

/* Adds FILE[=NAME]. If the path of FILE has a "=", NAME is required. */
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

static enum gnomon_status open_device(struct target *target, const struct cli_context *context, bool lean,
                                      struct gnomon_error *error) {
    struct gnomon_transport_options options = {target->values->sim_options.items, target->values->sim_options.count,
                                               lean && gnomon_image_suits_lean(target->image)};
    enum gnomon_status status = gnomon_device_open(context->device, &options, &target->device, error);
    return status ? status : gnomon_board_read(target->device, &target->board, error);
}

static FILE *console_of(const struct cli_context *context) {
    return context->json && !context->output ? stderr : stdout;
}

/* The program's standard output and standard error go to one console. */
static unsigned terminals_of(const struct cli_context *context) {
    const unsigned input = isatty(STDIN_FILENO) ? 1u << STDIN_FILENO : 0;
    const bool output = isatty(fileno(console_of(context)));
    return input | (output ? 1u << STDOUT_FILENO | 1u << STDERR_FILENO : 0);
}

enum gnomon_status target_open(struct target *target, const struct cli_context *context,
                               const struct target_values *values, struct gnomon_error *error) {
    return target_open_for(target, context, values, false, error);
}

enum gnomon_status target_open_for(struct target *target, const struct cli_context *context,
                                   const struct target_values *values, bool lean, struct gnomon_error *error) {
    memset(target, 0, sizeof *target);
    target->values = values;
    target->argc = context->argc;
    target->argv = (const char *const *)context->argv;
    gnomon_input_open(&standard_input, STDIN_FILENO);
    target->terminals = terminals_of(context);
    uint32_t end = 0;
    enum gnomon_status status = gnomon_image_open(target->argv[0], &target->image, error);
    if (!status)
        status = gather_files(target, error);
    if (!status)
        status = open_device(target, context, lean, error);
    if (!status && values->duration)
        status = read_duration(values->duration, target->board.clock_hz, &target->most_cycles, error);
    if (!status)
        status = gnomon_image_runs(target->image, &target->board, error);
    if (!status)
        status = gnomon_image_fits(target->image, &target->board, &end, error);
    if (!status)
        status =
            gnomon_param_build(&target->board, end, target->argc, target->argv, &target->inputs, &target->param, error);
    if (status)
        target_close(target);
    expected = target->most_cycles;
    cli_progress_begin(&progress, context);
    return status;
}

void target_close(struct target *target) {
    gnomon_device_close(target->device);
    gnomon_image_close(target->image);
    gnomon_files_free(&target->inputs);
    gnomon_files_free(&target->offers);
    gnomon_input_free(&standard_input);
    gnomon_param_free(&target->param);
    memset(target, 0, sizeof *target);
}

/* Where an output file goes; NULL if the user did not ask for it. */
static const char *destination(const struct target *target, const char *name) {
    const char *file;
    if (asked_for(target->values, name, &file))
        return file;
    for (int i = 1; i < target->argc; i++)
        if (!strcmp(target->argv[i], name))
            return name;
    return NULL;
}

/* The program must have written every file of --get. */
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

bool target_tick(void *context) {
    (void)context;
    return cli_interrupted();
}

int target_stopped(const struct cli_context *context, bool timed_out) {
    if (timed_out)
        return CLI_OK;
    cli_warn(context, "interrupted");
    return CLI_INTERRUPTED;
}

void target_console(const uint8_t *data, size_t size) {
    cli_progress_end(&progress);
    fwrite(data, 1, size, stdout);
    fflush(stdout); /* the stream keeps an error for target_check_console */
}

int target_check_console(const struct cli_context *context) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return CLI_OK;
    struct gnomon_error error;
    gnomon_fail_errno(&error, GNOMON_ERR_SYSTEM, "cannot write the program's output to standard output");
    return cli_error(context, &error);
}

void target_console_beside(const struct cli_context *context, const uint8_t *data, size_t size) {
    cli_progress_end(&progress);
    if (console_of(context) == stderr)
        fwrite(data, 1, size, stderr);
    else
        target_console(data, size);
}

FILE *target_open_figures(const struct cli_context *context) {
    struct gnomon_error error;
    cli_progress_end(&progress);
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
        .input = target_input(),
        .terminals = target->terminals,
        .context = context,
        .most_cycles = target->most_cycles,
        .progress = progress.enabled ? on_progress : NULL,
        .flashing = progress.enabled ? on_flashing : NULL,
    };
}

enum gnomon_status target_explain_debug(const struct gnomon_session *session, struct gnomon_error *error) {
    static const char *const causes[] = {
        "for an unknown reason", "at an ebreak",      "at a trigger", "when asked to halt",
        "after a single step",   "when reset halted", "as a group"};
    char text[200];
    if (session->overflow.found) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s",
                    gnomon_overflow_text(&session->overflow, session->image->path, text, sizeof text));
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "end the recursion, or leave more memory to the stack");
    }
    uint32_t cause = session->debug_cause < 7 ? session->debug_cause : 0;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "the program stopped in debug mode, %s", causes[cause]);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "take the ebreak out of the program");
}

bool target_explain_death(const struct cli_context *context, const struct target *target,
                          const struct gnomon_session *session) {
    struct gnomon_error error;
    if (!session->overflow.found)
        return target_explain_crash(context, target, &session->crash);
    target_explain_debug(session, &error);
    cli_error(context, &error);
    return true;
}

enum gnomon_status target_explain_measured(const struct cli_context *context, const struct target *target,
                                           const struct gnomon_measured *measured, bool *died,
                                           struct gnomon_error *error) {
    const struct gnomon_session session = {.image = target->image,
                                           .debug_cause = measured->debug_cause,
                                           .overflow = measured->overflow,
                                           .crash = measured->crash};
    if (measured->end == GNOMON_END_DEBUG && !measured->overflow.found)
        return target_explain_debug(&session, error);
    if (!*died)
        *died = target_explain_death(context, target, &session);
    return GNOMON_OK;
}
