/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of threads and locks that a program keeps in its memory, and what a lock message says. The host reads the
 * tables through the symbol __gnomon_locks at the end of a run. Both sides use this definition. All words are little
 * endian, all pointers are target addresses. */
#ifndef GNOMON_LOCK_TABLES_H
#define GNOMON_LOCK_TABLES_H

#include <stdint.h>

#define GNOMON_LOCKS_MAGIC 0x4B434F4Cu /* "LOCK" */
#define GNOMON_LOCKS_VERSION 1u

/* A lock message is a store of 32 bits to one of these addresses, plus an index. Its value is the return address of the
 * lock function's call, or 0. */
#define GNOMON_LOCKS_RELEASED 0xE0000000u /* the thread gave the lock up */
#define GNOMON_LOCKS_ACQUIRED 0xE0000008u /* the thread has the lock */
#define GNOMON_LOCKS_REFUSED 0xE1000000u  /* the thread did not get the lock: it was held, time-out, error */
#define GNOMON_LOCKS_REQUEST 0xE1000008u  /* the thread asks for the lock, and may wait from here on */
#define GNOMON_LOCKS_MESSAGE(what, thread, lock) ((what) | (uint32_t)(thread) << 16 | (uint32_t)(lock) << 4)

/* A REQUEST of this lock, which is none: the thread blocks from here on until it runs again. Sent where the thread
 * table has priorities. */
#define GNOMON_LOCKS_LOCK_NONE 0u
#define GNOMON_LOCKS_LOCK_OTHER 4095u  /* index of each lock that has no place in the table */
#define GNOMON_LOCKS_THREAD_OTHER 255u /* index of each thread that has no place in the table */

enum gnomon_lock_kind {
    GNOMON_LOCK_NONE, /* a name without a lock, or an entry that is left out */
    GNOMON_LOCK_MUTEX,
    GNOMON_LOCK_RECURSIVE,
    GNOMON_LOCK_ERRORCHECK,
    GNOMON_LOCK_SPIN,
    GNOMON_LOCK_SEMAPHORE,
    GNOMON_LOCK_RWLOCK,      /* the write side, with an even index */
    GNOMON_LOCK_RWLOCK_READ, /* the read side, with the next index */
    GNOMON_LOCK_CONDITION,
    GNOMON_LOCK_BARRIER,
    GNOMON_LOCK_ONCE,
    GNOMON_LOCK_CRITICAL,  /* a section without interrupts */
    GNOMON_LOCK_QUEUE,     /* an even index: what the queue holds; the next index: the room of the queue */
    GNOMON_LOCK_USER,      /* a lock that the program's own code announces */
    GNOMON_LOCK_INTERRUPTS /* not in the table: interrupts switched off, as the device saw it; the host gives it index 0
                            */
};

enum gnomon_lock_state { GNOMON_LOCK_UNUSED, GNOMON_LOCK_LIVE, GNOMON_LOCK_DESTROYED };

/* Wrong use of a lock that the program noticed: bits of `wrong`. */
enum gnomon_lock_wrong {
    GNOMON_LOCK_WRONG_DESTROY = 1, /* destroyed while it was in use; the call failed */
    GNOMON_LOCK_WRONG_USE = 2,     /* used after it was destroyed */
    GNOMON_LOCK_WRONG_AGAIN = 4,   /* initialized again before it was destroyed */
    GNOMON_LOCK_WRONG_FREED = 8    /* its memory was freed before it was destroyed */
};

struct gnomon_lock_entry {
    uint32_t address;
    uint32_t name;   /* address of a zero-terminated string, or 0 */
    uint32_t caller; /* return address of the call that made the entry */
    uint8_t kind;    /* an enum gnomon_lock_kind */
    uint8_t state;   /* an enum gnomon_lock_state */
    uint8_t thread;  /* index of the thread that made the entry */
    uint8_t wrong;   /* bits of enum gnomon_lock_wrong; bits 7:4 are the program's own */
};

enum gnomon_thread_state { GNOMON_THREAD_UNUSED, GNOMON_THREAD_LIVE, GNOMON_THREAD_ENDED };

struct gnomon_thread_entry {
    uint32_t name;   /* address of a zero-terminated string, or 0 */
    uint32_t start;  /* address of the thread's function, or 0 */
    uint32_t handle; /* what the program calls the thread by */
    uint8_t state;   /* an enum gnomon_thread_state */
    /* 1 plus the lowest and the highest priority that the program gave the thread; 0: not known. A higher number runs
     * first. What the thread inherits does not count. */
    uint8_t least_priority, most_priority;
    uint8_t pad;
};

struct gnomon_locks {
    uint32_t magic;
    uint32_t version;
    uint32_t threads;      /* number of entries in use; entry 0 is the thread that runs main */
    uint32_t threads_room; /* number of entries that there are */
    uint32_t thread_table; /* address of struct gnomon_thread_entry */
    uint32_t locks;        /* number of entries in use, with entry 0, which is no lock */
    uint32_t locks_room;
    uint32_t lock_table;      /* address of struct gnomon_lock_entry */
    uint32_t threads_refused; /* number of threads that had no place */
    uint32_t locks_refused;   /* number of calls that named a new lock and found no place for it */
};

#endif
