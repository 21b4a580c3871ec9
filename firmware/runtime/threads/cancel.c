/* SPDX-License-Identifier: Apache-2.0 */
/* There is no cancellation. Cleanup handlers run at pthread_exit. */
#include <errno.h>

#include "threads/kernel.h"

int pthread_cancel(pthread_t thread) {
    (void)thread;
    return ENOSYS;
}

int pthread_setcancelstate(int state, int *old) {
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (old)
        *old = PTHREAD_CANCEL_ENABLE;
    return 0;
}

int pthread_setcanceltype(int type, int *old) {
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    if (old)
        *old = PTHREAD_CANCEL_DEFERRED;
    return 0;
}

void pthread_testcancel(void) {
}

void gnomon_cleanup_push(struct gnomon_cleanup *cleanup) {
    struct gnomon_thread *thread = current();
    cleanup->below = thread->cleanup;
    thread->cleanup = cleanup;
}

void gnomon_cleanup_pop(struct gnomon_cleanup *cleanup, int execute) {
    current()->cleanup = cleanup->below;
    if (execute)
        cleanup->routine(cleanup->argument);
}

/* There are no other processes. */
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    (void)prepare;
    (void)parent;
    (void)child;
    return 0;
}
