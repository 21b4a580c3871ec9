/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that one thread sends and one waits for. */
#include "signals.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int pending;

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    (void)how;
    (void)set;
    if (old)
        *old = 0;
    return 0;
}

int pthread_kill(pthread_t thread, int number) {
    (void)thread;
    pthread_mutex_lock(&mutex);
    pending = number;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int sigwait(const sigset_t *set, int *number) {
    (void)set;
    pthread_mutex_lock(&mutex);
    while (pending == 0)
        pthread_cond_wait(&arrived, &mutex);
    *number = pending;
    pending = 0;
    pthread_mutex_unlock(&mutex);
    return 0;
}
