/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of `gnomon heap`: a function, or with --paths a call path, that allocated. */
#include <stdlib.h>
#include <string.h>

#include "cli/heap/heap.h"

static uint64_t live(const struct gnomon_heap_figures *f) {
    return gnomon_heap_live_bytes(f);
}
static uint64_t allocated(const struct gnomon_heap_figures *f) {
    return f->bytes;
}
static uint64_t blocks(const struct gnomon_heap_figures *f) {
    return f->blocks;
}
static uint64_t peak(const struct gnomon_heap_figures *f) {
    return f->peak_bytes;
}
static uint64_t life(const struct gnomon_heap_figures *f) {
    return f->freed ? f->life / f->freed : 0;
}

typedef uint64_t key_function(const struct gnomon_heap_figures *figures);

static const struct {
    const char *name;
    key_function *key;
} keys[] = {{"live", live}, {"allocated", allocated}, {"blocks", blocks}, {"peak", peak}, {"life", life}};

/* The largest first; then by what was allocated, by name, and by the order in which they came. */
static int compare(const void *a, const void *b, void *context) {
    key_function *const *key = context;
    const struct heap_row *left = *(const struct heap_row *const *)a, *right = *(const struct heap_row *const *)b;
    const uint64_t left_keys[] = {(*key)(&left->figures), left->figures.bytes},
                   right_keys[] = {(*key)(&right->figures), right->figures.bytes};
    for (size_t i = 0; i < sizeof left_keys / sizeof *left_keys; i++)
        if (left_keys[i] != right_keys[i])
            return left_keys[i] > right_keys[i] ? -1 : 1;
    const int names = strcmp(left->name.text, right->name.text);
    return names ? names : (left->site > right->site) - (left->site < right->site);
}

static bool any(const struct gnomon_heap_figures *figures) {
    return figures->blocks || figures->failed || figures->grown;
}

static void add(struct gnomon_heap_figures *to, const struct gnomon_heap_figures *from) {
    to->blocks += from->blocks;
    to->bytes += from->bytes;
    to->freed += from->freed;
    to->freed_bytes += from->freed_bytes;
    to->peak_blocks += from->peak_blocks;
    to->peak_bytes += from->peak_bytes;
    to->life += from->life;
    to->longest = from->longest > to->longest ? from->longest : to->longest;
    to->failed += from->failed;
    to->grown += from->grown;
    to->grown_bytes += from->grown_bytes;
}

/* The row of the site's function; a new one at the end if there is none. */
static struct heap_row *row_of(struct heap_view *view, uint32_t site) {
    const struct gnomon_heap_site *sites = view->results->sites;
    for (size_t i = 0; i < view->row_count && !view->values->paths; i++)
        if (sites[view->rows[i].site].id == sites[site].id)
            return &view->rows[i];
    struct heap_row *row = &view->rows[view->row_count++];
    row->site = site;
    return row;
}

enum gnomon_status heap_rows(struct heap_view *view, struct gnomon_error *error) {
    const struct gnomon_heap_results *results = view->results;
    const char *wanted = view->values->sort ? view->values->sort : "live";
    key_function *key = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(keys[i].name, wanted))
            key = keys[i].key;
    if (!key) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "--sort does not know \"%s\"", wanted);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "the keys are " HEAP_SORT_KEYS);
    }
    view->rows = calloc(results->site_count + 1, sizeof *view->rows);
    view->order = calloc(results->site_count + 1, sizeof *view->order);
    if (!view->rows || !view->order)
        return gnomon_fail_memory(error);
    for (uint32_t site = 0; site < results->site_count; site++)
        if (any(&results->sites[site].figures))
            add(&row_of(view, site)->figures, &results->sites[site].figures);
    for (size_t i = 0; i < view->row_count; i++) {
        heap_function(view, view->rows[i].site, &view->rows[i].name);
        view->order[i] = &view->rows[i];
    }
    qsort_r(view->order, view->row_count, sizeof *view->order, compare, &key);
    return GNOMON_OK;
}
