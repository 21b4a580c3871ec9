/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/compare/figures.h"

#include <stdlib.h>
#include <string.h>

#include "lib/profile/function_names.h"
#include "lib/profile/recorded_costs.h"
#include "lib/util/array.h"
#include "lib/util/file.h"

size_t gnomon_figures_width(enum gnomon_figures_of of) {
    return of == GNOMON_FIGURES_OF_FUNCTIONS ? GNOMON_FUNCTION_FIGURES : GNOMON_CAUSE_FIGURES;
}

/* ---- Rows ---- */

/* "f.constprop.1.isra.0" becomes "f.constprop.isra": another build may have numbered the copy otherwise. */
static char *make_key(const char *symbol) {
    char *key = strdup(symbol), *to = key;
    for (const char *at = symbol; key && *at;) {
        size_t digits = *at == '.' ? strspn(at + 1, "0123456789") : 0;
        if (digits && at > symbol && (at[digits + 1] == '.' || !at[digits + 1]))
            at += digits + 1;
        else
            *to++ = *at++;
    }
    if (key)
        *to = '\0';
    return key;
}

/* Adds an empty row; `symbol` NULL: it has none. NULL: out of memory. */
static struct gnomon_figures_row *add_row(struct gnomon_figures *figures, const char *name, const char *symbol) {
    if (!gnomon_array_room(&figures->rows, &figures->room, figures->count + 1, sizeof *figures->rows))
        return NULL;
    struct gnomon_figures_row *row = &figures->rows[figures->count++];
    *row = (struct gnomon_figures_row){.name = strdup(name), .key = make_key(symbol ? symbol : name), .exact = true};
    return row->name && row->key ? row : NULL;
}

static bool add_rest(struct gnomon_figures *figures, const char *name, uint64_t cycles, bool exact) {
    struct gnomon_figures_row *row = cycles ? add_row(figures, name, NULL) : NULL;
    if (!row)
        return !cycles;
    row->values[0] = cycles;
    row->exact = exact;
    return true;
}

/* ---- Functions ---- */

static bool add_function(struct gnomon_figures *figures, const struct gnomon_profile_function *function) {
    struct gnomon_name name;
    gnomon_name_of(&name, &figures->analysis, function->id);
    struct gnomon_figures_row *row = add_row(figures, name.text, name.symbol);
    if (!row)
        return false;
    row->file = name.file;
    row->line = name.line;
    row->module = name.module;
    row->exact = function->exact;
    row->values[GNOMON_FIGURE_SELF] = function->self;
    row->values[GNOMON_FIGURE_TOTAL] = function->total;
    row->values[GNOMON_FIGURE_CALLS] = function->calls;
    row->values[GNOMON_FIGURE_LONGEST] = function->min > function->max ? 0 : function->max;
    row->values[GNOMON_FIGURE_WAITS] = function->waits ? gnomon_histogram_sum(&function->waits->histogram).calls : 0;
    row->values[GNOMON_FIGURE_LATENCY] = function->waits ? function->waits->max : 0;
    return true;
}

static bool add_functions(struct gnomon_figures *figures, const struct gnomon_profile *profile) {
    size_t count;
    const struct gnomon_profile_function *functions = gnomon_profile_functions(profile, &count);
    const struct gnomon_profile_sums *sums = gnomon_profile_sums(profile);
    figures->cycles = sums->cycles;
    for (size_t i = 0; i < count; i++)
        if (!add_function(figures, &functions[i]))
            return false;
    return add_rest(figures, GNOMON_FIGURES_UNPROFILED, sums->unprofiled,
                    gnomon_exactness_exact(&figures->exactness)) &&
           add_rest(figures, GNOMON_FIGURES_LOST, sums->lost, false);
}

/* ---- Causes ---- */

static void set_causes(struct gnomon_figures_row *row, const uint64_t causes[GNOMON_CAUSES]) {
    for (unsigned i = 0; i < GNOMON_CAUSES; i++) {
        row->values[0] += causes[i];
        row->values[1 + i] += causes[i];
    }
}

static bool add_cost(struct gnomon_figures *figures, const char *name, const struct gnomon_cost *cost) {
    struct gnomon_figures_row *row = cost->cycles ? add_row(figures, name, NULL) : NULL;
    if (row)
        set_causes(row, cost->causes);
    return row || !cost->cycles;
}

static void set_place(struct gnomon_figures_row *row, const struct gnomon_code *code, const struct gnomon_line *line) {
    const struct gnomon_function *function = code->function;
    row->module = code->module;
    row->file = function ? function->file : NULL;
    row->line = function ? function->line : 0;
    if (!line)
        return;
    const bool own = row->file && line->file && !strcmp(gnomon_basename(row->file), gnomon_basename(line->file));
    row->declared = own && line->line >= row->line ? row->line : 0;
    row->file = line->file;
    row->line = line->line;
}

/* A row for instructions of one function, or of one line of it, that follow each other. */
static bool add_instructions(struct gnomon_figures *figures, const struct gnomon_instructions *instructions) {
    struct gnomon_code last = {0};
    struct gnomon_line last_line = {0};
    const bool lines = figures->of == GNOMON_FIGURES_OF_LINES;
    bool good = true;
    for (size_t i = 0; i < instructions->count && good; i++) {
        const struct gnomon_instruction *instruction = &instructions->list[i];
        struct gnomon_code code;
        struct gnomon_line line = {0};
        gnomon_code_at(&code, figures->analysis.symbols, figures->analysis.modules, instruction->address);
        if (lines)
            gnomon_source_line(&figures->lines, &code, instruction->address, &line);
        if (!i || gnomon_code_compare(&code, &last) != 0 || line.file != last_line.file ||
            line.line != last_line.line) {
            struct gnomon_figures_row *row = add_row(figures, gnomon_code_name(&code, figures->analysis.raw_names),
                                                     code.function ? code.function->symbol : NULL);
            if ((good = row))
                set_place(row, &code, lines ? &line : NULL);
        }
        if (good)
            set_causes(&figures->rows[figures->count - 1], instruction->cycles);
        last = code;
        last_line = line;
    }
    return good;
}

static enum gnomon_status add_causes(struct gnomon_figures *figures, struct gnomon_error *error) {
    struct gnomon_instructions instructions;
    enum gnomon_status status = gnomon_costs_open(&figures->analysis, &instructions, error);
    if (!status) {
        const struct gnomon_costs_rest rest = gnomon_costs_rest(&instructions);
        figures->cycles = instructions.cycles;
        gnomon_costs_exactness(&figures->analysis, &instructions, &figures->exactness);
        if (!add_instructions(figures, &instructions) ||
            !add_cost(figures, GNOMON_FIGURES_NOT_COUNTED, &rest.not_counted) ||
            !add_cost(figures, GNOMON_FIGURES_UNATTRIBUTED, &rest.unattributed))
            status = gnomon_fail_memory(error);
    }
    const bool exact = gnomon_exactness_exact(&figures->exactness);
    for (size_t i = 0; i < figures->count; i++)
        figures->rows[i].exact = exact;
    gnomon_instructions_free(&instructions);
    return status;
}

/* ---- The recording ---- */

enum gnomon_status gnomon_figures_read(struct gnomon_figures *figures, const char *path, const char *elf, uint64_t hart,
                                       enum gnomon_figures_of of, bool raw_names, struct gnomon_error *error) {
    struct gnomon_profile *profile = NULL;
    *figures = (struct gnomon_figures){.of = of};
    enum gnomon_status status = gnomon_analysis_open(&figures->analysis, path, elf, GNOMON_WITH_SYMBOLS, error);
    figures->analysis.raw_names = raw_names;
    if (!status)
        status = gnomon_analysis_select(&figures->analysis, hart, error);
    if (!status)
        status = gnomon_analysis_profile(&figures->analysis, &profile, error);
    if (!status) {
        gnomon_analysis_finish(&figures->analysis, profile, &figures->exactness);
        if (of != GNOMON_FIGURES_OF_FUNCTIONS)
            status = add_causes(figures, error);
        else if (!add_functions(figures, profile))
            status = gnomon_fail_memory(error);
    }
    gnomon_profile_free(profile);
    return status;
}

void gnomon_figures_close(struct gnomon_figures *figures) {
    for (size_t i = 0; i < figures->count; i++) {
        free(figures->rows[i].name);
        free(figures->rows[i].key);
    }
    free(figures->rows);
    gnomon_source_lines_close(figures->lines);
    gnomon_analysis_close(&figures->analysis);
}

enum gnomon_absent gnomon_figures_absent(const struct gnomon_figures *figures, const char *name) {
    const struct gnomon_symbols *symbols = figures->analysis.symbols;
    const struct gnomon_watch *watch = &figures->analysis.watch;
    uint32_t start;
    for (uint32_t number = 0; number < gnomon_symbols_total(symbols); number++) {
        const struct gnomon_function *function = gnomon_symbols_function(symbols, number);
        if (function && gnomon_function_is(function, name))
            return GNOMON_ABSENT_NOT_CALLED;
    }
    for (size_t i = 0; i < watch->count; i++) {
        const struct gnomon_function *function = gnomon_symbols_at(symbols, watch->addresses[i]);
        if (function && function->address == watch->addresses[i] && gnomon_function_is(function, name))
            return GNOMON_ABSENT_NOT_CALLED;
    }
    return gnomon_symbols_named(symbols, name, &start, 1) ? GNOMON_ABSENT_NO_HOOKS : GNOMON_ABSENT_UNKNOWN;
}
