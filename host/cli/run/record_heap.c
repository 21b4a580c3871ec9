/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/record_heap.h"

enum gnomon_status record_heap_open(struct gnomon_heap_reader *heap, const struct gnomon_session *session, bool halts,
                                    struct gnomon_error *error) {
    enum gnomon_status status = gnomon_heap_reader_open(heap, session, halts, error);
    if (status || heap->state || !halts)
        return status;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s sends no messages about its heap, which --leak-check needs",
                session->image->path);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "link it with gnomon cc --gnomon-heap, and keep its symbols");
}

enum gnomon_status record_heap_take(struct cli_context *context, struct gnomon_heap_reader *heap,
                                    const struct gnomon_recorder *recorder, json_t **json, struct gnomon_error *error) {
    *json = NULL;
    if (heap->session->end != GNOMON_END_EXIT || !recorder->heap.end) /* of other ends, the registers are not known */
        return GNOMON_OK;
    enum gnomon_status status = gnomon_heap_reader_look(heap, true, error);
    if (status || !heap->memory.known)
        return status;
    if (heap->too_large) {
        cli_warn(context, "the program has too many pointers for a recording: gnomon heap --mode finds only draconian");
        return GNOMON_OK;
    }
    gnomon_heap_reader_narrow(heap, recorder->heap);
    *json = gnomon_heap_memory_json(&heap->memory);
    return *json ? GNOMON_OK : gnomon_fail_memory(error);
}
