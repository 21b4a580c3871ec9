/* SPDX-License-Identifier: Apache-2.0 */
/* Four threads take jobs from a pool, and count in a log. main looks at both in the other order, which can end in a
 * deadlock. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs = 40, counted;
static volatile unsigned sink;

static void work(unsigned rounds) {
    for (unsigned i = 0; i < 100 * rounds; i++)
        sink += i;
}

static void count(void) {
    pthread_mutex_lock(&log_lock);
    work(10);
    counted++;
    pthread_mutex_unlock(&log_lock);
}

static void *worker(void *unused) {
    for (int job = 1; job;) {
        pthread_mutex_lock(&pool_lock);
        job = jobs > 0 ? jobs-- : 0;
        work(5);
        if (job)
            count();
        pthread_mutex_unlock(&pool_lock);
        work(20);
    }
    return unused;
}

int main(void) {
    pthread_t threads[4];
    char name[16];
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, worker, NULL);
        snprintf(name, sizeof name, "worker %d", i + 1);
        pthread_setname_np(threads[i], name);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_lock(&log_lock);
    pthread_mutex_lock(&pool_lock);
    printf("%d jobs left, %d counted\n", jobs, counted);
    pthread_mutex_unlock(&pool_lock);
    pthread_mutex_unlock(&log_lock);
    return 0;
}
