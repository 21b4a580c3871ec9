/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a report's functions. */
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"

static uint64_t self(const struct gnomon_profile_function *f) {
    return f->self;
}
static uint64_t total(const struct gnomon_profile_function *f) {
    return f->total;
}
static uint64_t calls(const struct gnomon_profile_function *f) {
    return f->calls;
}
static uint64_t average(const struct gnomon_profile_function *f) {
    return f->calls ? f->total / f->calls : 0;
}
static uint64_t smallest(const struct gnomon_profile_function *f) {
    return f->min > f->max ? 0 : f->min;
}
static uint64_t largest(const struct gnomon_profile_function *f) {
    return f->max;
}
static uint64_t lost(const struct gnomon_profile_function *f) {
    return f->lost_cycles;
}
static uint64_t by_name_only(const struct gnomon_profile_function *f) {
    (void)f;
    return 0;
}

typedef uint64_t key_function(const struct gnomon_profile_function *figures);

static const struct {
    const char *name;
    key_function *key;
} keys[] = {
    {"self", self},    {"total", total}, {"calls", calls}, {"average", average},
    {"min", smallest}, {"max", largest}, {"lost", lost},   {"name", by_name_only},
};

struct sorting {
    const struct report *report;
    key_function *key;
};

/* Sorts the largest value first, then by name and address, so that the same trace always gives the same report. */
static int compare(const void *a, const void *b, void *context) {
    const struct sorting *sorting = context;
    const struct report_row *left = &sorting->report->rows[*(const uint32_t *)a];
    const struct report_row *right = &sorting->report->rows[*(const uint32_t *)b];
    uint64_t left_key = sorting->key(left->figures), right_key = sorting->key(right->figures);
    if (left_key != right_key)
        return left_key > right_key ? -1 : 1;
    int names = strcmp(left->name.text, right->name.text);
    if (names)
        return names;
    return left->figures->id < right->figures->id ? -1 : left->figures->id > right->figures->id;
}

bool report_sort(const struct report *report, const char *key, uint32_t *order) {
    struct sorting sorting = {report, NULL};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(keys[i].name, key))
            sorting.key = keys[i].key;
    if (!sorting.key)
        return false;
    for (uint32_t i = 0; i < report->count; i++)
        order[i] = i;
    qsort_r(order, report->count, sizeof *order, compare, &sorting);
    return true;
}
