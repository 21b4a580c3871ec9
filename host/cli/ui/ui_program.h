/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon ui of a running program. */
#ifndef GNOMON_CLI_UI_PROGRAM_H
#define GNOMON_CLI_UI_PROGRAM_H

#include "cli/run/target.h"

struct ui_values {
    struct target_values target; /* must be the first member */
    const char *elf, *old_elf, *hart, *export, *api;
    struct cli_list modules;
    uint64_t port;
    bool no_source, strict;
};

/* Runs the program and serves its figures until the user stops that. Returns the exit status. */
int ui_serve_program(struct cli_context *context, const struct ui_values *values);

#endif
