/* SPDX-License-Identifier: Apache-2.0 */
/* Both harts change the same words by atomic instructions; nothing is lost, and no value comes twice. */
#include <stdint.h>
#include <string.h>

#include <gnomon_harts.h>

#include "check.h"

enum { ROUNDS = 3000, BATCH = 8 };

static volatile uint32_t arrived[2];
static uint32_t added, reserved, swapped, bits, greatest, plain, locked_by_sc, lock_sc, lock_swap;
static uint32_t seen[2][2 * ROUNDS / 32 + 1]; /* values that amoadd gave */
static uint32_t failures[2], swap_sum[2];
static char stack[4096] __attribute__((aligned(16)));

static void meet(unsigned hart) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    uint32_t number = ++arrived[hart];
    while (arrived[1 - hart] < number)
        ;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static uint32_t try_reserved(uint32_t *word, uint32_t addend) {
    uint32_t value, failed;
    __asm__ volatile("lr.w.aq %0, (%2)\n\tadd %0, %0, %3\n\tsc.w.rl %1, %0, (%2)"
                     : "=&r"(value), "=&r"(failed)
                     : "r"(word), "r"(addend)
                     : "memory");
    return failed;
}

static void take_sc(uint32_t *lock) {
    uint32_t value;
    __asm__ volatile("1: lr.w.aq %0, (%1)\n\tbnez %0, 1b\n\tsc.w %0, %2, (%1)\n\tbnez %0, 1b"
                     : "=&r"(value)
                     : "r"(lock), "r"(1)
                     : "memory");
}

static void work(unsigned hart) {
    meet(hart);
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint32_t was = __atomic_fetch_add(&added, 1, __ATOMIC_RELAXED);
        seen[hart][was / 32] |= 1u << was % 32;
    }
    meet(hart);
    /* Eight in a row: no instruction in between lets the other hart in. */
    for (unsigned i = 0; i < ROUNDS / BATCH; i++)
        __asm__ volatile("amoadd.w zero, %1, (%0)\n\tamoadd.w zero, %1, (%0)\n\tamoadd.w zero, %1, (%0)\n\t"
                         "amoadd.w zero, %1, (%0)\n\tamoadd.w zero, %1, (%0)\n\tamoadd.w zero, %1, (%0)\n\t"
                         "amoadd.w zero, %1, (%0)\n\tamoadd.w zero, %1, (%0)" ::"r"(&bits),
                         "r"(1)
                         : "memory");
    meet(hart);
    for (unsigned i = 0; i < ROUNDS; i++)
        while (try_reserved(&reserved, 1))
            failures[hart]++;
    meet(hart);
    for (unsigned i = 0; i < ROUNDS; i++) {
        take_sc(&lock_sc);
        locked_by_sc++;
        __atomic_store_n(&lock_sc, 0, __ATOMIC_RELEASE);
    }
    meet(hart);
    for (unsigned i = 0; i < ROUNDS; i++) {
        while (__atomic_exchange_n(&lock_swap, 1, __ATOMIC_ACQUIRE))
            ;
        plain++;
        __atomic_store_n(&lock_swap, 0, __ATOMIC_RELEASE);
    }
    meet(hart);
    /* Every token that goes in comes out once. */
    for (unsigned i = 1; i <= ROUNDS; i++)
        swap_sum[hart] += __atomic_exchange_n(&swapped, i, __ATOMIC_RELAXED);
    meet(hart);
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint32_t value = (i * 2654435761u + hart) >> 4, old;
        __asm__ volatile("amomaxu.w %0, %2, (%1)" : "=r"(old) : "r"(&greatest), "r"(value) : "memory");
    }
    meet(hart);
}

static void other(void *argument) {
    CHECK(gnomon_hart() == 1 && argument == &stack);
    work(1);
}

int main(void) {
    CHECK(gnomon_harts() == 2 && gnomon_hart() == 0);
    CHECK(gnomon_hart_start(other, &stack, stack, sizeof stack) == 0);
    work(0);
    uint32_t greatest_of_all = 0;
    for (unsigned hart = 0; hart < 2; hart++)
        for (unsigned i = 0; i < ROUNDS; i++) {
            uint32_t value = (i * 2654435761u + hart) >> 4;
            greatest_of_all = value > greatest_of_all ? value : greatest_of_all;
        }
    CHECK(added == 2 * ROUNDS);
    for (unsigned i = 0; i < 2 * ROUNDS; i++)
        CHECK(((seen[0][i / 32] ^ seen[1][i / 32]) >> i % 32 & 1) == 1);
    CHECK(bits == 2 * (ROUNDS / BATCH * BATCH));
    CHECK(reserved == 2 * ROUNDS);
    CHECK(failures[0] + failures[1] > 0);
    CHECK(locked_by_sc == 2 * ROUNDS && plain == 2 * ROUNDS);
    CHECK(swap_sum[0] + swap_sum[1] + swapped == ROUNDS * (ROUNDS + 1));
    CHECK(greatest == greatest_of_all);
    printf("reservations lost: %u, %u\n", (unsigned)failures[0], (unsigned)failures[1]);
    return check_failed;
}
