/* SPDX-License-Identifier: Apache-2.0 */
/* The heap for pprof: call paths with what they allocated and what of it is live at the end, as the heap profiles of
 * Go and gperftools have it; and where the heap took more memory from the system, gperftools' growth profile. */
#include <stdlib.h>

#include "lib/export/export_internal.h"
#include "lib/export/pprof_file.h"
#include "lib/export/read_heap.h"
#include "lib/profile/profile_map.h"

struct pprof_heap {
    struct gnomon_export *export;
    const struct gnomon_heap_results *results;
    bool growth;
    struct pprof_file file;
    struct profile_map ids; /* of functions: index + 1 is the id in the file */
};

static void put_head(struct pprof_heap *heap) {
    static const char *const heap_types[][2] = {{"alloc_objects", "count"},
                                                {"alloc_space", "bytes"},
                                                {"inuse_objects", "count"},
                                                {"inuse_space", "bytes"}},
                             *const growth_types[][2] = {{"growths", "count"}, {"space", "bytes"}};
    struct pprof_file *file = &heap->file;
    uint64_t usual = 0; /* the last type */
    for (size_t i = 0; i < (heap->growth ? sizeof growth_types : sizeof heap_types) / sizeof *heap_types; i++) {
        const char *const *type = heap->growth ? growth_types[i] : heap_types[i];
        usual = pprof_type(file, PROFILE_SAMPLE_TYPE, type[0], type[1]);
    }
    protobuf_number(&file->out, PROFILE_DEFAULT_TYPE, usual);
    pprof_type(file, PROFILE_PERIOD_TYPE, "space", "bytes");
    protobuf_number(&file->out, PROFILE_PERIOD, 1);
    pprof_run(file, heap->export);
    pprof_program(file, heap->export);
}

/* The location of a site's function, which is written when it comes first. 0: out of memory. */
static uint64_t location_of(struct pprof_heap *heap, uint32_t id) {
    const uint32_t known = heap->ids.count, index = profile_map_find(&heap->ids, id);
    struct gnomon_name name;
    if (index == PROFILE_MAP_NONE)
        return 0;
    const uint64_t number = (uint64_t)index + 1;
    if (index < known)
        return number;
    char *label = export_heap_label(heap->export, id, index, &name);
    if (!label)
        return 0;
    pprof_function(&heap->file, number, label, &name);
    pprof_location(&heap->file, number, number, name.symbol && !name.module, name.address, name.line);
    free(label);
    return number;
}

static bool put_site(struct pprof_heap *heap, uint32_t site) {
    const struct gnomon_heap_site *sites = heap->results->sites;
    const struct gnomon_heap_figures *figures = &sites[site].figures;
    struct pprof_file *file = &heap->file;
    for (uint32_t at = site; at != GNOMON_HEAP_NO_SITE; at = sites[at].parent) {
        /* A new function is written to the same buffers, so the list must be empty then. */
        if (!location_of(heap, sites[at].id))
            return false;
    }
    for (uint32_t at = site; at != GNOMON_HEAP_NO_SITE; at = sites[at].parent)
        protobuf_item(&file->list, location_of(heap, sites[at].id));
    protobuf_message(&file->part, SAMPLE_LOCATIONS, &file->list);
    if (heap->growth) {
        protobuf_item(&file->list, figures->grown);
        protobuf_item(&file->list, figures->grown_bytes);
    } else {
        protobuf_item(&file->list, figures->blocks);
        protobuf_item(&file->list, figures->bytes);
        protobuf_item(&file->list, gnomon_heap_live_blocks(figures));
        protobuf_item(&file->list, gnomon_heap_live_bytes(figures));
    }
    protobuf_message(&file->part, SAMPLE_VALUES, &file->list);
    protobuf_message(&file->out, PROFILE_SAMPLE, &file->part);
    pprof_flush(file);
    return true;
}

static enum gnomon_status write_sites(struct pprof_heap *heap, FILE *stream, struct gnomon_error *error) {
    struct gnomon_error closing;
    bool good = true;
    enum gnomon_status status = pprof_open(&heap->file, stream, error);
    if (status)
        return status;
    put_head(heap);
    for (uint32_t site = 0; good && site < heap->results->site_count; site++)
        if (heap->growth ? heap->results->sites[site].figures.grown : heap->results->sites[site].figures.blocks)
            good = put_site(heap, site);
    status = pprof_close(&heap->file, &closing);
    return good && !status ? GNOMON_OK : gnomon_fail_memory(error);
}

static enum gnomon_status write_kind(struct gnomon_export *export, bool growth, FILE *stream,
                                     struct gnomon_error *error) {
    struct pprof_heap heap = {.export = export, .growth = growth};
    struct gnomon_heap *account;
    enum gnomon_status status = export_read_heap(export, &account, &heap.results, error);
    if (!status)
        status = write_sites(&heap, stream, error);
    profile_map_free(&heap.ids);
    gnomon_heap_free(account);
    return status;
}

static enum gnomon_status write_heap(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    return write_kind(export, false, stream, error);
}

static enum gnomon_status write_growth(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    return write_kind(export, true, stream, error);
}

const struct gnomon_export_format gnomon_export_pprof_heap = {
    .name = "pprof-heap",
    .extension = "heap.pb.gz",
    .description = "call paths with what they allocated and what is live at the end: for pprof of Go (go tool pprof)",
    .needs = GNOMON_EXPORT_HEAP,
    .binary = true,
    .write = write_heap,
};

const struct gnomon_export_format gnomon_export_pprof_growth = {
    .name = "pprof-growth",
    .extension = "growth.pb.gz",
    .description = "call paths in which the heap took more memory from the system: for pprof of Go (go tool pprof)",
    .needs = GNOMON_EXPORT_HEAP,
    .binary = true,
    .write = write_growth,
};
