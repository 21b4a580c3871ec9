/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/export/read_heap.h"

enum gnomon_status export_read_heap(struct gnomon_export *export, struct gnomon_heap **heap,
                                    const struct gnomon_heap_results **results, struct gnomon_error *error) {
    *heap = NULL;
    *results = export->heap;
    enum gnomon_status status =
        export->heap ? GNOMON_OK : gnomon_heap_read(heap, results, &export->analysis, NULL, error);
    if (status)
        return status;
    if (!export->heap)
        gnomon_export_end(export);
    if ((*results)->messages)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no messages about the heap", export->analysis.path);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                         "it allocated nothing, or was not linked with gnomon cc --gnomon-heap");
}
