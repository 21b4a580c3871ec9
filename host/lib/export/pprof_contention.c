/* SPDX-License-Identifier: Apache-2.0 */
/* Where threads of a running program waited for locks, for pprof. */
#include <stdlib.h>

#include "lib/export/sites.h"
#include "lib/locks/lock_contention.h"

enum gnomon_status gnomon_export_contention(struct gnomon_export *export,
                                            const struct gnomon_contention_results *results, bool legacy, FILE *stream,
                                            struct gnomon_error *error) {
    if (!results->messages) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no messages about locks", export->analysis.path);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                             "it used no locks, or was not linked with gnomon cc --gnomon-locks");
    }
    struct export_sites sites = {.kind = SITES_CONTENTION,
                                 .count = results->site_count,
                                 .list = calloc(results->site_count + 1, sizeof *sites.list)};
    if (!sites.list)
        return gnomon_fail_memory(error);
    for (size_t i = 0; i < sites.count; i++) {
        const struct gnomon_contention_site *site = &results->sites[i];
        sites.list[i] = (struct export_site){site->parent, site->id, {site->waits, site->cycles}};
    }
    const enum gnomon_status status =
        (legacy ? export_write_legacy_sites : export_write_sites)(export, &sites, stream, error);
    free(sites.list);
    return status;
}
