/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/decimal.h"

const char gnomon_decimal_pairs[] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
    "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

char *gnomon_decimal_justify(char *to, uint64_t value, unsigned width) {
    char digits[GNOMON_DECIMAL_MOST];
    unsigned at = sizeof digits;
    for (; value >= 100; value /= 100)
        gnomon_decimal_two(digits + (at -= 2), (uint32_t)(value % 100));
    if (value >= 10)
        gnomon_decimal_two(digits + (at -= 2), (uint32_t)value);
    else
        digits[--at] = (char)('0' + value);
    const unsigned count = sizeof digits - at;
    for (; width > count; width--)
        *to++ = ' ';
    memcpy(to, digits + at, count);
    return to + count;
}

char *gnomon_decimal_put(char *to, uint64_t value) {
    return gnomon_decimal_justify(to, value, 0);
}

void gnomon_decimal_renew(struct gnomon_decimal_near *near, uint64_t high) {
    const unsigned width = near->width > 6 ? near->width - 6 : 0;
    near->size = (unsigned)(gnomon_decimal_justify(near->text, high, width) - near->text);
    near->high = high;
}

char *gnomon_decimal_small_thousandths(char *to, uint32_t value) {
    to = gnomon_decimal_put(to, value / 1000);
    *to = '.';
    gnomon_decimal_three(to + 1, value % 1000);
    return to + 4;
}
