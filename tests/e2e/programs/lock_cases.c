// SPDX-License-Identifier: Apache-2.0
// Small programs about which gnomon locks has a sentence.
//
// usage: lock_cases deadlock|held|convoy|ends
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORKERS = 3, ROUNDS = 6, PAUSE = 50 }; // PAUSE: microseconds

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static sem_t items;

static void begin(pthread_t *thread, void *(*function)(void *), const char *name) {
    if (pthread_create(thread, NULL, function, NULL))
        exit(1);
    pthread_setname_np(*thread, name);
}

static void __attribute__((noinline)) ask(pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
}

static void __attribute__((noinline)) take_both(pthread_mutex_t *one, pthread_mutex_t *other) {
    pthread_mutex_lock(one);
    usleep(PAUSE); // the other thread runs
    ask(other);
    pthread_mutex_unlock(one);
}

static void *reversed(void *unused) {
    take_both(&second, &first);
    return unused;
}

// Each thread takes the mutex that the other one has.
static void deadlock(void) {
    pthread_t thread;
    begin(&thread, reversed, "reversed");
    take_both(&first, &second);
    pthread_join(thread, NULL);
}

static void *post_later(void *unused) {
    usleep(PAUSE);
    sem_post(&items);
    return unused;
}

// A mutex is held while main waits for a semaphore.
static void held(void) {
    pthread_t thread;
    sem_init(&items, 0, 0);
    begin(&thread, post_later, "poster");
    pthread_mutex_lock(&first);
    sem_wait(&items);
    pthread_mutex_unlock(&first);
    pthread_join(thread, NULL);
}

static void *crowd(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&first);
        usleep(PAUSE);
        pthread_mutex_unlock(&first);
    }
    return unused;
}

static void convoy(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        begin(&threads[i], crowd, "crowd");
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    ask(&second);
}

static void *leave(void *unused) {
    pthread_mutex_lock(&second);
    return unused;
}

static void *read_on(void *lock) {
    pthread_rwlock_rdlock(lock);
    return NULL;
}

// Two threads have a read-write lock for reading when its memory is freed.
static void __attribute__((noinline)) free_read(void) {
    pthread_t thread;
    pthread_rwlock_t *in_block = malloc(sizeof *in_block);
    pthread_rwlock_init(in_block, NULL);
    if (pthread_create(&thread, NULL, read_on, in_block))
        exit(1);
    pthread_setname_np(thread, "reader");
    pthread_join(thread, NULL);
    pthread_rwlock_rdlock(in_block);
    free(in_block);
}

// A thread ends with a mutex, and main frees one that it has. main has a mutex at the end, too, but does not end
// before.
static void ends(void) {
    pthread_t thread;
    free_read();
    pthread_mutex_t *in_block = malloc(sizeof *in_block);
    begin(&thread, leave, "leaver");
    pthread_join(thread, NULL);
    pthread_mutex_lock(&first);
    pthread_mutex_init(in_block, NULL);
    pthread_mutex_lock(in_block);
    free(in_block);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"deadlock", deadlock}, {"held", held}, {"convoy", convoy}, {"ends", ends}};
    for (unsigned i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (!strcmp(argv[1], cases[i].name)) {
            cases[i].run();
            return 0;
        }
    return 1;
}
