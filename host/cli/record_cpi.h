/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon record --cpi: what each instruction cost. The simulator that is started for the run accounts for the whole
 * program; another device for a region, which is moved over what is asked for in as many runs as that takes. */
#ifndef GNOMON_CLI_RECORD_CPI_H
#define GNOMON_CLI_RECORD_CPI_H

#include "../lib/instructions.h"
#include "../lib/symbols.h"
#include "target.h"

struct cpi {
    const char *what; /* as given: all, a function, START-END; NULL: nothing is asked for */
    char file[64]; /* where a simulator that is started writes its account; "": the user has it write one elsewhere */
    bool whole;    /* that is used */
    bool all;      /* else from `start` to before `end` */
    uint32_t start, end;
    size_t count;
    uint32_t *regions;           /* where they begin, one for each run */
    struct target_values values; /* the user's, with an option for the simulator */
    const char **options;
};

/* Before the device is opened, for which cpi->values are then to be used. */
enum gnomon_status cpi_begin(struct cpi *cpi, const char *what, const struct target_values *values,
                             struct gnomon_error *error);
/* Chooses the regions. `symbols` may be NULL. */
enum gnomon_status cpi_choose(struct cpi *cpi, const struct target *target, const struct gnomon_symbols *symbols,
                              struct gnomon_error *error);
/* The hart is in reset, all else is prepared. */
enum gnomon_status cpi_prepare(const struct cpi *cpi, const struct target *target, struct gnomon_error *error);
/* After a run of so many cycles that the program has ended, and whose files have been fetched: makes the other runs. */
enum gnomon_status cpi_collect(const struct cpi *cpi, struct cli_context *context, const struct target *target,
                               uint64_t cycles, struct gnomon_instructions *instructions, struct gnomon_error *error);
void cpi_end(struct cpi *cpi);

#endif
