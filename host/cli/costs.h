/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of cycles by cause: a column for each cause that occurs, which add up to the cycles of the row. */
#ifndef GNOMON_CLI_COSTS_H
#define GNOMON_CLI_COSTS_H

#include <jansson.h>

#include "../lib/analysis.h"
#include "../lib/costs.h"
#include "cli.h"

struct costs_columns {
    const struct cli_context *context;
    FILE *stream;
    uint64_t whole; /* cycles that are 100 per cent */
    unsigned count, causes[GNOMON_CAUSES];
    int widths[GNOMON_CAUSES], cycles_width, others_width; /* of columns; others_width 0: all causes have one */
    int rest;                                              /* characters left on a terminal's line; 0: any number */
};

/* Columns for the causes in `sum`; on a terminal those with most cycles, as many as fit, and one for all others. */
void costs_columns(struct costs_columns *columns, const struct cli_context *context, FILE *stream, uint64_t whole,
                   const struct gnomon_cost *sum);
void costs_heading(const struct costs_columns *columns, const char *last);
/* Without an end of line: what it is about follows. */
void costs_row(const struct costs_columns *columns, const struct gnomon_cost *cost);
void costs_no_row(const struct costs_columns *columns);
/* The end of a row: a name, shortened in the middle where it does not fit; or text, cut off. With an end of line. */
void costs_name(const struct costs_columns *columns, const char *name);
void costs_text(const struct costs_columns *columns, const char *text);

/* {"cycles": n, "causes": {"retired": n, ...}}, those that occur; `object` is taken and given back. */
json_t *costs_json(json_t *object, const struct gnomon_cost *cost);

/* The instructions' cycles of an analysis that was read to its end; to be freed whatever the status is. */
enum gnomon_status costs_open(const struct gnomon_analysis *analysis, struct gnomon_instructions *instructions,
                              struct gnomon_error *error);

/* What they are worth. */
void costs_exactness(const struct gnomon_analysis *analysis, const struct gnomon_instructions *instructions,
                     struct gnomon_exactness *exactness);

/* All functions with their cycles by cause, the dearest `limit` (0: all); what no function pays for; the run's sum. */
enum gnomon_status costs_functions(const struct cli_context *context, const struct gnomon_analysis *analysis,
                                   const struct gnomon_instructions *instructions, uint64_t limit, FILE *stream,
                                   struct gnomon_error *error);
/* The same on standard output as JSON. */
enum gnomon_status costs_print_json(const struct gnomon_analysis *analysis,
                                    const struct gnomon_instructions *instructions, struct gnomon_error *error);

#endif
