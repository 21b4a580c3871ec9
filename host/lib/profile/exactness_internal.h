/* SPDX-License-Identifier: Apache-2.0 */
/* Small pieces of text that the files of the exactness share. Only exactness*.c use this header. */
#ifndef GNOMON_LIB_EXACTNESS_INTERNAL_H
#define GNOMON_LIB_EXACTNESS_INTERNAL_H

#include "lib/util/digits.h"

/* The text is valid until the end of the enclosing block. */
#define DIGITS(value) gnomon_digits((char[GNOMON_DIGITS_BYTES]){0}, value)

/* The ending of a noun's plural. */
static inline const char *s(uint64_t count) {
    return count == 1 ? "" : "s";
}

#endif
