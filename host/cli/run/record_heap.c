/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/record_heap.h"

#include <stdlib.h>

#include "lib/device/lock_words.h"

enum gnomon_status record_heap_words(const struct target *target, struct gnomon_error *error) {
    struct gnomon_lock_words *words = calloc(1, sizeof *words);
    if (!words)
        return gnomon_fail_memory(error);
    enum gnomon_status status = gnomon_lock_words_clear(words, target->device, &target->board, error);
    const bool has = words->places_log2 > 0;
    free(words);
    if (status || has)
        return status;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED,
                "%s cannot trace words of memory by their address, which "
                "--use-after-free needs",
                target->board.address);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                         "use the simulated board full (-d sim:full), an OrangeCrab or a ULX3S; without the option, "
                         "gnomon heap --mistakes has what guards find later");
}

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
