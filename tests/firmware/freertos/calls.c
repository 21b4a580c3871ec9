/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes and semaphores of FreeRTOS, used by three tasks in an order that only their sleeps decide. */
#include <FreeRTOS.h>
#include <queue.h>
#include <semphr.h>
#include <stdlib.h>
#include <task.h>

#include "handlers.h"

#define STACK 512

static StackType_t stacks[3][STACK];
static StaticTask_t tasks[3];
static StaticQueue_t guard, nested, items, signal_, line, gone;
static QueueHandle_t mutex, recursive, counting, binary, queue;
static volatile unsigned ended;

static void check(BaseType_t got, BaseType_t want) {
    if (got != want)
        exit(1);
}

/* Has the mutex while the others ask for it. */
static void hold(void *argument) {
    (void)argument;
    for (int i = 0; i < 4; i++) {
        check(xSemaphoreTake(mutex, portMAX_DELAY), pdTRUE);
        vTaskDelay(10);
        check(xSemaphoreGive(mutex), pdTRUE);
        check(xSemaphoreGive(counting), pdTRUE);
        vTaskDelay(20);
    }
    check(xSemaphoreTakeRecursive(recursive, 5), pdTRUE);
    check(xSemaphoreTakeRecursive(recursive, 0), pdTRUE);
    vTaskDelay(10);
    check(xSemaphoreGiveRecursive(recursive), pdTRUE);
    check(xSemaphoreGiveRecursive(recursive), pdTRUE);
    check(xSemaphoreGiveRecursive(recursive), pdFALSE);
    ended++;
    vTaskDelete(NULL);
}

/* Waits for the mutex, and in vain for a time, and does not wait. */
static void ask(void *argument) {
    (void)argument;
    vTaskDelay(3);
    check(xSemaphoreTake(mutex, 0), pdFALSE);
    check(xSemaphoreTake(mutex, 2), pdFALSE);
    check(xSemaphoreTake(mutex, portMAX_DELAY), pdTRUE);
    check(xSemaphoreGive(mutex), pdTRUE);
    check(xSemaphoreTakeRecursive(recursive, 0), pdTRUE);
    check(xSemaphoreGiveRecursive(recursive), pdTRUE);
    check(xSemaphoreTake(binary, portMAX_DELAY), pdTRUE);
    check(xSemaphoreTake(binary, 3), pdFALSE);
    ended++;
    vTaskDelete(NULL);
}

static void control(void *argument) {
    (void)argument;
    int item = 1;
    for (int i = 0; i < 4; i++)
        check(xSemaphoreTake(counting, portMAX_DELAY), pdTRUE);
    check(xSemaphoreTake(counting, 0), pdFALSE);
    check(xSemaphoreGive(binary), pdTRUE);
    SemaphoreHandle_t old = xSemaphoreCreateMutexStatic(&gone);
    check(xSemaphoreTake(old, 1), pdTRUE);
    check(xSemaphoreGive(old), pdTRUE);
    vSemaphoreDelete(old);
    check(xQueueSend(queue, &item, 0), pdTRUE);
    check(xQueueReceive(queue, &item, 0), pdTRUE);
    while (ended < 2)
        vTaskDelay(1);
    exit(0);
}

int main(void) {
    static uint8_t place[sizeof(int)];
    static void (*const functions[])(void *) = {hold, ask, control};
    static const char *const names[] = {"hold", "ask", "control"};
    take_traps();
    mutex = xSemaphoreCreateMutexStatic(&guard);
    recursive = xSemaphoreCreateRecursiveMutexStatic(&nested);
    counting = xSemaphoreCreateCountingStatic(4, 0, &items);
    binary = xSemaphoreCreateBinaryStatic(&signal_);
    queue = xQueueCreateStatic(1, sizeof(int), place, &line);
    for (int i = 0; i < 3; i++)
        xTaskCreateStatic(functions[i], names[i], STACK, NULL, 2, stacks[i], &tasks[i]);
    vTaskStartScheduler();
    return 1;
}
