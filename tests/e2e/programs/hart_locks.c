// SPDX-License-Identifier: Apache-2.0
// Two harts that share locks made of atomic instructions, and say so by messages sent by hand, with tables of its own.
// Thread 0 runs on hart 0 and thread 1 on hart 1. Thread 2 goes from hart to hart, also while it has a lock.
//
// usage: hart_locks ROUNDS SEED
#include <gnomon.h>
#include <gnomon/locks.h>
#include <gnomon_harts.h>
#include <stdint.h>
#include <stdlib.h>

enum { SPIN = 1, TICKET, NESTED, TRIED, CARRIED, ITEMS, LOCKS };
enum { THREADS = 3, WANDERER = 2 };

static uint32_t spin, ticket_next, nested, tried, carried, items;
static volatile uint32_t ticket_now;

#define ENTRY(object, name, kind)                                                                                      \
    { (uint32_t) & object, (uint32_t)name, 0, kind, GNOMON_LOCK_LIVE, 0, 0 }
static struct gnomon_lock_entry locks[LOCKS] = {
    [SPIN] = ENTRY(spin, "spin", GNOMON_LOCK_SPIN),
    [TICKET] = ENTRY(ticket_next, "ticket", GNOMON_LOCK_MUTEX),
    [NESTED] = ENTRY(nested, "nested", GNOMON_LOCK_RECURSIVE),
    [TRIED] = ENTRY(tried, "tried", GNOMON_LOCK_MUTEX),
    [CARRIED] = ENTRY(carried, "carried", GNOMON_LOCK_MUTEX),
    [ITEMS] = ENTRY(items, "items", GNOMON_LOCK_SEMAPHORE),
};
static struct gnomon_thread_entry threads[THREADS] = {
    [1] = {(uint32_t) "second", 0, 0, 1, 0, 0, 0},
    [WANDERER] = {(uint32_t) "wanderer", 0, 0, 1, 0, 0, 0},
};
struct gnomon_locks __gnomon_locks = {
    GNOMON_LOCKS_MAGIC, GNOMON_LOCKS_VERSION, THREADS, THREADS, (uint32_t)threads, 0, LOCKS, (uint32_t)locks, 0, 0};

static unsigned rounds;
static unsigned seeds[2];
static volatile unsigned over[2]; // the hart has done its rounds
static volatile unsigned turn;    // the hart that runs the wanderer
static volatile unsigned wanderer_has;
static char stack[8192] __attribute__((aligned(16)));

static unsigned draw(unsigned hart, unsigned below) {
    seeds[hart] = seeds[hart] * 1664525 + 1013904223;
    return (seeds[hart] >> 16) % below;
}

static void __attribute__((noinline)) take(uint32_t *word) {
    while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE))
        ;
}

static void __attribute__((noinline)) give(uint32_t *word) {
    __atomic_store_n(word, 0, __ATOMIC_RELEASE);
}

// The caller is the address of what takes locks, or of what gives them up.
static inline void send(unsigned segment, unsigned thread, unsigned lock, unsigned flag) {
    uint32_t address = 0xE0000000 + segment * 0x1000000 + thread * 0x10000 + lock * 16 + flag * 8;
    *(volatile uint32_t *)address = (uint32_t)(segment || flag ? take : give) + 2;
}

static void request(unsigned thread, unsigned lock) {
    send(1, thread, lock, 1);
}

static void acquired(unsigned thread, unsigned lock) {
    send(0, thread, lock, 1);
}

static void refused(unsigned thread, unsigned lock) {
    send(1, thread, lock, 0);
}

static void released(unsigned thread, unsigned lock) {
    send(0, thread, lock, 0);
}

static void __attribute__((noinline)) work(unsigned hart) {
    for (volatile unsigned wait = draw(hart, 30); wait > 0; wait--)
        ;
}

static void __attribute__((noinline)) with_spin(unsigned hart) {
    request(hart, SPIN);
    take(&spin);
    acquired(hart, SPIN);
    work(hart);
    released(hart, SPIN);
    give(&spin);
}

static void __attribute__((noinline)) with_ticket(unsigned hart) {
    request(hart, TICKET);
    uint32_t mine = __atomic_fetch_add(&ticket_next, 1, __ATOMIC_ACQUIRE);
    while (ticket_now != mine)
        ;
    acquired(hart, TICKET);
    with_spin(hart);
    released(hart, TICKET);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    ticket_now = mine + 1;
}

static void __attribute__((noinline)) with_nested(unsigned hart) {
    request(hart, NESTED);
    take(&nested);
    acquired(hart, NESTED);
    request(hart, NESTED);
    acquired(hart, NESTED);
    work(hart);
    released(hart, NESTED);
    released(hart, NESTED);
    give(&nested);
}

static void __attribute__((noinline)) with_tried(unsigned hart) {
    if (__atomic_exchange_n(&tried, 1, __ATOMIC_ACQUIRE)) {
        refused(hart, TRIED);
        return;
    }
    acquired(hart, TRIED);
    work(hart);
    released(hart, TRIED);
    give(&tried);
}

static void __attribute__((noinline)) with_carried(unsigned hart) {
    request(hart, CARRIED);
    take(&carried);
    acquired(hart, CARRIED);
    work(hart);
    released(hart, CARRIED);
    give(&carried);
}

// Hart 0 makes items, hart 1 takes them.
static void __attribute__((noinline)) with_items(unsigned hart) {
    if (hart == 0) {
        released(hart, ITEMS);
        __atomic_fetch_add(&items, 1, __ATOMIC_RELEASE);
        return;
    }
    request(hart, ITEMS);
    for (unsigned patience = 40; patience > 0; patience--)
        if (__atomic_load_n(&items, __ATOMIC_ACQUIRE)) {
            __atomic_fetch_sub(&items, 1, __ATOMIC_ACQUIRE);
            acquired(hart, ITEMS);
            return;
        }
    refused(hart, ITEMS);
}

// A step of the wanderer, if it is on this hart; then it may go to the other one.
static void __attribute__((noinline)) wander(unsigned hart) {
    if (turn != hart)
        return;
    if (wanderer_has) {
        released(WANDERER, CARRIED);
        wanderer_has = 0;
        give(&carried);
    } else {
        request(WANDERER, CARRIED);
        take(&carried);
        acquired(WANDERER, CARRIED);
        wanderer_has = 1;
    }
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (draw(hart, 3) && !over[1 - hart])
        turn = 1 - hart;
}

static void run(unsigned hart) {
    static void (*const steps[])(unsigned) = {with_spin, with_ticket, with_nested, with_tried, with_items, wander};
    for (unsigned i = 0; i < rounds; i++) {
        steps[draw(hart, sizeof steps / sizeof *steps)](hart);
        if (!wanderer_has && draw(hart, 4) == 0 && turn == hart)
            with_carried(hart);
        work(hart);
    }
    over[hart] = 1;
    if (turn == hart && !over[1 - hart])
        turn = 1 - hart;
}

static void second(void *argument) {
    (void)argument;
    run(1);
}

int main(int argc, char **argv) {
    rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
    seeds[0] = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    seeds[1] = seeds[0] + 17;
    __gnomon_locks.locks = LOCKS; // a table that nothing uses would not be linked
    if (gnomon_hart_start(second, NULL, stack, sizeof stack))
        return 1;
    run(0);
    while (!over[1])
        ;
    return 0;
}
