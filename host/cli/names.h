/* SPDX-License-Identifier: Apache-2.0 */
/* How functions, traps, and what a trace says are named on the screen. */
#ifndef GNOMON_CLI_NAMES_H
#define GNOMON_CLI_NAMES_H

#include "../lib/analysis.h"
#include "../lib/profile.h"
#include "cli.h"

#define CLI_NO_NUMBER UINT32_MAX

struct cli_name {
    const char *text;   /* of the function, or `own` */
    const char *file;   /* NULL: not known */
    unsigned line;      /* 0: not known */
    uint32_t address;   /* 0: not known */
    uint32_t overlay;   /* that it belongs to, by number, and 1; 0: none */
    uint32_t number;    /* of a function that has one, in its module or program; NO_NUMBER: it has none */
    const char *module; /* NULL: the program */
    char own[96];       /* "[interrupt 7]", "[function 12]" */
};

/* `id` as in a profile: a function's number, a trap, or unknown. The name must not be copied: it may point into itself.
 */
void cli_name_of(struct cli_name *name, const struct gnomon_analysis *analysis, uint32_t id);

/* For names of functions in modules: the files of --module. */
enum gnomon_status cli_add_modules(struct gnomon_analysis *analysis, const struct cli_list *paths,
                                   struct gnomon_error *error);

/* "stb_image.h:1402", or "" where it is not known. */
#define CLI_WHERE_BYTES 512
const char *cli_where(char buffer[CLI_WHERE_BYTES], const struct cli_name *name);

/* Text from a file, with what would upset a terminal replaced. */
#define CLI_CLEAN_BYTES 1024
const char *cli_clean(char buffer[CLI_CLEAN_BYTES], const char *text);

/* The last part of a path. */
const char *cli_basename(const char *path);

/* Warns of all faults on stderr and says how to exit: CLI_FAILED for damage, CLI_INCOMPLETE for loss under --strict. */
int cli_faults(const struct cli_context *context, const struct gnomon_fault *faults, size_t count, bool strict);

#endif
