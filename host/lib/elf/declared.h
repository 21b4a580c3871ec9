/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that a library's headers declare, as the debug information of the program's units tells it: a unit has
 * the declaration of a function that it calls, with the header it comes from. */
#ifndef GNOMON_LIB_DECLARED_H
#define GNOMON_LIB_DECLARED_H

#include "lib/util/error.h"
#include "lib/util/name_set.h"

/* `headers` are file names or ends of paths: "zlib.h", "libpng16/png.h". A header that no unit names is an error.
 * `declared` gets the linker's names; the caller frees it, whatever the status is. */
enum gnomon_status gnomon_declared_read(struct gnomon_name_set *declared, const char *path, const char *const *headers,
                                        size_t count, struct gnomon_error *error);

/* Is `end` the path, or its last parts? */
bool gnomon_ends_path(const char *path, const char *end);

#endif
