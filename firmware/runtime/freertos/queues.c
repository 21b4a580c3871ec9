/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOS's queues, semaphores, mutexes, buffers, event groups and notifications as locks (gnomon_freertos.h). */
#include "freertos/freertos_internal.h"

/* The kernel gives a new mutex once, which is no release: a bit of the entry's field `wrong`. */
#define IS_NEW 0x10

enum queue_type { TYPE_QUEUE, TYPE_MUTEX, TYPE_COUNTING, TYPE_BINARY, TYPE_RECURSIVE };

static enum gnomon_lock_kind kind_of_queue(unsigned type) {
    switch (type) {
    case TYPE_MUTEX:
        return GNOMON_LOCK_MUTEX;
    case TYPE_RECURSIVE:
        return GNOMON_LOCK_RECURSIVE;
    case TYPE_COUNTING:
    case TYPE_BINARY:
        return GNOMON_LOCK_SEMAPHORE;
    default:
        return GNOMON_LOCK_QUEUE;
    }
}

static uint32_t caller_of(const void *caller) {
    return __gnomon_address(caller);
}

static uint32_t queue_index(const void *queue, const void *caller) {
    return __gnomon_lock_index(queue, GNOMON_LOCK_QUEUE, caller_of(caller));
}

/* The functions of recursive mutexes send the messages; the ones that they use do not. */
static bool is_recursive(uint32_t index) {
    return __gnomon_lock_table[index].kind == GNOMON_LOCK_RECURSIVE;
}
static bool has_room_side(uint32_t index) {
    return __gnomon_lock_table[index].kind == GNOMON_LOCK_QUEUE;
}

void __gnomon_freertos_queue(const void *queue, unsigned type, const void *caller) {
    __gnomon_lock_add(queue, kind_of_queue(type), caller_of(caller));
}
void __gnomon_freertos_mutex_given(const void *queue) {
    const uint32_t index = queue_index(queue, NULL);
    if (index != GNOMON_LOCKS_LOCK_OTHER)
        __gnomon_lock_table[index].wrong |= IS_NEW;
}
void __gnomon_freertos_deleted(const void *lock) {
    __gnomon_lock_destroy(lock, true);
}
void __gnomon_freertos_name(const void *queue, const char *name) {
    gnomon_lock_name(queue, name);
}

static void send(uint32_t what, uint32_t index, const void *caller) {
    if (!is_recursive(index))
        __gnomon_lock_send(what, index, caller_of(caller));
}
void __gnomon_freertos_ask(const void *queue, const void *caller) {
    send(GNOMON_LOCKS_REQUEST, queue_index(queue, caller), caller);
}
void __gnomon_freertos_received(const void *queue, const void *caller) {
    send(GNOMON_LOCKS_ACQUIRED, queue_index(queue, caller), caller);
}
void __gnomon_freertos_not_received(const void *queue, const void *caller) {
    send(GNOMON_LOCKS_REFUSED, queue_index(queue, caller), caller);
}
void __gnomon_freertos_peeked(const void *queue, const void *caller) {
    __gnomon_freertos_received(queue, caller);
    send(GNOMON_LOCKS_RELEASED, queue_index(queue, caller), caller);
}

void __gnomon_freertos_waits_to_send(const void *queue, const void *caller) {
    struct gnomon_freertos_thread *thread = &__gnomon_freertos_threads[__gnomon_thread];
    const uint32_t index = queue_index(queue, caller);
    if (has_room_side(index) && !thread->waits_to_send) { /* the kernel says it again after each vain wake-up */
        thread->waits_to_send = true;
        __gnomon_lock_send(GNOMON_LOCKS_REQUEST, index | 1, caller_of(caller));
    }
}
/* The wait for room, if there was one, has ended. */
static void end_wait_to_send(uint32_t index, bool good, const void *caller) {
    struct gnomon_freertos_thread *thread = &__gnomon_freertos_threads[__gnomon_thread];
    if (has_room_side(index) && (thread->waits_to_send || !good))
        __gnomon_lock_send(good ? GNOMON_LOCKS_ACQUIRED : GNOMON_LOCKS_REFUSED, index | 1, caller_of(caller));
    thread->waits_to_send = false;
}
void __gnomon_freertos_sent(const void *queue, const void *caller) {
    const uint32_t index = queue_index(queue, caller);
    if (index != GNOMON_LOCKS_LOCK_OTHER && __gnomon_lock_table[index].wrong & IS_NEW) {
        __gnomon_lock_table[index].wrong &= (uint8_t)~IS_NEW;
        return;
    }
    end_wait_to_send(index, true, caller);
    send(GNOMON_LOCKS_RELEASED, index, caller);
}
void __gnomon_freertos_not_sent(const void *queue, const void *caller) {
    const uint32_t index = queue_index(queue, caller);
    end_wait_to_send(index, false, caller);
    if (has_room_side(index))
        return;
    send(GNOMON_LOCKS_RELEASED, index, caller);
    send(GNOMON_LOCKS_REFUSED, index, caller);
}

/* Whether the running task, or the interrupt's handler, is in a function of stream buffers. */
static bool isr_in_buffer;
void __gnomon_freertos_in_buffer(int from_isr, int in_buffer) {
    if (from_isr)
        isr_in_buffer = in_buffer;
    else
        __gnomon_freertos_threads[__gnomon_thread].in_buffer = in_buffer;
}
/* Notifications that belong to a buffer send no messages. */
static bool of_buffer(enum __gnomon_freertos_kind kind) {
    return kind == __gnomon_freertos_notification_from_isr ? isr_in_buffer
           : kind == __gnomon_freertos_notification        ? __gnomon_freertos_threads[__gnomon_thread].in_buffer
                                                           : false;
}

/* Locks with functions of their own. */
static uint32_t index_of(const void *lock, enum __gnomon_freertos_kind kind, const void *caller) {
    static const uint8_t kinds[] = {[__gnomon_freertos_recursive] = GNOMON_LOCK_RECURSIVE,
                                    [__gnomon_freertos_stream] = GNOMON_LOCK_QUEUE,
                                    [__gnomon_freertos_events] = GNOMON_LOCK_CONDITION,
                                    [__gnomon_freertos_notification] = GNOMON_LOCK_SEMAPHORE,
                                    [__gnomon_freertos_notification_from_isr] = GNOMON_LOCK_SEMAPHORE};
    const uint32_t index = __gnomon_lock_index(lock, (enum gnomon_lock_kind)kinds[kind], caller_of(caller));
    if (kinds[kind] == GNOMON_LOCK_SEMAPHORE && index != GNOMON_LOCKS_LOCK_OTHER) {
        struct gnomon_lock_entry *entry = &__gnomon_lock_table[index];
        const uint32_t thread = __gnomon_handle_index(lock);
        if (!entry->name && thread != GNOMON_LOCKS_THREAD_OTHER)
            entry->name = __gnomon_handle_threads[thread].name;
    }
    return index;
}
void __gnomon_freertos_created(const void *lock, enum __gnomon_freertos_kind kind, const void *caller) {
    __gnomon_lock_add(lock, kind == __gnomon_freertos_stream ? GNOMON_LOCK_QUEUE : GNOMON_LOCK_CONDITION,
                      caller_of(caller));
}
void __gnomon_freertos_request(const void *lock, enum __gnomon_freertos_kind kind, const void *caller) {
    if (!of_buffer(kind))
        __gnomon_lock_send(GNOMON_LOCKS_REQUEST, index_of(lock, kind, caller), caller_of(caller));
}
void __gnomon_freertos_result(const void *lock, enum __gnomon_freertos_kind kind, int good, const void *caller) {
    if (of_buffer(kind))
        return;
    __gnomon_lock_send(good ? GNOMON_LOCKS_ACQUIRED : GNOMON_LOCKS_REFUSED, index_of(lock, kind, caller),
                       caller_of(caller));
}
void __gnomon_freertos_release(const void *lock, enum __gnomon_freertos_kind kind, int good, const void *caller) {
    if (of_buffer(kind))
        return;
    const uint32_t index = index_of(lock, kind, caller);
    if (kind == __gnomon_freertos_stream) {
        end_wait_to_send(index, good, caller);
        if (!good)
            return;
    }
    __gnomon_lock_send(GNOMON_LOCKS_RELEASED, index, caller_of(caller));
    if (!good)
        __gnomon_lock_send(GNOMON_LOCKS_REFUSED, index, caller_of(caller));
}
