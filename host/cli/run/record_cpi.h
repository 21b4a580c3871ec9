/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon record --cpi: what each instruction cost. A simulator that is started for the run counts the whole program.
 * Another device counts one code window in a run; the program is run once for each window. */
#ifndef GNOMON_CLI_RECORD_CPI_H
#define GNOMON_CLI_RECORD_CPI_H

#include "cli/run/target.h"
#include "lib/model/instructions.h"
#include "lib/run/code_windows.h"

struct cpi {
    const char *what; /* the option's value: all, a function, or START-END; NULL: option not given */
    char file[64]; /* file in which the started simulator writes the cycles; "": the user named another file for them */
    bool whole;    /* the simulator's file is used */
    struct gnomon_code_windows windows; /* what is counted; without `whole`, also in which windows */
    struct target_values values;        /* the user's values, plus an option for the simulator */
    const char **options;
};

/* Call this before the device is opened; then open it with cpi->values. */
enum gnomon_status cpi_begin(struct cpi *cpi, const char *what, const struct target_values *values,
                             struct gnomon_error *error);
/* Chooses the code windows. `symbols` may be NULL. */
enum gnomon_status cpi_choose(struct cpi *cpi, const struct target *target, const struct gnomon_symbols *symbols,
                              struct gnomon_error *error);
/* The instructions of `harts` harts are counted: 2 if hart 1 is recorded, too, and can count them, else 1. */
unsigned cpi_harts(const struct cpi *cpi, const struct target *target, const struct gnomon_session *session);
/* Call this when the hart is in reset and all other preparation is done. */
enum gnomon_status cpi_prepare(const struct cpi *cpi, const struct target *target, unsigned harts,
                               struct gnomon_error *error);
/* Call this after a run in which the program has ended, and whose files have been fetched. Makes the other runs.
 * `cycles` of the run, and `instructions`: of each hart. The caller frees the instructions, whatever the status is. */
enum gnomon_status cpi_collect(const struct cpi *cpi, struct cli_context *context, const struct target *target,
                               unsigned harts, const uint64_t *cycles, struct gnomon_instructions *instructions,
                               struct gnomon_error *error);
void cpi_end(struct cpi *cpi);

#endif
