/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes. Unlocking gives the mutex to the waiting thread of the highest priority, if any, so it is never free while a
 * thread waits. With PTHREAD_PRIO_INHERIT, the owner has at least the priority of each thread that waits for it. */
#include <errno.h>

#include "threads/kernel.h"

enum { LONGEST_CHAIN = 64 }; /* of owners that wait for others; a longer one is a circle */

static unsigned inherited(const struct gnomon_thread *thread) {
    unsigned priority = thread->base_priority;
    for (const pthread_mutex_t *mutex = thread->held; mutex; mutex = mutex->next)
        if (mutex->waiters && mutex->waiters->priority > priority)
            priority = mutex->waiters->priority;
    return priority;
}

void __gnomon_mutex_inherit(struct gnomon_thread *thread) {
    for (unsigned i = 0; i < LONGEST_CHAIN; i++) {
        const unsigned priority = inherited(thread);
        if (priority == thread->priority)
            return;
        __gnomon_set_priority(thread, priority);
        if (!thread->wanted || thread->wanted->protocol != PTHREAD_PRIO_INHERIT)
            return;
        thread = thread->wanted->owner;
    }
}

static void own(pthread_mutex_t *mutex, struct gnomon_thread *thread) {
    mutex->owner = thread;
    if (mutex->protocol == PTHREAD_PRIO_INHERIT) {
        mutex->next = thread->held;
        thread->held = mutex;
    }
}

static void disown(pthread_mutex_t *mutex, struct gnomon_thread *thread) {
    mutex->owner = NULL;
    if (mutex->protocol == PTHREAD_PRIO_INHERIT) {
        pthread_mutex_t **at = &thread->held;
        while (*at != mutex)
            at = (pthread_mutex_t **)&(*at)->next;
        *at = mutex->next;
    }
}

static int wait_for(pthread_mutex_t *mutex, struct gnomon_thread *thread, uint64_t until) {
    const bool inherits = mutex->protocol == PTHREAD_PRIO_INHERIT;
    thread->wanted = mutex;
    if (inherits && mutex->owner->priority < thread->priority) {
        /* As if it waited already. */
        __gnomon_set_priority(mutex->owner, thread->priority);
        if (mutex->owner->wanted && mutex->owner->wanted->protocol == PTHREAD_PRIO_INHERIT)
            __gnomon_mutex_inherit(mutex->owner->wanted->owner);
    }
    const int error = __gnomon_wait(&mutex->waiters, until);
    thread->wanted = NULL;
    if (error && inherits && mutex->owner)
        __gnomon_mutex_inherit(mutex->owner);
    return error;
}

int __gnomon_mutex_take(pthread_mutex_t *mutex, bool wait, uint64_t until) {
    struct gnomon_thread *thread = current();
    if (!mutex->owner) {
        own(mutex, thread);
        return 0;
    }
    if (mutex->owner == thread) {
        if (mutex->type == PTHREAD_MUTEX_RECURSIVE) {
            if (mutex->count == USHRT_MAX)
                return EAGAIN;
            mutex->count++;
            return 0;
        }
        if (wait && mutex->type == PTHREAD_MUTEX_ERRORCHECK)
            return EDEADLK;
    }
    return wait ? wait_for(mutex, thread, until) : EBUSY;
}

int __gnomon_mutex_give(pthread_mutex_t *mutex) {
    struct gnomon_thread *thread = current();
    if (mutex->owner != thread)
        return EPERM;
    if (mutex->count) {
        mutex->count--;
        return 0;
    }
    struct gnomon_thread *next = mutex->waiters;
    disown(mutex, thread);
    if (next) {
        __gnomon_wake(next, 0);
        next->wanted = NULL;
        own(mutex, next);
    }
    if (mutex->protocol == PTHREAD_PRIO_INHERIT)
        __gnomon_mutex_inherit(thread);
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    const uint32_t before = kernel_enter();
    const int error = __gnomon_mutex_take(mutex, true, FOREVER);
    kernel_leave(before);
    return error;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    const uint32_t before = kernel_enter();
    const int error = __gnomon_mutex_take(mutex, false, FOREVER);
    kernel_leave(before);
    return error;
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
    uint64_t until;
    uint32_t before = kernel_enter();
    int error = __gnomon_mutex_take(mutex, false, FOREVER);
    kernel_leave(before);
    if (error != EBUSY)
        return error;
    error = __gnomon_deadline(time, &until);
    if (error)
        return error;
    before = kernel_enter();
    error = __gnomon_mutex_take(mutex, true, until);
    kernel_leave(before);
    return error;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    const uint32_t before = kernel_enter();
    const int error = __gnomon_mutex_give(mutex);
    kernel_leave(before);
    return error;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr) {
    *mutex = (pthread_mutex_t){.type = attr ? attr->type : 0, .protocol = attr ? attr->protocol : 0};
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    return mutex->owner ? EBUSY : 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attr) {
    *attr = (pthread_mutexattr_t){0};
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attr) {
    (void)attr;
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int type) {
    if (type != PTHREAD_MUTEX_NORMAL && type != PTHREAD_MUTEX_RECURSIVE && type != PTHREAD_MUTEX_ERRORCHECK)
        return EINVAL;
    attr->type = (unsigned char)type;
    return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *type) {
    *type = attr->type;
    return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol) {
    if (protocol == PTHREAD_PRIO_PROTECT)
        return ENOTSUP;
    if (protocol != PTHREAD_PRIO_NONE && protocol != PTHREAD_PRIO_INHERIT)
        return EINVAL;
    attr->protocol = (unsigned char)protocol;
    return 0;
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attr, int *protocol) {
    *protocol = attr->protocol;
    return 0;
}
