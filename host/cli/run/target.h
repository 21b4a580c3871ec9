/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands that run a program share: a program with its arguments and files, a device, and Ctrl-C. */
#ifndef GNOMON_CLI_TARGET_H
#define GNOMON_CLI_TARGET_H

#include "cli/cli.h"
#include "lib/run/session.h"

struct gnomon_measured;

struct target_values {
    struct cli_list put, offer, get, sim_options;
    const char *duration;
};

/* Lines of an option table; the command's values must begin with a struct target_values. */
#define TARGET_OPTIONS                                                                                                 \
    {0,                                                                                                                \
     "put",                                                                                                            \
     "FILE[=NAME]",                                                                                                    \
     "place FILE in the program's memory; the program opens it as NAME",                                               \
     CLI_LIST,                                                                                                         \
     offsetof(struct target_values, put)},                                                                             \
        {0,                                                                                                            \
         "offer",                                                                                                      \
         "FILE[=NAME]",                                                                                                \
         "give FILE to the program when it asks for NAME (gnomon_fetch, gnomon_module_open)",                          \
         CLI_LIST,                                                                                                     \
         offsetof(struct target_values, offer)},                                                                       \
        {0,                                                                                                            \
         "get",                                                                                                        \
         "NAME[=FILE]",                                                                                                \
         "fetch the file that the program wrote as NAME, and save it as FILE",                                         \
         CLI_LIST,                                                                                                     \
         offsetof(struct target_values, get)},                                                                         \
        {0,          "duration",                                                                                       \
         "TIME",     "stop the program after TIME on the device's clock: 2s, 500ms, 10us, or 1e6c for cycles",         \
         CLI_STRING, offsetof(struct target_values, duration)},                                                        \
        CLI_SIM_OPTION(struct target_values, sim_options)

/* Members of a struct command that runs a program: gnomon's own options, then the program, then the program's
 * arguments. `least`: number of operands that must be given. */
#define TARGET_COMMAND(values_type, least)                                                                             \
    .options = options, .values_size = sizeof(values_type), .program_arguments = true, .min_operands = (least),        \
    .max_operands = -1

#define TARGET_FILES                                                                                                   \
    "An ARG that names an existing file is placed in the program's memory; the program opens it by that name. Files "  \
    "that the program wrote under a name that is an ARG are fetched when the program has ended, into the current "     \
    "directory, or to the path in the ARG. --put and --get do the same for other names; a name given to --get is not " \
    "placed. A file that the program opens for writing is empty at first, whatever is there from an earlier run."

struct target {
    struct gnomon_image *image;
    struct gnomon_files inputs, offers;
    struct gnomon_device *device;
    struct gnomon_board board;
    struct gnomon_param_block param;
    int argc;
    const char *const *argv; /* arguments of the program */
    const struct target_values *values;
    unsigned terminals;   /* bit N: descriptor N of the program's console is a terminal */
    uint64_t most_cycles; /* --duration in cycles; 0: no limit */
};

/* Does everything up to the opened device, and checks that the program and its files fit. */
enum gnomon_status target_open(struct target *target, const struct cli_context *context,
                               const struct target_values *values, struct gnomon_error *error);
/* The same as target_open. `lean`: the run itself needs no unit of the profiler that a lean model leaves out; the
 * program may need one. */
enum gnomon_status target_open_for(struct target *target, const struct cli_context *context,
                                   const struct target_values *values, bool lean, struct gnomon_error *error);
/* Call this when the program has ended: fetches its files. */
enum gnomon_status target_fetch(const struct target *target, const struct cli_context *context,
                                struct gnomon_error *error);
void target_close(struct target *target);

/* For the `tick` of a session: stops the program at Ctrl-C and the like (cli/interrupt.h). */
bool target_tick(void *context);
/* Removes the progress from the terminal. */
void target_end_progress(void);
/* Tells the progress that a run takes `cycles` cycles. */
void target_expect(uint64_t cycles);
/* Call this after the program was stopped. If --duration did not stop it, prints a warning. Returns the exit status. */
int target_stopped(const struct cli_context *context, bool timed_out);

/* The input of the program's console: standard input, valid from target_open to target_close. */
struct gnomon_input *target_input(void);

/* Writes console output of the program to standard output. */
void target_console(const uint8_t *data, size_t size);
/* The same for commands that print figures: writes to standard error if the figures go to standard output as JSON. */
void target_console_beside(const struct cli_context *context, const uint8_t *data, size_t size);
/* Opens the stream for a command's figures: the file of -o, else standard output with --json, else standard error.
 * NULL: the file cannot be written, and a message was printed. */
FILE *target_open_figures(const struct cli_context *context);
/* `good`: all output so far was written. Returns CLI_OK, or CLI_FAILED after a message. */
int target_close_figures(const struct cli_context *context, FILE *stream, bool good);
/* Returns CLI_OK, or CLI_FAILED after a message if standard output could not be written. */
int target_check_console(const struct cli_context *context);
/* A session for a run of the program, with progress on the terminal. The caller sets the other callbacks, which get
 * `context`. */
struct gnomon_session target_session(const struct target *target, void *context);
/* If the program died, prints on stderr why, in which function, and the calls that were open. Call this before the
 * device is closed. Returns true if the program died. */
bool target_explain_crash(const struct cli_context *context, const struct target *target,
                          const struct gnomon_crash *crash);

/* Says in `error` why a program stopped in debug mode: at an ebreak, or because its stack was full. */
enum gnomon_status target_explain_debug(const struct gnomon_session *session, struct gnomon_error *error);

/* The same as target_explain_crash; also explains a full stack. */
bool target_explain_death(const struct cli_context *context, const struct target *target,
                          const struct gnomon_session *session);

/* The same for a measured run; *died is set, so that later runs do not print it again. Fails if the run stopped in
 * debug mode for another reason: such a run has no figures. */
enum gnomon_status target_explain_measured(const struct cli_context *context, const struct target *target,
                                           const struct gnomon_measured *measured, bool *died,
                                           struct gnomon_error *error);

#endif
