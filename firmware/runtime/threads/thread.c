/* SPDX-License-Identifier: Apache-2.0 */
/* Threads: creation, end, joining. A thread's memory is one block: stack, thread-local data, struct gnomon_thread. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "threads/kernel.h"

enum { STACK_MOST = 16384, STACK_SHARE = 64, SWITCH_WORDS = 16, SWITCH_RA = 0, SWITCH_S0 = 1 };

/* Symbols of the linker script: the program's thread-local data. */
extern char __tls_base[], __gnomon_tls_data_size[], __gnomon_tls_size[], __gnomon_tls_align[];

static char *tls_image;             /* the initial values; NULL: there are none */
static struct gnomon_thread *ended; /* detached threads whose memory has not been freed */
static unsigned live = 1;
static bool started; /* threads are preemptive */

/* Bytes of initial values. The compiler takes no symbol for 0, but this one can be. */
static size_t tls_image_size(void) {
    size_t size = (uintptr_t)__gnomon_tls_data_size;
    __asm__("" : "+r"(size));
    return size;
}

/* The first thread uses the initial values in place, so they are copied before any code runs that may change them. */
static void keep_tls(void) {
    const size_t size = tls_image_size();
    tls_image = size ? malloc(size) : NULL;
    if (tls_image)
        memcpy(tls_image, __tls_base, size);
}
__attribute__((section(".preinit_array"), used)) static void (*const at_start)(void) = keep_tls;

/* Programs with threads have sleep.c, even if they sleep in other objects only. */
__asm__(".reloc ., R_RISCV_NONE, __gnomon_deadline");

/* ---- Attributes ---- */

static size_t default_stack(void) {
    const size_t share = GNOMON_REG(GNOMON_SYSCTL_RAM_BYTES) / STACK_SHARE;
    return share < STACK_MOST ? share : STACK_MOST;
}

int pthread_attr_init(pthread_attr_t *attr) {
    *attr = (pthread_attr_t){.stack_size = default_stack()};
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attr) {
    (void)attr;
    return 0;
}

/* ---- Creation ---- */

static uintptr_t align_up(uintptr_t value, uintptr_t alignment) {
    return (value + alignment - 1) & -alignment;
}

/* From the lowest address: stack, thread-local data, struct gnomon_thread. So a stack that overflows does not reach the
 * thread's own data. */
struct gnomon_thread *__gnomon_thread_allocate(const pthread_attr_t *attr) {
    const size_t stack = attr->stack ? 0 : align_up(attr->stack_size, 16);
    const size_t alignment = (uintptr_t)__gnomon_tls_align > 16 ? (uintptr_t)__gnomon_tls_align : 16;
    const size_t tls = align_up((uintptr_t)__gnomon_tls_size, 16);
    char *block = malloc(16 + stack + alignment + tls + sizeof(struct gnomon_thread));
    if (!block)
        return NULL;
    const uintptr_t low = align_up(attr->stack ? (uintptr_t)attr->stack : (uintptr_t)block, 16);
    const uintptr_t high = attr->stack ? ((uintptr_t)attr->stack + attr->stack_size) & -16u : low + stack;
    const uintptr_t data = align_up(attr->stack ? (uintptr_t)block : high, alignment);
    struct gnomon_thread *thread = (struct gnomon_thread *)(data + tls);
    *thread = (struct gnomon_thread){
        .block = block, .stack = (uint32_t *)low, .sp = (uint32_t *)high, .tls = (void *)data, .until = FOREVER};
    return thread;
}

/* As if the thread had called __gnomon_switch at its beginning. */
void __gnomon_thread_prepare(struct gnomon_thread *thread, const char *begin) {
    const size_t image = tls_image_size();
    if (image)
        memcpy(thread->tls, tls_image, image);
    memset((char *)thread->tls + image, 0, (uintptr_t)__gnomon_tls_size - image);
    *thread->stack = GUARD_WORD;
    thread->limit = thread->stack;
    thread->sp -= SWITCH_WORDS;
    thread->sp[SWITCH_RA] = (uint32_t)(uintptr_t)begin;
    thread->sp[SWITCH_S0] = (uint32_t)(uintptr_t)thread;
}

/* The thread's own variable, of which `own` is the one of the thread that executes this. */
#if GNOMON_HARTS > 1
static void *variable_of(const struct gnomon_thread *thread, void *own) {
    return (char *)thread->tls + ((char *)own - (char *)current()->tls);
}
#endif

void __gnomon_thread_number(struct gnomon_thread *thread, uint32_t index) {
    thread->index = index;
#if GNOMON_HARTS > 1
    *(struct gnomon_thread **)variable_of(thread, &__gnomon_self) = thread;
    *(uint32_t *)variable_of(thread, &__gnomon_thread_index) = index;
#endif
}

/* Takes the thread out of the list of all threads. Its index may be used again if all have been. In the kernel. */
static void forget(struct gnomon_thread *thread) {
    struct gnomon_thread **at = &__gnomon_all_threads;
    while (*at != thread)
        at = &(*at)->others;
    *at = thread->others;
    __gnomon_table_state(thread->index, GNOMON_THREAD_ENDED, true);
}

static void free_ended(void) {
    for (;;) {
        const uint32_t before = kernel_enter();
        struct gnomon_thread *thread = ended;
        if (thread)
            ended = thread->next;
        kernel_leave(before);
        if (!thread)
            return;
        free(thread->block);
    }
}

static void schedule_like(struct gnomon_thread *thread, const pthread_attr_t *attr) {
    const struct gnomon_thread *creator = current();
    const bool own = attr->inherit == PTHREAD_EXPLICIT_SCHED;
    thread->policy = own ? attr->policy : creator->policy;
    thread->base_priority = own ? attr->priority : creator->base_priority;
    thread->priority = thread->base_priority;
    thread->affinity = creator->affinity;
}

void __gnomon_threads_start(void) {
    if (started)
        return;
    if (HARTS > 1)
        __gnomon_harts_prepare();
    kernel_enter();
    started = true;
    if (!__gnomon_kernel_started()) /* a thread that sleeps alone starts it, too */
        __gnomon_kernel_start();
    if (HARTS > 1)
        __gnomon_harts_start();
    kernel_leave(8 /* mstatus.MIE: threads are preemptive from here on */);
}

int pthread_create(pthread_t *handle, const pthread_attr_t *attr, void *(*start)(void *), void *argument) {
    pthread_attr_t defaults;
    if (!attr) {
        pthread_attr_init(&defaults);
        attr = &defaults;
    }
    free_ended();
    if (tls_image_size() && !tls_image)
        return EAGAIN;
    struct gnomon_thread *thread = __gnomon_thread_allocate(attr);
    if (!thread)
        return EAGAIN;
    thread->start = start;
    thread->argument = argument;
    thread->detached = attr->detached;
    schedule_like(thread, attr);
    __gnomon_thread_prepare(thread, __gnomon_thread_begin);
    __gnomon_thread_number(thread, __gnomon_table_take(thread));
    *handle = (pthread_t)thread;
    __gnomon_threads_start();
    const uint32_t before = kernel_enter();
    thread->others = __gnomon_all_threads;
    __gnomon_all_threads = thread;
    live++;
    __gnomon_make_ready(thread);
    kernel_leave(before);
    return 0;
}

void __gnomon_thread_main(struct gnomon_thread *thread) {
    kernel_unlock();
    gnomon_interrupts_on();
    pthread_exit(thread->start(thread->argument));
}

/* ---- End ---- */

void pthread_exit(void *result) {
    struct gnomon_thread *thread = current();
    while (thread->cleanup) {
        struct gnomon_cleanup *cleanup = thread->cleanup;
        thread->cleanup = cleanup->below;
        cleanup->routine(cleanup->argument);
    }
    if (__gnomon_keys_end)
        __gnomon_keys_end();
    free_ended();
    const uint32_t before = kernel_enter();
    thread->result = result;
    if (--live == 0) {
        kernel_leave(before);
        exit(0);
    }
    if (thread->detached) {
        forget(thread);
        if (thread->block) {
            thread->next = ended;
            ended = thread;
        }
    } else {
        __gnomon_table_state(thread->index, GNOMON_THREAD_ENDED, false);
        if (thread->joiner)
            __gnomon_wake(thread->joiner, 0);
    }
    __gnomon_kernel_end();
}

struct gnomon_thread *__gnomon_thread_find(pthread_t handle) {
    struct gnomon_thread *thread = __gnomon_all_threads;
    while (thread && (pthread_t)thread != handle)
        thread = thread->others;
    return thread;
}

int pthread_join(pthread_t handle, void **result) {
    const uint32_t before = kernel_enter();
    struct gnomon_thread *thread = __gnomon_thread_find(handle), *self = current();
    int error = !thread                              ? ESRCH
                : thread == self                     ? EDEADLK
                : thread->detached || thread->joiner ? EINVAL
                : self->joiner == thread             ? EDEADLK
                                                     : 0;
    if (!error && thread->state != ENDED)
        __gnomon_wait(&thread->joiner, FOREVER);
    if (!error) {
        if (result)
            *result = thread->result;
        forget(thread);
    }
    kernel_leave(before);
    if (!error)
        free(thread->block);
    return error;
}

int pthread_detach(pthread_t handle) {
    const uint32_t before = kernel_enter();
    struct gnomon_thread *thread = __gnomon_thread_find(handle);
    void *block = NULL;
    int error = !thread ? ESRCH : thread->detached || thread->joiner ? EINVAL : 0;
    if (!error && thread->state == ENDED) {
        forget(thread);
        block = thread->block;
    } else if (!error) {
        thread->detached = true;
    }
    kernel_leave(before);
    free(block);
    return error;
}

pthread_t pthread_self(void) {
    return (pthread_t)current();
}

int pthread_equal(pthread_t a, pthread_t b) {
    return a == b;
}
