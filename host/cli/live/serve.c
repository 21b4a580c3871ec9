/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon serve: the command, and the run of the program with --http. */
#include "cli/live/serve.h"

#include <stdlib.h>

#include "cli/interrupt.h"

#define USUAL_CLIENTS 200
#define MOST_CLIENTS 1000
#define USUAL_TIMEOUT 20 /* s */
#define MOST_TIMEOUT 3600
#define SLEEP_MS 100

/* ---- The run ---- */

static void on_console(void *context, const uint8_t *data, size_t size) {
    (void)context;
    target_console(data, size);
}

static bool on_tick(void *context) {
    struct serve *serve = context;
    const struct gnomon_session *session = &serve->live.session;
    if (!serve->status && session->end == GNOMON_END_NONE && !session->asked)
        serve->status = serve_jobs_step(serve, &serve->error);
    return serve->status || cli_interrupted();
}

/* The program is over; the server is not. */
static enum gnomon_status stay(struct serve *serve, struct gnomon_error *error) {
    char state[LIVE_STATE_BYTES];
    enum gnomon_status status = serve_jobs_over(serve, error);
    if (!status && !cli_interrupted())
        cli_note(serve->live.context, "the program %s; its profile is served until Ctrl-C",
                 live_target_state(&serve->live, state));
    while (!status && !cli_interrupted()) {
        serve_jobs_sleep(serve, SLEEP_MS);
        status = serve_jobs_over(serve, error);
    }
    return status;
}

static enum gnomon_status run_program(struct serve *serve, struct gnomon_error *error) {
    enum gnomon_status status = live_target_prepare(&serve->live, serve, on_tick, on_console, error);
    if (!status)
        status = serve_http_open(serve, error);
    if (status)
        return status;
    const struct gnomon_listener *listener = gnomon_http_listener(serve->http);
    cli_note(serve->live.context, "http://%s/pprof/profile", listener->address);
    if (!listener->loopback)
        cli_warn(serve->live.context, "other machines can read the profile, and there is no password");
    status = gnomon_session_run(&serve->live.session, error);
    if (!status && serve->status) {
        *error = serve->error;
        status = serve->status;
    }
    return status || !serve->live.session.trace_ended ? status : stay(serve, error);
}

/* ---- The command ---- */

/* Ctrl-C is how the server ends; only if it stopped the program is that an interruption. */
static int finish(struct serve *serve) {
    const struct gnomon_session *session = &serve->live.session;
    const int result = live_target_finish(&serve->live);
    if (result || session->end != GNOMON_END_STOPPED)
        return result;
    return target_stopped(serve->live.context, session->timed_out);
}

static int serve_http(struct cli_context *context, const struct serve_values *values) {
    struct gnomon_error error;
    struct serve *serve = calloc(1, sizeof *serve);
    if (!serve || !serve_jobs_open(serve)) {
        free(serve);
        gnomon_fail_memory(&error);
        return cli_error(context, &error);
    }
    cli_watch_interrupts(true);
    int result;
    if (live_target_open(&serve->live, context, &values->target,
                         values->events ? GNOMON_LIVE_EVENTS : GNOMON_LIVE_EITHER, &error)) {
        result = cli_error(context, &error);
        serve_jobs_close(serve);
    } else {
        const enum gnomon_status status = run_program(serve, &error);
        serve_jobs_close(serve);
        result = status ? cli_error(context, &error) : finish(serve);
    }
    live_target_close(&serve->live);
    free(serve);
    return result;
}

static int run_serve(struct cli_context *context) {
    struct serve_values *values = context->values;
    if (!values->http == !values->usbip)
        return cli_usage(context, "give --http [ADDRESS:]PORT or --usbip [ADDRESS:]PORT");
    if (values->usbip)
        return context->argc ? cli_usage(context, "--usbip takes no program: the other machine runs one")
                             : serve_usbip(context, values);
    if (!context->argc)
        return cli_missing_operand(context);
    values->clients = values->clients ? values->clients : USUAL_CLIENTS;
    values->timeout = values->timeout ? values->timeout : USUAL_TIMEOUT;
    if (values->clients > MOST_CLIENTS)
        return cli_usage(context, "--clients is at most %d", MOST_CLIENTS);
    if (values->timeout > MOST_TIMEOUT)
        return cli_usage(context, "--timeout is at most %d", MOST_TIMEOUT);
    return serve_http(context, values);
}

static const struct cli_option options[] = {
    {0, "http", "[ADDRESS:]PORT",
     "answer pprof over HTTP; port 0 takes a free one, and prints it (default address: "
     "127.0.0.1)",
     CLI_STRING, offsetof(struct serve_values, http)},
    {0, "usbip", "[ADDRESS:]PORT",
     "give the board to a gnomon on another machine, as -d usbip:HOST:PORT (default address: 127.0.0.1)", CLI_STRING,
     offsetof(struct serve_values, usbip)},
    TARGET_OPTIONS,
    {0, "events", NULL,
     "with --http, let functions come as events: for whole call paths, both harts, heap and locks; a slow link loses "
     "some",
     CLI_FLAG, offsetof(struct serve_values, events)},
    {0, "allow-host", "NAME", "also answer requests that call this machine NAME", CLI_LIST,
     offsetof(struct serve_values, hosts)},
    {0, "allow-control", NULL,
     "with --http, let clients start and stop a profile (POST); with --usbip, let them restart the board into its "
     "loader",
     CLI_FLAG, offsetof(struct serve_values, allow_control)},
    {0, "clients", "N", "connections at one time; the slowest makes room for a new one (default: 200)", CLI_NUMBER,
     offsetof(struct serve_values, clients)},
    {0, "timeout", "SECONDS", "time for a client to send its request, and to take the answer (default: 20)", CLI_NUMBER,
     offsetof(struct serve_values, timeout)},
    {0},
};

const struct command command_serve = {
    .name = "serve",
    .summary = "serve profiles of a running program over HTTP, or a board over USB/IP",
    .synopsis = "--http [ADDRESS:]PORT [OPTION...] ELF [--] [ARG...] | --usbip [ADDRESS:]PORT [OPTION...]",
    .description =
        "With --http: runs ELF like gnomon run, and answers pprof while it runs: Go's pprof (profile.proto) and "
        "google-pprof of "
        "gperftools fetch /pprof/profile?seconds=N unchanged. A profile is what the device counted in that time: "
        "exact, and without disturbing the program. Its comments say what was lost. With --events, and on a device "
        "whose "
        "function records have no epochs (gnomon info), each call comes as an event: profiles then have whole call "
        "paths, and there are /pprof/heap, /pprof/growth and /pprof/contention of programs linked with --gnomon-heap "
        "or --gnomon-locks.\n\nThe server listens on this "
        "machine only, unless an ADDRESS is given; there "
        "is no password. It refuses requests whose Host header names another machine, and requests from pages of "
        "other sites. When the program has ended, it answers with the profile of the whole run, until Ctrl-C, which "
        "also stops the program.\n\nWith --usbip: gives the board that is attached to this machine to a gnomon on "
        "another "
        "one, or to a Linux kernel (usbip attach). One at a time has it. There is no password: reach it through ssh, "
        "as "
        "with ssh -L 3240:127.0.0.1:3240 HOST.\n\n" TARGET_FILES,
    .examples = "gnomon serve --http 8080 ./image.elf\tServe; then pprof "
                "http://127.0.0.1:8080/pprof/profile?seconds=10 fetches.\ngnomon serve --usbip 3240 -d usb\tGive the "
                "board away; the other "
                "machine uses it as -d usbip:HOST:3240.\n",
    .common = CLI_DEVICE | CLI_NAMES,
    TARGET_COMMAND(struct serve_values, 0),
    .run = run_serve,
};
