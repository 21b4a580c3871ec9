/* SPDX-License-Identifier: Apache-2.0 */
/* Read-write locks: the write side has an even index, the read side the next one. */
#include "locks/wrap.h"

#define WRITE __gnomon_lock_index(lock, GNOMON_LOCK_RWLOCK, caller)
#define READ (WRITE | 1u) /* GNOMON_LOCKS_LOCK_OTHER is odd */

/* An unlock does not say which side it gives up. Only one thread holds the lock while it is held for writing; this
 * thread notes that in the entry of the read side, whose field `wrong` has no other use. */
static void note_writing(uint32_t index, int result, bool writing) {
    if (!result && index != GNOMON_LOCKS_LOCK_OTHER)
        __gnomon_lock_table[index | 1u].wrong = writing ? 0x80 : 0;
}
static bool is_writing(uint32_t index) {
    return index != GNOMON_LOCKS_LOCK_OTHER && __gnomon_lock_table[index | 1u].wrong;
}

WRAPPED(int, pthread_rwlock_init, void *lock, const void *attributes) {
    INITIALIZES(lock, GNOMON_LOCK_RWLOCK, __real_pthread_rwlock_init(lock, attributes));
}
WRAPPED(int, pthread_rwlock_destroy, void *lock) {
    DESTROYS(lock, __real_pthread_rwlock_destroy(lock));
}
WRAPPED(int, pthread_rwlock_rdlock, void *lock) {
    WAITS_FOR(READ, __real_pthread_rwlock_rdlock(lock));
}
WRAPPED(int, pthread_rwlock_timedrdlock, void *lock, const void *until) {
    WAITS_FOR(READ, __real_pthread_rwlock_timedrdlock(lock, until));
}
WRAPPED(int, pthread_rwlock_clockrdlock, void *lock, unsigned long clock, const void *until) {
    WAITS_FOR(READ, __real_pthread_rwlock_clockrdlock(lock, clock, until));
}
WRAPPED(int, pthread_rwlock_tryrdlock, void *lock) {
    TRIES(READ, __real_pthread_rwlock_tryrdlock(lock));
}

static int written(uint32_t index, int result, uint32_t caller) {
    note_writing(index, result, true);
    __gnomon_lock_send(result ? GNOMON_LOCKS_REFUSED : GNOMON_LOCKS_ACQUIRED, index, caller);
    return result;
}
static uint32_t ask_to_write(const void *lock, uint32_t caller) {
    const uint32_t index = WRITE;
    __gnomon_lock_send(GNOMON_LOCKS_REQUEST, index, caller);
    return index;
}

WRAPPED(int, pthread_rwlock_wrlock, void *lock) {
    const uint32_t caller = CALLER, index = ask_to_write(lock, caller);
    return written(index, __real_pthread_rwlock_wrlock(lock), caller);
}
WRAPPED(int, pthread_rwlock_timedwrlock, void *lock, const void *until) {
    const uint32_t caller = CALLER, index = ask_to_write(lock, caller);
    return written(index, __real_pthread_rwlock_timedwrlock(lock, until), caller);
}
WRAPPED(int, pthread_rwlock_clockwrlock, void *lock, unsigned long clock, const void *until) {
    const uint32_t caller = CALLER, index = ask_to_write(lock, caller);
    return written(index, __real_pthread_rwlock_clockwrlock(lock, clock, until), caller);
}
WRAPPED(int, pthread_rwlock_trywrlock, void *lock) {
    const uint32_t caller = CALLER, index = WRITE;
    return written(index, __real_pthread_rwlock_trywrlock(lock), caller);
}
WRAPPED(int, pthread_rwlock_unlock, void *lock) {
    const uint32_t caller = CALLER, index = WRITE;
    const bool writing = is_writing(index);
    const uint32_t side = writing ? index : index | 1u;
    __gnomon_lock_send(GNOMON_LOCKS_RELEASED, side, caller);
    if (writing)
        note_writing(index, 0, false);
    const int result = __real_pthread_rwlock_unlock(lock);
    if (result) {
        __gnomon_lock_send(GNOMON_LOCKS_REFUSED, side, caller);
        if (writing)
            note_writing(index, 0, true);
    }
    return result;
}
