/* SPDX-License-Identifier: Apache-2.0 */
/* What code is at an address of a program that runs: its own, and that of the modules that it loads. */
#ifndef GNOMON_CLI_TARGET_CODE_H
#define GNOMON_CLI_TARGET_CODE_H

#include "../lib/code.h"
#include "../lib/measure.h"
#include "target.h"

struct target_code {
    struct gnomon_symbols *symbols;
    struct gnomon_modules *modules; /* of one run: gnomon_measure_modules notes when they come and go */
};

/* To be closed whatever the status is, also when it is all zeros. */
enum gnomon_status target_code_open(struct target_code *code, const struct target *target, struct gnomon_error *error);
void target_code_close(struct target_code *code);

/* Another run begins: no module is loaded. What was named before is gone. */
enum gnomon_status target_code_begin(struct target_code *code, const struct target *target, struct gnomon_error *error);

#endif
