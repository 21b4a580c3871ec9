/* SPDX-License-Identifier: Apache-2.0 */
/* What `run` and `record` have in common: a program with its arguments and files, a device, and Ctrl-C. */
#ifndef GNOMON_CLI_TARGET_H
#define GNOMON_CLI_TARGET_H

#include "../lib/session.h"
#include "cli.h"

struct gnomon_measured;

struct target_values {
    struct cli_list put, offer, get, sim_options;
    const char *duration;
};

/* Lines of an option table, for values that begin with a struct target_values. */
#define TARGET_OPTIONS                                                                                                 \
    {0,                                                                                                                \
     "put",                                                                                                            \
     "FILE[=NAME]",                                                                                                    \
     "place FILE in the program's memory, where it opens it as NAME",                                                  \
     CLI_LIST,                                                                                                         \
     offsetof(struct target_values, put),                                                                              \
     false},                                                                                                           \
        {0,                                                                                                            \
         "offer",                                                                                                      \
         "FILE[=NAME]",                                                                                                \
         "hand FILE over when the program asks for NAME (gnomon_fetch, gnomon_module_open)",                           \
         CLI_LIST,                                                                                                     \
         offsetof(struct target_values, offer),                                                                        \
         false},                                                                                                       \
        {0,                                                                                                            \
         "get",                                                                                                        \
         "NAME[=FILE]",                                                                                                \
         "fetch what the program wrote as NAME, into FILE",                                                            \
         CLI_LIST,                                                                                                     \
         offsetof(struct target_values, get),                                                                          \
         false},                                                                                                       \
        {0,          "duration",                                                                                       \
         "TIME",     "stop the program after so long by the device's clock: 2s, 500ms, 10us, or 1e6c for cycles",      \
         CLI_STRING, offsetof(struct target_values, duration),                                                         \
         false},                                                                                                       \
    {                                                                                                                  \
        0, "sim-option", "OPTION", "hand OPTION to the simulator that is started (one word for each use)", CLI_LIST,   \
            offsetof(struct target_values, sim_options), false                                                         \
    }

#define TARGET_FILES                                                                                                   \
    "Each ARG that names an existing file is placed in the program's memory, where the program opens it by that "      \
    "name; "                                                                                                           \
    "files that the program wrote under a name that is an ARG are fetched when it has ended, into the current "        \
    "directory, or wherever the ARG points. --put and --get say the same of other names; a name given to --get is "    \
    "not "                                                                                                             \
    "placed. A program that begins a file anew finds it empty, whatever is there from an earlier run."

struct target {
    struct gnomon_image *image;
    struct gnomon_files inputs, offers;
    struct gnomon_device *device;
    struct gnomon_board board;
    struct gnomon_param_block param;
    int argc;
    const char *const *argv; /* of the program */
    const struct target_values *values;
    uint64_t most_cycles; /* --duration; 0: as long as it takes */
};

/* Everything up to a device that is opened; the program and its files are known to fit. */
enum gnomon_status target_open(struct target *target, const struct cli_context *context,
                               const struct target_values *values, struct gnomon_error *error);
/* The same; lean: the run needs no unit of the profiler that a lean model leaves out, if the program needs none. */
enum gnomon_status target_open_for(struct target *target, const struct cli_context *context,
                                   const struct target_values *values, bool lean, struct gnomon_error *error);
/* After the program ended: its files. */
enum gnomon_status target_fetch(const struct target *target, const struct cli_context *context,
                                struct gnomon_error *error);
void target_close(struct target *target);

/* From the first call on Ctrl-C and SIGTERM are remembered; a second one ends the process. */
void target_watch_interrupts(void);
bool target_interrupted(void);
/* Takes the progress off the terminal. */
void target_end_progress(void);
/* For progress: a run is known to take so many cycles. */
void target_expect(uint64_t cycles);
/* After a program was stopped: says so, unless that is what --duration asked for, and returns the exit status. */
int target_stopped(const struct cli_context *context, bool timed_out);

/* What the program reads from its console: standard input, from target_open to target_close. */
struct gnomon_input *target_input(void);

/* The program's console on standard output. */
void target_console(const uint8_t *data, size_t size);
/* The same for commands that print figures: on standard error where standard output gets these as JSON. */
void target_console_beside(const struct cli_context *context, const uint8_t *data, size_t size);
/* Where a command's figures go: the file of -o, else standard output as JSON, else standard error. NULL: it cannot be
 * written, and a message says so. */
FILE *target_open_figures(const struct cli_context *context);
/* `good`: all was written so far. CLI_OK, or CLI_FAILED with a message. */
int target_close_figures(const struct cli_context *context, FILE *stream, bool good);
/* CLI_OK, or CLI_FAILED with a message if standard output did not take it. */
int target_check_console(const struct cli_context *context);
/* A run of the program, with progress on the terminal; what else it calls back with `context` is the caller's to set.
 */
struct gnomon_session target_session(const struct target *target, void *context);
/* A program that died, on stderr: why, in which function, and the calls that were open. Before the device is left.
 * True: it died. */
bool target_explain_crash(const struct cli_context *context, const struct target *target,
                          const struct gnomon_crash *crash);

/* Says in `error` why a program stopped in debug mode: at an ebreak, or because its stack was full. */
enum gnomon_status target_explain_debug(const struct gnomon_session *session, struct gnomon_error *error);

/* As target_explain_crash, also where the program's stack was full. */
bool target_explain_death(const struct cli_context *context, const struct target *target,
                          const struct gnomon_session *session);

/* The same of a measured run, said once: *died. An error where the run stopped in debug mode for another reason: it has
 * no figures. */
enum gnomon_status target_explain_measured(const struct cli_context *context, const struct target *target,
                                           const struct gnomon_measured *measured, bool *died,
                                           struct gnomon_error *error);

#endif
