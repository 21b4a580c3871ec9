/* SPDX-License-Identifier: Apache-2.0 */
/* The functions in which a thread of the threads layer blocks, or ends. The message tells such a thread from one that
 * another thread has preempted, which is what priority inversion is about. */
#include "locks/wrap.h"

static inline void tell_blocked(void) {
    __gnomon_lock_send(GNOMON_LOCKS_REQUEST, GNOMON_LOCKS_LOCK_NONE, 0);
}

WRAPPED(int, __gnomon_wait, void *queue, uint64_t until) {
    tell_blocked();
    return __real___gnomon_wait(queue, until);
}
WRAPPED(void, __gnomon_kernel_end, void) {
    tell_blocked();
    __real___gnomon_kernel_end();
}
