/* SPDX-License-Identifier: Apache-2.0 */
/* Locks and threads for `gnomon locks` (docs/guide/locks-program.md). Programs that use the functions of pthread.h need
 * nothing from here: gnomon cc --gnomon-locks sees their calls. This header gives names to locks and threads, and
 * announces locks that the program makes itself, of atomic operations for example. On another machine all of it
 * compiles to nothing. */
#ifndef GNOMON_LOCKS_H
#define GNOMON_LOCKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__riscv) && __riscv_xlen == 32

#include <gnomon/locks.h>

/* Gives a lock its name. NAME is not copied. The lock may be initialized before or after this call. */
void gnomon_lock_name(const volatile void *lock, const char *name);
/* Gives the thread that runs its name. NAME is not copied. */
void gnomon_thread_name(const char *name);

/* Has the device trace every access of the word at this address (gnomon trace --events --bus or --word): a lock that is
 * no call, only a variable. With two harts: every access by the hart that calls it. What the device says: */
enum gnomon_lock_word {
    GNOMON_LOCK_WORD_TRACED,
    GNOMON_LOCK_WORD_FULL,        /* it has no place left for this address */
    GNOMON_LOCK_WORD_ELSEWHERE,   /* the address is not in main memory */
    GNOMON_LOCK_WORD_UNSUPPORTED, /* it has no lock words, or the heap uses them (gnomon record --use-after-free) */
};
/* For code in machine mode. It switches interrupts off for some 50 cycles. */
enum gnomon_lock_word gnomon_lock_word(const volatile void *word);

/* Used by the macros below. */
void gnomon_lock_user(const volatile void *lock, const char *name);
void gnomon_lock_request(const volatile void *lock);
void gnomon_lock_acquired(const volatile void *lock);
void gnomon_lock_released(const volatile void *lock);
void gnomon_lock_refused(const volatile void *lock);

/* X is an object that serves as a lock. GNOMON_LOCK(X) gives it its name in the source; the others need no GNOMON_LOCK.
 *
 *     while (!__atomic_compare_exchange_n(&busy, &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) ...
 *
 * is announced with GNOMON_LOCK_REQUEST(busy) before and GNOMON_LOCK_ACQUIRED(busy) after it. An attempt that does not
 * wait needs no GNOMON_LOCK_REQUEST. GNOMON_LOCK_RELEASED(busy) comes before the store that gives the lock up. */
#define GNOMON_LOCK(x) gnomon_lock_user(&(x), #x)
#define GNOMON_LOCK_REQUEST(x) gnomon_lock_request(&(x))
#define GNOMON_LOCK_ACQUIRED(x) gnomon_lock_acquired(&(x))
#define GNOMON_LOCK_RELEASED(x) gnomon_lock_released(&(x))
#define GNOMON_LOCK_REFUSED(x) gnomon_lock_refused(&(x))

/* Index of the thread that runs. A program with a scheduler of its own sets it at each switch, beside GNOMON_THREAD. */
extern uint32_t __gnomon_thread;

/* The table has room for 255 locks. GNOMON_LOCKS_ROOM, once in a program and outside functions, gives it another size,
 * of at most 4,094 locks: 16 bytes each, and 4 to 8 for finding them. */
#define GNOMON_LOCKS_ROOM(n)                                                                                           \
    struct gnomon_lock_entry __gnomon_lock_table[(n) + 1];                                                             \
    uint16_t __gnomon_lock_slots[GNOMON_LOCKS_SLOTS(n)];                                                               \
    const uint32_t gnomon_locks_room = (n) + 1;                                                                        \
    const uint32_t __gnomon_lock_slots_mask = GNOMON_LOCKS_SLOTS(n) - 1

/* A power of two, at least twice the number of locks. */
#define GNOMON_LOCKS_SLOTS(n) ((n) < 64 ? 128 : (n) < 256 ? 512 : (n) < 1024 ? 2048 : 8192)

extern struct gnomon_lock_entry __gnomon_lock_table[];
extern uint16_t __gnomon_lock_slots[];
extern const uint32_t gnomon_locks_room, __gnomon_lock_slots_mask;

#else

#define gnomon_lock_name(lock, name) ((void)(lock), (void)(name))
#define gnomon_thread_name(name) ((void)(name))
enum gnomon_lock_word {
    GNOMON_LOCK_WORD_TRACED,
    GNOMON_LOCK_WORD_FULL,
    GNOMON_LOCK_WORD_ELSEWHERE,
    GNOMON_LOCK_WORD_UNSUPPORTED
};
#define gnomon_lock_word(word) ((void)(word), GNOMON_LOCK_WORD_UNSUPPORTED)
#define GNOMON_LOCK(x) ((void)&(x))
#define GNOMON_LOCK_REQUEST(x) ((void)&(x))
#define GNOMON_LOCK_ACQUIRED(x) ((void)&(x))
#define GNOMON_LOCK_RELEASED(x) ((void)&(x))
#define GNOMON_LOCK_REFUSED(x) ((void)&(x))
#define GNOMON_LOCKS_ROOM(n) extern int gnomon_locks_unused

#endif

#ifdef __cplusplus
}
#endif

#endif
