/* SPDX-License-Identifier: Apache-2.0 */
/* The heap for pprof: call paths with what they allocated and what of it is live at the end, as the heap profiles of
 * Go and gperftools have it; and where the heap took more memory from the system, gperftools' growth profile. */
#include <stdlib.h>

#include "lib/export/read_heap.h"
#include "lib/export/sites.h"

/* The caller frees the list. NULL: out of memory. */
static struct export_site *make_sites(const struct gnomon_heap_results *results, bool growth) {
    struct export_site *list = calloc(results->site_count + 1, sizeof *list);
    for (size_t i = 0; list && i < results->site_count; i++) {
        const struct gnomon_heap_site *site = &results->sites[i];
        const struct gnomon_heap_figures *figures = &site->figures;
        list[i].parent = site->parent == GNOMON_HEAP_NO_SITE ? PROFILE_MAP_NONE : site->parent;
        list[i].id = site->id;
        list[i].values[growth ? GROWTH_COUNT : HEAP_BLOCKS] = growth ? figures->grown : figures->blocks;
        list[i].values[growth ? GROWTH_BYTES : HEAP_BYTES] = growth ? figures->grown_bytes : figures->bytes;
        if (growth)
            continue;
        list[i].values[HEAP_LIVE_BLOCKS] = gnomon_heap_live_blocks(figures);
        list[i].values[HEAP_LIVE_BYTES] = gnomon_heap_live_bytes(figures);
    }
    return list;
}

static enum gnomon_status write_kind(struct gnomon_export *export, bool growth, bool legacy, FILE *stream,
                                     struct gnomon_error *error) {
    struct gnomon_heap *account;
    const struct gnomon_heap_results *results;
    struct export_sites sites = {.kind = growth ? SITES_GROWTH : SITES_HEAP};
    enum gnomon_status status = export_read_heap(export, &account, &results, error);
    if (!status && !(sites.list = make_sites(results, growth)))
        status = gnomon_fail_memory(error);
    if (!status) {
        sites.count = results->site_count;
        status = (legacy ? export_write_legacy_sites : export_write_sites)(export, &sites, stream, error);
    }
    free(sites.list);
    gnomon_heap_free(account);
    return status;
}

static enum gnomon_status write_heap(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    return write_kind(export, false, false, stream, error);
}

static enum gnomon_status write_growth(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    return write_kind(export, true, false, stream, error);
}

static enum gnomon_status write_heap_legacy(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    return write_kind(export, false, true, stream, error);
}

static enum gnomon_status write_growth_legacy(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    return write_kind(export, true, true, stream, error);
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

const struct gnomon_export_format gnomon_export_pprof_heap_legacy = {
    .name = "pprof-heap-legacy",
    .extension = "heap",
    .description = "the heap as gperftools writes it: for google-pprof",
    .needs = GNOMON_EXPORT_HEAP,
    .write = write_heap_legacy,
};

const struct gnomon_export_format gnomon_export_pprof_growth_legacy = {
    .name = "pprof-growth-legacy",
    .extension = "growth",
    .description = "where the heap grew, as gperftools writes it: for google-pprof",
    .needs = GNOMON_EXPORT_HEAP,
    .write = write_growth_legacy,
};
