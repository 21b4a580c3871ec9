/* SPDX-License-Identifier: Apache-2.0 */
/* A report on the screen: the pager, how wide a line may be, names that are too long, tables.
 *
 * A terminal has a width, and names are shortened to it, in the middle. A file or a pipe has none: there every name is
 * whole. */
#ifndef GNOMON_CLI_SCREEN_H
#define GNOMON_CLI_SCREEN_H

#include "../lib/exactness.h"
#include "cli.h"

/* Columns of the terminal that `stream` is shown on ($COLUMNS, else what it says, else 80); 0: it is no terminal. */
int screen_width(FILE *stream);

/* `text` in at most `width` characters, shortened in the middle ("stbir__res...ple_row"); width 0: whole. The result is
 * `text` itself or in `buffer`. */
#define SCREEN_TEXT_BYTES 256
const char *screen_shorten(char buffer[SCREEN_TEXT_BYTES], const char *text, int width);

/* Characters that UTF-8 text takes. */
int screen_length(const char *text);

/* A sentence and a new line; on a terminal broken at spaces, with `indent` before each further line. */
void screen_sentence(FILE *stream, const char *text, const char *indent);

/* The same behind `column` characters that are on the line already. */
void screen_item(FILE *stream, const char *text, int column);

/* What makes figures other than exact, a sentence each. */
void screen_reasons(FILE *stream, const struct gnomon_exactness *exactness);

/* ---- Tables ---- */

struct screen_column {
    const char *title;
    bool left; /* aligned to the left: text */
    int least; /* text that may be shortened to that many characters on a terminal; 0: it may not */
    int gives; /* where a terminal is too narrow, the column with the highest leaves first; 0: never */
};

struct screen_table;

/* `columns` is borrowed and outlives the table. NULL: out of memory; all that follows takes NULL and does nothing. */
struct screen_table *screen_table_new(const struct screen_column *columns, size_t count);

/* Cells from left to right; a row ends by itself. Text is copied. Out of memory: the table is not printed. */
void screen_cell(struct screen_table *table, const char *text);
void screen_count(struct screen_table *table, uint64_t value); /* digits in groups */
void screen_none(struct screen_table *table);                  /* an empty cell */
/* Of the next cell: its style; a character in place of the space before it; that it may run over all columns behind. */
void screen_next_style(struct screen_table *table, enum cli_style style);
void screen_next_mark(struct screen_table *table, char mark);
void screen_next_over(struct screen_table *table);

/* Titles and rows; columns whose cells are all empty are left out. False: out of memory. */
bool screen_table_print(const struct screen_table *table, const struct cli_context *context, FILE *stream);
void screen_table_free(struct screen_table *table);

#endif
