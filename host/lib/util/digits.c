/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/digits.h"

#include <inttypes.h>
#include <stdio.h>

const char *gnomon_digits(char buffer[GNOMON_DIGITS_BYTES], uint64_t value) {
    char digits[GNOMON_DIGITS_BYTES];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    char *to = buffer;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return buffer;
}
