/* SPDX-License-Identifier: Apache-2.0 */
/* What `gnomon heap` prints below its first line. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/heap/heap.h"

#define COUNT(value) cli_count((char[CLI_COUNT_BYTES]){0}, value)

const char *heap_function(const struct heap_view *view, uint32_t site, struct gnomon_name *name) {
    const uint32_t id = site == GNOMON_HEAP_NO_SITE ? GNOMON_PROFILE_UNPROFILED : view->results->sites[site].id;
    *name = (struct gnomon_name){.text = "[caller not known]", .number = GNOMON_NO_NUMBER};
    if (id != GNOMON_PROFILE_UNPROFILED)
        gnomon_name_of(name, &view->analysis, id);
    return name->text;
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

/* ---- Blocks that are live at the end ---- */

static int most_live(const void *a, const void *b, void *context) {
    const struct gnomon_heap_site *sites = context;
    const struct gnomon_heap_site *left = &sites[*(const uint32_t *)a], *right = &sites[*(const uint32_t *)b];
    const uint64_t left_live = gnomon_heap_live_bytes(&left->figures),
                   right_live = gnomon_heap_live_bytes(&right->figures);
    return left_live != right_live ? (left_live > right_live ? -1 : 1) : (left > right) - (left < right);
}

static const struct gnomon_heap_block *first_block(const struct gnomon_heap_results *results, uint32_t site) {
    for (size_t i = 0; i < results->live_count; i++)
        if (results->live[i].site == site)
            return &results->live[i];
    return NULL;
}

static void put_leak(const struct heap_view *view, FILE *stream, uint32_t site) {
    const struct gnomon_heap_figures *figures = &view->results->sites[site].figures;
    const struct gnomon_heap_block *block = first_block(view->results, site);
    const uint64_t blocks = gnomon_heap_live_blocks(figures);
    char text[256];
    snprintf(text, sizeof text, "%s bytes in %s block%s%s", COUNT(gnomon_heap_live_bytes(figures)), COUNT(blocks),
             blocks == 1 ? "" : "s", blocks == 1 ? "" : ", the first");
    if (block)
        snprintf(text + strlen(text), sizeof text - strlen(text), " of %s at 0x%08" PRIx32 ", from cycle %s, by",
                 COUNT(block->size), block->address, COUNT(block->cycle));
    screen_sentence(stream, text, "  ");
    heap_path(view, stream, site, 4);
}

void heap_leaks(const struct heap_view *view, FILE *stream) {
    const struct gnomon_heap_results *results = view->results;
    uint32_t *order = calloc(results->site_count + 1, sizeof *order);
    size_t count = 0;
    for (uint32_t site = 0; order && site < results->site_count; site++)
        if (gnomon_heap_live_blocks(&results->sites[site].figures))
            order[count++] = site;
    if (!order) {
        cli_warn(view->context, "out of memory: the blocks are missing");
        return;
    }
    qsort_r(order, count, sizeof *order, most_live, (void *)results->sites);
    for (size_t i = 0; i < count && (!view->values->limit || i < view->values->limit); i++)
        put_leak(view, stream, order[i]);
    if (view->values->limit && count > view->values->limit)
        fprintf(stream, "%zu more call paths\n", count - (size_t)view->values->limit);
    if (!count)
        fputs(gnomon_exactness_exact(&view->exactness) ? "No block was left.\n"
                                                       : "No block was left, of those whose messages have come.\n",
              stream);
    free(order);
}

/* ---- Mistakes ---- */

#define MOST_MISTAKES 8

static void put_mistake(const struct heap_view *view, FILE *stream, const struct gnomon_heap_mistake *mistake) {
    struct gnomon_name by, before, earlier;
    char text[1024], thread[GNOMON_LOCK_NAME_BYTES];
    int used = snprintf(text, sizeof text, "Freed %s: 0x%08" PRIx32 " by %.120s",
                        mistake->kind == GNOMON_HEAP_FREED_TWICE ? "twice" : "what is no block", mistake->address,
                        heap_function(view, mistake->site, &by));
    if (mistake->thread)
        used += snprintf(text + used, sizeof text - (size_t)used, " in thread %.60s",
                         gnomon_thread_name(&view->names, mistake->thread, thread));
    used += snprintf(text + used, sizeof text - (size_t)used, " at cycle %s", COUNT(mistake->cycle));
    if (mistake->kind == GNOMON_HEAP_FREED_TWICE)
        snprintf(text + used, sizeof text - (size_t)used, "; first by %.120s at cycle %s; allocated by %.120s.",
                 heap_function(view, mistake->earlier, &earlier), COUNT(mistake->earlier_cycle),
                 heap_function(view, mistake->before, &before));
    else
        snprintf(text + used, sizeof text - (size_t)used, ". No block had that address.");
    char clean[CLI_CLEAN_BYTES];
    screen_sentence(stream, cli_clean(clean, text), "  ");
}

void heap_mistakes(const struct heap_view *view, FILE *stream) {
    const struct gnomon_heap_results *results = view->results;
    for (size_t i = 0; i < results->mistake_count && i < MOST_MISTAKES; i++)
        put_mistake(view, stream, &results->mistakes[i]);
    if (results->mistake_count > MOST_MISTAKES)
        fprintf(stream, "%zu more of these; --json has all\n", results->mistake_count - MOST_MISTAKES);
}
