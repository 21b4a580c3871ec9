/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon top: where the cycles of a running program go, redrawn in place. */
#include "cli/live/top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "lib/util/clock.h"

#define USUAL_INTERVAL 1.0 /* s */
#define LEAST_INTERVAL 0.1
#define MOST_INTERVAL 3600
#define USUAL_ROWS 20 /* of text */
#define WAIT_MS 100

struct values {
    struct target_values target;
    const char *interval, *view, *sort, *filter, *console;
    uint64_t intervals, rows;
    bool batch, events;
};

struct top {
    struct live_target live; /* first: the session's callbacks get this structure */
    struct top_settings settings;
    struct top_figures figures;
    struct top_console console;
    struct top_screen *screen; /* NULL: text */
    uint64_t interval_ms, last_ms, intervals;
    bool frozen, quit, shown;
    enum gnomon_status status; /* of what failed in a callback */
    struct gnomon_error error;
};

/* ---- Figures ---- */

static enum gnomon_status compare_moments(struct top *top, struct gnomon_error *error) {
    struct top_figures *figures = &top->figures;
    gnomon_live_interval_free(&figures->interval);
    gnomon_live_interval_free(&figures->all);
    enum gnomon_status status =
        gnomon_live_between(&top->live.live, &figures->before, &figures->now, &figures->interval, error);
    gnomon_live_judge_contention(&top->live.live, &figures->now, &figures->locks_exactness);
    return status ? status : gnomon_live_between(&top->live.live, &figures->base, &figures->now, &figures->all, error);
}

static void free_locks(struct gnomon_contention_locks *locks) {
    free(locks->list);
    *locks = (struct gnomon_contention_locks){0};
}

/* The caller frees `copy`. False: out of memory. */
static bool copy_locks(struct gnomon_contention_locks *copy, const struct gnomon_contention_locks *locks) {
    *copy = (struct gnomon_contention_locks){locks->count, calloc(locks->count + 1, sizeof *copy->list)};
    if (copy->list && locks->count)
        memcpy(copy->list, locks->list, locks->count * sizeof *copy->list);
    return copy->list;
}

/* Takes the next moment; `last`: the run's last one. */
static enum gnomon_status advance(struct top *top, bool last, struct gnomon_error *error) {
    struct top_figures *figures = &top->figures;
    struct gnomon_live_moment moment;
    enum gnomon_status status = last ? gnomon_live_take_last(&top->live.live, &top->live.session, &moment, error)
                                     : gnomon_live_take(&top->live.live, &moment, error);
    if (status)
        return status;
    const uint64_t now = gnomon_now_ms();
    gnomon_live_moment_free(&figures->before);
    figures->before = figures->now;
    figures->now = moment;
    figures->threads_before = figures->threads;
    figures->threads = top->live.live.threads;
    free_locks(&figures->locks_before);
    figures->locks_before = figures->locks;
    if (!gnomon_contention_locks_now(top->live.live.contention, &figures->locks))
        return gnomon_fail_memory(error);
    figures->seconds = (double)(now - top->last_ms) / 1000;
    top->last_ms = now;
    top->intervals++;
    return compare_moments(top, error);
}

/* From now on "all" counts from the last moment. */
static enum gnomon_status reset(struct top *top, struct gnomon_error *error) {
    struct top_figures *figures = &top->figures;
    struct gnomon_live_moment copy;
    if (!figures->now.taken)
        return GNOMON_OK;
    enum gnomon_status status = gnomon_live_moment_copy(&copy, &figures->now, error);
    if (status)
        return status;
    gnomon_live_moment_free(&figures->base);
    figures->base = copy;
    figures->threads_base = figures->threads;
    free_locks(&figures->locks_base);
    if (!copy_locks(&figures->locks_base, &figures->locks))
        return gnomon_fail_memory(error);
    return compare_moments(top, error);
}

/* ---- Showing ---- */

static bool print_text(struct top *top) {
    const struct cli_context *context = top->live.context;
    return context->json ? top_print_json(&top->live, &top->figures, stdout)
                         : top_print_text(&top->live, &top->settings, &top->figures, stdout);
}

static void draw(struct top *top, bool over) {
    top_screen_draw(top->screen, &top->live, &top->settings, &top->figures, &top->console, top->frozen, over);
}

static enum gnomon_status show(struct top *top, struct gnomon_error *error) {
    if (top->screen) {
        if (!top_screen_paused(top->screen))
            draw(top, top->figures.now.end);
        return GNOMON_OK;
    }
    return print_text(top) ? GNOMON_OK : gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write to standard output");
}

/* ---- The run ---- */

static void on_console(void *context, const uint8_t *data, size_t size) {
    struct top *top = context;
    if (top->screen || top->console.file)
        top_console_put(&top->console, data, size);
    else
        fwrite(data, 1, size, stderr);
}

static enum gnomon_status take_keys(struct top *top, bool over, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    switch (top_screen_keys(top->screen, &top->settings)) {
    case TOP_QUIT:
        top->quit = true;
        return GNOMON_OK;
    case TOP_RESET:
        status = reset(top, error);
        break;
    case TOP_FREEZE:
        top->frozen = !top->frozen;
        break;
    case TOP_REDRAW:
        break;
    default:
        return GNOMON_OK;
    }
    if (!status)
        draw(top, over);
    return status;
}

static bool is_enough(const struct top *top) {
    const struct values *values = top->live.context->values;
    return values->intervals && top->intervals >= values->intervals;
}

static enum gnomon_status tick(struct top *top, struct gnomon_error *error) {
    if (top->screen && !top->shown)
        draw(top, false);
    top->shown = true;
    enum gnomon_status status = top->screen ? take_keys(top, false, error) : GNOMON_OK;
    const bool due = gnomon_now_ms() - top->last_ms >= top->interval_ms;
    if (status || !due || top->frozen || is_enough(top) || !live_target_runs(&top->live))
        return status;
    status = advance(top, false, error);
    return status ? status : show(top, error);
}

static bool on_tick(void *context) {
    struct top *top = context;
    if (!top->status && !top->live.session.asked)
        top->status = tick(top, &top->error);
    return top->status || top->quit || is_enough(top) || cli_interrupted();
}

/* After the program's end the screen stays until the user quits. */
static enum gnomon_status stay(struct top *top, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    top->frozen = false;
    while (!status && top->screen && !top->quit && !is_enough(top) && !cli_interrupted()) {
        top_screen_wait(top->screen, WAIT_MS);
        status = take_keys(top, true, error);
    }
    return status;
}

static enum gnomon_status run_program(struct top *top, struct gnomon_error *error) {
    enum gnomon_status status = live_target_prepare(&top->live, top, on_tick, on_console, error);
    top->last_ms = gnomon_now_ms();
    if (top->screen) { /* the keys are not the program's */
        top->live.session.terminals = 0;
        if (isatty(STDIN_FILENO))
            top->live.session.input = NULL;
    }
    if (!status)
        status = gnomon_session_run(&top->live.session, error);
    if (!status && top->status) {
        *error = top->error;
        status = top->status;
    }
    if (status || !top->live.session.trace_ended)
        return status;
    status = advance(top, true, error);
    if (!status && top->screen && !top->quit)
        draw(top, true);
    if (!status && !top->screen)
        status = show(top, error);
    return status ? status : stay(top, error);
}

/* ---- The command ---- */

static int print_console(struct top *top) {
    struct top_console *console = &top->console;
    if (!console->file && console->bytes > TOP_KEPT)
        cli_note(top->live.context, "the program wrote %llu bytes; these are the last %zu (--console FILE keeps all)",
                 (unsigned long long)console->bytes, TOP_KEPT);
    for (uint64_t at = console->bytes > TOP_KEPT ? console->bytes - TOP_KEPT : 0; !console->file && at < console->bytes;
         at++)
        putchar(console->kept[at % TOP_KEPT]);
    if (!console->file)
        return target_check_console(top->live.context);
    struct gnomon_error error;
    if (fclose(console->file) == 0)
        return CLI_OK;
    gnomon_fail_errno(&error, GNOMON_ERR_SYSTEM, "cannot write the program's output");
    return cli_error(top->live.context, &error);
}

static bool parse(const struct cli_context *context, struct top *top) {
    const struct values *values = context->values;
    char *end;
    const double interval = values->interval ? strtod(values->interval, &end) : USUAL_INTERVAL;
    if ((values->interval && (*end || end == values->interval)) ||
        !(interval >= LEAST_INTERVAL && interval <= MOST_INTERVAL)) {
        cli_usage(context, "--interval is a number of seconds from 0.1 to 3600");
        return false;
    }
    top->interval_ms = (uint64_t)(interval * 1000);
    top->settings.sort = TOP_NOW;
    top->settings.most_rows = values->rows ? values->rows : USUAL_ROWS;
    if (values->view && !top_find_view(values->view, &top->settings.view)) {
        cli_usage(context, "--view is functions, causes, threads or locks");
        return false;
    }
    if (values->sort &&
        (!top_find_column(values->sort, &top->settings.sort) || !*top_title(top->settings.view, top->settings.sort))) {
        cli_usage(context,
                  "--sort is now, now-calls, all, all-calls, each, held, all-held, each-held or name, if the view "
                  "has it");
        return false;
    }
    if (values->filter && strlen(values->filter) >= sizeof top->settings.filter) {
        cli_usage(context, "--filter has at most %zu characters", sizeof top->settings.filter - 1);
        return false;
    }
    strcpy(top->settings.filter, values->filter ? values->filter : "");
    return true;
}

/* False: the file for the program's output cannot be written; a message was printed. */
static bool open_console(struct top *top) {
    const struct values *values = top->live.context->values;
    struct gnomon_error error;
    if (!values->console || (top->console.file = fopen(values->console, "we")))
        return true;
    gnomon_fail_errno(&error, GNOMON_ERR_SYSTEM, "cannot write %s", values->console);
    cli_error(top->live.context, &error);
    return false;
}

static int finish(struct top *top) {
    const int result = live_target_finish(&top->live);
    if (result)
        return result;
    if (cli_interrupted())
        return target_stopped(top->live.context, false);
    return CLI_OK;
}

static int run_opened(struct top *top) {
    const struct values *values = top->live.context->values;
    struct gnomon_error error;
    if (!open_console(top))
        return CLI_FAILED;
    if (isatty(STDOUT_FILENO) && !values->batch && !top->live.context->json) {
        if (!(top->screen = top_screen_open()))
            cli_note(top->live.context, "this terminal is of an unknown kind (TERM): the figures come as text");
    }
    const enum gnomon_status status = run_program(top, &error);
    top_screen_close(top->screen);
    const int printed = print_console(top);
    const int result = status ? cli_error(top->live.context, &error) : finish(top);
    return result ? result : printed;
}

static int run_top(struct cli_context *context) {
    struct gnomon_error error;
    struct top *top = calloc(1, sizeof *top);
    if (!top) {
        gnomon_fail_memory(&error);
        return cli_error(context, &error);
    }
    int result = CLI_USAGE;
    if (parse(context, top)) {
        cli_watch_interrupts(true);
        const struct values *values = context->values;
        const enum gnomon_live_way way = values->events ? GNOMON_LIVE_EVENTS : GNOMON_LIVE_EITHER;
        result = live_target_open(&top->live, context, &values->target, way, &error) ? cli_error(context, &error)
                                                                                     : run_opened(top);
        live_target_close(&top->live);
    }
    gnomon_live_moment_free(&top->figures.before);
    gnomon_live_moment_free(&top->figures.now);
    gnomon_live_moment_free(&top->figures.base);
    gnomon_live_interval_free(&top->figures.interval);
    gnomon_live_interval_free(&top->figures.all);
    free_locks(&top->figures.locks);
    free_locks(&top->figures.locks_before);
    free_locks(&top->figures.locks_base);
    free(top->console.kept);
    free(top);
    return result;
}

static const struct cli_option options[] = {
    TARGET_OPTIONS,
    {'b', "batch", NULL,
     "print the figures as text, one table after the other (default if standard output is no "
     "terminal)",
     CLI_FLAG, offsetof(struct values, batch)},
    {'s', "interval", "SECONDS", "time of this machine between figures (default: 1)", CLI_STRING,
     offsetof(struct values, interval)},
    {'n', "intervals", "N", "stop the program and end after N intervals", CLI_NUMBER,
     offsetof(struct values, intervals)},
    {0, "events", NULL,
     "let functions come as events: needs no epochs, and shows both harts, but a slow link loses some", CLI_FLAG,
     offsetof(struct values, events)},
    {0, "view", "VIEW", "functions, causes, threads or locks (default: functions)", CLI_STRING,
     offsetof(struct values, view)},
    {0, "sort", "COLUMN",
     "now, now-calls, all, all-calls, each, name, and of locks held, all-held, each-held (default: now)", CLI_STRING,
     offsetof(struct values, sort)},
    {0, "filter", "TEXT", "show only names that contain TEXT", CLI_STRING, offsetof(struct values, filter)},
    {0, "rows", "N", "rows of a table as text (default: 20)", CLI_NUMBER, offsetof(struct values, rows)},
    {0, "console", "FILE", "write the program's output to FILE", CLI_STRING, offsetof(struct values, console)},
    {0},
};

const struct command command_top = {
    .name = "top",
    .summary = "show where the cycles of a running program go",
    .synopsis = "[OPTION...] ELF [--] [ARG...]",
    .description =
        "Runs ELF like gnomon run, and shows while it runs what its functions, stall causes and threads take, and "
        "where threads waited for locks, and how long they had them: in the "
        "last interval, and in all. The device counts; it is read at the end of each interval, which does not disturb "
        "the program, so the figures are exact, as the first line says. With --events, and on a device without epochs "
        "(gnomon info), each call comes as an event: of both harts, and what the link loses is said.\n\nOn the screen, "
        "h shows the keys. The last lines of the program's output are at the "
        "bottom; its output is printed when top has ended. Keys come from the terminal; standard input is the "
        "program's if it is no terminal.\n\nEach line of --json is one interval with all views; the last one is the "
        "whole run.\n\n" TARGET_FILES,
    .examples =
        "gnomon top ./image.elf -- logo.png out.png\tWatch it.\ngnomon top -b -n 5 ./image.elf\tFive tables, one "
        "a second.\ngnomon top --json ./image.elf | jq .functions[0]\tFor a program that reads it.\n",
    .common = CLI_DEVICE | CLI_JSON | CLI_NAMES,
    TARGET_COMMAND(struct values, 1),
    .run = run_top,
};
