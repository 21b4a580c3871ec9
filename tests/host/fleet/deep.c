/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates at the bottom of 100 calls: deeper than the account of the heap follows. */
#include <stdlib.h>

static void *volatile kept;

__attribute__((noinline)) int deep(int calls) {
    kept = calls % 10 ? kept : malloc(8);
    return calls ? deep(calls - 1) + 1 : 0;
}

int main(void) {
    return deep(99) == 99 ? 0 : 1;
}
