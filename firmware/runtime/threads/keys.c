/* SPDX-License-Identifier: Apache-2.0 */
/* Data of each thread by keys. A thread gets memory for its values when it sets the first one. */
#include <errno.h>
#include <stdlib.h>

#include "threads/kernel.h"

static struct {
    bool used;
    void (*destructor)(void *);
} keys[PTHREAD_KEYS_MAX];

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    const uint32_t before = kernel_enter();
    pthread_key_t free_key = 0;
    while (free_key < PTHREAD_KEYS_MAX && keys[free_key].used)
        free_key++;
    if (free_key < PTHREAD_KEYS_MAX) {
        keys[free_key].used = true;
        keys[free_key].destructor = destructor;
        *key = free_key;
    }
    kernel_leave(before);
    return free_key < PTHREAD_KEYS_MAX ? 0 : EAGAIN;
}

/* Its values become NULL, for a key that gets the same number. */
int pthread_key_delete(pthread_key_t key) {
    const uint32_t before = kernel_enter();
    const int error = key < PTHREAD_KEYS_MAX && keys[key].used ? 0 : EINVAL;
    if (!error) {
        keys[key].used = false;
        for (struct gnomon_thread *thread = __gnomon_all_threads; thread; thread = thread->others)
            if (thread->values)
                thread->values[key] = NULL;
    }
    kernel_leave(before);
    return error;
}

void *pthread_getspecific(pthread_key_t key) {
    const struct gnomon_thread *thread = current();
    return key < PTHREAD_KEYS_MAX && thread->values ? thread->values[key] : NULL;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
    struct gnomon_thread *thread = current();
    if (key >= PTHREAD_KEYS_MAX || !keys[key].used)
        return EINVAL;
    if (!thread->values)
        thread->values = calloc(PTHREAD_KEYS_MAX, sizeof *thread->values);
    if (!thread->values)
        return ENOMEM;
    thread->values[key] = (void *)value;
    return 0;
}

static bool destroy_values(void **values) {
    bool found = false;
    for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; key++) {
        void *value = values[key];
        values[key] = NULL;
        if (value && keys[key].used && keys[key].destructor) {
            keys[key].destructor(value);
            found = true;
        }
    }
    return found;
}

/* Destructors may set values again. */
void __gnomon_keys_end(void) {
    struct gnomon_thread *thread = current();
    for (int i = 0; i < PTHREAD_DESTRUCTOR_ITERATIONS; i++)
        if (!thread->values || !destroy_values(thread->values))
            break;
    void **values = thread->values;
    const uint32_t before = kernel_enter();
    thread->values = NULL;
    kernel_leave(before);
    free(values);
}
