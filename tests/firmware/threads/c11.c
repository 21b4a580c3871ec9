/* SPDX-License-Identifier: Apache-2.0 */
/* <threads.h>: each function. */
#include <threads.h>

#include "check.h"

static mtx_t mutex;
static cnd_t cond;
static int ready;
static once_flag once = ONCE_FLAG_INIT;
static int calls, destroyed;
static tss_t key;

static int adds(void *argument) {
    return *(int *)argument + 1;
}
static int exits(void *argument) {
    thrd_exit(*(int *)argument + 2);
}
static int tries(void *argument) {
    return mtx_trylock(argument);
}
static int waits(void *argument) {
    mtx_lock(&mutex);
    while (!ready)
        cnd_wait(&cond, &mutex);
    mtx_unlock(&mutex);
    return *(int *)argument;
}
static void count(void) {
    calls++;
}
static void destroy(void *value) {
    destroyed += *(int *)value;
}
static int uses_key(void *argument) {
    tss_set(key, argument);
    call_once(&once, count);
    return tss_get(key) == argument;
}
static thread_local int local = 3;
static int uses_local(void *argument) {
    (void)argument;
    return ++local;
}

static int joined(thrd_start_t start, void *argument) {
    thrd_t thread;
    int result = -1;
    IS(thrd_create(&thread, start, argument), thrd_success);
    IS(thrd_join(thread, &result), thrd_success);
    return result;
}

int main(void) {
    int five = 5;
    struct timespec soon;
    thrd_t a, b;
    IS(joined(adds, &five), 6);
    IS(joined(exits, &five), 7);
    IS(thrd_create(&a, adds, &five), thrd_success);
    CHECK(!thrd_equal(a, thrd_current()));
    CHECK(thrd_equal(thrd_current(), thrd_current()));
    IS(thrd_detach(a), thrd_success);
    thrd_yield();
    IS(thrd_join(a, NULL), thrd_error);
    IS(thrd_sleep(&(struct timespec){0, 100000}, NULL), 0);
    CHECK(thrd_sleep(&(struct timespec){0, -1}, NULL) < 0);

    IS(mtx_init(&mutex, 77), thrd_error);
    IS(mtx_init(&mutex, mtx_timed | mtx_recursive), thrd_success);
    IS(mtx_lock(&mutex), thrd_success);
    IS(mtx_trylock(&mutex), thrd_success);
    IS(joined(tries, &mutex), thrd_busy);
    IS(mtx_unlock(&mutex), thrd_success);
    IS(mtx_unlock(&mutex), thrd_success);
    IS(mtx_unlock(&mutex), thrd_error);
    mtx_destroy(&mutex);
    IS(mtx_init(&mutex, mtx_plain), thrd_success);
    IS(cnd_init(&cond), thrd_success);
    IS(thrd_create(&a, waits, &five), thrd_success);
    IS(thrd_create(&b, waits, &five), thrd_success);
    usleep(100);
    mtx_lock(&mutex);
    soon = in(300);
    IS(mtx_timedlock(&mutex, &soon), thrd_timedout);
    soon = in(300);
    IS(cnd_timedwait(&cond, &mutex, &soon), thrd_timedout);
    ready = 1;
    IS(cnd_signal(&cond), thrd_success);
    IS(cnd_broadcast(&cond), thrd_success);
    mtx_unlock(&mutex);
    IS(thrd_join(a, NULL), thrd_success);
    IS(thrd_join(b, NULL), thrd_success);
    cnd_destroy(&cond);
    mtx_destroy(&mutex);

    IS(tss_create(&key, destroy), thrd_success);
    IS(joined(uses_key, &five), 1);
    IS(joined(uses_key, &five), 1);
    IS(destroyed, 10);
    IS(calls, 1);
    CHECK(tss_get(key) == NULL);
    tss_delete(key);
    IS(joined(uses_local, NULL), 4);
    IS(joined(uses_local, NULL), 4);
    IS(local, 3);
    return FINISH();
}
