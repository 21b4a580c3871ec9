/* SPDX-License-Identifier: Apache-2.0 */
/* A second `helper`, in a file of its own, with debug information; and a function with two names. */
#define FUNCTION(slot, name) asm(".pushsection .gnomon.map,\"\",@progbits\n .4byte " #slot "," #name "\n .popsection")

__attribute__((used)) static int helper(int n) {
    return n + 1;
}
FUNCTION(0xFFFFFFFD, helper);

int twice(int n) {
    return helper(n) * 2;
}
FUNCTION(0xFFFFFFFA, twice);

static int also_twice(int n) __attribute__((alias("twice"), used));
