/* SPDX-License-Identifier: Apache-2.0 */
/* The table of locks. */
#include <stdlib.h>
#include <string.h>

#include "cli/locks/locks.h"

/* ---- Order ---- */

typedef uint64_t row_key(const struct locks_row *row);

static uint64_t wait_of(const struct locks_row *row) {
    return row->counts->wait.total;
}

static uint64_t hold_of(const struct locks_row *row) {
    return row->counts->hold.total;
}

static uint64_t contended_of(const struct locks_row *row) {
    return row->counts->contended;
}

static uint64_t acquired_of(const struct locks_row *row) {
    return row->counts->acquisitions;
}

static uint64_t wait_max_of(const struct locks_row *row) {
    return row->counts->wait.max;
}

static uint64_t hold_max_of(const struct locks_row *row) {
    return row->counts->hold.max;
}

static uint64_t none_of(const struct locks_row *row) {
    (void)row;
    return 0;
}

static const struct {
    const char *name;
    row_key *key;
} keys[] = {{"wait", wait_of},         {"hold", hold_of},         {"contended", contended_of},
            {"acquired", acquired_of}, {"wait-max", wait_max_of}, {"hold-max", hold_max_of},
            {"name", none_of}};

static int compare(const void *a, const void *b, void *key) {
    const struct locks_row *left = a, *right = b;
    row_key *const *of = key;
    const uint64_t one = (*of)(left), other = (*of)(right);
    if (one != other)
        return one > other ? -1 : 1;
    const int names = strcmp(left->name, right->name);
    if (names)
        return names;
    if (left->figures->lock != right->figures->lock)
        return left->figures->lock < right->figures->lock ? -1 : 1;
    return strcmp(left->caller, right->caller);
}

bool locks_sort(struct locks *locks, const char *key) {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(keys[i].name, key)) {
            row_key *of = keys[i].key;
            qsort_r(locks->rows, locks->row_count, sizeof *locks->rows, compare, &of);
            return true;
        }
    return false;
}

/* ---- The table ---- */

enum column { LOCK, KIND, ACQUIRED, REFUSED, CONTENDED, ACROSS, WAIT, WAIT_MAX, HOLD, HOLD_MAX, CALLER, COLUMNS };

/* On a narrow terminal, the columns of the longest times are left out first. */
static const struct screen_column columns[COLUMNS] = {
    [LOCK] = {.title = "  lock", .left = true, .least = 12},
    [KIND] = {.title = "kind", .left = true, .gives = 1},
    [ACQUIRED] = {.title = "acquired"},
    [REFUSED] = {.title = "refused", .gives = 2},
    [CONTENDED] = {.title = "contended"},
    [ACROSS] = {.title = "by other hart", .gives = 1},
    [WAIT] = {.title = "wait"},
    [WAIT_MAX] = {.title = "longest", .gives = 3},
    [HOLD] = {.title = "hold"},
    [HOLD_MAX] = {.title = "longest", .gives = 4},
    [CALLER] = {.title = "called from", .left = true, .least = 30},
};

/* For the sake of call sites, more columns are left out; a call site's lock has its kind in the table of locks. */
static void columns_for(const struct locks *locks, struct screen_column all[COLUMNS]) {
    memcpy(all, columns, sizeof columns);
    if (!locks->values->by_caller)
        return;
    all[KIND].gives = 5;
    all[WAIT].gives = 1;
}

static void put_sum(struct screen_table *table, const struct gnomon_lock_sum *sum) {
    if (sum->count) {
        screen_count(table, sum->total);
        screen_count(table, sum->max);
    } else {
        screen_cell(table, "-");
        screen_cell(table, "-");
    }
}

/* A share of the answered requests. */
static void put_share(struct screen_table *table, const struct gnomon_lock_counts *counts, uint64_t part) {
    const uint64_t answered = counts->contended + counts->uncontended;
    char text[32];
    if (!answered) {
        screen_cell(table, "-");
        return;
    }
    const double percent = 100.0 * (double)part / (double)answered;
    snprintf(text, sizeof text, "%.1f %%", percent);
    screen_next_style(table, percent >= 20 ? CLI_RED : percent >= 2 ? CLI_YELLOW : CLI_PLAIN);
    screen_cell(table, text);
}

static void put_row(struct screen_table *table, const struct locks_row *row, bool refusals, bool harts) {
    char name[GNOMON_LOCK_NAME_BYTES + 2];
    snprintf(name, sizeof name, "%c %s", locks_unsure(row->figures) ? '+' : ' ', row->name);
    screen_cell(table, name);
    screen_cell(table, gnomon_lock_kind_name(row->figures->kind));
    screen_count(table, row->counts->acquisitions);
    if (refusals)
        screen_count(table, row->counts->refused);
    else
        screen_none(table);
    put_share(table, row->counts, row->counts->contended);
    if (harts)
        put_share(table, row->counts, row->counts->across);
    else
        screen_none(table);
    put_sum(table, &row->counts->wait);
    put_sum(table, &row->counts->hold);
    screen_cell(table, row->caller);
}

void locks_table(const struct locks *locks, FILE *stream) {
    struct screen_column all[COLUMNS];
    columns_for(locks, all);
    struct screen_table *table = screen_table_new(all, COLUMNS);
    const uint64_t limit = locks->values->limit;
    const bool harts = gnomon_analysis_of_both(&locks->analysis);
    bool refusals = false;
    for (size_t i = 0; i < locks->row_count; i++)
        refusals |= locks->rows[i].counts->refused > 0;
    for (size_t i = 0; i < locks->row_count && (!limit || i < limit); i++)
        put_row(table, &locks->rows[i], refusals, harts);
    if (!screen_table_print(table, locks->context, stream))
        cli_warn(locks->context, "out of memory: the table is missing");
    screen_table_free(table);
    if (limit && locks->row_count > limit)
        fprintf(stream, "  [%zu more]\n", locks->row_count - (size_t)limit);
}
