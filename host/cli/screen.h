/* SPDX-License-Identifier: Apache-2.0 */
/* A report on the screen: the pager, the width of lines, shortened names, tables.
 *
 * On a terminal, names are shortened in the middle to fit its width. A file or a pipe has no width: there every name is
 * complete. */
#ifndef GNOMON_CLI_SCREEN_H
#define GNOMON_CLI_SCREEN_H

#include <jansson.h>

#include "cli/cli.h"
#include "lib/profile/exactness.h"

/* Columns of the terminal that shows `stream`: $COLUMNS, else the terminal's own value, else 80. 0: no terminal. */
int screen_width(FILE *stream);

/* Prints a command's whole result, takes `json`, and returns the exit status. NULL: out of memory. */
int cli_print_json(struct cli_context *context, json_t *json);

/* Shortens `text` in the middle to at most `width` characters ("stbir__res...ple_row"); width 0: no limit. The result
 * is `text` itself, or is in `buffer`. */
#define SCREEN_TEXT_BYTES 256
const char *screen_shorten(char buffer[SCREEN_TEXT_BYTES], const char *text, int width);

/* Number of characters in UTF-8 text. */
int screen_length(const char *text);

/* Prints a sentence and a newline. On a terminal it is broken at spaces, with `indent` before each further line. */
void screen_sentence(FILE *stream, const char *text, const char *indent);

/* The same for a line that already has `column` characters. */
void screen_item(FILE *stream, const char *text, int column);

/* Prints the reasons why figures are not exact, one sentence each. */
void screen_reasons(FILE *stream, const struct gnomon_exactness *exactness);

/* ---- Tables ---- */

struct screen_column {
    const char *title;
    bool left; /* true: text, aligned to the left */
    int least; /* minimum number of characters to which a terminal may shorten the text; 0: it is never shortened */
    int gives; /* on a too narrow terminal, the column with the highest value is removed first; 0: never removed */
};

struct screen_table;

/* `columns` is borrowed and must outlive the table. Returns NULL if out of memory; the functions below take NULL and do
 * nothing. */
struct screen_table *screen_table_new(const struct screen_column *columns, size_t count);

/* Adds a cell; cells go from left to right, and a row ends by itself. Text is copied. If out of memory, the table is
 * not printed. */
void screen_cell(struct screen_table *table, const char *text);
void screen_count(struct screen_table *table, uint64_t value); /* digits in groups of three */
void screen_none(struct screen_table *table);                  /* an empty cell */
/* These functions set properties of the next cell: its style; a character instead of the space before it; permission to
 * extend over all columns to its right. */
void screen_next_style(struct screen_table *table, enum cli_style style);
void screen_next_mark(struct screen_table *table, char mark);
void screen_next_over(struct screen_table *table);

/* Prints titles and rows; leaves out columns whose cells are all empty. Returns false if out of memory. */
bool screen_table_print(const struct screen_table *table, const struct cli_context *context, FILE *stream);
void screen_table_free(struct screen_table *table);

#endif
