/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program, and serves what the device has counted of it so far. The thread of the device makes the data; the
 * threads of requests hand them out. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/interrupt.h"
#include "cli/live/live_target.h"
#include "cli/ui/ui.h"
#include "cli/ui/ui_program.h"
#include "lib/util/clock.h"

#define INTERVAL_MS 1000
#define WAIT_NS 50000000
#define MOST_WAITS 200 /* of a request for the first data */

enum { PROFILE, CALLS, FILES };
static const char *const paths[FILES] = {[PROFILE] = "/profile.js", [CALLS] = "/calls.js"};

struct program {
    struct live_target live; /* first: the session's callbacks get this structure */
    struct ui_service service;
    uint64_t due;              /* ms: when the data are made again */
    enum gnomon_status status; /* of what failed in a callback */
    struct gnomon_error error;
    pthread_mutex_t mutex; /* of what follows */
    char *texts[FILES];    /* NULL: none so far */
    bool closing;
};

/* ---- In the threads of requests ---- */

/* Waits for the first data. */
static bool is_ready(struct program *program) {
    const struct timespec pause = {.tv_nsec = WAIT_NS};
    for (unsigned i = 0; i < MOST_WAITS; i++) {
        pthread_mutex_lock(&program->mutex);
        const bool ready = program->texts[PROFILE], closing = program->closing;
        pthread_mutex_unlock(&program->mutex);
        if (ready || closing)
            return ready;
        nanosleep(&pause, NULL);
    }
    return false;
}

static bool write_data(void *context, const char *path, FILE *stream, enum gnomon_status *status,
                       struct gnomon_error *error) {
    struct program *program = context;
    for (unsigned i = 0; i < FILES; i++) {
        if (strcmp(path, paths[i]) != 0)
            continue;
        if (!is_ready(program)) {
            *status = gnomon_fail(error, GNOMON_ERR_TIMEOUT, "the device has not counted anything so far");
            return true;
        }
        pthread_mutex_lock(&program->mutex);
        fputs(program->texts[i], stream);
        pthread_mutex_unlock(&program->mutex);
        return true;
    }
    return false;
}

/* ---- In the thread of the device ---- */

static enum gnomon_status make_text(struct gnomon_ui *ui, unsigned file, char **text, struct gnomon_error *error) {
    size_t size;
    FILE *stream = open_memstream(text, &size);
    if (!stream)
        return gnomon_fail_memory(error);
    const enum gnomon_status status =
        file == PROFILE ? gnomon_ui_write_profile(ui, stream, error) : gnomon_ui_write_calls(ui, stream, error);
    return fclose(stream) && !status ? gnomon_fail_memory(error) : status;
}

static enum gnomon_status make_texts(struct program *program, struct gnomon_ui *ui, struct gnomon_error *error) {
    char *texts[FILES] = {NULL};
    enum gnomon_status status = GNOMON_OK;
    for (unsigned i = 0; i < FILES && !status; i++)
        status = make_text(ui, i, &texts[i], error);
    pthread_mutex_lock(&program->mutex);
    for (unsigned i = 0; i < FILES; i++) {
        char *old = program->texts[i];
        if (!status)
            program->texts[i] = texts[i];
        free(status ? texts[i] : old);
    }
    pthread_mutex_unlock(&program->mutex);
    return status;
}

/* Makes the data of the run up to this moment. */
static enum gnomon_status show_interval(struct program *program, struct gnomon_live_interval *interval, bool last,
                                        struct gnomon_error *error) {
    char state[LIVE_STATE_BYTES], text[LIVE_STATE_BYTES + 16];
    snprintf(text, sizeof text, "%s", live_target_state(&program->live, state));
    struct gnomon_ui ui = {
        .export = {.analysis = program->live.live.analysis, .names = {.fd = -1}, .exactness = interval->exactness},
        .state = text,
        .over = last};
    enum gnomon_status status = gnomon_live_profile(&program->live.live, interval, &ui.export.profile, error);
    if (!status)
        status = gnomon_export_made(&ui.export, error);
    if (!status)
        status = make_texts(program, &ui, error);
    ui.export.analysis = (struct gnomon_analysis){0}; /* the program's, not this profile's */
    gnomon_ui_close(&ui);
    return status;
}

static enum gnomon_status show_moment(struct program *program, bool last, struct gnomon_error *error) {
    static const struct gnomon_live_moment start;
    struct gnomon_live *live = &program->live.live;
    struct gnomon_live_moment moment;
    struct gnomon_live_interval interval;
    enum gnomon_status status = last ? gnomon_live_take_last(live, &program->live.session, &moment, error)
                                     : gnomon_live_take(live, &moment, error);
    if (status)
        return status;
    status = gnomon_live_between(live, &start, &moment, &interval, error);
    if (!status) {
        status = show_interval(program, &interval, last, error);
        gnomon_live_interval_free(&interval);
    }
    gnomon_live_moment_free(&moment);
    return status;
}

static bool on_tick(void *context) {
    struct program *program = context;
    const uint64_t now = gnomon_now_ms();
    if (!program->status && now >= program->due && live_target_runs(&program->live)) {
        program->status = show_moment(program, false, &program->error);
        program->due = gnomon_now_ms() + INTERVAL_MS;
    }
    return program->status || cli_interrupted();
}

static void on_console(void *context, const uint8_t *bytes, size_t size) {
    (void)context;
    target_console(bytes, size);
}

/* The program is over; the page is not. */
static enum gnomon_status stay(struct program *program, struct gnomon_error *error) {
    const struct timespec pause = {.tv_nsec = WAIT_NS};
    char state[LIVE_STATE_BYTES];
    const enum gnomon_status status = show_moment(program, true, error);
    if (!status && !cli_interrupted())
        cli_note(program->live.context, "the program %s; its profile is served until Ctrl-C",
                 live_target_state(&program->live, state));
    while (!status && !cli_interrupted())
        nanosleep(&pause, NULL);
    return status;
}

static enum gnomon_status run_program(struct program *program, uint64_t port, struct gnomon_error *error) {
    enum gnomon_status status = live_target_prepare(&program->live, program, on_tick, on_console, error);
    if (!status)
        status = ui_service_open(&program->service, port, error);
    if (status)
        return status;
    ui_service_say(&program->service, program->live.target.image->path);
    status = gnomon_session_run(&program->live.session, error);
    if (!status && program->status) {
        *error = program->error;
        status = program->status;
    }
    return status || !program->live.session.trace_ended ? status : stay(program, error);
}

static void close_service(struct program *program) {
    pthread_mutex_lock(&program->mutex);
    program->closing = true;
    pthread_mutex_unlock(&program->mutex);
    gnomon_http_close(program->service.http);
    for (unsigned i = 0; i < FILES; i++)
        free(program->texts[i]);
    pthread_mutex_destroy(&program->mutex);
}

/* Ctrl-C is how the page ends; only if it stopped the program is that an interruption. */
static int finish(struct program *program) {
    const struct gnomon_session *session = &program->live.session;
    const int result = live_target_finish(&program->live);
    return result || session->end != GNOMON_END_STOPPED ? result
                                                        : target_stopped(program->live.context, session->timed_out);
}

int ui_serve_program(struct cli_context *context, const struct ui_values *values) {
    struct gnomon_error error;
    struct program *program = calloc(1, sizeof *program);
    if (!program) {
        gnomon_fail_memory(&error);
        return cli_error(context, &error);
    }
    program->service = (struct ui_service){.write = write_data, .context = program};
    pthread_mutex_init(&program->mutex, NULL);
    cli_watch_interrupts(true);
    enum gnomon_status status = live_target_open(&program->live, context, &values->target, GNOMON_LIVE_RECORDS, &error);
    if (!status)
        status = run_program(program, values->port, &error);
    close_service(program);
    const int result = status ? cli_error(context, &error) : finish(program);
    live_target_close(&program->live);
    free(program);
    return result;
}
