/* SPDX-License-Identifier: Apache-2.0 */
/* The program ends in nested calls: the open calls stay open, and exit's callees are called by exit's caller.
 *
 * status 7
 * open main deep stop
 * - > main 1
 * main > deep 1
 * deep > deep 4
 * deep > stop 1
 * stop > at_exit 1
 * stop > destroyed 1
 * - > constructed 1
 */
#include <stdlib.h>

#include "matrix.h"

volatile int sink;

__attribute__((constructor)) KEEP static void constructed(void) {
    sink = 3;
}
__attribute__((destructor)) KEEP static void destroyed(void) {
    sink = 5;
}
KEEP static void at_exit(void) {
    sink = 4;
}
KEEP static _Noreturn void stop(void) {
    exit(sink + 4);
}
KEEP static int deep(int n) {
    if (n < 0)
        return 0;
    if (n == 0)
        stop();
    return deep(n - 1) + sink;
}

int main(void) {
    if (atexit(at_exit) != 0)
        return 1;
    return deep(4) + sink;
}
