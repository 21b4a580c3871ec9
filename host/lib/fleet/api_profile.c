/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/api_profile.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lib/fleet/saturate.h"

/* Each of these is a tree (tsearch) of pointers to what it is named after. */
struct gnomon_api_profile {
    void *texts, *sources, *rows;
    size_t source_count, row_count;
};

bool gnomon_api_of_runs(const char *cost) {
    return !strncmp(cost, GNOMON_API_OWN, strlen(GNOMON_API_OWN)) && strcmp(cost, GNOMON_API_OWN_BYTES) != 0;
}

/* ---- Texts ---- */

static int compare_texts(const void *a, const void *b) {
    return a == b ? 0 : strcmp(a, b);
}

/* The profile's own copy of a text. NULL: out of memory. */
static const char *intern(struct gnomon_api_profile *profile, const char *text) {
    const char *const *found = tfind(text, &profile->texts, compare_texts);
    if (found)
        return *found;
    char *copy = strdup(text);
    if (copy && !tsearch(copy, &profile->texts, compare_texts)) {
        free(copy);
        return NULL;
    }
    return copy;
}

/* ---- Sources ---- */

static int compare_sources(const void *left, const void *right) {
    const struct gnomon_api_source *a = left, *b = right;
    int order = a == b ? 0 : compare_texts(a->program, b->program);
    if (!order && a != b && !(order = compare_texts(a->build, b->build)) &&
        !(order = compare_texts(a->scenario, b->scenario)) && !(order = (a->size > b->size) - (a->size < b->size)))
        order = compare_texts(a->device, b->device);
    return order;
}

struct gnomon_api_source *gnomon_api_profile_source(struct gnomon_api_profile *profile,
                                                    const struct gnomon_api_source *wanted) {
    struct gnomon_api_source *const *found = tfind(wanted, &profile->sources, compare_sources);
    if (found)
        return *found;
    struct gnomon_api_source *source = malloc(sizeof *source);
    if (!source)
        return NULL;
    *source = (struct gnomon_api_source){.program = intern(profile, wanted->program),
                                         .build = intern(profile, wanted->build),
                                         .scenario = intern(profile, wanted->scenario),
                                         .size = wanted->size,
                                         .device = intern(profile, wanted->device)};
    if (source->program && source->build && source->scenario && source->device &&
        tsearch(source, &profile->sources, compare_sources)) {
        profile->source_count++;
        return source;
    }
    free(source);
    return NULL;
}

void gnomon_api_source_add(struct gnomon_api_source *source, uint64_t runs, uint64_t cycles) {
    source->runs = gnomon_saturate_add(source->runs, runs);
    source->cycles = gnomon_saturate_add(source->cycles, cycles);
}

/* ---- Rows ---- */

static int compare_rows(const void *left, const void *right) {
    const struct gnomon_api_row *a = left, *b = right;
    int order = compare_sources(a->source, b->source);
    if (!order && !(order = compare_texts(a->module, b->module)) && !(order = compare_texts(a->build, b->build)) &&
        !(order = compare_texts(a->function, b->function)) && !(order = compare_texts(a->file, b->file)))
        order = compare_texts(a->cost, b->cost);
    return order;
}

struct gnomon_api_row *gnomon_api_profile_row(struct gnomon_api_profile *profile, const struct gnomon_api_row *wanted) {
    struct gnomon_api_row *const *found = tfind(wanted, &profile->rows, compare_rows);
    if (found)
        return *found;
    struct gnomon_api_row *row = malloc(sizeof *row);
    if (!row)
        return NULL;
    *row = (struct gnomon_api_row){.source = wanted->source,
                                   .cost = intern(profile, wanted->cost),
                                   .module = intern(profile, wanted->module),
                                   .build = intern(profile, wanted->build),
                                   .function = intern(profile, wanted->function),
                                   .file = intern(profile, wanted->file),
                                   .least = UINT64_MAX};
    if (row->cost && row->module && row->build && row->function && row->file &&
        tsearch(row, &profile->rows, compare_rows)) {
        profile->row_count++;
        return row;
    }
    free(row);
    return NULL;
}

static unsigned place_of(const struct gnomon_api_row *row, unsigned bucket) {
    return (unsigned)__builtin_popcount(row->used & ((UINT32_C(1) << bucket) - 1));
}

const struct gnomon_bucket *gnomon_api_row_bucket(const struct gnomon_api_row *row, unsigned bucket) {
    return row->used >> bucket & 1 ? &row->buckets[place_of(row, bucket)] : NULL;
}

/* NULL: out of memory. */
static struct gnomon_bucket *make_bucket(struct gnomon_api_row *row, unsigned bucket) {
    const unsigned count = (unsigned)__builtin_popcount(row->used), place = place_of(row, bucket);
    struct gnomon_bucket *buckets = realloc(row->buckets, (count + 1) * sizeof *buckets);
    if (!buckets)
        return NULL;
    memmove(&buckets[place + 1], &buckets[place], (count - place) * sizeof *buckets);
    buckets[place] = (struct gnomon_bucket){0};
    row->buckets = buckets;
    row->used |= UINT32_C(1) << bucket;
    return &buckets[place];
}

static void add_numbers(struct gnomon_bucket *to, const struct gnomon_bucket *from) {
    to->calls = gnomon_saturate_add(to->calls, from->calls);
    to->cycles = gnomon_saturate_add(to->cycles, from->cycles);
    to->squares = gnomon_saturate_add_wide(to->squares, from->squares);
}

bool gnomon_api_row_add(struct gnomon_api_row *row, unsigned bucket, const struct gnomon_bucket *numbers) {
    struct gnomon_bucket *to = row->used >> bucket & 1 ? &row->buckets[place_of(row, bucket)] : NULL;
    if (!numbers->calls)
        return true;
    if (!to && !(to = make_bucket(row, bucket)))
        return false;
    add_numbers(to, numbers);
    return true;
}

bool gnomon_api_row_join(struct gnomon_api_row *row, const struct gnomon_api_row *from) {
    const struct gnomon_bucket *numbers = from->buckets;
    if (from->line && (!row->line || from->line < row->line))
        row->line = from->line;
    row->doubt |= from->doubt;
    row->lost = gnomon_saturate_add(row->lost, from->lost);
    row->least = from->least < row->least ? from->least : row->least;
    row->most = from->most > row->most ? from->most : row->most;
    for (unsigned i = 0; i < GNOMON_BUCKETS; i++)
        if (from->used >> i & 1 && !gnomon_api_row_add(row, i, numbers++))
            return false;
    return true;
}

/* ---- Whole profiles ---- */

/* The nodes of a tree, in order. */
struct walk {
    const void **list;
    size_t count;
};

static void collect(const void *node, VISIT visit, void *context) {
    struct walk *walk = context;
    if (visit == postorder || visit == leaf)
        walk->list[walk->count++] = *(const void *const *)node;
}

static void *list_of(const void *tree, size_t count, size_t *got) {
    struct walk walk = {.list = malloc((count + 1) * sizeof *walk.list)};
    if (walk.list)
        twalk_r(tree, collect, &walk);
    *got = walk.count;
    return walk.list;
}

struct gnomon_api_source **gnomon_api_profile_sources(const struct gnomon_api_profile *profile, size_t *count) {
    return list_of(profile->sources, profile->source_count, count);
}

struct gnomon_api_row **gnomon_api_profile_rows(const struct gnomon_api_profile *profile, size_t *count) {
    return list_of(profile->rows, profile->row_count, count);
}

static bool add_sources(struct gnomon_api_profile *profile, const struct gnomon_api_profile *from) {
    size_t count;
    struct gnomon_api_source **sources = gnomon_api_profile_sources(from, &count);
    bool good = sources;
    for (size_t i = 0; good && i < count; i++) {
        struct gnomon_api_source *to = gnomon_api_profile_source(profile, sources[i]);
        if ((good = to))
            gnomon_api_source_add(to, sources[i]->runs, sources[i]->cycles);
    }
    free(sources);
    return good;
}

bool gnomon_api_profile_add(struct gnomon_api_profile *profile, const struct gnomon_api_profile *from) {
    size_t count;
    struct gnomon_api_row **rows = gnomon_api_profile_rows(from, &count);
    bool good = rows && add_sources(profile, from);
    for (size_t i = 0; good && i < count; i++) {
        struct gnomon_api_row wanted = *rows[i];
        wanted.source = gnomon_api_profile_source(profile, rows[i]->source);
        struct gnomon_api_row *to = wanted.source ? gnomon_api_profile_row(profile, &wanted) : NULL;
        good = to && gnomon_api_row_join(to, rows[i]);
    }
    free(rows);
    return good;
}

struct gnomon_api_profile *gnomon_api_profile_new(void) {
    return calloc(1, sizeof(struct gnomon_api_profile));
}

static void free_row(void *row) {
    free(((struct gnomon_api_row *)row)->buckets);
    free(row);
}

void gnomon_api_profile_free(struct gnomon_api_profile *profile) {
    if (!profile)
        return;
    tdestroy(profile->rows, free_row);
    tdestroy(profile->sources, free);
    tdestroy(profile->texts, free);
    free(profile);
}

/* ---- Numbers ---- */

struct gnomon_bucket gnomon_api_row_sum(const struct gnomon_api_row *row) {
    struct gnomon_bucket sum = {0};
    for (unsigned i = 0; i < (unsigned)__builtin_popcount(row->used); i++)
        add_numbers(&sum, &row->buckets[i]);
    return sum;
}

bool gnomon_api_saturated(const struct gnomon_bucket *numbers) {
    return numbers->calls == UINT64_MAX || numbers->cycles == UINT64_MAX || numbers->squares == GNOMON_WIDE_MOST;
}

bool gnomon_api_row_saturated(const struct gnomon_api_row *row) {
    const struct gnomon_bucket sum = gnomon_api_row_sum(row);
    return gnomon_api_saturated(&sum) || row->lost == UINT64_MAX;
}
