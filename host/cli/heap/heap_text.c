/* SPDX-License-Identifier: Apache-2.0 */
/* What `gnomon heap` prints below its first line. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/heap/heap.h"

#define COUNT(value) cli_count((char[CLI_COUNT_BYTES]){0}, value)

const char *heap_name(const struct heap_view *view, uint32_t id, struct gnomon_name *name) {
    *name = (struct gnomon_name){.text = "[caller not known]", .number = GNOMON_NO_NUMBER};
    if (id != GNOMON_PROFILE_UNPROFILED)
        gnomon_name_of(name, &view->analysis, id);
    return name->text;
}

const char *heap_function(const struct heap_view *view, uint32_t site, struct gnomon_name *name) {
    const bool known = site != GNOMON_HEAP_NO_SITE;
    return heap_name(view, known ? view->results->sites[site].id : GNOMON_PROFILE_UNPROFILED, name);
}

void heap_path(const struct heap_view *view, FILE *stream, uint32_t site, int indent) {
    const int width = screen_width(stream);
    for (; site != GNOMON_HEAP_NO_SITE; site = view->results->sites[site].parent) {
        struct gnomon_name name;
        char buffer[SCREEN_TEXT_BYTES], clean[CLI_CLEAN_BYTES];
        fprintf(stream, "%*s%s\n", indent, "",
                screen_shorten(buffer, cli_clean(clean, heap_function(view, site, &name)), width ? width - indent : 0));
    }
}

/* ---- The table ---- */

static void put_count(struct screen_table *table, uint64_t value) {
    if (value)
        screen_count(table, value);
    else
        screen_cell(table, "-");
}

static void put_figures(struct screen_table *table, const struct gnomon_heap_figures *figures) {
    put_count(table, gnomon_heap_live_bytes(figures));
    put_count(table, gnomon_heap_live_blocks(figures));
    put_count(table, figures->peak_bytes);
    put_count(table, figures->bytes);
    put_count(table, figures->blocks);
    put_count(table, figures->freed ? figures->life / figures->freed : 0);
    if (figures->failed)
        screen_count(table, figures->failed);
    else
        screen_none(table);
}

void heap_table(const struct heap_view *view, FILE *stream) {
    static const struct screen_column columns[] = {{.title = "    live"},
                                                   {.title = "blocks"},
                                                   {.title = "at peak", .gives = 1},
                                                   {.title = "allocated"},
                                                   {.title = "blocks"},
                                                   {.title = "mean life", .gives = 2},
                                                   {.title = "failed"},
                                                   {.title = "function", .left = true, .least = 12},
                                                   {.title = "where", .left = true, .least = 12, .gives = 3}};
    const uint64_t limit = view->values->limit;
    struct screen_table *table = screen_table_new(columns, sizeof columns / sizeof *columns);
    size_t count = 0;
    for (; count < view->row_count && (!limit || count < limit); count++) {
        char where[CLI_WHERE_BYTES];
        put_figures(table, &view->order[count]->figures);
        screen_cell(table, view->order[count]->name.text);
        screen_cell(table, cli_where(where, &view->order[count]->name));
    }
    if (!screen_table_print(table, view->context, stream))
        cli_warn(view->context, "out of memory: the table is missing");
    screen_table_free(table);
    if (count < view->row_count)
        fprintf(stream, "%zu more functions\n", view->row_count - count);
}

/* ---- Sizes ---- */

void heap_sizes(const struct heap_view *view, FILE *stream) {
    static const struct screen_column columns[] = {{.title = "   bytes"},     {.title = "to"},
                                                   {.title = "blocks"},       {.title = "%"},
                                                   {.title = "bytes in all"}, {.title = "mean"}};
    const struct gnomon_histogram *sizes = &view->results->sizes;
    const struct gnomon_bucket sum = gnomon_histogram_sum(sizes);
    struct screen_table *table = screen_table_new(columns, sizeof columns / sizeof *columns);
    for (unsigned i = 0; i < GNOMON_BUCKETS; i++) {
        const struct gnomon_bucket *bucket = &sizes->buckets[i];
        char text[CLI_COUNT_BYTES];
        if (!bucket->calls)
            continue;
        screen_count(table, gnomon_bucket_from(i));
        screen_count(table, i + 1 < GNOMON_BUCKETS ? gnomon_bucket_from(i + 1) - 1 : UINT32_MAX);
        screen_count(table, bucket->calls);
        snprintf(text, sizeof text, "%.1f", 100.0 * (double)bucket->calls / (double)sum.calls);
        screen_cell(table, text);
        screen_count(table, bucket->cycles);
        snprintf(text, sizeof text, "%.1f", gnomon_bucket_mean(bucket));
        screen_cell(table, text);
    }
    if (!screen_table_print(table, view->context, stream))
        cli_warn(view->context, "out of memory: the table is missing");
    screen_table_free(table);
    fprintf(stream, "%s blocks, mean %.1f bytes, standard deviation %.1f\n", COUNT(sum.calls), gnomon_bucket_mean(&sum),
            gnomon_bucket_deviation(&sum));
}

static void put_mean(struct screen_table *table, const struct gnomon_histogram *sizes) {
    const struct gnomon_bucket sum = gnomon_histogram_sum(sizes);
    char text[CLI_COUNT_BYTES];
    put_count(table, sum.calls);
    put_count(table, sum.cycles);
    if (!sum.calls) {
        screen_cell(table, "-");
        screen_cell(table, "-");
        return;
    }
    snprintf(text, sizeof text, "%.1f", gnomon_bucket_mean(&sum));
    screen_cell(table, text);
    snprintf(text, sizeof text, "%.1f", gnomon_bucket_deviation(&sum));
    screen_cell(table, text);
}

static uint64_t inclusive_bytes(const struct gnomon_heap_function *function) {
    return gnomon_histogram_sum(&function->inclusive).cycles;
}

static int most_inclusive(const void *a, const void *b) {
    const struct gnomon_heap_function *const *left = a, *const *right = b;
    const uint64_t left_bytes = inclusive_bytes(*left), right_bytes = inclusive_bytes(*right);
    return left_bytes != right_bytes ? (left_bytes > right_bytes ? -1 : 1) : (*left > *right) - (*left < *right);
}

void heap_function_sizes(const struct heap_view *view, FILE *stream) {
    static const struct screen_column columns[] = {{.title = "  blocks"},
                                                   {.title = "bytes"},
                                                   {.title = "mean"},
                                                   {.title = "deviation", .gives = 1},
                                                   {.title = "in all"},
                                                   {.title = "bytes"},
                                                   {.title = "mean"},
                                                   {.title = "deviation", .gives = 2},
                                                   {.title = "function", .left = true, .least = 12}};
    const struct gnomon_heap_sizes *sizes = &view->results->by_function;
    const uint64_t limit = view->values->limit;
    const struct gnomon_heap_function **order = calloc(sizes->count + 1, sizeof *order);
    struct screen_table *table = order ? screen_table_new(columns, sizeof columns / sizeof *columns) : NULL;
    for (size_t i = 0; order && i < sizes->count; i++)
        order[i] = &sizes->functions[i];
    if (order)
        qsort(order, sizes->count, sizeof *order, most_inclusive);
    for (size_t i = 0; table && i < sizes->count && (!limit || i < limit); i++) {
        struct gnomon_name name;
        put_mean(table, &order[i]->own);
        put_mean(table, &order[i]->inclusive);
        screen_cell(table, heap_name(view, order[i]->id, &name));
    }
    if (!table || !screen_table_print(table, view->context, stream))
        cli_warn(view->context, "out of memory: the table is missing");
    screen_table_free(table);
    free(order);
}

/* ---- Leaks ---- */

/* What of a call path was lost. */
struct lost {
    uint32_t site;
    uint64_t bytes, blocks;
    const struct gnomon_heap_block *first;
};

static int most_lost(const void *a, const void *b) {
    const struct lost *left = a, *right = b;
    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    return (left->site > right->site) - (left->site < right->site);
}

static void put_lost(const struct heap_view *view, FILE *stream, const struct lost *lost) {
    char text[256];
    snprintf(text, sizeof text, "%s bytes in %s block%s%s of %s at 0x%08" PRIx32 ", from cycle %s, by",
             COUNT(lost->bytes), COUNT(lost->blocks), lost->blocks == 1 ? "" : "s",
             lost->blocks == 1 ? "" : ", the first", COUNT(lost->first->size), lost->first->address,
             COUNT(lost->first->cycle));
    screen_sentence(stream, text, "  ");
    heap_path(view, stream, lost->site, 4);
}

/* The lost blocks by call path; only paths that have some. NULL: out of memory. */
static struct lost *sum_up(const struct heap_view *view, size_t *count) {
    const struct gnomon_heap_results *results = view->results;
    struct lost *all = calloc(results->site_count + 1, sizeof *all);
    *count = 0;
    for (size_t i = 0; all && i < results->live_count; i++) {
        struct lost *lost = &all[results->live[i].site];
        if (view->leaks.reached[i])
            continue;
        if (!lost->blocks++)
            *lost = (struct lost){.site = results->live[i].site, .blocks = 1, .first = &results->live[i]};
        lost->bytes += results->live[i].size;
    }
    for (size_t i = 0; all && i < results->site_count; i++)
        if (all[i].blocks)
            all[(*count)++] = all[i];
    return all;
}

void heap_leaks(const struct heap_view *view, FILE *stream) {
    size_t count;
    const uint64_t limit = view->values->limit;
    struct lost *all = sum_up(view, &count);
    if (!all) {
        cli_warn(view->context, "out of memory: the blocks are missing");
        return;
    }
    qsort(all, count, sizeof *all, most_lost);
    for (size_t i = 0; i < count && (!limit || i < limit); i++)
        put_lost(view, stream, &all[i]);
    if (limit && count > limit)
        fprintf(stream, "%zu more call paths\n", count - (size_t)limit);
    if (!count)
        fprintf(stream, "No block was %s%s\n", view->leaks.look ? "out of reach" : "left", heap_doubt(view));
    free(all);
}
