/* SPDX-License-Identifier: Apache-2.0 */
/* Call paths with figures as gperftools writes them, with their symbols in front, as google-pprof reads them without
 * the program. */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/export/legacy_symbol.h"
#include "lib/export/sites.h"
#include "lib/util/array.h"

struct legacy {
    struct gnomon_export *export;
    const struct export_sites *sites;
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
    char *label = export_site_label(legacy->export, id, index, &name);
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
    for (size_t i = 0; i < legacy->sites->count; i++)
        if (!put_function(legacy, legacy->sites->list[i].id, stream))
            return false;
    if (!legacy->export->remote)
        fputs("---\n", stream);
    return true;
}

/* ---- Figures ---- */

static void put_values(enum export_site_kind kind, const uint64_t values[SITE_VALUES], FILE *stream) {
    const bool growth = kind == SITES_GROWTH;
    if (kind == SITES_CONTENTION)
        fprintf(stream, "%" PRIu64 " %" PRIu64 " @", values[CONTENTION_CYCLES], values[CONTENTION_WAITS]);
    else
        fprintf(stream, "%" PRIu64 ": %" PRIu64 " [%" PRIu64 ": %" PRIu64 "] @",
                values[growth ? GROWTH_COUNT : HEAP_LIVE_BLOCKS], values[growth ? GROWTH_BYTES : HEAP_LIVE_BYTES],
                values[growth ? GROWTH_COUNT : HEAP_BLOCKS], values[growth ? GROWTH_BYTES : HEAP_BYTES]);
}

/* The sums, or how the figures were taken. */
static void put_head(const struct legacy *legacy, FILE *stream) {
    const enum export_site_kind kind = legacy->sites->kind;
    const struct gnomon_analysis *analysis = &legacy->export->analysis;
    uint64_t sums[SITE_VALUES] = {0};
    for (size_t i = 0; i < legacy->sites->count; i++)
        for (unsigned value = 0; value < SITE_VALUES; value++)
            sums[value] += legacy->sites->list[i].values[value];
    if (kind == SITES_CONTENTION) {
        fprintf(stream, "--- contention:\ncycles/second = %" PRIu64 "\nsampling period = 1\n", analysis->clock_hz);
        return;
    }
    fputs("heap profile: ", stream);
    put_values(kind, sums, stream);
    fputs(kind == SITES_GROWTH ? " growth\n" : " heapprofile\n", stream);
}

static void put_sites(struct legacy *legacy, FILE *stream) {
    const struct export_site *list = legacy->sites->list;
    const bool contention = legacy->sites->kind == SITES_CONTENTION;
    put_head(legacy, stream);
    for (uint32_t site = 0; site < legacy->sites->count; site++) {
        if (!list[site].values[0])
            continue;
        fputs(contention ? "" : " ", stream);
        put_values(legacy->sites->kind, list[site].values, stream);
        for (uint32_t at = site; at != PROFILE_MAP_NONE; at = list[at].parent) {
            fprintf(stream, " 0x%016" PRIx64,
                    legacy->places[profile_map_find(&legacy->ids, list[at].id)] +
                        (legacy->export->remote && at != site));
        }
        fputc('\n', stream);
    }
    fputs(contention ? "--- Memory map: ---\n" : "\nMAPPED_LIBRARIES:\n", stream);
}

enum gnomon_status export_write_legacy_sites(struct gnomon_export *export, const struct export_sites *sites,
                                             FILE *stream, struct gnomon_error *error) {
    struct legacy legacy = {.export = export, .sites = sites};
    const bool good = put_symbols(&legacy, stream);
    if (good)
        put_sites(&legacy, stream);
    profile_map_free(&legacy.ids);
    free(legacy.places);
    return good ? GNOMON_OK : gnomon_fail_memory(error);
}
