/* SPDX-License-Identifier: Apache-2.0 */
/* Call paths with figures as profile.proto. */
#include <stdlib.h>

#include "lib/export/pprof_file.h"
#include "lib/export/sites.h"

struct writer {
    struct gnomon_export *export;
    const struct export_sites *sites;
    struct pprof_file file;
    struct profile_map ids; /* of functions: index + 1 is the id in the file */
};

/* The types of the values, and that of the period. */
static const struct types {
    unsigned count;
    const char *values[SITE_VALUES][2], *period[2];
} types[] = {
    [SITES_HEAP] = {SITE_VALUES,
                    {[HEAP_BLOCKS] = {"alloc_objects", "count"},
                     [HEAP_BYTES] = {"alloc_space", "bytes"},
                     [HEAP_LIVE_BLOCKS] = {"inuse_objects", "count"},
                     [HEAP_LIVE_BYTES] = {"inuse_space", "bytes"}},
                    {"space", "bytes"}},
    [SITES_GROWTH] = {2,
                      {[GROWTH_COUNT] = {"growths", "count"}, [GROWTH_BYTES] = {"space", "bytes"}},
                      {"space", "bytes"}},
    [SITES_CONTENTION] = {2,
                          {[CONTENTION_WAITS] = {"contentions", "count"}, [CONTENTION_CYCLES] = {"delay", "cycles"}},
                          {"contentions", "count"}},
};

static void put_head(struct writer *writer) {
    const struct types *of = &types[writer->sites->kind];
    struct pprof_file *file = &writer->file;
    uint64_t usual = 0; /* the last type */
    for (unsigned i = 0; i < of->count; i++)
        usual = pprof_type(file, PROFILE_SAMPLE_TYPE, of->values[i][0], of->values[i][1]);
    protobuf_number(&file->out, PROFILE_DEFAULT_TYPE, usual);
    pprof_type(file, PROFILE_PERIOD_TYPE, of->period[0], of->period[1]);
    protobuf_number(&file->out, PROFILE_PERIOD, 1);
    pprof_run(file, writer->export);
    pprof_program(file, writer->export);
}

/* The location of a site's function, which is written when it comes first. 0: out of memory. */
static uint64_t location_of(struct writer *writer, uint32_t id) {
    const uint32_t known = writer->ids.count, index = profile_map_find(&writer->ids, id);
    struct gnomon_name name;
    if (index == PROFILE_MAP_NONE)
        return 0;
    const uint64_t number = (uint64_t)index + 1;
    if (index < known)
        return number;
    char *label = export_site_label(writer->export, id, index, &name);
    if (!label)
        return 0;
    pprof_function(&writer->file, number, label, &name);
    pprof_location(&writer->file, number, number, name.symbol && !name.module, name.address, name.line);
    free(label);
    return number;
}

static bool put_site(struct writer *writer, uint32_t site) {
    const struct export_site *list = writer->sites->list;
    struct pprof_file *file = &writer->file;
    for (uint32_t at = site; at != PROFILE_MAP_NONE; at = list[at].parent) {
        /* A new function is written to the same buffers, so the list must be empty then. */
        if (!location_of(writer, list[at].id))
            return false;
    }
    for (uint32_t at = site; at != PROFILE_MAP_NONE; at = list[at].parent)
        protobuf_item(&file->list, location_of(writer, list[at].id));
    protobuf_message(&file->part, SAMPLE_LOCATIONS, &file->list);
    for (unsigned i = 0; i < types[writer->sites->kind].count; i++)
        protobuf_item(&file->list, list[site].values[i]);
    protobuf_message(&file->part, SAMPLE_VALUES, &file->list);
    protobuf_message(&file->out, PROFILE_SAMPLE, &file->part);
    pprof_flush(file);
    return true;
}

enum gnomon_status export_write_sites(struct gnomon_export *export, const struct export_sites *sites, FILE *stream,
                                      struct gnomon_error *error) {
    struct writer writer = {.export = export, .sites = sites};
    struct gnomon_error closing;
    bool good = true;
    enum gnomon_status status = pprof_open(&writer.file, stream, error);
    if (status)
        return status;
    put_head(&writer);
    for (uint32_t site = 0; good && site < sites->count; site++)
        good = !sites->list[site].values[0] || put_site(&writer, site);
    status = pprof_close(&writer.file, &closing);
    profile_map_free(&writer.ids);
    return good && !status ? GNOMON_OK : gnomon_fail_memory(error);
}
