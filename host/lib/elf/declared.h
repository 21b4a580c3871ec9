/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that a library's headers declare, as the debug information of the program's units tells it: a unit has
 * the declaration of a function that it calls, with the header it comes from. */
#ifndef GNOMON_LIB_DECLARED_H
#define GNOMON_LIB_DECLARED_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/util/error.h"

struct gnomon_declared {
    size_t count, room;
    char **symbols; /* the linker's names, sorted, each once; owned */
};

/* `headers` are file names or ends of paths: "zlib.h", "libpng16/png.h". A header that no unit names is an error. The
 * caller frees `declared`, whatever the status is. */
enum gnomon_status gnomon_declared_read(struct gnomon_declared *declared, const char *path, const char *const *headers,
                                        size_t count, struct gnomon_error *error);
bool gnomon_declared_has(const struct gnomon_declared *declared, const char *symbol);
void gnomon_declared_free(struct gnomon_declared *declared);

#endif
