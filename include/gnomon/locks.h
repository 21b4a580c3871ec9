/* SPDX-License-Identifier: Apache-2.0 */
/* Threads and locks of a program: the tables that its runtime keeps and that the host reads at the end of a run, and
 * the fields of a lock message (docs/reference/address-map.md, "Lock segments"). Both sides use these definitions. All
 * words are little endian, all pointers are target addresses. */
#ifndef GNOMON_LOCKS_H
#define GNOMON_LOCKS_H

#include <stdint.h>

#define GNOMON_LOCKS_SYMBOL "__gnomon_locks"
#define GNOMON_LOCKS_MAGIC 0x4B434F4Cu /* "LOCK" */
#define GNOMON_LOCKS_VERSION 1u

#define GNOMON_LOCKS_MOST 4096u   /* entries of the lock table; index 0 is unused */
#define GNOMON_LOCK_BEYOND 4095u  /* the index of every lock that has no entry of its own */
#define GNOMON_THREADS_MOST 256u  /* entries of the thread table; index 0 is the thread that runs main */
#define GNOMON_THREAD_BEYOND 255u /* the index of every thread that has no entry of its own */

enum gnomon_lock_kind {
    GNOMON_LOCK_NONE, /* not known */
    GNOMON_LOCK_MUTEX,
    GNOMON_LOCK_RECURSIVE,
    GNOMON_LOCK_ERRORCHECK,
    GNOMON_LOCK_SPIN,
    GNOMON_LOCK_SEMAPHORE,
    GNOMON_LOCK_RWLOCK,      /* the write side, at an even index */
    GNOMON_LOCK_RWLOCK_READ, /* the read side, at the next index */
    GNOMON_LOCK_CONDITION,
    GNOMON_LOCK_BARRIER,
    GNOMON_LOCK_ONCE,
    GNOMON_LOCK_CRITICAL, /* a critical section of the kernel: interrupts off by a call */
    GNOMON_LOCK_QUEUE,
    GNOMON_LOCK_USER, /* annotated by the program */
    GNOMON_LOCK_KINDS
};

enum gnomon_lock_state { GNOMON_LOCK_UNUSED, GNOMON_LOCK_LIVE, GNOMON_LOCK_DESTROYED };

struct gnomon_lock_entry {
    uint32_t address; /* of the lock */
    uint32_t name;    /* address of a zero-terminated string; 0: it has none */
    uint32_t caller;  /* return address of the call that registered it */
    uint8_t kind, state, thread, pad;
};

struct gnomon_thread_entry {
    uint32_t name;   /* address of a zero-terminated string; 0: it has none */
    uint32_t start;  /* its function */
    uint32_t handle; /* what the program knows it by */
    uint8_t state, pad[3];
};

/* The symbol GNOMON_LOCKS_SYMBOL. Counts of entries in use and of places, and pointers into main memory. */
struct gnomon_locks {
    uint32_t magic, version;
    uint32_t threads, threads_room, thread_table;
    uint32_t locks, locks_room, lock_table;
    uint32_t threads_refused, locks_refused; /* for which there was no place */
};

#endif
