/* SPDX-License-Identifier: Apache-2.0 */
/* Real threads: they meet at a barrier, wait for each other's mutex, semaphore and condition, and use a lock wrongly.
 * The program prints what the messages of each lock must show. */
#include <errno.h>
#include <gnomon_locks.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static mtx_t c11;
static cnd_t news;
static int ready, wrong;

static void same(int got, int want) {
    wrong += got != want;
}

static void *second(void *argument) {
    (void)argument;
    gnomon_thread_name("second");
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&mutex); /* main has it, and posts the semaphore before it gives it up */
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    sem_wait(&semaphore);
    same(pthread_mutex_unlock(&checking), EPERM); /* main has it */
    mtx_lock(&c11);
    mtx_unlock(&c11);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&semaphore, 0, 0);
    mtx_init(&c11, mtx_plain);
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&checking);
    pthread_create(&thread, NULL, second, NULL);
    pthread_barrier_wait(&barrier);
    sched_yield(); /* the second thread now waits for the mutex */
    same(pthread_mutex_trylock(&mutex), EBUSY);
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    sem_post(&semaphore);
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&checking);
    cnd_init(&news);
    cnd_signal(&news);
    printf("wrong %d\n", wrong);
    return wrong;
}
