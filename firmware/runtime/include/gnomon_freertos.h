/* SPDX-License-Identifier: Apache-2.0 */
/* Trace macros of FreeRTOS V11. gnomon cc --gnomon-freertos includes this file before everything else in every file, so
 * it includes nothing itself and names nothing without a prefix. A macro that FreeRTOSConfig.h defines replaces the one
 * from here. The functions are in firmware/runtime/freertos; docs/guide/locks-program.md says what each message means.
 */
#ifndef GNOMON_FREERTOS_H
#define GNOMON_FREERTOS_H
#ifndef __ASSEMBLER__

#ifdef __cplusplus
extern "C" {
#endif

/* Threads. */
unsigned __gnomon_freertos_task(const void *tcb, const char *name, const void *start,
                                unsigned priority); /* the thread's index */
void __gnomon_freertos_priority(const void *tcb, unsigned priority);
void __gnomon_freertos_task_ended(const void *tcb);
void __gnomon_freertos_switched_out(int blocked);
unsigned __gnomon_freertos_switched_in(const void *tcb); /* the thread's index; ~0: the same thread goes on */
void __gnomon_freertos_goes_on(void);
/* Messages: traps that the profiler sees begin and end (tasks.c). */
void __gnomon_freertos_open_trap(unsigned thread);
void __gnomon_freertos_first_task(void);
/* Records in memory: the thread changes when the trap ends (records_trap.S). */
void __gnomon_freertos_begins(volatile unsigned long *context);
extern int __gnomon_freertos_next;

/* Locks. `caller` is what called the kernel's function. */
void __gnomon_freertos_queue(const void *queue, unsigned type, const void *caller);
void __gnomon_freertos_mutex_given(const void *queue);
void __gnomon_freertos_deleted(const void *lock);
void __gnomon_freertos_name(const void *queue, const char *name);
void __gnomon_freertos_ask(const void *queue, const void *caller);
void __gnomon_freertos_received(const void *queue, const void *caller);
void __gnomon_freertos_peeked(const void *queue, const void *caller);
void __gnomon_freertos_not_received(const void *queue, const void *caller);
void __gnomon_freertos_waits_to_send(const void *queue, const void *caller);
void __gnomon_freertos_sent(const void *queue, const void *caller);
void __gnomon_freertos_not_sent(const void *queue, const void *caller);
enum __gnomon_freertos_kind {
    __gnomon_freertos_recursive,
    __gnomon_freertos_stream,
    __gnomon_freertos_events,
    __gnomon_freertos_notification,
    __gnomon_freertos_notification_from_isr
};
void __gnomon_freertos_in_buffer(int from_isr, int in_buffer);
void __gnomon_freertos_created(const void *lock, enum __gnomon_freertos_kind kind, const void *caller);
void __gnomon_freertos_request(const void *lock, enum __gnomon_freertos_kind kind, const void *caller);
void __gnomon_freertos_result(const void *lock, enum __gnomon_freertos_kind kind, int good, const void *caller);
void __gnomon_freertos_release(const void *lock, enum __gnomon_freertos_kind kind, int good, const void *caller);
/* The port's critical sections; called with interrupts off. */
void __gnomon_freertos_enter_critical(void);
void __gnomon_freertos_exit_critical(void);

#ifdef __cplusplus
}
#endif

#define GNOMON_FREERTOS_CALLER __builtin_return_address(0)
#ifdef GNOMON_RECORDS
#define GNOMON_FREERTOS_THREAD(number) (__gnomon_freertos_next = (int)(number))
#define GNOMON_FREERTOS_BEGINS(thread, context) ((void)(thread), __gnomon_freertos_begins((void *)(context)))
#define traceSTARTING_SCHEDULER(idle_tasks)
#else
#define GNOMON_FREERTOS_THREAD(number) __asm__ volatile("sw %0, -8(zero)" ::"r"(number) : "memory")
#define GNOMON_FREERTOS_BEGINS(thread, context) __gnomon_freertos_open_trap(thread)
#define traceSTARTING_SCHEDULER(idle_tasks) __gnomon_freertos_first_task()
#endif

/* Tasks. A new task's stack holds the address of its function in its first word (portASM.S). */
#define traceTASK_CREATE(tcb)                                                                                          \
    do {                                                                                                               \
        const unsigned gnomon_thread =                                                                                 \
            __gnomon_freertos_task(tcb, (tcb)->pcTaskName, *(const void *const *)(const void *)(tcb)->pxTopOfStack,    \
                                   (unsigned)(tcb)->uxPriority);                                                       \
        GNOMON_FREERTOS_BEGINS(gnomon_thread, (tcb)->pxTopOfStack);                                                    \
    } while (0)
#define traceTASK_DELETE(tcb) __gnomon_freertos_task_ended(tcb)
#define traceTASK_PRIORITY_SET(tcb, priority) __gnomon_freertos_priority(tcb, (unsigned)(priority))
/* A task that is in no list of ready tasks blocks: a delay, a suspension, and each wait of the kernel. */
#define traceTASK_SWITCHED_OUT()                                                                                       \
    __gnomon_freertos_switched_out(                                                                                    \
        !listIS_CONTAINED_WITHIN(&pxReadyTasksLists[pxCurrentTCB->uxPriority], &pxCurrentTCB->xStateListItem))
#define traceTASK_SWITCHED_IN()                                                                                        \
    do {                                                                                                               \
        const unsigned gnomon_thread = __gnomon_freertos_switched_in(pxCurrentTCB);                                    \
        if (gnomon_thread != ~0u)                                                                                      \
            GNOMON_FREERTOS_THREAD(gnomon_thread);                                                                     \
        __gnomon_freertos_goes_on();                                                                                   \
    } while (0)

/* Queues, semaphores, mutexes. */
#define traceQUEUE_CREATE(queue) __gnomon_freertos_queue(queue, ucQueueType, GNOMON_FREERTOS_CALLER)
#define traceCREATE_MUTEX(queue) __gnomon_freertos_mutex_given(queue)
#define traceQUEUE_DELETE(queue) __gnomon_freertos_deleted(queue)
#define traceQUEUE_REGISTRY_ADD(queue, name) __gnomon_freertos_name(queue, name)
#define GNOMON_FREERTOS_ASK(queue, ticks)                                                                              \
    do {                                                                                                               \
        if ((ticks) != 0)                                                                                              \
            __gnomon_freertos_ask(queue, GNOMON_FREERTOS_CALLER);                                                      \
    } while (0)
#define traceENTER_xQueueReceive(queue, buffer, ticks) GNOMON_FREERTOS_ASK(queue, ticks)
#define traceENTER_xQueueSemaphoreTake(queue, ticks) GNOMON_FREERTOS_ASK(queue, ticks)
#define traceENTER_xQueuePeek(queue, buffer, ticks) GNOMON_FREERTOS_ASK(queue, ticks)
#define traceQUEUE_RECEIVE(queue) __gnomon_freertos_received(queue, GNOMON_FREERTOS_CALLER)
#define traceQUEUE_RECEIVE_FAILED(queue) __gnomon_freertos_not_received(queue, GNOMON_FREERTOS_CALLER)
#define traceQUEUE_RECEIVE_FROM_ISR(queue) __gnomon_freertos_received(queue, GNOMON_FREERTOS_CALLER)
#define traceQUEUE_RECEIVE_FROM_ISR_FAILED(queue) __gnomon_freertos_not_received(queue, GNOMON_FREERTOS_CALLER)
#define traceQUEUE_PEEK(queue) __gnomon_freertos_peeked(queue, GNOMON_FREERTOS_CALLER)
#define traceQUEUE_PEEK_FAILED(queue) __gnomon_freertos_not_received(queue, GNOMON_FREERTOS_CALLER)
#define traceQUEUE_PEEK_FROM_ISR(queue) __gnomon_freertos_peeked(queue, GNOMON_FREERTOS_CALLER)
#define traceQUEUE_PEEK_FROM_ISR_FAILED(queue) __gnomon_freertos_not_received(queue, GNOMON_FREERTOS_CALLER)
#define traceBLOCKING_ON_QUEUE_SEND(queue) __gnomon_freertos_waits_to_send(queue, GNOMON_FREERTOS_CALLER)
#define traceQUEUE_SEND(queue) __gnomon_freertos_sent(queue, GNOMON_FREERTOS_CALLER)
#define traceQUEUE_SEND_FAILED(queue) __gnomon_freertos_not_sent(queue, GNOMON_FREERTOS_CALLER)
#define traceQUEUE_SEND_FROM_ISR(queue) __gnomon_freertos_sent(queue, GNOMON_FREERTOS_CALLER)
#define traceQUEUE_SEND_FROM_ISR_FAILED(queue) __gnomon_freertos_not_sent(queue, GNOMON_FREERTOS_CALLER)

/* What waits with a kind of its own: the request, its result, and what ends the wait of others. */
#define GNOMON_FREERTOS_REQUEST(kind, lock, ticks)                                                                     \
    do {                                                                                                               \
        if ((ticks) != 0)                                                                                              \
            __gnomon_freertos_request(lock, __gnomon_freertos_##kind, GNOMON_FREERTOS_CALLER);                         \
    } while (0)
#define GNOMON_FREERTOS_RESULT(kind, lock, good)                                                                       \
    __gnomon_freertos_result(lock, __gnomon_freertos_##kind, (good), GNOMON_FREERTOS_CALLER)
#define GNOMON_FREERTOS_RELEASE(kind, lock, good)                                                                      \
    __gnomon_freertos_release(lock, __gnomon_freertos_##kind, (good), GNOMON_FREERTOS_CALLER)

#define traceTAKE_MUTEX_RECURSIVE(mutex) GNOMON_FREERTOS_REQUEST(recursive, mutex, xTicksToWait)
#define traceRETURN_xQueueTakeMutexRecursive(good) GNOMON_FREERTOS_RESULT(recursive, pxMutex, good)
#define traceGIVE_MUTEX_RECURSIVE(mutex) GNOMON_FREERTOS_RELEASE(recursive, mutex, 1)
#define traceGIVE_MUTEX_RECURSIVE_FAILED(mutex) GNOMON_FREERTOS_RELEASE(recursive, mutex, 0)

/* Stream buffers and message buffers. Their tasks wait by a notification, which is no message of its own. */
#define traceSTREAM_BUFFER_CREATE(buffer, type)                                                                        \
    __gnomon_freertos_created(buffer, __gnomon_freertos_stream, GNOMON_FREERTOS_CALLER)
#define traceSTREAM_BUFFER_DELETE(buffer) __gnomon_freertos_deleted(buffer)
#define traceENTER_xStreamBufferReceive(buffer, data, size, ticks)                                                     \
    do {                                                                                                               \
        __gnomon_freertos_in_buffer(0, 1);                                                                             \
        GNOMON_FREERTOS_REQUEST(stream, buffer, ticks);                                                                \
    } while (0)
#define traceSTREAM_BUFFER_RECEIVE(buffer, size) GNOMON_FREERTOS_RESULT(stream, buffer, 1)
#define traceRETURN_xStreamBufferReceive(size)                                                                         \
    do {                                                                                                               \
        if (!(size))                                                                                                   \
            GNOMON_FREERTOS_RESULT(stream, pxStreamBuffer, 0);                                                         \
        __gnomon_freertos_in_buffer(0, 0);                                                                             \
    } while (0)
#define traceENTER_xStreamBufferSend(buffer, data, size, ticks) __gnomon_freertos_in_buffer(0, 1)
#define traceRETURN_xStreamBufferSend(size) __gnomon_freertos_in_buffer(0, 0)
#define traceENTER_xStreamBufferSendFromISR(buffer, data, size, woken) __gnomon_freertos_in_buffer(1, 1)
#define traceRETURN_xStreamBufferSendFromISR(size) __gnomon_freertos_in_buffer(1, 0)
#define traceENTER_xStreamBufferReceiveFromISR(buffer, data, size, woken) __gnomon_freertos_in_buffer(1, 1)
#define traceRETURN_xStreamBufferReceiveFromISR(size) __gnomon_freertos_in_buffer(1, 0)
#define traceSTREAM_BUFFER_RECEIVE_FROM_ISR(buffer, size) GNOMON_FREERTOS_RESULT(stream, buffer, (size) != 0)
#define traceBLOCKING_ON_STREAM_BUFFER_SEND(buffer) __gnomon_freertos_waits_to_send(buffer, GNOMON_FREERTOS_CALLER)
#define traceSTREAM_BUFFER_SEND(buffer, size) GNOMON_FREERTOS_RELEASE(stream, buffer, 1)
#define traceSTREAM_BUFFER_SEND_FAILED(buffer) GNOMON_FREERTOS_RELEASE(stream, buffer, 0)
#define traceSTREAM_BUFFER_SEND_FROM_ISR(buffer, size) GNOMON_FREERTOS_RELEASE(stream, buffer, (size) != 0)

/* Event groups. */
#define traceEVENT_GROUP_CREATE(group)                                                                                 \
    __gnomon_freertos_created(group, __gnomon_freertos_events, GNOMON_FREERTOS_CALLER)
#define traceEVENT_GROUP_DELETE(group) __gnomon_freertos_deleted(group)
#define traceENTER_xEventGroupWaitBits(group, bits, clear, all, ticks) GNOMON_FREERTOS_REQUEST(events, group, ticks)
#define traceEVENT_GROUP_WAIT_BITS_END(group, bits, late) GNOMON_FREERTOS_RESULT(events, group, !(late))
#define traceENTER_xEventGroupSync(group, set, bits, ticks) GNOMON_FREERTOS_REQUEST(events, group, ticks)
#define traceEVENT_GROUP_SYNC_END(group, set, bits, late) GNOMON_FREERTOS_RESULT(events, group, !(late))
#define traceEVENT_GROUP_SET_BITS(group, bits) GNOMON_FREERTOS_RELEASE(events, group, 1)

/* Task notifications: each of a task's counts as a semaphore, at the address of its task, plus its index. */
#define GNOMON_FREERTOS_NOTIFIED(tcb, index) ((const char *)(const void *)(tcb) + (index))
#define traceENTER_ulTaskGenericNotifyTake(index, clear, ticks)                                                        \
    GNOMON_FREERTOS_REQUEST(notification, GNOMON_FREERTOS_NOTIFIED(pxCurrentTCB, index), ticks)
#define traceRETURN_ulTaskGenericNotifyTake(value)                                                                     \
    GNOMON_FREERTOS_RESULT(notification, GNOMON_FREERTOS_NOTIFIED(pxCurrentTCB, uxIndexToWaitOn), (value) != 0)
#define traceENTER_xTaskGenericNotifyWait(index, entry, exit, value, ticks)                                            \
    GNOMON_FREERTOS_REQUEST(notification, GNOMON_FREERTOS_NOTIFIED(pxCurrentTCB, index), ticks)
#define traceRETURN_xTaskGenericNotifyWait(good)                                                                       \
    GNOMON_FREERTOS_RESULT(notification, GNOMON_FREERTOS_NOTIFIED(pxCurrentTCB, uxIndexToWaitOn), good)
#define traceTASK_NOTIFY(index) GNOMON_FREERTOS_RELEASE(notification, GNOMON_FREERTOS_NOTIFIED(pxTCB, index), 1)
#define traceTASK_NOTIFY_FROM_ISR(index)                                                                               \
    GNOMON_FREERTOS_RELEASE(notification_from_isr, GNOMON_FREERTOS_NOTIFIED(pxTCB, index), 1)
#define traceTASK_NOTIFY_GIVE_FROM_ISR(index) traceTASK_NOTIFY_FROM_ISR(index)

#endif
#endif
