/* SPDX-License-Identifier: Apache-2.0 */
/* A second hart. Hart 0 runs main; hart 1 waits until hart 0 starts it. The harts share memory. This
 * header is for programs without threads: for them the C library is not made for two harts, and only one of them may
 * allocate memory, or use a stream, at a time. Threads use both harts with gnomon cc --gnomon-harts (threads.md). */
#ifndef GNOMON_HARTS_H
#define GNOMON_HARTS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Number of the hart that asks. */
static inline unsigned gnomon_hart(void) {
    unsigned hart;
    __asm__ volatile("csrr %0, mhartid" : "=r"(hart));
    return hart;
}

/* Number of harts of the device. */
unsigned gnomon_harts(void);

/* Starts hart 1: it calls FUNCTION with ARGUMENT, on the stack of SIZE bytes at STACK, and waits for ever when FUNCTION
 * returns. It sees all that hart 0 wrote before. Hart 1 has thread-local variables of its own at the end of the stack;
 * they begin with the values that those of hart 0 have now. Its interrupts go to the same handlers as hart 0's. Returns
 * 0; or -1 with errno ENODEV (there is one hart), EBUSY (hart 1 was started before), EINVAL (the stack is too small).
 */
int gnomon_hart_start(void (*function)(void *), void *argument, void *stack, size_t size);

/* Raises or clears the software interrupt of a hart. */
void gnomon_hart_interrupt(unsigned hart, int raised);

#ifdef __cplusplus
}
#endif

#endif
