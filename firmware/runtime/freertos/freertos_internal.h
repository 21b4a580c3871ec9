/* SPDX-License-Identifier: Apache-2.0 */
/* What the two files of FreeRTOS's support share. */
#ifndef GNOMON_RUNTIME_FREERTOS_H
#define GNOMON_RUNTIME_FREERTOS_H

#include <gnomon_freertos.h>

#include "locks/handles.h"
#include "locks/locks_internal.h"

/* What is known of each thread, by its index. */
struct gnomon_freertos_thread {
    bool in_critical;   /* in a critical section */
    bool waits_to_send; /* has asked for room in a queue */
    bool in_buffer;     /* in a function of stream buffers */
};
extern struct gnomon_freertos_thread __gnomon_freertos_threads[256];

#endif
