/* SPDX-License-Identifier: Apache-2.0 */
/* A program whose source requests tags. With -DWITHOUT it is the same program without tags. */
#ifndef WITHOUT
#include <gnomon_tag.h>
#else
#define GNOMON_TAG(actions)
#define GNOMON_TAGGED(actions)
#define GNOMON_THRESHOLD(thresholds)
#endif

#include <stdio.h>

#ifdef __riscv
#include <gnomon.h>

/* A tag below asks for this interrupt, which the program never enables. */
GNOMON_INTERRUPT void gnomon_profile_interrupt(void) {
}
#endif

GNOMON_THRESHOLD("0=10,50:interrupt")
GNOMON_THRESHOLD("1=2147483647")

GNOMON_TAGGED("each") int table[16];
static GNOMON_TAGGED("read") int secret = 3;
GNOMON_TAGGED("start=0") int declared_first(int value);
int plain[4];

#define TWICE(x)                                                                                                       \
    do {                                                                                                               \
        (x) += (x);                                                                                                    \
    } while (0)

GNOMON_TAGGED("count") static __attribute__((noinline)) int hidden(int value) {
    return value * secret;
}

/* The compiler sees one function, with or without a tag. */
static __attribute__((noinline)) int same(int value) {
    return (value ^ plain[3]) * 77 + plain[1];
}

GNOMON_TAGGED("count") static __attribute__((noinline)) int same_again(int value) {
    return (value ^ plain[3]) * 77 + plain[1];
}

__attribute__((noinline)) int declared_first(int value) {
    static GNOMON_TAGGED("write") int calls;
    return hidden(value) + ++calls;
}

int main(void) {
    int sum = same(plain[0]) + same_again(plain[1]);
    GNOMON_TAG("each,tagged") /* MARK loop */
    for (int i = 0; i < 16; i++) {
        table[i] = declared_first(i);
        sum += table[i];
    } /* END loop */

    /* clang-format off */
    GNOMON_TAG("toggle=1") /* MARK statement */
    plain[1] = sum +
               table[3] *
                   plain[2]; /* END statement */
    /* clang-format on */
    GNOMON_TAG("count")
    while (sum > 1000) /* MARK while */
        sum /= 2;      /* END while */
    if (sum) {
        GNOMON_TAG("stop=0") /* MARK macro */
        TWICE(sum);          /* END macro */
        plain[0] = sum;
    }
    GNOMON_TAG("count") /* MARK do */
    do {
        sum -= 3;
    } while (sum > 0);                           /* END do */
    GNOMON_TAG("interrupt")                      /* MARK return */
    return plain[0] == 0 && printf("%d\n", sum); /* END return */
}
