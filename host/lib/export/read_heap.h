/* SPDX-License-Identifier: Apache-2.0 */
/* What the formats of the heap share. */
#ifndef GNOMON_LIB_EXPORT_READ_HEAP_H
#define GNOMON_LIB_EXPORT_READ_HEAP_H

#include "lib/export/export_internal.h"
#include "lib/heap/heap_run.h"

/* Reads the account of the heap, if the export has none; no messages about the heap are an error. *heap, which owns
 * what was read, is the caller's to free, whatever the status is. */
enum gnomon_status export_read_heap(struct gnomon_export *export, struct gnomon_heap **heap,
                                    const struct gnomon_heap_results **results, struct gnomon_error *error);

#endif
