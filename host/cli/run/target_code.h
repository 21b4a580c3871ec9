/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which code is at an address of a running program: its own code, or that of a module that it loads. */
#ifndef GNOMON_CLI_TARGET_CODE_H
#define GNOMON_CLI_TARGET_CODE_H

#include "cli/run/target.h"
#include "lib/profile/code.h"
#include "lib/run/measure.h"

struct target_code {
    struct gnomon_symbols *symbols;
    struct gnomon_modules *modules; /* modules of one run; gnomon_measure_modules notes loading and unloading */
};

/* The caller closes `code` whatever status this returns; target_code_close also takes a `code` that is all zeros. */
enum gnomon_status target_code_open(struct target_code *code, const struct target *target, struct gnomon_error *error);
void target_code_close(struct target_code *code);

/* Prepares for another run: no module is loaded. Names from the earlier run are no longer valid. */
enum gnomon_status target_code_begin(struct target_code *code, const struct target *target, struct gnomon_error *error);

#endif
