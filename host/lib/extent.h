/* SPDX-License-Identifier: Apache-2.0 */
/* A stretch of addresses, as a person names it: START-END, or the name of a function or of a variable. */
#ifndef GNOMON_LIB_EXTENT_H
#define GNOMON_LIB_EXTENT_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

struct gnomon_extent {
    uint32_t start, end; /* `end` is not in it */
};

enum gnomon_extent_kind { GNOMON_EXTENT_FUNCTION, GNOMON_EXTENT_VARIABLE };

/* "0x1000-0x1010": true, whether anything lies between or not. */
bool gnomon_extent_parse(const char *text, struct gnomon_extent *extent);

/* By its name in the symbol table of the ELF file `path`, with its size there: parts that the compiler moved elsewhere
 * are not in it. GNOMON_ERR_NOT_FOUND: there is none, or it has no size; GNOMON_ERR_ARGUMENT: there are several. */
enum gnomon_status gnomon_extent_find(const char *path, const char *name, enum gnomon_extent_kind kind,
                                      struct gnomon_extent *extent, struct gnomon_error *error);

#endif
