/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/api_classes.h"

#include <stdlib.h>
#include <string.h>

#define START_OTHERS 10 /* at least: other calls for each call of a start */
#define START_GAP 2     /* empty buckets between: it costs more than 2^START_GAP times as much */
#define STEADY_CALLS 10
#define STEADY_SPREAD 0.05

/* ---- Which rows belong together ---- */

struct entry {
    const struct gnomon_api_row *row;
    const char *scenario; /* of the series; "": of scenarios with one size each */
};

static bool same_but_size(const struct gnomon_api_source *a, const struct gnomon_api_source *b) {
    return a->size != b->size && a->program == b->program && a->build == b->build && a->scenario == b->scenario &&
           a->device == b->device;
}

struct series {
    const struct gnomon_api_filter *filter;
    size_t source_count;
    struct gnomon_api_source **sources;
    size_t count;
    struct entry *entries;
};

static const char *scenario_of(const struct series *series, const struct gnomon_api_source *source) {
    for (size_t i = 0; i < series->source_count; i++)
        if (gnomon_api_passes(series->filter, series->sources[i]) && same_but_size(series->sources[i], source))
            return source->scenario;
    return "";
}

/* The same texts of a profile are at the same place, but places have no order that stays. */
static int compare_groups(const struct entry *a, const struct entry *b) {
    const struct gnomon_api_row *one = a->row, *other = b->row;
    const char *const texts[][2] = {{one->source->program, other->source->program},
                                    {one->source->build, other->source->build},
                                    {one->source->device, other->source->device},
                                    {one->module, other->module},
                                    {one->build, other->build},
                                    {one->function, other->function},
                                    {one->file, other->file},
                                    {one->cost, other->cost},
                                    {a->scenario, b->scenario}};
    int order = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !order; i++)
        order = texts[i][0] == texts[i][1] ? 0 : strcmp(texts[i][0], texts[i][1]);
    return order;
}

static int compare_entries(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    const struct gnomon_api_source *one = a->row->source, *other = b->row->source;
    const int order = compare_groups(a, b);
    return order                      ? order
           : one->size != other->size ? (one->size > other->size) - (one->size < other->size)
                                      : strcmp(one->scenario, other->scenario);
}

/* False: out of memory. */
static bool open_series(struct series *series, const struct gnomon_api_profile *profile,
                        const struct gnomon_api_filter *filter) {
    size_t count;
    struct gnomon_api_row **rows = gnomon_api_profile_rows(profile, &count);
    *series = (struct series){.filter = filter};
    series->sources = gnomon_api_profile_sources(profile, &series->source_count);
    series->entries = rows && series->sources ? malloc((count + 1) * sizeof *series->entries) : NULL;
    for (size_t i = 0; series->entries && i < count; i++)
        if (rows[i]->used && gnomon_api_passes(filter, rows[i]->source))
            series->entries[series->count++] = (struct entry){rows[i], scenario_of(series, rows[i]->source)};
    free(rows);
    if (series->entries)
        qsort(series->entries, series->count, sizeof *series->entries, compare_entries);
    return series->entries;
}

static void close_series(struct series *series) {
    free(series->sources);
    free(series->entries);
}

/* ---- Calls of a start ---- */

static void add(struct gnomon_bucket *to, const struct gnomon_bucket *from) {
    to->calls += from->calls;
    to->cycles += from->cycles;
    to->squares += from->squares;
}

/* Calls in buckets from `bucket` on, and those below. */
static void split(const struct gnomon_api_row *row, unsigned bucket, struct gnomon_api_start *start) {
    *start = (struct gnomon_api_start){0};
    for (unsigned i = 0; i < GNOMON_BUCKETS; i++) {
        const struct gnomon_bucket *from = gnomon_api_row_bucket(row, i);
        if (from)
            add(i < bucket ? &start->others : &start->calls, from);
    }
}

static struct gnomon_api_start start_of(const struct gnomon_api_row *row) {
    const uint32_t gap = (UINT32_C(1) << START_GAP) - 1;
    struct gnomon_api_start start = {0};
    for (unsigned i = GNOMON_BUCKETS - 1; i > START_GAP && !start.found; i--) {
        if (!(row->used >> i & 1) || row->used >> (i - START_GAP) & gap)
            continue;
        split(row, i, &start);
        start.found = start.calls.calls <= row->source->runs && start.others.calls / START_OTHERS >= start.calls.calls;
    }
    return start;
}

/* All rows must have one. */
static void find_start(struct gnomon_api_class *class, const struct entry *entries) {
    class->start.found = true;
    for (size_t i = 0; i < class->count && class->start.found; i++) {
        const struct gnomon_api_start start = start_of(entries[i].row);
        class->start.found = start.found;
        add(&class->start.calls, &start.calls);
        add(&class->start.others, &start.others);
    }
}

/* ---- How costs grow ---- */

/* What the row's cost is. False: it is not known. */
static bool cost_of(const struct gnomon_api_class *class, const struct gnomon_api_row *row,
                    enum gnomon_api_measure measure, double *cost) {
    const struct gnomon_api_start start = start_of(row);
    const struct gnomon_bucket sum = gnomon_api_row_sum(row);
    *cost = measure == GNOMON_API_LONGEST ? (double)row->most
            : measure == GNOMON_API_ALL   ? (double)sum.cycles
                                          : gnomon_bucket_mean(class->start.found ? &start.others : &sum);
    return measure == GNOMON_API_MEAN || (measure == GNOMON_API_ALL && class->same_runs) ||
           (measure == GNOMON_API_LONGEST && !class->start.found && row->least <= row->most);
}

static struct gnomon_growth_verdict judge(const struct gnomon_api_class *class, const struct entry *entries,
                                          enum gnomon_api_measure measure, struct gnomon_growth_point *points) {
    size_t count = 0;
    for (size_t i = 0; i < class->count; i++) {
        points[count].size = (double)entries[i].row->source->size;
        if (entries[i].row->source->size && cost_of(class, entries[i].row, measure, &points[count].cost))
            count++;
    }
    return gnomon_growth_judge(points, count);
}

static bool told(const struct gnomon_api_class *class, enum gnomon_api_measure measure) {
    return class->measures[measure].reason == GNOMON_GROWTH_TOLD;
}

/* The mean is of the inner calls of a recursion, too: then the outermost ones follow a law that grows faster, and
 * follow it more closely. */
static enum gnomon_api_measure best_of(const struct gnomon_api_class *class) {
    const struct gnomon_growth_verdict *mean = &class->measures[GNOMON_API_MEAN],
                                       *longest = &class->measures[GNOMON_API_LONGEST];
    if (told(class, GNOMON_API_MEAN) && told(class, GNOMON_API_LONGEST) && mean->law != GNOMON_GROWTH_CONSTANT &&
        longest->law > mean->law && longest->fit.error < mean->fit.error)
        return GNOMON_API_LONGEST;
    for (enum gnomon_api_measure i = 0; i < GNOMON_API_MEASURES; i++)
        if (told(class, i))
            return i;
    return GNOMON_API_MEAN;
}

static void take_row(struct gnomon_api_class *class, const struct entry *entry, struct gnomon_bucket *all) {
    const struct gnomon_api_row *row = entry->row;
    const struct gnomon_bucket sum = gnomon_api_row_sum(row);
    const uint64_t size = row->source->size;
    add(all, &sum);
    class->doubtful |= row->doubt != 0;
    class->known &= !(row->doubt & GNOMON_API_COUNTS) && !gnomon_api_row_saturated(row);
    class->same_runs &= row->source->runs == class->row->source->runs;
    if (size && (!class->least_size || size < class->least_size))
        class->least_size = size;
    class->most_size = size > class->most_size ? size : class->most_size;
}

static struct gnomon_api_class class_of(const struct entry *entries, size_t count, struct gnomon_growth_point *points) {
    struct gnomon_api_class class = {.row = entries->row, .count = count, .known = true, .same_runs = true};
    struct gnomon_bucket all = {0};
    class.scenario = *entries->scenario || count == 1 ? entries->row->source->scenario : NULL;
    for (size_t i = 0; i < count; i++)
        take_row(&class, &entries[i], &all);
    class.calls = all.calls;
    if (!class.known)
        return class;
    find_start(&class, entries);
    class.usual = class.start.found ? class.start.others : all;
    const double mean = gnomon_bucket_mean(&class.usual);
    class.spread = mean > 0 ? gnomon_bucket_deviation(&class.usual) / mean : 0;
    for (enum gnomon_api_measure i = 0; i < GNOMON_API_MEASURES; i++)
        class.measures[i] = judge(&class, entries, i, points);
    class.best = best_of(&class);
    class.steady = class.measures[GNOMON_API_MEAN].reason == GNOMON_GROWTH_FEW && class.usual.calls >= STEADY_CALLS &&
                   class.spread <= STEADY_SPREAD;
    return class;
}

struct gnomon_api_class *gnomon_api_classes(const struct gnomon_api_profile *profile,
                                            const struct gnomon_api_filter *filter, size_t *count) {
    struct series series;
    const bool good = open_series(&series, profile, filter);
    struct gnomon_api_class *classes = good ? malloc((series.count + 1) * sizeof *classes) : NULL;
    struct gnomon_growth_point *points = good ? malloc((series.count + 1) * sizeof *points) : NULL;
    *count = 0;
    for (size_t first = 0, last; classes && points && first < series.count; first = last) {
        for (last = first + 1; last < series.count && !compare_groups(&series.entries[first], &series.entries[last]);)
            last++;
        classes[(*count)++] = class_of(&series.entries[first], last - first, points);
    }
    close_series(&series);
    if (points)
        free(points);
    else {
        free(classes);
        classes = NULL;
    }
    return classes;
}
