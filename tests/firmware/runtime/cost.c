/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of hooks: cycles of many calls of a small function, with and without hooks, in the same loop. The
 * function is long enough that its return is predicted in both cases (docs/internals/core.md): otherwise the hooks,
 * which lengthen it, would save cycles. */
#include <gnomon.h>
#include <stdio.h>

enum { CALLS = 1000 };

#define BODY(x) (((((x) << 1) ^ ((x) >> 3)) + 5) ^ (((x) << 4) + ((x) >> 7)))

typedef int function(int);

__attribute__((noinline, noclone, noipa, aligned(64))) int hooked(int x) {
    return BODY(x);
}
GNOMON_OFF __attribute__((noinline, noclone, noipa, aligned(64))) int plain(int x) {
    return BODY(x);
}

GNOMON_OFF __attribute__((noinline, noclone, noipa, aligned(64))) static uint32_t cycles_of(function *f) {
    uint32_t before, after;
    int x = 0;
    __asm__ volatile("csrr %0, mcycle" : "=r"(before)::"memory");
    for (int i = 0; i < CALLS; i++)
        x = f(x);
    __asm__ volatile("csrr %0, mcycle" : "=r"(after) : "r"(x) : "memory");
    return after - before;
}

int main(void) {
    cycles_of(hooked); /* fills the instruction cache */
    cycles_of(plain);
    const uint32_t with = cycles_of(hooked);
    const uint32_t without = cycles_of(plain);
    const uint32_t again = cycles_of(hooked);
    printf("%d calls: %u cycles with hooks, %u without: ", CALLS, (unsigned)with, (unsigned)without);
    printf("%u.%02u cycles per call\n", (unsigned)((with - without) / CALLS),
           (unsigned)((with - without) % CALLS * 100 / CALLS));
    return with - without == 2 * CALLS && again == with ? 0 : 1;
}
