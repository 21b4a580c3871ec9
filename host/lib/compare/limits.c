/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/compare/limits.h"

#include "gnomon/registers.h"
#include "gnomon/trace.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- One limit ---- */

static const struct {
    const char *option;
    enum gnomon_figure figure;
} kinds[GNOMON_LIMIT_KINDS] = {
    [GNOMON_LIMIT_TOTAL] = {"max", GNOMON_FIGURE_TOTAL},
    [GNOMON_LIMIT_SELF] = {"max-self", GNOMON_FIGURE_SELF},
    [GNOMON_LIMIT_CALLS] = {"max-calls", GNOMON_FIGURE_CALLS},
    [GNOMON_LIMIT_LONGEST] = {"max-call", GNOMON_FIGURE_LONGEST},
    [GNOMON_LIMIT_LATENCY] = {"max-latency", GNOMON_FIGURE_LATENCY},
    [GNOMON_LIMIT_CYCLES] = {"max-cycles", GNOMON_FIGURE_SELF},
};

const char *gnomon_limit_option(enum gnomon_limit_kind kind) {
    return kinds[kind].option;
}

/* "12000", "+500", "+2%", "-1.5%" */
static bool parse_figure(struct gnomon_limit *limit, const char *text) {
    const bool relative = *text == '+' || *text == '-';
    const size_t length = strlen(text);
    char *end;
    if (!isdigit((unsigned char)text[relative ? 1 : 0]))
        return false;
    errno = 0;
    if (relative && text[length - 1] == '%') {
        limit->form = GNOMON_LIMIT_PERCENT;
        limit->percent = strtod(text, &end);
        return !errno && end == text + length - 1 && limit->percent >= -100;
    }
    limit->form = relative ? GNOMON_LIMIT_MORE : GNOMON_LIMIT_FIXED;
    limit->value = strtoll(text, &end, 10);
    return !errno && !*end;
}

#define INTERRUPT "[interrupt "

/* "irq7" is short for "[interrupt 7]". */
static char *function_name(const char *text, size_t length) {
    char *name = NULL, *end;
    if (length > 3 && !strncmp(text, "irq", 3) && isdigit((unsigned char)text[3])) {
        const unsigned long number = strtoul(text + 3, &end, 10);
        if (end == text + length)
            return asprintf(&name, INTERRUPT "%lu]", number) < 0 ? NULL : name;
    }
    return strndup(text, length);
}

enum gnomon_status gnomon_limit_parse(struct gnomon_limit *limit, enum gnomon_limit_kind kind, const char *text,
                                      struct gnomon_error *error) {
    const bool run = kind == GNOMON_LIMIT_CYCLES;
    const char *colon = run ? NULL : strrchr(text, ':'); /* names of C++ have colons, too */
    *limit = (struct gnomon_limit){.kind = kind, .text = strdup(text)};
    if (!run && colon)
        limit->function = function_name(text, (size_t)(colon - text));
    if (!limit->text || (colon && !limit->function)) {
        gnomon_limit_free(limit);
        return gnomon_fail_memory(error);
    }
    const bool named =
        kind != GNOMON_LIMIT_LATENCY || (colon && !strncmp(limit->function, INTERRUPT, strlen(INTERRUPT)));
    if ((run || (colon && colon > text)) && named && parse_figure(limit, run ? text : colon + 1))
        return GNOMON_OK;
    gnomon_limit_free(limit);
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "--%s does not take \"%s\"", kinds[kind].option, text);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                         run      ? "it takes a number of cycles, or what may be added to the baseline: +2%% or +500"
                         : !named ? "it takes irqN:LIMIT, as irq7:400, irq7:+2%% or irq7:+50"
                                  : "it takes FUNCTION:LIMIT, as main:12000, main:+2%% or main:+500");
}

void gnomon_limit_free(struct gnomon_limit *limit) {
    free(limit->text);
    free(limit->function);
    limit->text = limit->function = NULL;
}

/* ---- A file of limits ---- */

/* Cuts off a comment and the spaces around the rest. */
static char *trim(char *line) {
    for (char *at = line; *at; at++)
        if (*at == '#' && (at == line || isspace((unsigned char)at[-1])))
            *at-- = '\0';
    while (isspace((unsigned char)*line))
        line++;
    for (char *end = line + strlen(line); end > line && isspace((unsigned char)end[-1]);)
        *--end = '\0';
    return line;
}

static enum gnomon_status read_line(char *line, gnomon_limit_take *take, void *context, struct gnomon_error *error) {
    struct gnomon_limit limit;
    char *value = line + strcspn(line, " \t");
    const size_t length = (size_t)(value - line);
    value += strspn(value, " \t");
    for (enum gnomon_limit_kind kind = 0; kind < GNOMON_LIMIT_KINDS; kind++) {
        if (strlen(kinds[kind].option) != length || strncmp(kinds[kind].option, line, length) != 0)
            continue;
        enum gnomon_status status = gnomon_limit_parse(&limit, kind, value, error);
        return status ? status : take(context, &limit, error);
    }
    gnomon_fail(error, GNOMON_ERR_FORMAT, "\"%.*s\" is no limit", (int)length, line);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT,
                         "a line begins with max, max-self, max-calls, max-call, max-latency or max-cycles");
}

enum gnomon_status gnomon_limits_read(const char *path, gnomon_limit_take *take, void *context,
                                      struct gnomon_error *error) {
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t size = 0, number = 0;
    enum gnomon_status status = GNOMON_OK;
    if (!file)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot open %s", path);
    while (!status && getline(&line, &size, file) >= 0) {
        char *text = trim(line);
        number++;
        status = *text ? read_line(text, take, context, error) : GNOMON_OK;
        if (status && error) {
            char what[sizeof error->what];
            snprintf(what, sizeof what, "%.255s:%zu: %.480s", path, number, error->what);
            memcpy(error->what, what, sizeof what);
        }
    }
    if (!status && ferror(file))
        status = gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot read %s", path);
    free(line);
    fclose(file);
    return status;
}

/* ---- Judgement ---- */

static bool is_pattern(const char *name) {
    return *name != '[' && strpbrk(name, "*?");
}

static bool concerns(const struct gnomon_limit *limit, const struct gnomon_figures_row *row) {
    if (is_pattern(limit->function))
        return *row->name != '[' &&
               (fnmatch(limit->function, row->name, 0) == 0 || fnmatch(limit->function, row->key, 0) == 0);
    return !strcmp(limit->function, row->name) || !strcmp(limit->function, row->key);
}

static bool is_relative(const struct gnomon_limit *limit) {
    return limit->form != GNOMON_LIMIT_FIXED;
}

/* 15 % of 100 are 15. */
static double percent_of(const struct gnomon_limit *limit, double before) {
    return before * (1 + limit->percent / 100) * (1 + 1e-12);
}

static uint64_t highest(const struct gnomon_limit *limit, uint64_t before) {
    if (limit->form == GNOMON_LIMIT_FIXED)
        return (uint64_t)limit->value;
    if (limit->form == GNOMON_LIMIT_PERCENT)
        return (uint64_t)percent_of(limit, (double)before);
    return limit->value < 0 && (uint64_t)-limit->value > before ? 0 : before + (uint64_t)limit->value;
}

static double highest_mean(const struct gnomon_limit *limit, double before) {
    return limit->form == GNOMON_LIMIT_PERCENT ? percent_of(limit, before) : fmax(before + (double)limit->value, 0);
}

static const uint64_t *values_of(const struct gnomon_comparison *comparison, const struct gnomon_compared_row *row,
                                 enum gnomon_side side, size_t run) {
    return row->values[side] + run * comparison->width;
}

/* The run with the highest figure. */
static size_t worst_run(const struct gnomon_comparison *comparison, const struct gnomon_compared_row *row,
                        enum gnomon_side side, enum gnomon_figure figure) {
    size_t worst = 0;
    for (size_t run = 1; run < comparison->runs[side]; run++)
        if (values_of(comparison, row, side, run)[figure] > values_of(comparison, row, side, worst)[figure])
            worst = run;
    return worst;
}

/* Is a latency the longest of all waits? The device reports waits from some length on as that length. */
static bool all_waits(const struct gnomon_comparison *comparison, const struct gnomon_compared_row *row,
                      enum gnomon_side side) {
    for (size_t run = 0; run < comparison->runs[side]; run++) {
        const uint64_t *values = values_of(comparison, row, side, run);
        if (values[GNOMON_FIGURE_WAITS] != values[GNOMON_FIGURE_CALLS] ||
            values[GNOMON_FIGURE_LATENCY] >= GNOMON_INTERRUPT_WAIT_MOST)
            return false;
    }
    return true;
}

/* A run without any call of the function may have lost them. */
static bool all_calls(const struct gnomon_comparison *comparison, const struct gnomon_compared_row *row,
                      enum gnomon_side side) {
    for (size_t run = 0; run < comparison->runs[side]; run++)
        if (!values_of(comparison, row, side, run)[GNOMON_FIGURE_CALLS] &&
            !gnomon_exactness_exact(&comparison->figures[side][run].exactness))
            return false;
    return true;
}

static bool is_exact(const struct gnomon_limit *limit, const struct gnomon_comparison *comparison,
                     const struct gnomon_compared_row *row) {
    const enum gnomon_side first = is_relative(limit) ? GNOMON_OLD : GNOMON_NEW;
    if (!row)
        return comparison->whole.exact;
    for (enum gnomon_side side = first; side < GNOMON_SIDES; side++)
        if (!all_calls(comparison, row, side) ||
            (limit->kind == GNOMON_LIMIT_LATENCY && !all_waits(comparison, row, side)))
            return false;
    return row->exact;
}

static void judge_highest(struct gnomon_judgement *judgement, const struct gnomon_comparison *comparison,
                          const struct gnomon_compared_row *row) {
    const enum gnomon_figure figure = kinds[judgement->limit->kind].figure;
    const size_t worst = worst_run(comparison, row, GNOMON_NEW, figure);
    judgement->figure = values_of(comparison, row, GNOMON_NEW, worst)[figure];
    judgement->before = values_of(comparison, row, GNOMON_OLD, worst_run(comparison, row, GNOMON_OLD, figure))[figure];
    judgement->most = highest(judgement->limit, judgement->before);
    judgement->over = judgement->figure > judgement->most;
    if (judgement->runs > 1)
        judgement->run = comparison->figures[GNOMON_NEW][worst].analysis.path;
}

static void judge_mean(struct gnomon_judgement *judgement, const struct gnomon_comparison *comparison,
                       const struct gnomon_compared_row *row) {
    const struct gnomon_change change = gnomon_change_of(comparison, row, kinds[judgement->limit->kind].figure);
    const double most = highest_mean(judgement->limit, change.means[GNOMON_OLD]);
    judgement->figure = (uint64_t)llround(change.means[GNOMON_NEW]);
    judgement->before = (uint64_t)llround(change.means[GNOMON_OLD]);
    judgement->most = (uint64_t)llround(most);
    judgement->noise = change.noise;
    judgement->over = change.means[GNOMON_NEW] > most + change.noise;
}

/* "[interrupt 7]", "[exception 11]" */
static bool is_trap(const char *name) {
    unsigned cause;
    int end = 0;
    return (sscanf(name, INTERRUPT "%2u]%n", &cause, &end) == 1 ||
            sscanf(name, "[exception %2u]%n", &cause, &end) == 1) &&
           end && !name[end] && cause < 32;
}

/* A row that is neither a function nor a trap. */
static bool is_rest(const char *name) {
    return !strcmp(name, GNOMON_FIGURES_UNPROFILED) || !strcmp(name, GNOMON_FIGURES_LOST);
}

static bool has_any(const struct gnomon_figures *figures, bool traps) {
    for (size_t i = 0; i < figures->count; i++) {
        const struct gnomon_figures_row *row = &figures->rows[i];
        if (row->values[GNOMON_FIGURE_CALLS] && is_trap(row->name) == traps)
            return true;
    }
    return false;
}

/* Do the runs of that side have the class of events that shows how often `name` was called? */
static bool shown(const struct gnomon_comparison *comparison, enum gnomon_side side, const char *name,
                  struct gnomon_not_shown *not_shown) {
    const bool traps = is_trap(name);
    if (is_rest(name))
        return true;
    const uint32_t class = traps ? GNOMON_PROFILE_CONTROL_TRAPS : GNOMON_PROFILE_CONTROL_FUNCTIONS;
    *not_shown = (struct gnomon_not_shown){.side = side, .traps = traps};
    for (size_t run = 0; run < comparison->runs[side]; run++) {
        const struct gnomon_figures *figures = &comparison->figures[side][run];
        const struct gnomon_event_classes *classes = &figures->analysis.classes;
        if (gnomon_event_classes_left_out(classes, class))
            return false;
        not_shown->untold = !classes->known && !figures->analysis.memory && !has_any(figures, traps);
        if (not_shown->untold)
            return false;
    }
    return true;
}

/* A figure that is not exact is a lower bound: it can be over its limit for certain, but not within it. */
static struct gnomon_judgement judge(const struct gnomon_limit *limit, const struct gnomon_comparison *comparison,
                                     const struct gnomon_compared_row *row, const char *name) {
    struct gnomon_judgement judgement = {
        .limit = limit, .name = name, .runs = comparison->runs[GNOMON_NEW], .noise = -1};
    const bool several = comparison->runs[GNOMON_OLD] > 1 || comparison->runs[GNOMON_NEW] > 1;
    const bool extreme = limit->kind == GNOMON_LIMIT_LONGEST || limit->kind == GNOMON_LIMIT_LATENCY;
    judgement.most = highest(limit, 0); /* of a function that was not called */
    judgement.over = judgement.figure > judgement.most;
    if (row && is_relative(limit) && several && !extreme)
        judge_mean(&judgement, comparison, row);
    else if (row)
        judge_highest(&judgement, comparison, row);
    const bool exact = is_exact(limit, comparison, row);
    const bool certain = exact || !is_relative(limit);
    judgement.verdict = judgement.over && certain ? GNOMON_OVER : exact ? GNOMON_WITHIN : GNOMON_NOT_EXACT;
    if (name && (!shown(comparison, GNOMON_NEW, name, &judgement.not_shown) ||
                 (is_relative(limit) && !shown(comparison, GNOMON_OLD, name, &judgement.not_shown))))
        judgement.verdict = GNOMON_NOT_SHOWN;
    return judgement;
}

static enum gnomon_status absent(const struct gnomon_limit *limit, const struct gnomon_comparison *comparison,
                                 struct gnomon_error *error) {
    const struct gnomon_figures *figures = comparison->figures[GNOMON_NEW];
    const char *program = gnomon_symbols_path(figures->analysis.symbols);
    if (is_pattern(limit->function)) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "no function that was called matches %s", limit->function);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "gnomon report lists the functions that were called");
    }
    switch (gnomon_figures_absent(figures, limit->function)) {
    case GNOMON_ABSENT_NOT_CALLED:
        return GNOMON_OK;
    case GNOMON_ABSENT_NO_HOOKS:
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "the calls of %s were not counted: it has no hooks", limit->function);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "compile its file with gnomon cc, or record with --watch %s",
                             limit->function);
    default:
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no function named %s", program, limit->function);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "gnomon report lists the functions that were called");
    }
}

/* The recording of a side that has the interrupt without any wait; NULL: none. */
static const char *without_waits(const struct gnomon_comparison *comparison, const struct gnomon_compared_row *row,
                                 enum gnomon_side side) {
    for (size_t run = 0; run < comparison->runs[side]; run++) {
        const uint64_t *values = values_of(comparison, row, side, run);
        if (values[GNOMON_FIGURE_CALLS] && !values[GNOMON_FIGURE_WAITS])
            return comparison->figures[side][run].analysis.path;
    }
    return NULL;
}

/* Do the recordings that are needed for the limit have waits? */
static enum gnomon_status check_waits(const struct gnomon_limit *limit, const struct gnomon_comparison *comparison,
                                      const struct gnomon_compared_row *row, struct gnomon_error *error) {
    const enum gnomon_side first = is_relative(limit) ? GNOMON_OLD : GNOMON_NEW;
    for (enum gnomon_side side = first; limit->kind == GNOMON_LIMIT_LATENCY && side < GNOMON_SIDES; side++) {
        const char *path = without_waits(comparison, row, side);
        if (!path)
            continue;
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s does not say how long %s has waited", path, limit->function);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "record with --events --interrupts");
    }
    return GNOMON_OK;
}

enum gnomon_status gnomon_limit_judge(const struct gnomon_limit *limit, const struct gnomon_comparison *comparison,
                                      gnomon_judged *judged, void *context, struct gnomon_error *error) {
    struct gnomon_judgement judgement;
    enum gnomon_status status = GNOMON_OK;
    bool any = false;
    if (!limit->function) {
        judgement = judge(limit, comparison, &comparison->whole, NULL);
        return judged(context, &judgement, error);
    }
    for (size_t i = 0; i < comparison->count && !status; i++) {
        const struct gnomon_figures_row *row = gnomon_compared(&comparison->rows[i]);
        if (!concerns(limit, row))
            continue;
        any = true;
        judgement = judge(limit, comparison, &comparison->rows[i], row->name);
        status = check_waits(limit, comparison, &comparison->rows[i], error);
        if (!status)
            status = judged(context, &judgement, error);
    }
    if (!status && any && is_pattern(limit->function) && !comparison->whole.exact) {
        /* Functions whose calls were all lost have no row. */
        judgement = judge(limit, comparison, NULL, limit->function);
        status = judged(context, &judgement, error);
    }
    if (any || status)
        return status;
    /* A trap that did not happen is known, too. */
    status = is_trap(limit->function) || is_rest(limit->function) ? GNOMON_OK : absent(limit, comparison, error);
    if (status)
        return status;
    judgement = judge(limit, comparison, NULL, limit->function);
    return judged(context, &judgement, error);
}
