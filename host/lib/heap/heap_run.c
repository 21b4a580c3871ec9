/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/heap/heap_run.h"

enum gnomon_status gnomon_heap_read(struct gnomon_heap **heap, const struct gnomon_heap_results **results,
                                    struct gnomon_analysis *analysis, const struct gnomon_heap_span *span,
                                    struct gnomon_error *error) {
    struct gnomon_event event;
    struct gnomon_heap_stack stack;
    enum gnomon_status status = GNOMON_OK;
    bool got;
    *results = NULL;
    *heap = gnomon_heap_new();
    if (!*heap)
        return gnomon_fail_memory(error);
    if (span)
        gnomon_heap_set_span(*heap, span);
    while (!(status = gnomon_analysis_next(analysis, &event, &got, error)) && got) {
        stack.count = 0;
        if (gnomon_heap_concerns(&event))
            stack.count = gnomon_analysis_stack(analysis, &event, stack.ids, GNOMON_HEAP_STACK);
        if (!gnomon_heap_event(*heap, &event, &stack))
            return gnomon_fail_memory(error);
    }
    if (!status && !(*results = gnomon_heap_finish(*heap)))
        status = gnomon_fail_memory(error);
    return status;
}
