/* SPDX-License-Identifier: Apache-2.0 */
/* The heap of a recorded run. */
#ifndef GNOMON_LIB_HEAP_RUN_H
#define GNOMON_LIB_HEAP_RUN_H

#include "lib/heap/heap_account.h"
#include "lib/profile/analysis.h"

/* Reads the whole file; `span` NULL: the whole run counts. *heap, which owns the results, is the caller's to
 * free, whatever the status is. */
enum gnomon_status gnomon_heap_read(struct gnomon_heap **heap, const struct gnomon_heap_results **results,
                                    struct gnomon_analysis *analysis, const struct gnomon_heap_span *span,
                                    struct gnomon_error *error);

#endif
