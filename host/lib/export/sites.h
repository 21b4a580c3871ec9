/* SPDX-License-Identifier: Apache-2.0 */
/* Call paths with figures that are not cycles of functions: of the heap and of locks, for pprof. */
#ifndef GNOMON_LIB_EXPORT_SITES_H
#define GNOMON_LIB_EXPORT_SITES_H

#include "lib/export/export_internal.h"
#include "lib/profile/profile_map.h"

enum export_site_kind { SITES_HEAP, SITES_GROWTH, SITES_CONTENTION };

/* Numbers of the values. A site whose first value is 0 is left out. */
enum { HEAP_BLOCKS, HEAP_BYTES, HEAP_LIVE_BLOCKS, HEAP_LIVE_BYTES, SITE_VALUES };
enum { GROWTH_COUNT, GROWTH_BYTES };
enum { CONTENTION_WAITS, CONTENTION_CYCLES };

struct export_site {
    uint32_t parent; /* index of the site without its innermost function; PROFILE_MAP_NONE: the outermost */
    uint32_t id;     /* of a profile; GNOMON_PROFILE_UNPROFILED: the calls are not known */
    uint64_t values[SITE_VALUES];
};

struct export_sites {
    enum export_site_kind kind;
    size_t count;
    struct export_site *list;
};

/* profile.proto, for Go's pprof; and the texts of gperftools. */
enum gnomon_status export_write_sites(struct gnomon_export *export, const struct export_sites *sites, FILE *stream,
                                      struct gnomon_error *error);
enum gnomon_status export_write_legacy_sites(struct gnomon_export *export, const struct export_sites *sites,
                                             FILE *stream, struct gnomon_error *error);
/* The name and label of a site's function; the caller frees the label. NULL: out of memory. */
char *export_site_label(const struct gnomon_export *export, uint32_t id, uint32_t index, struct gnomon_name *name);

#endif
