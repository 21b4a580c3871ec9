/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon record --cpi: what each instruction cost. A simulator that is started for the run counts the whole program.
 * Another device counts one region in a run; the region moves over the requested addresses in as many runs as
 * needed. */
#ifndef GNOMON_CLI_RECORD_CPI_H
#define GNOMON_CLI_RECORD_CPI_H

#include "cli/run/target.h"
#include "lib/elf/symbols.h"
#include "lib/model/instructions.h"

struct cpi {
    const char *what; /* the option's value: all, a function, or START-END; NULL: option not given */
    char file[64]; /* file in which the started simulator writes the cycles; "": the user named another file for them */
    bool whole;    /* the simulator's file is used */
    bool all;      /* without `whole`: all of the program; else the addresses from `start` to before `end` */
    uint32_t start, end;
    size_t count;
    uint32_t *regions;           /* start of the region for each run */
    struct target_values values; /* the user's values, plus an option for the simulator */
    const char **options;
};

/* Call this before the device is opened; then open it with cpi->values. */
enum gnomon_status cpi_begin(struct cpi *cpi, const char *what, const struct target_values *values,
                             struct gnomon_error *error);
/* Chooses the regions. `symbols` may be NULL. */
enum gnomon_status cpi_choose(struct cpi *cpi, const struct target *target, const struct gnomon_symbols *symbols,
                              struct gnomon_error *error);
/* Call this when the hart is in reset and all other preparation is done. */
enum gnomon_status cpi_prepare(const struct cpi *cpi, const struct target *target, struct gnomon_error *error);
/* Call this after a run of `cycles` cycles in which the program has ended, and whose files have been fetched. Makes the
 * other runs. */
enum gnomon_status cpi_collect(const struct cpi *cpi, struct cli_context *context, const struct target *target,
                               uint64_t cycles, struct gnomon_instructions *instructions, struct gnomon_error *error);
void cpi_end(struct cpi *cpi);

#endif
