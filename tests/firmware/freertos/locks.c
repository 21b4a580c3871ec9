/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that use queues, mutexes, semaphores, stream buffers, event groups and notifications. Each task logs the
 * messages that it expects of its calls: Q request, A acquired, R released, X refused, each with a lock's index. A
 * group in brackets may be missing. At the end the program prints the logs and the tables. */
#include <FreeRTOS.h>
#include <event_groups.h>
#include <gnomon_locks.h>
#include <queue.h>
#include <semphr.h>
#include <stdio.h>
#include <stdlib.h>
#include <stream_buffer.h>
#include <string.h>
#include <task.h>

#include "handlers.h"

#define ITEMS 12
#define STACK 768

extern struct gnomon_locks __gnomon_locks;

enum { PRODUCER, CONSUMER, TAKER, MAIN, TASKS };
static const char *const task_names[] = {"producer", "consumer", "taker", "control"};
static StackType_t stacks[TASKS][STACK];
static StaticTask_t tasks[TASKS];
static char logs[TASKS][1500];
static volatile unsigned ended, consumed, sent;

static QueueHandle_t queue, mutex, recursive, counting, binary;
static StreamBufferHandle_t stream;
static EventGroupHandle_t events;
static int user;

static unsigned index_of(const volatile void *lock) {
    const struct gnomon_lock_entry *table = (const struct gnomon_lock_entry *)(uintptr_t)__gnomon_locks.lock_table;
    for (unsigned i = 1; i < __gnomon_locks.locks; i++)
        if (table[i].address == (uint32_t)(uintptr_t)lock && table[i].state == GNOMON_LOCK_LIVE)
            return i;
    return 0;
}

/* Adds to a task's log. '#' stands for the lock's index, '+' for the next one. */
static void expect(int task, const char *what, const volatile void *lock) {
    char *log = logs[task] + strlen(logs[task]);
    for (; *what; what++)
        if (*what == '#' || *what == '+')
            log += sprintf(log, "%u ", index_of(lock) + (*what == '+'));
        else
            *log++ = *what;
    *log = 0;
}
static void same(int got, int want, int line) {
    if (got == want)
        return;
    printf("line %d: %d, not %d\n", line, got, want);
    exit(1);
}
#define CALL(task, result, what, lock, ...)                                                                            \
    do {                                                                                                               \
        same((int)(__VA_ARGS__), result, __LINE__);                                                                    \
        expect(task, what, lock);                                                                                      \
    } while (0)

static void produce(void *argument) {
    (void)argument;
    for (int i = 0; i < ITEMS; i++) {
        CALL(PRODUCER, pdPASS, "[Q+A+]R#", queue, xQueueSend(queue, &i, portMAX_DELAY));
        CALL(PRODUCER, pdPASS, "Q#A#", mutex, xSemaphoreTake(mutex, portMAX_DELAY));
        for (volatile int wait = 0; wait < 100; wait++)
            ;
        CALL(PRODUCER, pdPASS, "R#", mutex, xSemaphoreGive(mutex));
    }
    while (consumed < ITEMS)
        vTaskDelay(1);
    int item = 0;
    while (uxQueueSpacesAvailable(queue))
        CALL(PRODUCER, pdPASS, "R#", queue, xQueueSend(queue, &item, 0));
    CALL(PRODUCER, pdFAIL, "X+", queue, xQueueSend(queue, &item, 0));
    CALL(PRODUCER, pdFAIL, "Q+X+", queue, xQueueSend(queue, &item, 2));
    CALL(PRODUCER, 6, "R#", stream, xStreamBufferSend(stream, "stream", 6, 0));
    CALL(PRODUCER, 0, "X+", stream, xStreamBufferSend(stream, "too long for it", 16, 0));
    CALL(PRODUCER, 0, "Q+X+", stream, xStreamBufferSend(stream, "x", 1, 2));
    ended++;
    CALL(PRODUCER, 1, "Q+A+R#", stream, xStreamBufferSend(stream, "x", 1, portMAX_DELAY));
    sent = 1;
    vTaskDelete(NULL);
}

static void consume(void *argument) {
    (void)argument;
    for (int i = 0; i < ITEMS; i++) {
        int item;
        CALL(CONSUMER, pdPASS, "Q#A#", queue, xQueueReceive(queue, &item, portMAX_DELAY));
        same(item, i, __LINE__);
        if (i % 4 == 0)
            vTaskDelay(60);
        CALL(CONSUMER, pdPASS, "Q#A#", mutex, xSemaphoreTake(mutex, portMAX_DELAY));
        CALL(CONSUMER, pdPASS, "R#", mutex, xSemaphoreGive(mutex));
        consumed++;
    }
    int item;
    while (ended < 2)
        vTaskDelay(1);
    CALL(CONSUMER, pdPASS, "Q#A#R#", queue, xQueuePeek(queue, &item, 1));
    while (uxQueueMessagesWaiting(queue))
        CALL(CONSUMER, pdPASS, "A#", queue, xQueueReceive(queue, &item, 0));
    CALL(CONSUMER, pdFAIL, "X#", queue, xQueueReceive(queue, &item, 0));
    CALL(CONSUMER, pdFAIL, "Q#X#", queue, xQueueReceive(queue, &item, 2));
    char text[8];
    CALL(CONSUMER, 6, "A#", stream, xStreamBufferReceive(stream, text, 8, 0));
    CALL(CONSUMER, 0, "X#", stream, xStreamBufferReceive(stream, text, 8, 0));
    CALL(CONSUMER, 1, "Q#A#", stream, xStreamBufferReceive(stream, text, 8, portMAX_DELAY));
    CALL(CONSUMER, 0, "Q#X#", stream, xStreamBufferReceive(stream, text, 8, 2));
    ended++;
    vTaskDelete(NULL);
}

static void take(void *argument) {
    (void)argument;
    /* A mutex of another task, without waiting and for a time. */
    CALL(TAKER, pdPASS, "A#", counting, xSemaphoreTake(counting, 0));
    CALL(TAKER, pdPASS, "Q#A#", counting, xSemaphoreTake(counting, 2));
    CALL(TAKER, pdFAIL, "X#", counting, xSemaphoreTake(counting, 0));
    CALL(TAKER, pdFAIL, "Q#X#", counting, xSemaphoreTake(counting, 2));
    CALL(TAKER, pdPASS, "R#", counting, xSemaphoreGive(counting));
    CALL(TAKER, pdPASS, "Q#A#", recursive, xSemaphoreTakeRecursive(recursive, portMAX_DELAY));
    CALL(TAKER, pdPASS, "Q#A#", recursive, xSemaphoreTakeRecursive(recursive, portMAX_DELAY));
    CALL(TAKER, pdPASS, "R#", recursive, xSemaphoreGiveRecursive(recursive));
    CALL(TAKER, pdPASS, "R#", recursive, xSemaphoreGiveRecursive(recursive));
    CALL(TAKER, pdFAIL, "R#X#", recursive, xSemaphoreGiveRecursive(recursive)); /* wrong use: it is not held */
    CALL(TAKER, pdFAIL, "R#X#", binary, xSemaphoreGive(binary));                /* it is given already */
    CALL(TAKER, 1, "Q#A#", &tasks[TAKER], (int)ulTaskNotifyTake(pdTRUE, portMAX_DELAY));
    CALL(TAKER, 0, "Q#X#", &tasks[TAKER], (int)ulTaskNotifyTake(pdTRUE, 2));
    CALL(TAKER, pdPASS, "Q#A#", &tasks[TAKER], xTaskNotifyWait(0, 0, NULL, portMAX_DELAY));
    CALL(TAKER, pdFAIL, "Q#X#", &tasks[TAKER], xTaskNotifyWait(0, 0, NULL, 2));
    CALL(TAKER, 5, "Q#A#", events, (int)xEventGroupWaitBits(events, 5, pdTRUE, pdTRUE, portMAX_DELAY));
    CALL(TAKER, 0, "Q#X#", events, (int)xEventGroupWaitBits(events, 5, pdTRUE, pdTRUE, 2));
    GNOMON_LOCK_ACQUIRED(user);
    expect(TAKER, "A#", &user);
    taskENTER_CRITICAL();
    taskENTER_CRITICAL();
    taskEXIT_CRITICAL();
    taskEXIT_CRITICAL();
    ended++;
    vTaskDelete(NULL);
}

static void control(void *argument) {
    (void)argument;
    vTaskDelay(36);
    CALL(MAIN, pdPASS, "R#", &tasks[TAKER], xTaskNotifyGive((TaskHandle_t)&tasks[TAKER]));
    vTaskDelay(12);
    CALL(MAIN, pdPASS, "R#", &tasks[TAKER], xTaskNotify((TaskHandle_t)&tasks[TAKER], 2, eSetBits));
    vTaskDelay(12);
    CALL(MAIN, 5, "R#", events, (int)xEventGroupSetBits(events, 5) | 5);
    while (ended < 3 || !sent)
        vTaskDelay(2);
    printf("threads %u\n", (unsigned)__gnomon_locks.threads);
    for (int i = 0; i < TASKS; i++)
        printf("log %s %s\n", task_names[i], logs[i]);
    const struct gnomon_thread_entry *threads =
        (const struct gnomon_thread_entry *)(uintptr_t)__gnomon_locks.thread_table;
    for (unsigned i = 0; i < __gnomon_locks.threads; i++)
        printf("thread %u %s start %#lx state %u\n", i, (const char *)(uintptr_t)threads[i].name,
               (unsigned long)threads[i].start, threads[i].state);
    const struct gnomon_lock_entry *locks = (const struct gnomon_lock_entry *)(uintptr_t)__gnomon_locks.lock_table;
    for (unsigned i = 1; i < __gnomon_locks.locks; i++)
        if (locks[i].kind)
            printf("lock %u kind %u state %u wrong %u thread %u name %s\n", i, locks[i].kind, locks[i].state,
                   locks[i].wrong, locks[i].thread, locks[i].name ? (const char *)(uintptr_t)locks[i].name : "-");
    exit(0);
}

int main(void) {
    static StaticQueue_t memory[5];
    static StaticStreamBuffer_t stream_memory;
    static StaticEventGroup_t events_memory;
    static uint8_t items[3 * sizeof(int)], stream_bytes[8];
    static void (*const functions[])(void *) = {produce, consume, take, control};
    static const UBaseType_t priorities[] = {1, 2, 1, 2};
    take_traps();
    queue = xQueueCreateStatic(3, sizeof(int), items, &memory[0]);
    mutex = xSemaphoreCreateMutexStatic(&memory[1]);
    recursive = xSemaphoreCreateRecursiveMutexStatic(&memory[2]);
    counting = xSemaphoreCreateCountingStatic(2, 2, &memory[3]);
    binary = xSemaphoreCreateBinaryStatic(&memory[4]);
    xSemaphoreGive(binary);
    vQueueAddToRegistry(queue, "items");
    vQueueAddToRegistry(mutex, "guard");
    stream = xStreamBufferCreateStatic(7, 1, stream_bytes, &stream_memory);
    events = xEventGroupCreateStatic(&events_memory);
    for (int i = 0; i < TASKS; i++)
        xTaskCreateStatic(functions[i], task_names[i], STACK, NULL, priorities[i], stacks[i], &tasks[i]);
    vTaskStartScheduler();
    return 1;
}
