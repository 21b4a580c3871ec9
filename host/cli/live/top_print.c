/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of gnomon top as text and as JSON. */
#include <stdlib.h>
#include <string.h>

#include "cli/live/top.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/model/instructions.h"
#include "lib/util/json_text.h"

/* ---- The lines above a table ---- */

void top_first_line(const struct live_target *live, const struct top_figures *figures, enum top_view view,
                    char text[TOP_LINE_BYTES]) {
    char phrase[GNOMON_EXACTNESS_BYTES] = "no figures yet", state[LIVE_STATE_BYTES];
    if (figures->now.taken)
        gnomon_exactness_phrase(view == TOP_LOCKS ? &figures->locks_exactness : &figures->all.exactness, NULL, phrase);
    live_target_state(live, state);
    const bool over = live->session.end != GNOMON_END_NONE;
    const char *now = over && !figures->now.end ? "ending" /* the last figures come now */
                      : over && figures->now.status > 0 && !live->session.crash.died
                          ? "ended" /* the phrase has the status */
                          : state;
    snprintf(text, TOP_LINE_BYTES, "%s: %.64s on %.64s %s", phrase, cli_basename(live->target.argv[0]),
             live->target.board.address, now);
}

static uint64_t calls_of(const struct gnomon_live_interval *interval) {
    size_t count = 0;
    uint64_t calls = 0;
    if (!interval->profile)
        return interval->records.count ? gnomon_records_calls(&interval->records) : 0;
    const struct gnomon_profile_function *functions = gnomon_profile_functions(interval->profile, &count);
    for (size_t i = 0; i < count; i++)
        calls +=
            functions[i].id < GNOMON_PROFILE_TRAP || functions[i].id >= GNOMON_PROFILE_UNKNOWN ? functions[i].calls : 0;
    return calls;
}

void top_second_line(const struct live_target *live, const struct top_figures *figures, char text[TOP_LINE_BYTES]) {
    char at[CLI_COUNT_BYTES], cycles[CLI_COUNT_BYTES], calls[CLI_COUNT_BYTES];
    const double hz = live->target.board.clock_hz;
    snprintf(text, TOP_LINE_BYTES, "cycle %s = %.3f s; last %.1f s: %s cycles%s, %s calls",
             cli_count(at, figures->now.cycle), hz > 0 ? (double)figures->now.cycle / hz : 0.0, figures->seconds,
             cli_count(cycles, figures->interval.cycles),
             gnomon_analysis_of_both(&live->live.analysis) ? " of both harts" : "",
             cli_count(calls, calls_of(&figures->interval)));
}

/* ---- Text ---- */

static const struct screen_column columns[TOP_COLUMNS + 1] = {
    [TOP_NOW_COUNT] = {.gives = 2},
    [TOP_ALL_SHARE] = {.gives = 4},
    [TOP_ALL_COUNT] = {.gives = 3},
    [TOP_EACH] = {.gives = 1},
    [TOP_ALL_HELD] = {.gives = 4},
    [TOP_EACH_HELD] = {.gives = 1},
    [TOP_NAME] = {.left = true, .least = 12},
    [TOP_COLUMNS] = {.title = "where", .left = true, .gives = 5}};

/* A column that the view has not, or an empty cell, is none. */
static void put_row(struct screen_table *table, const struct top_table *from, const struct top_row *row) {
    char text[CLI_COUNT_BYTES];
    for (enum top_column column = 0; column < TOP_NAME; column++) {
        top_cell(from, row, column, text);
        if (*text && *top_title(from->view, column))
            screen_cell(table, text);
        else
            screen_none(table);
    }
    screen_cell(table, row->name);
    screen_cell(table, row->where ? row->where : "");
}

bool top_print_text(const struct live_target *live, const struct top_settings *settings,
                    const struct top_figures *figures, FILE *stream) {
    char line[TOP_LINE_BYTES];
    struct screen_column titled[TOP_COLUMNS + 1];
    struct top_table table;
    bool good = top_table_make(&table, settings->view, settings->sort, settings->filter, live, figures);
    memcpy(titled, columns, sizeof titled);
    for (enum top_column i = 0; i < TOP_COLUMNS; i++)
        titled[i].title = top_title(settings->view, i);
    top_first_line(live, figures, settings->view, line);
    fprintf(stream, "# %s\n", line);
    top_second_line(live, figures, line);
    fprintf(stream, "# %s\n", line);
    struct screen_table *printed = screen_table_new(titled, TOP_COLUMNS + 1);
    for (size_t i = 0; i < table.count && (!settings->most_rows || i < settings->most_rows); i++)
        put_row(printed, &table, &table.rows[i]);
    good = good && (table.count == 0 || screen_table_print(printed, live->context, stream));
    if (!table.count && table.none)
        fprintf(stream, "%s\n", table.none);
    screen_table_free(printed);
    top_table_free(&table);
    return fputc('\n', stream) != EOF && fflush(stream) == 0 && good;
}

/* ---- JSON ---- */

static json_t *rows_json(const struct live_target *live, enum top_view view, const struct top_figures *figures) {
    struct top_table table;
    json_t *list = json_array();
    if (!top_table_make(&table, view, TOP_ALL, "", live, figures)) {
        json_decref(list);
        list = NULL;
    }
    for (size_t i = 0; list && i < table.count; i++) {
        const struct top_row *row = &table.rows[i];
        json_t *one = json_pack("{s:o, s:I, s:I}", "name", gnomon_json_text(row->name), "cycles", (json_int_t)row->now,
                                "all_cycles", (json_int_t)row->all);
        if (*top_title(view, TOP_NOW_COUNT)) {
            const char *what = view == TOP_THREADS ? "runs" : view == TOP_LOCKS ? "waits" : "calls";
            char all[16];
            snprintf(all, sizeof all, "all_%s", what);
            json_object_set_new(one, what, json_integer((json_int_t)row->now_count));
            json_object_set_new(one, all, json_integer((json_int_t)row->all_count));
        }
        if (view == TOP_FUNCTIONS)
            json_object_set_new(one, "all_total_cycles", json_integer((json_int_t)row->all_total));
        if (view == TOP_THREADS || view == TOP_LOCKS)
            json_object_set_new(one, "number", json_integer(row->number));
        if (view == TOP_LOCKS) {
            json_object_set_new(one, "held_cycles", json_integer((json_int_t)row->now_held));
            json_object_set_new(one, "all_held_cycles", json_integer((json_int_t)row->all_held));
            json_object_set_new(one, "all_holds", json_integer((json_int_t)row->all_holds));
        }
        if (row->where)
            json_object_set_new(one, "where", gnomon_json_text(row->where));
        json_array_append_new(list, one);
    }
    top_table_free(&table);
    return list;
}

bool top_print_json(const struct live_target *live, const struct top_figures *figures, FILE *stream) {
    char state[LIVE_STATE_BYTES];
    json_t *root = json_pack("{s:o, s:s, s:s, s:I, s:I}", "program", gnomon_json_text(live->target.argv[0]), "device",
                             live->target.board.address, "state", live_target_state(live, state), "cycle",
                             (json_int_t)figures->now.cycle, "cycles", (json_int_t)figures->interval.cycles);
    for (enum top_view view = 0; root && view < TOP_VIEWS; view++)
        json_object_set_new(root, top_view_name(view), rows_json(live, view, figures));
    json_t *exactness = gnomon_exactness_json(&figures->all.exactness);
    if (!figures->now.end) /* the judgement is of the figures up to here */
        json_object_del(exactness, "end");
    json_object_update_new(root, exactness);
    json_object_set_new(root, "locks_exact", json_boolean(gnomon_exactness_exact(&figures->locks_exactness)));
    const bool good = root && json_dumpf(root, stream, JSON_COMPACT) == 0 && fputc('\n', stream) != EOF;
    json_decref(root);
    return fflush(stream) == 0 && good;
}
