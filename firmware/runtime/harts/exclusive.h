/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of the runtime in which nothing else of the program runs: interrupts are off, and where two harts run, the
 * hart has a lock. The library of --gnomon-harts is compiled with GNOMON_HARTS=2; in the other one, nothing of the lock
 * is left. A hart never waits for anything else while it has such a lock. */
#ifndef GNOMON_RUNTIME_EXCLUSIVE_H
#define GNOMON_RUNTIME_EXCLUSIVE_H

#include <gnomon.h>

#ifndef GNOMON_HARTS
#define GNOMON_HARTS 1
#endif
enum { HARTS = GNOMON_HARTS };

/* 1: a hart has it. With one hart it has no size. */
typedef struct {
    volatile uint32_t taken[HARTS - 1];
} gnomon_hart_lock;

/* Hart 1 runs. Until then no lock is taken: devices with one hart may have no atomic instructions. */
extern volatile uint32_t __gnomon_second_hart;

static inline void gnomon_hart_lock_take(gnomon_hart_lock *lock) {
    uint32_t busy;
    if (HARTS == 1 || !__gnomon_second_hart)
        return;
    for (;;) {
        __asm__ volatile(".option push\n\t.option arch, +a\n\tamoswap.w.aq %0, %2, (%1)\n\t.option pop"
                         : "=&r"(busy)
                         : "r"(lock->taken), "r"(1)
                         : "memory");
        if (!busy)
            return;
        while (lock->taken[0]) /* loads do not hold up the other hart's stores */
            ;
    }
}

static inline void gnomon_hart_lock_give(gnomon_hart_lock *lock) {
    if (HARTS == 1 || !__gnomon_second_hart)
        return;
    __asm__ volatile("fence rw, w" ::: "memory");
    lock->taken[0] = 0;
}

static inline uint32_t gnomon_exclusive_enter(gnomon_hart_lock *lock) {
    const uint32_t before = gnomon_interrupts_off();
    gnomon_hart_lock_take(lock);
    return before;
}

static inline void gnomon_exclusive_leave(gnomon_hart_lock *lock, uint32_t before) {
    gnomon_hart_lock_give(lock);
    gnomon_interrupts_restore(before);
}

/* Stores before it come before stores after it, for the other hart too. */
static inline void gnomon_order_stores(void) {
    if (HARTS > 1)
        __asm__ volatile("fence w, w" ::: "memory");
    else
        __asm__ volatile("" ::: "memory");
}

/* Loads before it come before accesses after it. */
static inline void gnomon_order_loads(void) {
    if (HARTS > 1)
        __asm__ volatile("fence r, rw" ::: "memory");
    else
        __asm__ volatile("" ::: "memory");
}

#endif
