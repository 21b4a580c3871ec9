/* SPDX-License-Identifier: Apache-2.0 */
/* Programs linked with --gnomon-heap: where the host finds what the program can still reach. The host reads memory when
 * the program has ended and, only if the user asked for it (gnomon record --leak-check), when it calls exit and at
 * GNOMON_HEAP_MARK. */
#include <gnomon.h>
#include <unistd.h>

#include "heap/heap.h"
#include "heap/lock.h"
#include "internal.h"

/* Not in .bss: the host writes `wanted` before the start. */
struct gnomon_heap_state __gnomon_heap = {.magic = GNOMON_HEAP_MAGIC, .version = GNOMON_HEAP_VERSION};

void __gnomon_heap_cycle(uint32_t cycle[2]) {
    uint32_t again;
    do {
        cycle[1] = GNOMON_REG(GNOMON_SYSCTL_CYCLE_HI);
        cycle[0] = GNOMON_REG(GNOMON_SYSCTL_CYCLE_LO);
        again = GNOMON_REG(GNOMON_SYSCTL_CYCLE_HI);
    } while (again != cycle[1]);
}

void __gnomon_heap_tell(const void *address, uint32_t what) {
    const uint32_t before = gnomon_interrupts_off();
    GNOMON_SEND(GNOMON_CHANNEL_HEAP_ADDR, (uintptr_t)address);
    GNOMON_SEND(GNOMON_CHANNEL_HEAP_ALLOC, what);
    gnomon_interrupts_restore(before);
}

/* The two messages about a block that another thread allocates are not parted. */
static void tell_alone(const void *address, uint32_t kind) {
    const bool outer = heap_begin();
    __gnomon_heap_tell(address, GNOMON_HEAP_FOUND(kind, 0));
    heap_end(outer);
}

void gnomon_heap_ignore(const void *block) {
    tell_alone(block, GNOMON_HEAP_IGNORED);
}

void gnomon_heap_unignore(const void *block) {
    tell_alone(block, GNOMON_HEAP_UNIGNORED);
}

/* An address of 0 would be an allocation that failed. */
void gnomon_heap_leaks_off(void) {
    tell_alone(&__gnomon_heap, GNOMON_HEAP_LEAKS_OFF);
}

void gnomon_heap_leaks_on(void) {
    tell_alone(&__gnomon_heap, GNOMON_HEAP_LEAKS_ON);
}

/* Registers of callers are roots, too. */
void __gnomon_heap_save(void) {
    struct gnomon_heap_state *state = &__gnomon_heap;
    state->heap_start = (uint32_t)(uintptr_t)__heap_start;
    state->heap_end = (uint32_t)(uintptr_t)sbrk(0);
    __gnomon_heap_cycle(state->cycle);
    __asm__ volatile(
        "sw sp, 0(%0)\n\t"
        "sw s0, 4(%0)\n\tsw s1, 8(%0)\n\tsw s2, 12(%0)\n\tsw s3, 16(%0)\n\tsw s4, 20(%0)\n\tsw s5, 24(%0)\n\t"
        "sw s6, 28(%0)\n\tsw s7, 32(%0)\n\tsw s8, 36(%0)\n\tsw s9, 40(%0)\n\tsw s10, 44(%0)\n\tsw s11, 48(%0)"
        :
        : "r"(&state->sp)
        : "memory");
}

uint32_t gnomon_heap_look(void) {
    struct gnomon_param *param = __gnomon_param();
    if (!__gnomon_heap.wanted || !param)
        return 0;
    __gnomon_heap_save();
    __gnomon_heap.looks++;
    __gnomon_request(param, NULL, (void *)(uintptr_t)GNOMON_PARAM_LOOK, 0);
    return GNOMON_HEAP_LOOK(__gnomon_heap.looks);
}
