/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, end, joining, attributes, names, keys, once, cleanup handlers, data of each thread. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static void *same(void *argument) {
    return argument;
}

static void *ends(void *argument) {
    pthread_exit((char *)argument + 1);
}

static void *forever(void *argument) {
    for (;;)
        sched_yield();
    return argument;
}

static void *joins(void *argument) {
    return (void *)(intptr_t)pthread_join(*(pthread_t *)argument, NULL);
}

static volatile int done;
static void *counts(void *argument) {
    done++;
    return argument;
}

static void test_create_and_join(void) {
    pthread_t a = begin(same, (void *)7), b = begin(ends, (void *)8), self = pthread_self(), spins;
    CHECK(!pthread_equal(a, b));
    CHECK(pthread_equal(self, pthread_self()));
    IS(end(a), 7);
    IS(end(b), 9);
    IS(pthread_join(a, NULL), ESRCH);
    IS(pthread_detach(a), ESRCH);
    IS(pthread_join(self, NULL), EDEADLK);
    a = begin(joins, &self); /* waits for the thread that then joins it */
    usleep(200);
    IS(pthread_join(a, NULL), EDEADLK);
    IS(pthread_detach(a), 0);
    IS(pthread_detach(a), EINVAL);
    IS(pthread_join(a, NULL), EINVAL);
    spins = begin(forever, NULL);
    b = begin(joins, &spins);
    usleep(2000);
    IS(pthread_join(spins, NULL), EINVAL); /* b joins it already */
    IS(pthread_cancel(spins), ENOSYS);
    b = begin(same, NULL);
    usleep(100);
    IS(pthread_detach(b), 0); /* has ended */
    IS(pthread_detach(b), ESRCH);
}

static void *get_attr(void *argument) {
    char *here = (char *)__builtin_frame_address(0), *stack = argument;
    return (void *)(intptr_t)(here > stack && here <= stack + 4096);
}

static void test_attributes(void) {
    static char stack[4096];
    pthread_attr_t attr;
    struct sched_param param = {0};
    int value;
    size_t size;
    void *address;
    IS(pthread_attr_init(&attr), 0);
    IS(pthread_attr_getdetachstate(&attr, &value), 0);
    IS(value, PTHREAD_CREATE_JOINABLE);
    IS(pthread_attr_setdetachstate(&attr, 7), EINVAL);
    IS(pthread_attr_getstacksize(&attr, &size), 0);
    CHECK(size >= PTHREAD_STACK_MIN);
    IS(pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN - 1), EINVAL);
    IS(pthread_attr_setstacksize(&attr, 3000), 0);
    IS(pthread_attr_getstacksize(&attr, &size), 0);
    IS(size, 3000);
    IS(pthread_attr_setstack(&attr, stack, 100), EINVAL);
    IS(pthread_attr_setstack(&attr, stack, sizeof stack), 0);
    IS(pthread_attr_getstack(&attr, &address, &size), 0);
    CHECK(address == stack && size == sizeof stack);
    IS(pthread_attr_setguardsize(&attr, 64), 0);
    IS(pthread_attr_getguardsize(&attr, &size), 0);
    IS(size, 64);
    IS(pthread_attr_getinheritsched(&attr, &value), 0);
    IS(value, PTHREAD_INHERIT_SCHED);
    IS(pthread_attr_setinheritsched(&attr, 9), EINVAL);
    IS(pthread_attr_setschedpolicy(&attr, 9), EINVAL);
    IS(pthread_attr_setschedpolicy(&attr, SCHED_FIFO), 0);
    IS(pthread_attr_getschedpolicy(&attr, &value), 0);
    IS(value, SCHED_FIFO);
    param.sched_priority = 33;
    IS(pthread_attr_setschedparam(&attr, &param), EINVAL);
    param.sched_priority = 32;
    IS(pthread_attr_setschedparam(&attr, &param), 0);
    param.sched_priority = 0;
    IS(pthread_attr_getschedparam(&attr, &param), 0);
    IS(param.sched_priority, 32);
    IS(pthread_attr_setscope(&attr, PTHREAD_SCOPE_PROCESS), ENOTSUP);
    IS(pthread_attr_setscope(&attr, PTHREAD_SCOPE_SYSTEM), 0);
    IS(pthread_attr_getscope(&attr, &value), 0);
    IS(value, PTHREAD_SCOPE_SYSTEM);
    pthread_t thread;
    IS(pthread_create(&thread, &attr, get_attr, stack), 0);
    IS(end(thread), 1);
    IS(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED), 0);
    IS(pthread_create(&thread, &attr, counts, NULL), 0);
    usleep(1000);
    IS(done, 1);
    IS(pthread_join(thread, NULL), ESRCH);
    IS(pthread_attr_destroy(&attr), 0);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, (size_t)1 << 30);
    IS(pthread_create(&thread, &attr, same, NULL), EAGAIN);
}

static void test_scheduling(void) {
    struct sched_param param = {0};
    struct timespec interval;
    int policy;
    IS(pthread_getschedparam(pthread_self(), &policy, &param), 0);
    IS(policy, SCHED_OTHER);
    IS(param.sched_priority, 0);
    param.sched_priority = 1;
    IS(pthread_setschedparam(pthread_self(), SCHED_OTHER, &param), EINVAL);
    IS(pthread_setschedparam(pthread_self(), 9, &param), EINVAL);
    IS(pthread_setschedparam(1, SCHED_RR, &param), ESRCH);
    IS(pthread_getschedparam(1, &policy, &param), ESRCH);
    param.sched_priority = 5;
    IS(pthread_setschedparam(pthread_self(), SCHED_RR, &param), 0);
    IS(pthread_setschedprio(pthread_self(), 6), 0);
    IS(pthread_setschedprio(pthread_self(), 40), EINVAL);
    IS(pthread_getschedparam(pthread_self(), &policy, &param), 0);
    IS(policy, SCHED_RR);
    IS(param.sched_priority, 6);
    param.sched_priority = 0;
    IS(pthread_setschedparam(pthread_self(), SCHED_OTHER, &param), 0);
    IS(sched_get_priority_min(SCHED_FIFO), 1);
    IS(sched_get_priority_max(SCHED_FIFO), 32);
    IS(sched_get_priority_max(SCHED_OTHER), 0);
    errno = 0;
    IS(sched_get_priority_min(99), -1);
    IS(errno, EINVAL);
    IS(sched_get_priority_max(99), -1);
    IS(sched_rr_get_interval(0, &interval), 0);
    IS(interval.tv_nsec, 1000000);
    errno = 0;
    IS(sched_rr_get_interval(99, &interval), -1);
    IS(errno, ESRCH);
}

static void test_names(void) {
    char name[16];
    pthread_t thread = begin(same, NULL);
    IS(pthread_getname_np(pthread_self(), name, sizeof name), 0);
    CHECK(strcmp(name, "main") == 0);
    IS(pthread_setname_np(thread, "fifteen letters"), 0);
    IS(pthread_setname_np(thread, "sixteen letters!"), ERANGE);
    IS(pthread_getname_np(thread, name, sizeof name), 0);
    CHECK(strcmp(name, "fifteen letters") == 0);
    IS(pthread_getname_np(thread, name, 15), ERANGE);
    end(thread);
    IS(pthread_setname_np(thread, "x"), ESRCH);
    IS(pthread_getname_np(thread, name, sizeof name), ESRCH);
}

static pthread_key_t first, second;
static int destroyed, again;
static void destroy(void *value) {
    destroyed += 100 + (int)(intptr_t)value; /* not called for a value that is NULL */
}
static void destroy_again(void *value) {
    again++;
    pthread_setspecific(second, value);
}
static void *uses_keys(void *argument) {
    CHECK(pthread_getspecific(first) == NULL);
    IS(pthread_setspecific(first, argument), 0);
    IS(pthread_setspecific(second, argument), 0);
    sched_yield();
    return pthread_getspecific(first);
}

static void test_keys(void) {
    pthread_key_t key, last = 0;
    int count = 0;
    IS(pthread_key_create(&first, destroy), 0);
    IS(pthread_key_create(&second, destroy_again), 0);
    IS(pthread_setspecific(first, (void *)1000), 0);
    pthread_t a = begin(uses_keys, (void *)1), b = begin(uses_keys, (void *)10);
    IS(end(a), 1);
    IS(end(b), 10);
    IS(destroyed, 211);
    IS(again, 2 * PTHREAD_DESTRUCTOR_ITERATIONS);
    IS(pthread_getspecific(first), 1000);
    IS(pthread_key_delete(first), 0);
    IS(pthread_key_delete(first), EINVAL);
    IS(pthread_setspecific(first, NULL), EINVAL);
    IS(pthread_key_create(&key, NULL), 0);
    IS(key, first); /* its value does not come back */
    CHECK(pthread_getspecific(key) == NULL);
    while (pthread_key_create(&last, NULL) == 0)
        count++;
    IS(count, PTHREAD_KEYS_MAX - 2);
    IS(pthread_setspecific(PTHREAD_KEYS_MAX, NULL), EINVAL);
    IS(pthread_key_delete(PTHREAD_KEYS_MAX), EINVAL);
    CHECK(pthread_getspecific(PTHREAD_KEYS_MAX) == NULL);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile int once_calls;
static void routine(void) {
    usleep(200);
    once_calls++;
}
static void *calls_once(void *argument) {
    IS(pthread_once(&once, routine), 0);
    IS(once_calls, 1);
    return argument;
}

static void test_once(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        threads[i] = begin(calls_once, NULL);
    for (int i = 0; i < 3; i++)
        end(threads[i]);
    IS(pthread_once(&once, routine), 0);
    IS(once_calls, 1);
}

static int cleaned;
static void clean(void *argument) {
    cleaned = cleaned * 10 + (int)(intptr_t)argument;
}
static void *cleans(void *argument) {
    pthread_cleanup_push(clean, (void *)1);
    pthread_cleanup_push(clean, (void *)2);
    pthread_cleanup_push(clean, (void *)3);
    pthread_cleanup_pop(0);
    pthread_cleanup_push(clean, (void *)4);
    pthread_cleanup_pop(1);
    if (argument)
        pthread_exit(NULL);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(0);
    return NULL;
}

static void test_cleanup(void) {
    int old = 7;
    end(begin(cleans, NULL));
    IS(cleaned, 42);
    cleaned = 0;
    end(begin(cleans, (void *)1));
    IS(cleaned, 421);
    IS(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old), 0);
    IS(old, PTHREAD_CANCEL_ENABLE);
    IS(pthread_setcancelstate(9, NULL), EINVAL);
    IS(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old), 0);
    IS(pthread_setcanceltype(9, NULL), EINVAL);
    pthread_testcancel();
}

static _Thread_local int initialised = 41, zero;
static _Thread_local _Alignas(16) char aligned[16] = "thread";
static void *uses_locals(void *argument) {
    IS(initialised, 41);
    IS(zero, 0);
    IS((uintptr_t)aligned % 16, 0);
    CHECK(strcmp(aligned, "thread") == 0);
    initialised += (int)(intptr_t)argument;
    zero += (int)(intptr_t)argument;
    errno = (int)(intptr_t)argument;
    sched_yield();
    IS(errno, (intptr_t)argument);
    IS(zero, (intptr_t)argument);
    return (void *)(intptr_t)initialised;
}

static void test_locals(void) {
    initialised = 1;
    strcpy(aligned, "main");
    errno = 99;
    pthread_t a = begin(uses_locals, (void *)1), b = begin(uses_locals, (void *)2);
    IS(end(a), 42);
    IS(end(b), 43);
    IS(errno, 99);
    IS(initialised, 1);
}

static void *uses_heap(void *argument) {
    unsigned seed = (unsigned)(uintptr_t)argument;
    unsigned char *blocks[8] = {0};
    size_t sizes[8] = {0};
    for (int i = 0; i < 300; i++) {
        seed = seed * 1103515245 + 12345;
        const unsigned k = seed >> 16 & 7;
        for (size_t j = 0; j < sizes[k]; j++)
            if (blocks[k][j] != (unsigned char)(uintptr_t)argument)
                return (void *)1;
        free(blocks[k]);
        sizes[k] = seed >> 20 & 127;
        blocks[k] = malloc(sizes[k]);
        memset(blocks[k], (int)(intptr_t)argument, sizes[k]);
        if ((seed >> 24 & 15) == 0)
            usleep(20);
    }
    for (int k = 0; k < 8; k++)
        free(blocks[k]);
    return NULL;
}

static void test_heap(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        threads[i] = begin(uses_heap, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < 4; i++)
        IS(end(threads[i]), 0);
}

const unsigned gnomon_threads_slice = 1000;

int main(void) {
    test_attributes();
    test_scheduling();
    test_names();
    test_keys();
    test_once();
    test_cleanup();
    test_locals();
    test_heap();
    test_create_and_join();
    return FINISH();
}
