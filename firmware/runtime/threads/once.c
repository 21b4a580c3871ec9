/* SPDX-License-Identifier: Apache-2.0 */
#include "threads/kernel.h"

enum { NEW, RUNS, DONE };

int pthread_once(pthread_once_t *once, void (*routine)(void)) {
    const bool done = once->state == DONE;
    gnomon_order_loads(); /* the caller sees what the routine did */
    if (done)
        return 0;
    uint32_t before = kernel_enter();
    const bool first = once->state == NEW;
    if (first)
        once->state = RUNS;
    else if (once->state == RUNS)
        __gnomon_wait(&once->waiters, FOREVER);
    kernel_leave(before);
    if (!first)
        return 0;
    routine();
    before = kernel_enter();
    once->state = DONE;
    while (once->waiters)
        __gnomon_wake(once->waiters, 0);
    kernel_leave(before);
    return 0;
}
