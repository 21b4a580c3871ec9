/* SPDX-License-Identifier: Apache-2.0 */
/* The leak check of a recorded run, with the modes of gperftools' heap checker. */
#ifndef GNOMON_LIB_HEAP_LEAKS_H
#define GNOMON_LIB_HEAP_LEAKS_H

#include "lib/heap/heap_run.h"

enum gnomon_heap_mode {
    GNOMON_HEAP_MINIMAL,   /* blocks allocated since main began, that nothing pointed to as the program exited */
    GNOMON_HEAP_NORMAL,    /* all blocks that nothing pointed to as it exited, before atexit and destructors */
    GNOMON_HEAP_STRICT,    /* all blocks that nothing points to at the end */
    GNOMON_HEAP_DRACONIAN, /* all blocks that are not freed at the end */
};
/* False: no mode has that name. */
bool gnomon_heap_mode_named(const char *name, enum gnomon_heap_mode *mode);
const char *gnomon_heap_mode_name(enum gnomon_heap_mode mode);

struct gnomon_heap_leaks {
    enum gnomon_heap_mode mode;
    struct gnomon_heap_memory memory;    /* not of mode DRACONIAN */
    const struct gnomon_heap_look *look; /* in `memory`; NULL with mode DRACONIAN */
    uint64_t bytes, blocks;              /* lost */
    bool *reached;                       /* of each block in results->live */
};

/* Before the events are read: finds which of them `span` must cover, and the look. A recording that does not have what
 * the mode needs is an error. The caller frees `leaks`, whatever the status is. */
enum gnomon_status gnomon_heap_leaks_open(struct gnomon_heap_leaks *leaks, enum gnomon_heap_mode mode,
                                          const struct gnomon_analysis *analysis, struct gnomon_heap_span *span,
                                          struct gnomon_error *error);
/* After they were read with that span. */
enum gnomon_status gnomon_heap_leaks_find(struct gnomon_heap_leaks *leaks, const struct gnomon_analysis *analysis,
                                          const struct gnomon_heap_span *span,
                                          const struct gnomon_heap_results *results, struct gnomon_error *error);
void gnomon_heap_leaks_free(struct gnomon_heap_leaks *leaks);

#endif
