/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of the command. Each subcommand is one file with one `struct command`. Its option table is the only place
 * where its options are written; parsing, --help, man pages and completion come from this table. */
#ifndef GNOMON_CLI_H
#define GNOMON_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/util/digits.h"
#include "lib/util/error.h"

#define GNOMON_VERSION "0.2.0"

/* Exit statuses. `run` passes the program's own status on instead of CLI_OK. */
enum cli_exit {
    CLI_OK = 0,
    CLI_FAILED = 1,       /* error: one line on stderr says what failed, which thing, and what to do */
    CLI_USAGE = 2,        /* wrong usage */
    CLI_INCOMPLETE = 3,   /* events were lost, under --strict */
    CLI_GATE = 4,         /* a gate failed */
    CLI_INTERRUPTED = 130 /* interrupted by the user; the file is valid */
};

/* Meaning of an exit status, used by both --help and the man pages; the last entry has a meaning of NULL. */
struct cli_exit_meaning {
    int status;
    const char *meaning;
};
extern const struct cli_exit_meaning cli_exit_meanings[];

/* Type of an option's value. The value is stored in the command's values, which start as zeros. */
enum cli_type {
    CLI_FLAG,   /* bool, set to true; no argument */
    CLI_STRING, /* const char *; the last use wins */
    CLI_NUMBER, /* uint64_t; decimal, 0x..., suffixes k M G (powers of 1024) */
    CLI_LIST,   /* struct cli_list; each use appends */
};

struct cli_list {
    size_t count;
    const char **items;
};

struct cli_option {
    char short_name;       /* 0: no short name */
    const char *long_name; /* NULL ends the table */
    const char *argument;  /* name of the argument in help; NULL for flags */
    const char *help;      /* one sentence, no full stop */
    enum cli_type type;
    size_t offset; /* offsetof(struct the_values, member) */
};

/* --sim-option, for the option table of a command that opens a device; `member` is a struct cli_list. */
#define CLI_SIM_OPTION(values_type, member)                                                                            \
    {                                                                                                                  \
        0, "sim-option", "OPTION", "pass OPTION to the simulator that gnomon starts (one word for each use)",          \
            CLI_LIST, offsetof(values_type, member)                                                                    \
    }

/* Common options that a command can choose to take. All commands take --color, -q, -v, --help and --version. */
enum cli_common {
    CLI_DEVICE = 1, /* -d, --device; $GNOMON_DEVICE */
    CLI_INPUT = 2,  /* -i, --input; default gnomon.gnt */
    CLI_OUTPUT = 4, /* -o, --output */
    CLI_JSON = 8,   /* --json */
    CLI_NAMES = 16, /* --no-demangle */
};

enum cli_color_mode { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER };

struct command;

struct cli_context {
    const struct command *command;
    const char *device; /* --device or $GNOMON_DEVICE; NULL: search for a device */
    const char *input;  /* never NULL in commands with CLI_INPUT */
    const char *output; /* NULL: not given */
    bool json;
    bool raw_names; /* show functions by the linker's names */
    bool quiet;
    int verbose; /* number of -v */
    enum cli_color_mode color;
    void *values; /* the command's own options, `values_size` bytes */
    int argc;     /* operands; with `program_arguments` the first "--" after the first operand is removed */
    char **argv;  /* argv[argc] is NULL */
};

struct command {
    const char *name;
    const char *summary;              /* one line, for `gnomon --help` */
    const char *synopsis;             /* text after "gnomon NAME": "[OPTION...] ELF [-- ARG...]" */
    const char *description;          /* paragraphs separated by empty lines, for man page and --help */
    const char *examples;             /* "command\tWhat it does.\n"..., may be NULL */
    unsigned common;                  /* bits of enum cli_common */
    const struct cli_option *options; /* may be NULL */
    size_t values_size;
    bool program_arguments;         /* options end at the first operand, as in perf record */
    bool raw;                       /* argv goes to run() unparsed (cc), except for a sole --help */
    int min_operands, max_operands; /* max -1: no limit */
    int (*run)(struct cli_context *context);
};

/* All commands, in the order of the help text; the last entry is NULL. */
extern const struct command *const gnomon_commands[];

/* Print messages on stderr: "gnomon: COMMAND: what", then the remedy, indented. Return the matching exit status. */
int cli_error(const struct cli_context *context, const struct gnomon_error *error);
int cli_usage(const struct cli_context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints that the first missing operand of the command's synopsis is missing. */
int cli_missing_operand(const struct cli_context *context);
void cli_warn(const struct cli_context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Not shown with -q. */
void cli_note(const struct cli_context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_note_sentence(const struct cli_context *context, const char *text); /* on a terminal, in lines that fit it */

/* Colours: returns the escape sequence for a style, or "" if the stream takes no colours. */
enum cli_style { CLI_PLAIN, CLI_BOLD, CLI_DIM, CLI_RED, CLI_GREEN, CLI_YELLOW, CLI_BLUE, CLI_MAGENTA };
bool cli_colored(const struct cli_context *context, FILE *stream);
const char *cli_style(const struct cli_context *context, FILE *stream, enum cli_style style);

/* One line on stderr, redrawn in place at most ten times a second. It is not shown if stderr is no terminal, or with
 * -q. */
struct cli_progress {
    bool shown, enabled;
    double started, last; /* seconds, monotonic */
};
void cli_progress_begin(struct cli_progress *progress, const struct cli_context *context);
/* True when it is time to call cli_progress_draw. */
bool cli_progress_due(struct cli_progress *progress);
void cli_progress_draw(struct cli_progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_progress_end(struct cli_progress *progress);
double cli_progress_seconds(const struct cli_progress *progress);

/* "1,234,567"; `buffer` holds at least CLI_COUNT_BYTES. */
#define CLI_COUNT_BYTES GNOMON_DIGITS_BYTES
const char *cli_count(char *buffer, uint64_t value);

/* Returns standard output for a long report. On a terminal it goes through a pager, chosen as git does: $GNOMON_PAGER,
 * else $PAGER, else less, with LESS=FRX unless LESS is set. If the pager is empty or "cat", or with --json, no pager is
 * used. End it with cli_pager_end. */
FILE *cli_pager_begin(struct cli_context *context);
/* Also reports a failed write (a full disk, for example); returns CLI_OK or CLI_FAILED. */
int cli_pager_end(struct cli_context *context, FILE *stream);

#endif
