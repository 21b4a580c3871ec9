/* SPDX-License-Identifier: Apache-2.0 */
/* Several texts that grow at the same time, and are then written one after the other: they are kept in one temporary
 * file, in pieces, so that memory is needed for one piece of each only. */
#ifndef GNOMON_LIB_EXPORT_SPOOL_H
#define GNOMON_LIB_EXPORT_SPOOL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/util/error.h"

#define SPOOL_PIECE 4096

struct spool {
    FILE *file; /* NULL: it could not be made */
    uint64_t pieces;
    int reason; /* errno of the first failure; 0: none */
};

/* Starts as zeros. */
struct spool_text {
    uint64_t first, last; /* number + 1 of its pieces in the file; 0: none */
    uint32_t used;
    char *piece; /* the last one, which is not in the file; owned */
};

enum gnomon_status spool_open(struct spool *spool, struct gnomon_error *error);
void spool_close(struct spool *spool);

/* Adds characters, at most SPOOL_PIECE. Failures are kept in `reason`. */
void spool_put(struct spool *spool, struct spool_text *text, const char *characters, size_t count);
/* Writes the text to `stream`. Nothing may be added after it. */
void spool_write(struct spool *spool, struct spool_text *text, FILE *stream);
void spool_free(struct spool_text *text);

#endif
