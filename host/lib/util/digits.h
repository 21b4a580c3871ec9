/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers for people to read. */
#ifndef GNOMON_LIB_DIGITS_H
#define GNOMON_LIB_DIGITS_H

#include <stdint.h>

#define GNOMON_DIGITS_BYTES 32

/* "1,234,567"; returns `buffer`. */
const char *gnomon_digits(char buffer[GNOMON_DIGITS_BYTES], uint64_t value);

#endif
