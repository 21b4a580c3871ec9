/* SPDX-License-Identifier: Apache-2.0 */
/* Small pieces of text that the files of the exactness share. Only exactness*.c use this header. */
#ifndef GNOMON_LIB_EXACTNESS_INTERNAL_H
#define GNOMON_LIB_EXACTNESS_INTERNAL_H

#include <stdio.h>

#include "lib/profile/exactness.h"
#include "lib/util/digits.h"

/* The text is valid until the end of the enclosing block. */
#define DIGITS(value) gnomon_digits((char[GNOMON_DIGITS_BYTES]){0}, value)

/* The ending of a noun's plural. */
static inline const char *s(uint64_t count) {
    return count == 1 ? "" : "s";
}

/* What calls have. */
static inline const char *exactness_what(const struct gnomon_exactness *exactness) {
    return *exactness->unit ? "counts" : "cycles";
}

/* "cycle 12", or "12 retired". */
#define EXACTNESS_AT_BYTES (GNOMON_DIGITS_BYTES + GNOMON_UNIT_BYTES)
static inline const char *exactness_at(const struct gnomon_exactness *exactness, uint64_t time,
                                       char text[EXACTNESS_AT_BYTES]) {
    const bool cycles = !*exactness->unit;
    snprintf(text, EXACTNESS_AT_BYTES, "%s%s%s%s", cycles ? "cycle " : "", DIGITS(time), cycles ? "" : " ",
             exactness->unit);
    return text;
}
#define AT(exactness, time) exactness_at(exactness, time, (char[EXACTNESS_AT_BYTES]){0})

#endif
