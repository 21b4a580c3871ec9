/* SPDX-License-Identifier: Apache-2.0 */
/* Tables: all cells are known before the first one is printed, so that column widths fit them and the terminal. */
#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"

#include "cli/screen.h"

#define GAP 2          /* spaces between columns */
#define MOST_PADDED 48 /* in a file, a longer text shifts only the rest of its own row to the right */

struct cell {
    const char *text; /* owned; NULL: an empty cell */
    enum cli_style style;
    char mark; /* character in place of the space before the text; 0: none */
    bool over;
};

struct screen_table {
    const struct screen_column *columns;
    size_t column_count;
    struct cell *cells; /* all cells, row after row */
    size_t count, room;
    struct cell next; /* properties of the next cell */
    bool failed;
};

struct screen_table *screen_table_new(const struct screen_column *columns, size_t count) {
    struct screen_table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->columns = columns;
    table->column_count = count;
    return table;
}

void screen_cell(struct screen_table *table, const char *text) {
    if (!table || table->failed)
        return;
    char *copy = text && *text ? strdup(text) : NULL;
    if (!gnomon_array_room(&table->cells, &table->room, table->count + 1, sizeof *table->cells) ||
        (text && *text && !copy)) {
        free(copy);
        table->failed = true;
        return;
    }
    table->next.text = copy;
    table->cells[table->count++] = table->next;
    table->next = (struct cell){0};
}

void screen_count(struct screen_table *table, uint64_t value) {
    char text[CLI_COUNT_BYTES];
    screen_cell(table, cli_count(text, value));
}

void screen_none(struct screen_table *table) {
    screen_cell(table, NULL);
}

void screen_next_style(struct screen_table *table, enum cli_style style) {
    if (table)
        table->next.style = style;
}

void screen_next_mark(struct screen_table *table, char mark) {
    if (table)
        table->next.mark = mark;
}

void screen_next_over(struct screen_table *table) {
    if (table)
        table->next.over = true;
}

/* ---- Widths ---- */

/* Measures the width of each column; -1: left out. */
static void measure(const struct screen_table *table, bool terminal, int *width) {
    for (size_t i = 0; i < table->column_count; i++)
        width[i] = table->count ? -1 : screen_length(table->columns[i].title);
    for (size_t i = 0; i < table->count; i++) {
        size_t column = i % table->column_count;
        const struct cell *cell = &table->cells[i];
        int length = cell->text ? screen_length(cell->text) : 0;
        bool pads = !cell->over && (terminal || !table->columns[column].left || length <= MOST_PADDED);
        if (length && width[column] < 0)
            width[column] = screen_length(table->columns[column].title);
        if (pads && length && length > width[column])
            width[column] = length;
    }
}

/* The table's width if every text is as short as allowed. */
static int least_width(const struct screen_table *table, const int *width) {
    int sum = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        int least = table->columns[i].least;
        if (width[i] >= 0)
            sum += (sum ? GAP : 0) + (least && least < width[i] ? least : width[i]);
    }
    return sum;
}

static bool leave_out(const struct screen_table *table, int *width) {
    size_t first = table->column_count;
    for (size_t i = 0; i < table->column_count; i++)
        if (width[i] >= 0 && table->columns[i].gives &&
            (first == table->column_count || table->columns[i].gives > table->columns[first].gives))
            first = i;
    if (first == table->column_count)
        return false;
    width[first] = -1;
    return true;
}

/* Removes columns until the rest fits, then shortens the longest texts, one character at a time. */
static void fit(const struct screen_table *table, int most, int *width) {
    while (least_width(table, width) > most && leave_out(table, width))
        ;
    for (;;) {
        int sum = 0;
        size_t longest = table->column_count;
        for (size_t i = 0; i < table->column_count; i++) {
            if (width[i] < 0)
                continue;
            sum += (sum ? GAP : 0) + width[i];
            bool may = table->columns[i].least && width[i] > table->columns[i].least;
            if (may && (longest == table->column_count || width[i] > width[longest]))
                longest = i;
        }
        if (sum <= most || longest == table->column_count)
            return;
        width[longest]--;
    }
}

/* ---- Output ---- */

struct line {
    const struct cli_context *context;
    FILE *stream;
    int most;     /* columns of the terminal; 0: no limit */
    int at;       /* characters printed so far */
    int pending;  /* spaces to print before the next text; so no line ends with spaces */
    bool started; /* the line has a column already */
};

static void put(struct line *line, const struct cell *cell, const char *text, int before) {
    int spaces = line->pending + before;
    bool styled = cell->style != CLI_PLAIN;
    fprintf(line->stream, "%*s", cell->mark && spaces ? spaces - 1 : spaces, "");
    if (cell->mark && spaces)
        fputc(cell->mark, line->stream);
    fprintf(line->stream, "%s%s%s", styled ? cli_style(line->context, line->stream, cell->style) : "", text,
            styled ? cli_style(line->context, line->stream, CLI_PLAIN) : "");
    line->at += spaces + screen_length(text);
    line->pending = 0;
}

static void put_cell(struct line *line, const struct screen_column *column, int width, const struct cell *cell) {
    char buffer[SCREEN_TEXT_BYTES];
    if (width < 0)
        return;
    if (line->started)
        line->pending += GAP;
    line->started = true;
    if (!cell->text) {
        line->pending += width;
        return;
    }
    int room = width;
    if (cell->over)
        room = line->most - line->at - line->pending;
    const char *text =
        line->most && (cell->over || column->least) ? screen_shorten(buffer, cell->text, room) : cell->text;
    int rest = width - screen_length(text);
    if (rest < 0)
        rest = 0;
    put(line, cell, text, column->left ? 0 : rest);
    line->pending = column->left && !cell->over ? rest : 0;
}

bool screen_table_print(const struct screen_table *table, const struct cli_context *context, FILE *stream) {
    int *width = table && !table->failed ? calloc(table->column_count, sizeof *width) : NULL;
    if (!width)
        return false;
    int most = screen_width(stream);
    measure(table, most > 0, width);
    if (most)
        fit(table, most, width);
    struct line line = {.context = context, .stream = stream, .most = most};
    for (size_t i = 0; i < table->column_count; i++) {
        const struct cell title = {.text = table->columns[i].title, .style = CLI_BOLD};
        put_cell(&line, &table->columns[i], width[i], &title);
    }
    for (size_t i = 0; i < table->count; i++) {
        if (i % table->column_count == 0) {
            fputc('\n', stream);
            line.at = line.pending = 0;
            line.started = false;
        }
        put_cell(&line, &table->columns[i % table->column_count], width[i % table->column_count], &table->cells[i]);
    }
    fputc('\n', stream);
    free(width);
    return true;
}

void screen_table_free(struct screen_table *table) {
    if (!table)
        return;
    for (size_t i = 0; i < table->count; i++)
        free((char *)table->cells[i].text);
    free(table->cells);
    free(table);
}
