/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon diff as JSON for programs (docs/guide/diff.md). */
#include <jansson.h>

#include "cli/compare/diff.h"
#include "cli/screen.h"
#include "lib/util/json_text.h"

static const char *const function_keys[GNOMON_FUNCTION_FIGURES] = {
    [GNOMON_FIGURE_SELF] = "self_cycles", [GNOMON_FIGURE_TOTAL] = "total_cycles",
    [GNOMON_FIGURE_CALLS] = "calls",      [GNOMON_FIGURE_LONGEST] = "max_cycles",
    [GNOMON_FIGURE_WAITS] = "waits",      [GNOMON_FIGURE_LATENCY] = "max_wait_cycles",
};

static const char *key_of(const struct gnomon_comparison *comparison, size_t figure) {
    if (comparison->of == GNOMON_FIGURES_OF_FUNCTIONS)
        return function_keys[figure];
    return figure ? gnomon_cause_key((unsigned)figure - 1) : "cycles";
}

/* The figures of all runs of one side. */
static json_t *values_json(const struct gnomon_comparison *comparison, const struct gnomon_compared_row *row,
                           enum gnomon_side side, size_t figure) {
    json_t *list = json_array();
    for (size_t run = 0; run < comparison->runs[side]; run++)
        json_array_append_new(list, json_integer((json_int_t)row->values[side][run * comparison->width + figure]));
    return list;
}

static json_t *change_json(const struct gnomon_comparison *comparison, const struct gnomon_compared_row *row,
                           size_t figure) {
    const struct gnomon_change change = gnomon_change_of(comparison, row, figure);
    return json_pack("{s:o, s:o, s:f, s:o, s:b}", "old", values_json(comparison, row, GNOMON_OLD, figure), "new",
                     values_json(comparison, row, GNOMON_NEW, figure), "change", change.change, "noise",
                     change.noise < 0 ? json_null() : json_real(change.noise), "changed", gnomon_changed(&change));
}

static json_t *row_json(const struct diff *diff, const struct gnomon_compared_row *row) {
    const struct gnomon_figures_row *shown = gnomon_compared(row);
    json_t *object = json_pack("{s:o, s:o, s:i, s:o, s:b, s:b, s:b}", "name", gnomon_json_text(shown->name), "file",
                               gnomon_json_text(shown->file), "line", (int)shown->line, "module",
                               gnomon_json_text(shown->module), "exact", row->exact, "in_old",
                               row->rows[GNOMON_OLD] != NULL, "in_new", row->rows[GNOMON_NEW] != NULL);
    for (size_t figure = 0; figure < diff->comparison.width; figure++) {
        json_t *change = change_json(&diff->comparison, row, figure);
        const struct gnomon_change value = gnomon_change_of(&diff->comparison, row, figure);
        if (figure && value.means[GNOMON_OLD] == 0 && value.means[GNOMON_NEW] == 0)
            json_decref(change); /* a cause that does not occur */
        else
            json_object_set_new(object, key_of(&diff->comparison, figure), change);
    }
    return object;
}

static json_t *runs_json(const struct compare_runs *runs) {
    json_t *list = json_array();
    for (size_t i = 0; i < runs->count; i++) {
        const struct gnomon_figures *figures = &runs->figures[i];
        json_t *run = json_pack("{s:o, s:o, s:o, s:o, s:I, s:I}", "file", gnomon_json_text(figures->analysis.path),
                                "program", gnomon_json_text(figures->analysis.elf_path), "build_id",
                                gnomon_json_text(gnomon_symbols_build_id(figures->analysis.symbols)), "device",
                                gnomon_json_text(figures->analysis.device), "clock_hz",
                                (json_int_t)figures->analysis.clock_hz, "cycles", (json_int_t)figures->cycles);
        json_object_update_new(run, gnomon_exactness_json(&figures->exactness));
        json_array_append_new(list, run);
    }
    return list;
}

int diff_json(const struct diff *diff) {
    static const char *const of[] = {"functions", "causes", "lines"};
    json_t *root = json_object(), *rows = json_array();
    for (size_t i = 0; i < diff->count; i++)
        json_array_append_new(rows, row_json(diff, diff->shown[i]));
    json_object_set_new(root, "old", runs_json(&diff->runs[GNOMON_OLD]));
    json_object_set_new(root, "new", runs_json(&diff->runs[GNOMON_NEW]));
    json_object_set_new(root, "same_build", json_boolean(diff->comparison.same_build));
    json_object_set_new(root, "exact", json_boolean(diff->comparison.whole.exact));
    json_object_set_new(root, "cycles", change_json(&diff->comparison, &diff->comparison.whole, 0));
    json_object_set_new(root, of[diff->comparison.of], rows);
    return cli_print_json(diff->context, root);
}
