/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon run: loads and runs a program, shows its console on the terminal, and returns its exit status. */
#include "cli/run/run.h"

#include "cli/interrupt.h"

#define STACK_FULL (GNOMON_CRASH_STATUS + 11) /* exit status of a program that SIGSEGV ends */

static void on_console(void *context, const uint8_t *data, size_t size) {
    (void)context;
    target_console(data, size);
}

struct gnomon_session run_session(const struct target *target, void *context) {
    struct gnomon_session session = target_session(target, context);
    session.console = on_console;
    session.tick = target_tick;
    return session;
}

int run_finish(struct gnomon_session *session, const struct target *target, const struct cli_context *context) {
    struct gnomon_error error;
    if (session->end == GNOMON_END_STOPPED) {
        return target_stopped(context, session->timed_out);
    }
    if (session->end == GNOMON_END_DEBUG && !session->overflow.found && target_explain_debug(session, &error))
        return cli_error(context, &error);
    target_explain_death(context, target, session);
    if (session->overflow.found)
        return STACK_FULL;
    if (target_fetch(target, context, &error) || gnomon_session_finish(session, &error))
        return cli_error(context, &error);
    if (target_check_console(context))
        return CLI_FAILED;
    if (context->verbose)
        cli_note(context, "the program ended with status %u", (unsigned)session->exit_status);
    return (int)session->exit_status;
}

static int run_run(struct cli_context *context) {
    struct gnomon_error error;
    struct target target;
    cli_watch_interrupts(true);
    if (target_open_for(&target, context, context->values, true, &error))
        return cli_error(context, &error);
    struct gnomon_session session = run_session(&target, NULL);
    enum gnomon_status status = gnomon_session_prepare(&session, &error);
    if (!status)
        status = gnomon_session_run(&session, &error);
    int result = status ? cli_error(context, &error) : run_finish(&session, &target, context);
    target_close(&target);
    return result;
}

static const struct cli_option options[] = {TARGET_OPTIONS, {0}};

const struct command command_run = {
    .name = "run",
    .summary = "load and run a program: console on the terminal, exit status passed on",
    .synopsis = "[OPTION...] ELF [--] [ARG...]",
    .description =
        "Loads ELF onto the device, runs it with the ARGs, and shows its console. gnomon's options end at ELF; "
        "what follows is the program's. The exit status is that of the program (its low eight bits).\n\n" TARGET_FILES,
    .examples = "gnomon run hello.elf\tRun it on the board that is attached, or else on a simulated one.\n"
                "gnomon run -d sim:small decode.elf -- picture.png out.raw\tWith an input and an output file.\n",
    .common = CLI_DEVICE | CLI_NAMES,
    TARGET_COMMAND(struct target_values, 1),
    .run = run_run,
};
