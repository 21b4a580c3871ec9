/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of cycles by cause: each cause that occurs has a column, and the columns add up to the cycles of the row. */
#ifndef GNOMON_CLI_COST_COLUMNS_H
#define GNOMON_CLI_COST_COLUMNS_H

#include <jansson.h>

#include "cli/cli.h"
#include "lib/profile/recorded_costs.h"

struct costs_columns {
    const struct cli_context *context;
    FILE *stream;
    uint64_t whole; /* cycles that are 100 per cent */
    unsigned count, causes[GNOMON_CAUSES];
    int widths[GNOMON_CAUSES], cycles_width, others_width; /* of columns; others_width 0: no column for other causes */
    int rest; /* characters left for text on a terminal's line; 0: no limit */
};

/* Chooses columns for the causes in `sum`. On a terminal it takes as many as fit, those with most cycles first, and one
 * column for all other causes. */
void costs_columns(struct costs_columns *columns, const struct cli_context *context, FILE *stream, uint64_t whole,
                   const struct gnomon_cost *sum);
void costs_heading(const struct costs_columns *columns, const char *last);
/* Prints the figures of a row without a newline; the name or text of the row follows. */
void costs_row(const struct costs_columns *columns, const struct gnomon_cost *cost);
void costs_no_row(const struct costs_columns *columns);
/* These two functions end a row, with a newline: costs_name shortens a name in the middle if it does not fit;
 * costs_text cuts the text off. */
void costs_name(const struct costs_columns *columns, const char *name);
void costs_text(const struct costs_columns *columns, const char *text);

/* Adds {"cycles": n, "causes": {"retired": n, ...}} to `object` and returns `object`; lists only causes that occur. */
json_t *costs_json(json_t *object, const struct gnomon_cost *cost);

/* Prints the cycles by cause of all functions, or of the `limit` functions with most cycles (0: all), then the cycles
 * that no function has, then the sum of the run. */
enum gnomon_status costs_functions(const struct cli_context *context, const struct gnomon_analysis *analysis,
                                   const struct gnomon_instructions *instructions, uint64_t limit, FILE *stream,
                                   struct gnomon_error *error);
/* Prints the same figures as JSON on standard output. */
enum gnomon_status costs_print_json(const struct gnomon_analysis *analysis,
                                    const struct gnomon_instructions *instructions, struct gnomon_error *error);

#endif
