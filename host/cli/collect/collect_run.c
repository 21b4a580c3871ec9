/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon collect ELF: runs a program as `gnomon run` does, and measures some of its functions if it may. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <unistd.h>

#include "cli/collect/collect_measure.h"
#include "cli/interrupt.h"
#include "cli/run/run.h"
#include "lib/fleet/api_redact.h"

/* Sends what is due in a process of its own: the program's user does not wait for the service. */
static void send_later(const struct cli_context *context) {
    static char *const words[] = {"gnomon", "collect", "--submit", "--due", "-q", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    int failed = 0;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && !failed; fd++)
        failed = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    if (!failed)
        failed = posix_spawn(&child, "/proc/self/exe", &actions, &attributes, words, environ);
    if (failed && context->verbose)
        cli_note(context, "cannot start gnomon collect --submit: %s", strerror(failed));
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
}

/* A device that was opened without what measuring needs may still run the program. */
static enum gnomon_status open_target(struct target *target, struct collect_measure *measure,
                                      const struct cli_context *context, struct gnomon_error *error) {
    enum gnomon_status status = target_open_for(target, context, context->values, !measure->on, error);
    if (status && measure->on) {
        collect_measure_drop(measure, error->what);
        status = target_open_for(target, context, context->values, true, error);
    }
    return status;
}

static enum gnomon_status prepare(struct gnomon_session *session, struct target *target,
                                  struct collect_measure *measure, struct gnomon_error *error) {
    *session = run_session(target, measure);
    collect_measure_begin(measure, target, session);
    enum gnomon_status status = gnomon_session_prepare(session, error);
    if (status && measure->on) {
        collect_measure_drop(measure, error->what);
        *session = run_session(target, measure);
        status = gnomon_session_prepare(session, error);
    }
    return status;
}

static int run(struct cli_context *context, struct collect_measure *measure) {
    struct gnomon_error error;
    struct gnomon_session session;
    struct target target;
    cli_watch_interrupts(true);
    if (open_target(&target, measure, context, &error))
        return cli_error(context, &error);
    enum gnomon_status status = prepare(&session, &target, measure, &error);
    if (!status)
        status = gnomon_session_run(&session, &error);
    if (!status)
        collect_measure_end(measure, &target, &session);
    const int result = status ? cli_error(context, &error) : run_finish(&session, &target, context);
    target_close(&target);
    return result;
}

int collect_run(struct cli_context *context) {
    const struct collect_values *values = context->values;
    struct gnomon_error error;
    struct collect_member member;
    struct collect_measure measure = {.context = context, .slot = -1};
    const bool joined = !collect_member_open(&member, &error);
    if (!joined)
        cli_warn(context, "%s: the program runs unmeasured", error.what);
    if (joined && values->program && !gnomon_api_redact_name_fits(values->program)) {
        cli_warn(context, "\"%s\" cannot be sent as a name: the program runs unmeasured", values->program);
    } else if (joined) {
        collect_measure_open(&measure, context, &member);
    }
    const int result = run(context, &measure);
    collect_measure_keep(&measure);
    collect_measure_close(&measure);
    if (joined && gnomon_collect_due(&member.settings, &member.places))
        send_later(context);
    collect_member_close(&member);
    return result;
}
