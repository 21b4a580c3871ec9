/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon heap as JSON for programs (docs/guide/heap.md). */
#include <jansson.h>

#include "cli/heap/heap.h"
#include "lib/util/json_text.h"

static void set_count(json_t *object, const char *key, uint64_t value) {
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void set_figures(json_t *object, const struct gnomon_heap_figures *figures) {
    set_count(object, "live_bytes", gnomon_heap_live_bytes(figures));
    set_count(object, "live_blocks", gnomon_heap_live_blocks(figures));
    set_count(object, "allocated_bytes", figures->bytes);
    set_count(object, "allocated_blocks", figures->blocks);
    set_count(object, "freed_bytes", figures->freed_bytes);
    set_count(object, "freed_blocks", figures->freed);
    set_count(object, "peak_bytes", figures->peak_bytes);
    set_count(object, "peak_blocks", figures->peak_blocks);
    set_count(object, "life_cycles", figures->life);
    set_count(object, "longest_life_cycles", figures->longest);
    set_count(object, "failed", figures->failed);
    set_count(object, "grown", figures->grown);
    set_count(object, "grown_bytes", figures->grown_bytes);
}

static json_t *path_json(const struct heap_view *view, uint32_t site) {
    json_t *list = json_array();
    for (; site != GNOMON_HEAP_NO_SITE; site = view->results->sites[site].parent) {
        struct gnomon_name name;
        json_array_append_new(list, gnomon_json_text(heap_function(view, site, &name)));
    }
    return list;
}

static json_t *sizes_json(const struct gnomon_histogram *sizes) {
    json_t *list = json_array();
    for (unsigned i = 0; i < GNOMON_BUCKETS; i++) {
        const struct gnomon_bucket *bucket = &sizes->buckets[i];
        if (!bucket->calls)
            continue;
        json_t *object = json_object();
        set_count(object, "from", gnomon_bucket_from(i));
        set_count(object, "blocks", bucket->calls);
        set_count(object, "bytes", bucket->cycles);
        json_object_set_new(object, "squares", json_real((double)bucket->squares));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *gaps_json(const struct gnomon_heap_gaps *gaps) {
    json_t *object = json_object();
    set_count(object, "span", gaps->span);
    set_count(object, "bytes", gaps->bytes);
    set_count(object, "largest", gaps->largest);
    return object;
}

/* Each function that allocated blocks, or called one that did. */
static json_t *function_sizes_json(const struct heap_view *view) {
    const struct gnomon_heap_sizes *sizes = &view->results->by_function;
    json_t *list = json_array();
    for (size_t i = 0; i < sizes->count; i++) {
        const struct gnomon_heap_function *function = &sizes->functions[i];
        struct gnomon_name name;
        json_t *object = json_object();
        json_object_set_new(object, "function", gnomon_json_text(heap_name(view, function->id, &name)));
        json_object_set_new(object, "own", sizes_json(&function->own));
        json_object_set_new(object, "inclusive", sizes_json(&function->inclusive));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *row_json(const struct heap_view *view, const struct heap_row *row) {
    json_t *object = json_object();
    json_object_set_new(object, "function", gnomon_json_text(row->name.text));
    json_object_set_new(object, "file", gnomon_json_text(row->name.file));
    set_count(object, "line", row->name.line);
    if (view->values->paths)
        json_object_set_new(object, "path", path_json(view, row->site));
    set_figures(object, &row->figures);
    return object;
}

static json_t *block_json(const struct heap_view *view, const struct gnomon_heap_block *block) {
    json_t *object = json_object();
    char thread[GNOMON_LOCK_NAME_BYTES];
    set_count(object, "address", block->address);
    set_count(object, "bytes", block->size);
    set_count(object, "cycle", block->cycle);
    json_object_set_new(object, "thread", gnomon_json_text(gnomon_thread_name(&view->names, block->thread, thread)));
    json_object_set_new(object, "path", path_json(view, block->site));
    return object;
}

static json_t *leaks_json(const struct gnomon_heap_leaks *leaks) {
    json_t *object = json_object();
    json_object_set_new(object, "mode", json_string(gnomon_heap_mode_name(leaks->mode)));
    set_count(object, "bytes", leaks->bytes);
    set_count(object, "blocks", leaks->blocks);
    json_object_set_new(object, "cycle", leaks->look ? json_integer((json_int_t)leaks->look->cycle) : json_null());
    return object;
}

static json_t *mistake_json(const struct heap_view *view, const struct gnomon_heap_mistake *mistake) {
    json_t *object = json_object();
    char thread[GNOMON_LOCK_NAME_BYTES];
    json_object_set_new(object, "kind", json_string(heap_mistake_id(mistake)));
    set_count(object, "address", mistake->address);
    set_count(object, "cycle", mistake->cycle);
    json_object_set_new(object, "thread", gnomon_json_text(gnomon_thread_name(&view->names, mistake->thread, thread)));
    json_object_set_new(object, "path", path_json(view, mistake->site));
    json_object_set_new(object, "allocated_by",
                        mistake->before != GNOMON_HEAP_NO_SITE ? path_json(view, mistake->before) : json_null());
    json_object_set_new(object, "freed_by",
                        mistake->earlier != GNOMON_HEAP_NO_SITE ? path_json(view, mistake->earlier) : json_null());
    if (heap_mistake_has_place(mistake)) {
        set_count(object, "bytes", mistake->size);
        set_count(object, "offset", mistake->offset);
    }
    if (heap_mistake_is_use(mistake)) {
        json_object_set_new(object, "access", json_string(heap_mistake_access(mistake)));
        set_count(object, "times", mistake->times);
    }
    return object;
}

int heap_json(const struct heap_view *view) {
    const struct gnomon_heap_results *results = view->results;
    json_t *root = json_object(), *rows = json_array(), *blocks = json_array(), *mistakes = json_array();
    json_object_set_new(root, "program", gnomon_json_text(view->analysis.elf_path));
    json_object_set_new(root, "device", gnomon_json_text(view->analysis.device));
    set_count(root, "cycles", view->cycles);
    set_count(root, "messages", results->messages);
    json_object_update_new(root, gnomon_exactness_json(&view->exactness));
    set_figures(root, &results->all);
    set_count(root, "peak_cycle", results->peak_cycle);
    set_count(root, "lowest_address", results->all.blocks ? results->lowest : 0);
    set_count(root, "end_address", results->highest);
    for (size_t i = 0; i < view->row_count; i++)
        json_array_append_new(rows, row_json(view, view->order[i]));
    for (size_t i = 0; i < results->live_count; i++) {
        json_t *block = block_json(view, &results->live[i]);
        if (view->checks)
            json_object_set_new(block, "lost", json_boolean(!view->leaks.reached[i]));
        json_array_append_new(blocks, block);
    }
    if (view->checks)
        json_object_set_new(root, "leaks", leaks_json(&view->leaks));
    for (size_t i = 0; i < results->mistake_count; i++)
        json_array_append_new(mistakes, mistake_json(view, &results->mistakes[i]));
    json_object_set_new(root, view->values->paths ? "paths" : "functions", rows);
    json_object_set_new(root, "live", blocks);
    json_object_set_new(root, "mistakes", mistakes);
    json_object_set_new(root, "sizes", sizes_json(&results->sizes));
    json_object_set_new(root, "function_sizes", function_sizes_json(view));
    json_object_set_new(root, "deep_stacks", json_boolean(results->deep));
    json_object_set_new(root, "peak_gaps", gaps_json(&results->peak_gaps));
    json_object_set_new(root, "live_gaps", gaps_json(&results->live_gaps));
    return cli_print_json(view->context, root);
}
