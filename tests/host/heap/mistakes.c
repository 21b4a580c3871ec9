/* SPDX-License-Identifier: Apache-2.0 */
/* Frees a block twice, and what is no block. The real free is not called for these: a heap that is damaged would end
 * the program. */
#include <gnomon.h>
#include <stdlib.h>

__attribute__((noinline)) static void *make(void) {
    return malloc(40);
}
/* The message of a call of free, without the call. */
__attribute__((noinline)) static void wrong(void *block) {
    GNOMON_SEND(GNOMON_CHANNEL_HEAP_FREE, (uintptr_t)block);
}
__attribute__((noinline)) static void right(void *block) {
    free(block);
}

int main(void) {
    void *first = make(), *second = make();
    static int variable;
    right(first);
    wrong(first);
    wrong(&variable);
    wrong((char *)second + 8);
    right(second);
    return 0;
}
