// SPDX-License-Identifier: Apache-2.0
// Wrong use of locks, once each; more locks, and more threads, than the program's tables have places for.
//
// usage: lock_misuse wrong|locks COUNT|threads COUNT
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t owned, destroyed_held, used_late, initialized_twice, tried;
static pthread_mutex_t *many;

static void *meddle(void *argument) {
    (void)argument;
    pthread_mutex_unlock(&owned);
    if (pthread_mutex_trylock(&tried) == 0)
        exit(1);
    return NULL;
}

static void run(void *(*function)(void *), const char *name) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, function, NULL))
        exit(1);
    pthread_setname_np(thread, name);
    pthread_join(thread, NULL);
}

static void __attribute__((noinline)) wrong(void) {
    pthread_mutex_init(&owned, NULL);
    pthread_mutex_lock(&owned);
    usleep(20);
    pthread_mutex_init(&tried, NULL);
    pthread_mutex_lock(&tried);
    run(meddle, "meddler");
    pthread_mutex_unlock(&tried);
    pthread_mutex_unlock(&owned);

    pthread_mutex_init(&destroyed_held, NULL);
    pthread_mutex_lock(&destroyed_held);
    pthread_mutex_destroy(&destroyed_held);

    pthread_mutex_init(&used_late, NULL);
    pthread_mutex_destroy(&used_late);
    pthread_mutex_lock(&used_late);

    pthread_mutex_init(&initialized_twice, NULL);
    pthread_mutex_init(&initialized_twice, NULL);
    pthread_mutex_lock(&initialized_twice);
    pthread_mutex_unlock(&initialized_twice);

    pthread_mutex_t *in_block = malloc(sizeof *in_block);
    pthread_mutex_init(in_block, NULL);
    pthread_mutex_lock(in_block);
    pthread_mutex_unlock(in_block);
    free(in_block);
}

static void *lock_once(void *argument) {
    pthread_mutex_lock(&owned);
    pthread_mutex_unlock(&owned);
    return argument;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "wrong";
    const int count = argc > 2 ? atoi(argv[2]) : 0;
    if (!strcmp(what, "wrong"))
        wrong();
    many = calloc(count ? count : 1, sizeof *many);
    for (int i = 0; many && i < count && !strcmp(what, "locks"); i++) {
        pthread_mutex_lock(&many[i]);
        pthread_mutex_unlock(&many[i]);
    }
    for (int i = 0; i < count && !strcmp(what, "threads"); i++)
        run(lock_once, "short");
    return 0;
}
