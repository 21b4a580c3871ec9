/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon top: its tables (top_tables.c), as text and JSON (top_print.c), on the screen (top_screen.c). */
#ifndef GNOMON_CLI_TOP_H
#define GNOMON_CLI_TOP_H

#include "cli/live/live_target.h"

enum top_view { TOP_FUNCTIONS, TOP_CAUSES, TOP_THREADS, TOP_LOCKS, TOP_VIEWS };

enum top_column {
    TOP_NOW_SHARE, /* of the last interval */
    TOP_NOW,
    TOP_NOW_COUNT,
    TOP_ALL_SHARE, /* since the start, or since the reset */
    TOP_ALL,
    TOP_ALL_COUNT,
    TOP_EACH, /* cycles of a call, in all */
    TOP_NOW_HELD,
    TOP_ALL_HELD,
    TOP_EACH_HELD, /* cycles of a hold, in all */
    TOP_NAME,
    TOP_COLUMNS
};

struct top_row {
    char *name;  /* owned, without control characters */
    char *where; /* owned; NULL: not known */
    uint64_t now, now_count, all, all_count, all_total;
    uint64_t now_held, all_held, all_holds; /* of a lock */
    unsigned number;                        /* of a thread or lock */
};

struct top_table {
    enum top_view view;
    enum top_column sort;
    uint64_t now_whole, all_whole; /* for shares */
    size_t count, room;
    struct top_row *rows;
    const char *none; /* why there is no row; NULL: there are rows, or the filter hides them */
};

/* What there is to show. */
struct top_figures {
    struct gnomon_live_moment before, now, base; /* of the interval; `base`: since when "all" counts */
    struct gnomon_live_interval interval, all;
    struct gnomon_thread_times threads, threads_before, threads_base;
    struct gnomon_contention_locks locks, locks_before, locks_base;
    struct gnomon_exactness locks_exactness;
    double seconds; /* of this machine, between the last two moments */
};

/* "self %", "cycles", "calls" ...; "" if the view has no such column. */
const char *top_title(enum top_view view, enum top_column column);
const char *top_view_name(enum top_view view);
/* The text of a cell: a share, a count or "". Not for the name, which is in the row. */
void top_cell(const struct top_table *table, const struct top_row *row, enum top_column column,
              char text[CLI_COUNT_BYTES]);
/* Finds a view or column by its name; false: there is none. */
bool top_find_view(const char *name, enum top_view *view);
bool top_find_column(const char *name, enum top_column *column);

/* Fills the table; only rows whose name contains `filter` (not NULL). False: out of memory. The caller frees it. */
bool top_table_make(struct top_table *table, enum top_view view, enum top_column sort, const char *filter,
                    const struct live_target *live, const struct top_figures *figures);
void top_table_free(struct top_table *table);

/* The two lines above a table, without a newline. The first has what was lost. */
#define TOP_LINE_BYTES 1024
void top_first_line(const struct live_target *live, const struct top_figures *figures, enum top_view view,
                    char text[TOP_LINE_BYTES]);
void top_second_line(const struct live_target *live, const struct top_figures *figures, char text[TOP_LINE_BYTES]);

/* What the user asked for, and may change on the screen. */
struct top_settings {
    enum top_view view;
    enum top_column sort;
    uint64_t most_rows; /* of text; 0: all */
    char filter[64];
};

/* Prints the figures as text, or as one line of JSON with all views. False: out of memory, or it cannot be written. */
bool top_print_text(const struct live_target *live, const struct top_settings *settings,
                    const struct top_figures *figures, FILE *stream);
bool top_print_json(const struct live_target *live, const struct top_figures *figures, FILE *stream);

/* ---- The program's output ---- */

#define TOP_KEPT ((size_t)256 << 10) /* bytes of it that are kept for the end */
struct top_console {
    FILE *file; /* all of it goes there; NULL: it is kept */
    char *kept; /* the last TOP_KEPT bytes; a ring */
    uint64_t bytes;
};
void top_console_put(struct top_console *console, const uint8_t *data, size_t size);
/* The last `lines` lines, without control characters, into rows of `width` characters; returns how many there are. */
unsigned top_console_lines(const struct top_console *console, unsigned lines, size_t width, char *text);

/* ---- The screen ---- */

struct top_screen;

enum top_wish { TOP_NOTHING, TOP_REDRAW, TOP_RESET, TOP_FREEZE, TOP_QUIT };

/* NULL: there is no terminal, or it is of an unknown kind. */
struct top_screen *top_screen_open(void);
void top_screen_close(struct top_screen *screen);
/* Takes the keys that were pressed, and changes the settings. Returns what the caller has to do. */
enum top_wish top_screen_keys(struct top_screen *screen, struct top_settings *settings);
bool top_screen_paused(const struct top_screen *screen);
void top_screen_draw(struct top_screen *screen, const struct live_target *live, const struct top_settings *settings,
                     const struct top_figures *figures, const struct top_console *console, bool frozen, bool over);
/* Waits up to `ms` for a key. */
void top_screen_wait(struct top_screen *screen, int ms);

#endif
