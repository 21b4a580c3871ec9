/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what of a program's memory points to its heap, while the program stands still (include/gnomon/heap.h). */
#ifndef GNOMON_LIB_READ_HEAP_H
#define GNOMON_LIB_READ_HEAP_H

#include "lib/model/heap_memory.h"
#include "lib/run/session.h"

struct gnomon_heap_reader {
    const struct gnomon_session *session;
    uint32_t state; /* address of struct gnomon_heap_state; 0: the program has none */
    bool too_large; /* more words than a file holds: a look is missing */
    struct gnomon_heap_memory memory;
};

/* Finds out whether the program was linked with --gnomon-heap, and, with `halts`, tells it to halt to be looked at.
 * Call it when the session is prepared. */
enum gnomon_status gnomon_heap_reader_open(struct gnomon_heap_reader *reader, const struct gnomon_session *session,
                                           bool halts, struct gnomon_error *error);
/* Tells a program linked with --gnomon-heap=guard to have accesses of freed blocks traced. The device's table of lock
 * words must be empty. Call it when the session is prepared. Fails if the program has no guards. */
enum gnomon_status gnomon_heap_watch(const struct gnomon_session *session, struct gnomon_error *error);
/* Looks at the memory. The content of memory is not trusted: what makes no sense gives no look. `ended`: the program
 * has ended, and does not wait for the look. */
enum gnomon_status gnomon_heap_reader_look(struct gnomon_heap_reader *reader, bool ended, struct gnomon_error *error);
/* Keeps only the words that point into `heap`, where blocks were. Call it after the last look. */
void gnomon_heap_reader_narrow(struct gnomon_heap_reader *reader, struct gnomon_heap_range heap);
void gnomon_heap_reader_free(struct gnomon_heap_reader *reader);

#endif
