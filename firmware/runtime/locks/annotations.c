/* SPDX-License-Identifier: Apache-2.0 */
/* Names of locks, and locks that the program announces itself (gnomon_locks.h). */
#include "locks/locks_internal.h"

void gnomon_lock_name(const volatile void *lock, const char *name) {
    __gnomon_lock_describe(lock, GNOMON_LOCK_NONE, name, CALLER);
}

void gnomon_lock_user(const volatile void *lock, const char *name) {
    __gnomon_lock_describe(lock, GNOMON_LOCK_USER, name, CALLER);
}

void gnomon_lock_request(const volatile void *lock) {
    __gnomon_lock_send(GNOMON_LOCKS_REQUEST, __gnomon_lock_index(lock, GNOMON_LOCK_USER, CALLER), CALLER);
}
void gnomon_lock_acquired(const volatile void *lock) {
    __gnomon_lock_send(GNOMON_LOCKS_ACQUIRED, __gnomon_lock_index(lock, GNOMON_LOCK_USER, CALLER), CALLER);
}
void gnomon_lock_released(const volatile void *lock) {
    __gnomon_lock_send(GNOMON_LOCKS_RELEASED, __gnomon_lock_index(lock, GNOMON_LOCK_USER, CALLER), CALLER);
}
void gnomon_lock_refused(const volatile void *lock) {
    __gnomon_lock_send(GNOMON_LOCKS_REFUSED, __gnomon_lock_index(lock, GNOMON_LOCK_USER, CALLER), CALLER);
}
