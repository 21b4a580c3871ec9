/* SPDX-License-Identifier: Apache-2.0 */
/* The heap and growth profiles of gperftools, with their symbols in front, as google-pprof reads them without the
 * program. */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/export/legacy_symbol.h"
#include "lib/export/read_heap.h"
#include "lib/profile/profile_map.h"
#include "lib/util/array.h"

struct legacy {
    struct gnomon_export *export;
    const struct gnomon_heap_results *results;
    bool growth;
    struct profile_map ids; /* of functions */
    size_t count, room;
    uint64_t *places; /* by index in `ids` */
};

/* ---- Symbols ---- */

static bool put_function(struct legacy *legacy, uint32_t id, FILE *stream) {
    const uint32_t index = profile_map_find(&legacy->ids, id);
    struct gnomon_name name;
    if (index == PROFILE_MAP_NONE)
        return false;
    if (index < legacy->count)
        return true;
    char *label = export_heap_label(legacy->export, id, index, &name);
    if (!label || !gnomon_array_room(&legacy->places, &legacy->room, index + (size_t)1, sizeof *legacy->places)) {
        free(label);
        return false;
    }
    legacy->count = index + (size_t)1;
    if (legacy->export->remote) {
        legacy->places[index] =
            legacy_remote_place(id == GNOMON_PROFILE_UNPROFILED ? LEGACY_UNPROFILED_ID : id, &name, false);
    } else {
        legacy->places[index] = legacy_place(index, name.address);
        legacy_put_symbol(stream, legacy->places[index], label);
    }
    free(label);
    return true;
}

static bool put_symbols(struct legacy *legacy, FILE *stream) {
    if (legacy->export->remote)
        legacy_put_warnings(legacy->export, stream);
    else
        legacy_begin_symbols(legacy->export, stream);
    for (size_t i = 0; i < legacy->results->site_count; i++)
        if (!put_function(legacy, legacy->results->sites[i].id, stream))
            return false;
    if (!legacy->export->remote)
        fputs("---\n", stream);
    return true;
}

/* ---- Figures ---- */

static void put_figures(const struct legacy *legacy, const struct gnomon_heap_figures *figures, FILE *stream) {
    const bool growth = legacy->growth;
    fprintf(stream, "%" PRIu64 ": %" PRIu64 " [%" PRIu64 ": %" PRIu64 "] @",
            growth ? figures->grown : gnomon_heap_live_blocks(figures),
            growth ? figures->grown_bytes : gnomon_heap_live_bytes(figures), growth ? figures->grown : figures->blocks,
            growth ? figures->grown_bytes : figures->bytes);
}

static void put_sites(struct legacy *legacy, FILE *stream) {
    const struct gnomon_heap_site *sites = legacy->results->sites;
    fputs("heap profile: ", stream);
    put_figures(legacy, &legacy->results->all, stream);
    fputs(legacy->growth ? " growth\n" : " heapprofile\n", stream);
    for (uint32_t site = 0; site < legacy->results->site_count; site++) {
        const struct gnomon_heap_figures *figures = &sites[site].figures;
        if (!(legacy->growth ? figures->grown : figures->blocks))
            continue;
        fputc(' ', stream);
        put_figures(legacy, figures, stream);
        for (uint32_t at = site; at != GNOMON_HEAP_NO_SITE; at = sites[at].parent)
            fprintf(stream, " 0x%016" PRIx64,
                    legacy->places[profile_map_find(&legacy->ids, sites[at].id)] +
                        (legacy->export->remote && at != site));
        fputc('\n', stream);
    }
    fputs("\nMAPPED_LIBRARIES:\n", stream);
}

static enum gnomon_status write_kind(struct gnomon_export *export, bool growth, FILE *stream,
                                     struct gnomon_error *error) {
    struct legacy legacy = {.export = export, .growth = growth};
    struct gnomon_heap *account;
    enum gnomon_status status = export_read_heap(export, &account, &legacy.results, error);
    if (!status && put_symbols(&legacy, stream))
        put_sites(&legacy, stream);
    else if (!status)
        status = gnomon_fail_memory(error);
    profile_map_free(&legacy.ids);
    free(legacy.places);
    gnomon_heap_free(account);
    return status;
}

static enum gnomon_status write_heap(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    return write_kind(export, false, stream, error);
}

static enum gnomon_status write_growth(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    return write_kind(export, true, stream, error);
}

const struct gnomon_export_format gnomon_export_pprof_heap_legacy = {
    .name = "pprof-heap-legacy",
    .extension = "heap",
    .description = "the heap as gperftools writes it: for google-pprof",
    .needs = GNOMON_EXPORT_HEAP,
    .write = write_heap,
};

const struct gnomon_export_format gnomon_export_pprof_growth_legacy = {
    .name = "pprof-growth-legacy",
    .extension = "growth",
    .description = "where the heap grew, as gperftools writes it: for google-pprof",
    .needs = GNOMON_EXPORT_HEAP,
    .write = write_growth,
};
