/* SPDX-License-Identifier: Apache-2.0 */
/* How functions, traps, and what a trace says are named on the screen. */
#ifndef GNOMON_CLI_NAMES_H
#define GNOMON_CLI_NAMES_H

#include "../lib/analysis.h"
#include "../lib/profile.h"
#include "cli.h"

struct cli_name {
    const char *text; /* of the function, or `own` */
    const char *file; /* NULL: not known */
    unsigned line;    /* 0: not known */
    uint32_t address; /* 0: not known */
    char own[24];     /* "[interrupt 7]", "[function 12]" */
};

/* `id` as in a profile: a function's number, a trap, or unknown. The name must not be copied: it may point into itself.
 */
void cli_name_of(struct cli_name *name, const struct gnomon_symbols *symbols, uint32_t id);

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
