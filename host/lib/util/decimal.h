/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as decimal digits, for writers of millions of them. No character ends the digits. */
#ifndef GNOMON_LIB_DECIMAL_H
#define GNOMON_LIB_DECIMAL_H

#include <stdint.h>
#include <string.h>

#define GNOMON_DECIMAL_MOST 20 /* digits of a number of 64 bits */

/* Writes the digits of `value`. Returns the place after them. */
char *gnomon_decimal_put(char *to, uint64_t value);

/* The same, right-justified in at least `width` characters. */
char *gnomon_decimal_justify(char *to, uint64_t value, unsigned width);

/* Numbers that follow each other closely, like times: all digits but the last six are nearly always those of the number
 * before, and are kept as text. Starts as zeros, with a width. */
struct gnomon_decimal_near {
    unsigned width; /* the least number of characters; at most GNOMON_DECIMAL_MOST */
    unsigned size;  /* of `text` */
    uint64_t high;  /* the number in `text`; 0: none */
    char text[GNOMON_DECIMAL_MOST];
};

/* What the functions below may write from `to` on, although they return a place before the end of that. */
#define GNOMON_DECIMAL_ROOM 32
#define GNOMON_DECIMAL_LOW 1000000u

/* "00" to "99", one after the other. */
extern const char gnomon_decimal_pairs[];
void gnomon_decimal_renew(struct gnomon_decimal_near *near, uint64_t high);
char *gnomon_decimal_small_thousandths(char *to, uint32_t value);

static inline void gnomon_decimal_two(char *to, uint32_t value) {
    memcpy(to, gnomon_decimal_pairs + 2 * (size_t)value, 2);
}

static inline void gnomon_decimal_three(char *to, uint32_t value) {
    to[0] = (char)('0' + value / 100);
    gnomon_decimal_two(to + 1, value % 100);
}

/* The same as gnomon_decimal_justify, faster for up to three digits and a constant width of three or more. */
static inline char *gnomon_decimal_column(char *to, uint64_t value, unsigned width) {
    if (value >= 1000)
        return gnomon_decimal_justify(to, value, width);
    memset(to, ' ', width);
    gnomon_decimal_three(to + width - 3, (uint32_t)value);
    if (value < 100)
        to[width - 3] = ' ';
    if (value < 10)
        to[width - 2] = ' ';
    return to + width;
}

/* The digits before the last six; `value` has more than six. A copy of all that can be there is the fastest. */
static inline char *gnomon_decimal_high(struct gnomon_decimal_near *near, char *to, uint64_t value) {
    const uint64_t high = value / GNOMON_DECIMAL_LOW;
    if (high != near->high)
        gnomon_decimal_renew(near, high);
    memcpy(to, near->text, sizeof near->text);
    return to + near->size;
}

/* Right-justified in at least `near->width` characters. */
static inline char *gnomon_decimal_put_near(struct gnomon_decimal_near *near, char *to, uint64_t value) {
    if (value < GNOMON_DECIMAL_LOW)
        return gnomon_decimal_justify(to, value, near->width);
    const uint32_t low = (uint32_t)(value % GNOMON_DECIMAL_LOW);
    to = gnomon_decimal_high(near, to, value);
    gnomon_decimal_two(to, low / 10000);
    gnomon_decimal_two(to + 2, low / 100 % 100);
    gnomon_decimal_two(to + 4, low % 100);
    return to + 6;
}

/* `value` thousandths, with three digits after the point: 1234 is "1.234". The width is 0. */
static inline char *gnomon_decimal_put_thousandths(struct gnomon_decimal_near *near, char *to, uint64_t value) {
    if (value < GNOMON_DECIMAL_LOW)
        return gnomon_decimal_small_thousandths(to, (uint32_t)value);
    const uint32_t low = (uint32_t)(value % GNOMON_DECIMAL_LOW);
    to = gnomon_decimal_high(near, to, value);
    gnomon_decimal_three(to, low / 1000);
    to[3] = '.';
    gnomon_decimal_three(to + 4, low % 1000);
    return to + 7;
}

#endif
