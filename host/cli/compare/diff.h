/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of `gnomon diff` share. */
#ifndef GNOMON_CLI_DIFF_H
#define GNOMON_CLI_DIFF_H

#include "cli/compare/compare.h"

struct diff_values {
    struct cli_list old, new;
    const char *old_elf, *new_elf, *function, *sort, *hart;
    uint64_t limit; /* 0: all */
    bool causes, lines, all, strict;
};

struct diff {
    struct cli_context *context;
    const struct diff_values *values;
    struct compare_runs runs[GNOMON_SIDES];
    struct gnomon_comparison comparison;
    size_t count;
    const struct gnomon_compared_row **shown; /* in the order of --sort */
};

/* Has any figure of the row changed by more than the noise? */
bool diff_changed(const struct diff *diff, const struct gnomon_compared_row *row);

/* Print the result on standard output; return the exit status. */
int diff_text(const struct diff *diff);
int diff_json(const struct diff *diff);

#endif
