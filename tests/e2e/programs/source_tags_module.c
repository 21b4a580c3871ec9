/* SPDX-License-Identifier: Apache-2.0 */
/* A module whose source has tags. WHICH makes several modules of it. */
#include <gnomon_tag.h>

GNOMON_THRESHOLD("1=300,500:interrupt")

GNOMON_TAGGED("count") volatile int words[4] = {WHICH, 1, 2, 3};
static volatile int untagged;

GNOMON_TAGGED("start=1") static __attribute__((noinline)) void begins(void) {
    untagged = 1;
}

GNOMON_TAGGED("stop=1") static __attribute__((noinline)) void ends(void) {
    untagged = 0;
}

GNOMON_TAGGED("count") static __attribute__((noinline)) int leaf(int n) {
    int sum = WHICH;
    GNOMON_TAG("count")
    for (int i = 0; i < n; i++)
        sum += words[i & 3] * (i + 5);
    return sum;
}

/* The tags are there when constructors run. */
__attribute__((constructor)) static void born(void) {
    words[1] = 7;
}

/* Reads `n` of the words, and writes one. */
int run(int n) {
    begins();
    const int sum = leaf(n);
    words[0] = sum;
    ends();
    return sum;
}
