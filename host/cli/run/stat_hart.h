/* SPDX-License-Identifier: Apache-2.0 */
/* Of a run on two harts: which hart's figures `gnomon stat` shows, and what it says of the other. */
#ifndef GNOMON_CLI_STAT_HART_H
#define GNOMON_CLI_STAT_HART_H

#include <jansson.h>
#include <stdio.h>

#include "lib/run/measure.h"

/* Makes cycles, instructions and trace of the run those of hart 1. `elf`: the program, for messages. */
enum gnomon_status stat_hart_select(struct gnomon_measured *measured, const char *elf, struct gnomon_error *error);

/* What the other hart did in the run. */
void stat_hart_print(const struct gnomon_measured *measured, FILE *stream);
/* Adds `hart`, and `other_hart` if it ran. */
void stat_hart_json(const struct gnomon_measured *measured, json_t *json);

#endif
