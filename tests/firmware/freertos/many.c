/* SPDX-License-Identifier: Apache-2.0 */
/* 300 tasks at a time, more than the table of threads has room for: each takes a mutex three times. */
#include <FreeRTOS.h>
#include <gnomon_locks.h>
#include <semphr.h>
#include <stdio.h>
#include <stdlib.h>
#include <task.h>

#include "handlers.h"

enum { TASKS = 300, ROUNDS = 3, STACK = 160 };
extern struct gnomon_locks __gnomon_locks;
static SemaphoreHandle_t mutex;
static volatile unsigned sum, ended;

__attribute__((noinline)) static void add(void) {
    sum++;
}
static void work(void *argument) {
    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        xSemaphoreTake(mutex, portMAX_DELAY);
        add();
        if (i == 1)
            taskYIELD(); /* the next task has to wait */
        xSemaphoreGive(mutex);
    }
    if (++ended == TASKS) {
        printf("sum %u threads %u refused %u\n", sum, (unsigned)__gnomon_locks.threads,
               (unsigned)__gnomon_locks.threads_refused);
        exit(0);
    }
    vTaskDelete(NULL);
}

int main(void) {
    static StackType_t stacks[TASKS + 1][STACK];
    static StaticTask_t tasks[TASKS];
    static StaticQueue_t memory;
    take_traps();
    mutex = xSemaphoreCreateMutexStatic(&memory);
    for (int i = 0; i < TASKS; i++) {
        char name[8];
        sprintf(name, "t%d", i);
        xTaskCreateStatic(work, name, STACK + (i == TASKS - 1) * STACK, NULL, 1, stacks[i], &tasks[i]);
    }
    vTaskStartScheduler();
    return 1;
}
