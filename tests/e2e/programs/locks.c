// SPDX-License-Identifier: Apache-2.0
// Messages about locks and threads, sent by hand, with tables of its own. One hart plays several threads: in each step
// one of them asks for a lock, tries it, releases one, or posts a semaphore, as a random number says. A thread that
// must wait does nothing until the lock is free, or gives up.
//
// usage: locks STEPS SEED [broken]   broken: spoils the tables before the end
#include <gnomon.h>
#include <gnomon/locks.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define LOCKS 8 // indices 1 to 7

enum { MUTEX = 1, OTHER, CHECKED, NESTED, ITEMS, WRITE, READ };

static struct pool {
    unsigned before[2];
    unsigned mutex, other;
} pool;
static unsigned checked[2], nested, items, table_lock;

static struct gnomon_lock_entry locks[LOCKS] = {
    [MUTEX] = {(uint32_t)&pool.mutex, 0, 0, GNOMON_LOCK_MUTEX, GNOMON_LOCK_LIVE, 0, 0},
    [OTHER] = {(uint32_t)&pool.other, (uint32_t) "second mutex", 0, GNOMON_LOCK_MUTEX, GNOMON_LOCK_LIVE, 0, 0},
    [CHECKED] = {(uint32_t)&checked[1], 0, 0, GNOMON_LOCK_ERRORCHECK, GNOMON_LOCK_LIVE, 0, 0},
    [NESTED] = {(uint32_t)&nested, 0, 0, GNOMON_LOCK_RECURSIVE, GNOMON_LOCK_LIVE, 0, 0},
    [ITEMS] = {(uint32_t)&items, (uint32_t) "items", 0, GNOMON_LOCK_SEMAPHORE, GNOMON_LOCK_LIVE, 0, 0},
    [WRITE] = {(uint32_t)&table_lock, 0, 0, GNOMON_LOCK_RWLOCK, GNOMON_LOCK_LIVE, 0, 0},
    [READ] = {(uint32_t)&table_lock, 0, 0, GNOMON_LOCK_RWLOCK_READ, GNOMON_LOCK_LIVE, 0, 0},
};

static void feed(void) {
}

static struct gnomon_thread_entry threads[THREADS] = {
    [1] = {(uint32_t) "worker one", 0, 0, 1, 0, 0, 0},
    [2] = {0, (uint32_t)feed, 0, 1, 0, 0, 0},
};

struct gnomon_locks __gnomon_locks = {
    GNOMON_LOCKS_MAGIC, GNOMON_LOCKS_VERSION, THREADS, THREADS, (uint32_t)threads, LOCKS, LOCKS, (uint32_t)locks, 0, 0};

static struct {
    int owner; // -1: it is free
    unsigned depth, readers[THREADS], count;
} state[LOCKS];
static unsigned waits_for[THREADS], patience[THREADS]; // a lock, 0: it runs
static unsigned seed;

static unsigned draw(unsigned below) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 16) % below;
}

static void step(void);

// Where a lock function would have been called: an address in step() for each of these functions.
enum { ASK = 8, TRY = 16, GIVE = 24 };

static void send(unsigned segment, unsigned thread, unsigned lock, unsigned flag, unsigned site) {
    uint32_t address = 0xE0000000 + segment * 0x1000000 + thread * 0x10000 + lock * 16 + flag * 8;
    *(volatile uint32_t *)address = (uint32_t)step + site;
}

static int has(unsigned thread, unsigned lock) {
    return lock == READ ? state[READ].readers[thread] > 0 : state[lock].owner == (int)thread;
}

static int available(unsigned thread, unsigned lock) {
    if (lock == ITEMS)
        return state[ITEMS].count > 0;
    if (lock == READ)
        return state[WRITE].owner < 0;
    for (unsigned i = 0; lock == WRITE && i < THREADS; i++)
        if (state[READ].readers[i])
            return 0;
    return state[lock].owner < 0 || (lock == NESTED && has(thread, lock));
}

static void take(unsigned thread, unsigned lock, unsigned site) {
    if (lock == ITEMS) {
        state[ITEMS].count--;
    } else if (lock == READ) {
        state[READ].readers[thread]++;
    } else {
        state[lock].owner = (int)thread;
        state[lock].depth++;
    }
    send(0, thread, lock, 1, site);
}

static void give(unsigned thread, unsigned lock) {
    send(0, thread, lock, 0, GIVE);
    if (lock == ITEMS) {
        state[ITEMS].count++;
    } else if (lock == READ) {
        state[READ].readers[thread]--;
    } else if (state[lock].owner != (int)thread) {
        send(1, thread, lock, 0, GIVE); // an errorcheck mutex of another thread: it fails
    } else if (--state[lock].depth == 0) {
        state[lock].owner = -1;
    }
}

static void wait_on(unsigned thread) {
    unsigned lock = waits_for[thread];
    if (available(thread, lock)) {
        waits_for[thread] = 0;
        take(thread, lock, ASK);
    } else if (patience[thread]-- == 0) {
        waits_for[thread] = 0;
        send(1, thread, lock, 0, ASK);
    }
}

static void __attribute__((noinline)) step(void) {
    unsigned thread = draw(THREADS), lock = 1 + draw(LOCKS - 1);
    if (waits_for[thread]) {
        wait_on(thread);
    } else if (has(thread, lock) && (lock != NESTED || draw(3))) {
        give(thread, lock);
    } else if (lock == ITEMS && draw(2)) {
        give(thread, lock);
    } else if (lock == CHECKED && state[lock].owner >= 0 && draw(8) == 0) {
        give(thread, lock);
    } else if ((lock == READ && has(thread, WRITE)) || (lock == WRITE && has(thread, READ))) {
        return;
    } else if (draw(4) == 0) {
        if (available(thread, lock))
            take(thread, lock, TRY);
        else
            send(1, thread, lock, 0, TRY);
    } else {
        send(1, thread, lock, 1, ASK);
        waits_for[thread] = lock;
        patience[thread] = draw(12);
        if (draw(4))
            wait_on(thread);
    }
}

int main(int argc, char **argv) {
    unsigned steps = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
    seed = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    for (unsigned lock = 0; lock < LOCKS; lock++)
        state[lock].owner = -1;
    for (unsigned i = 0; i < steps; i++) {
        step();
        for (volatile unsigned wait = draw(40); wait > 0; wait--)
            ;
    }
    const char *broken = argc > 3 ? argv[3] : "";
    if (!strcmp(broken, "magic"))
        __gnomon_locks.magic = 0x12345678;
    else if (!strcmp(broken, "table"))
        __gnomon_locks.lock_table = 0xFFFFFFF0;
    else if (!strcmp(broken, "count"))
        __gnomon_locks.threads = 100000;
    else if (!strcmp(broken, "name"))
        locks[MUTEX].name = 0x40000000;
    else if (!strcmp(broken, "kind"))
        locks[MUTEX].kind = 99;
    else if (!strcmp(broken, "crash"))
        __builtin_trap();
    return 0;
}
