/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of threads that are created: state and stack. */
#include <errno.h>

#include "threads/kernel.h"

int pthread_attr_setdetachstate(pthread_attr_t *attr, int state) {
    if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED)
        return EINVAL;
    attr->detached = (unsigned char)state;
    return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state) {
    *state = attr->detached;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size) {
    if (size < PTHREAD_STACK_MIN)
        return EINVAL;
    attr->stack_size = size;
    return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *size) {
    *size = attr->stack_size;
    return 0;
}

int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size) {
    if (size < PTHREAD_STACK_MIN || !stack)
        return EINVAL;
    attr->stack = stack;
    attr->stack_size = size;
    return 0;
}

int pthread_attr_getstack(const pthread_attr_t *attr, void **stack, size_t *size) {
    *stack = attr->stack;
    *size = attr->stack_size;
    return 0;
}

/* The guard is always one word. */
int pthread_attr_setguardsize(pthread_attr_t *attr, size_t size) {
    attr->guard_size = size;
    return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *attr, size_t *size) {
    *size = attr->guard_size;
    return 0;
}
