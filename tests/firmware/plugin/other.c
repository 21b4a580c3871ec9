/* SPDX-License-Identifier: Apache-2.0 */
/* A second function of the same name as one in features.c. */
#define NOINLINE __attribute__((noinline, noclone, noipa))

extern volatile int sink;
int other_file(int x);

NOINLINE static int same_name(int x) {
    return x * 5 + sink;
}
NOINLINE int other_file(int x) {
    return same_name(x) + 1;
}
