/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon record of programs linked with --gnomon-heap: what of the memory points to the heap. */
#ifndef GNOMON_CLI_RECORD_HEAP_H
#define GNOMON_CLI_RECORD_HEAP_H

#include "cli/cli.h"
#include "cli/run/target.h"
#include "lib/run/read_heap.h"
#include "lib/run/recorder.h"

/* --use-after-free: empties the device's table of words. Fails if it has none. */
enum gnomon_status record_heap_words(const struct target *target, struct gnomon_error *error);
/* With --leak-check (`halts`), the program must be linked with --gnomon-heap. */
enum gnomon_status record_heap_open(struct gnomon_heap_reader *heap, const struct gnomon_session *session, bool halts,
                                    struct gnomon_error *error);
/* At the end of the run. *json is NULL if there is nothing to write. */
enum gnomon_status record_heap_take(struct cli_context *context, struct gnomon_heap_reader *heap,
                                    const struct gnomon_recorder *recorder, json_t **json, struct gnomon_error *error);

#endif
