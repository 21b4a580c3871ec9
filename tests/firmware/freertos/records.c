/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks with the same recursive functions, for records in memory: the tick takes the hart from them at any place, hooks
 * included; they yield, block, begin late and end; an interrupt switches tasks from within functions with hooks. */
#include <FreeRTOS.h>
#include <gnomon.h>
#include <gnomon/registers.h>
#include <semphr.h>
#include <stdio.h>
#include <stdlib.h>
#include <task.h>

#include "handlers.h"

#define KEEP __attribute__((noinline))
#define ROUNDS 40
enum { ALPHA, BETA, WOKEN, LATE, TASKS, STACK = 512 };

static StackType_t stacks[TASKS][STACK];
static StaticTask_t tasks[TASKS];
static SemaphoreHandle_t mutex;
static volatile unsigned ended, wakes, sums[TASKS];

KEEP static unsigned leaf(unsigned n) {
    return n * 2654435761u >> 3;
}
KEEP static unsigned tree(unsigned n, unsigned depth) {
    if (depth == 0)
        return leaf(n);
    if (n % 7 == 3)
        taskYIELD();
    return tree(n + 1, depth - 1) + tree(n + 3, depth - 1);
}
KEEP static void guarded(unsigned task, unsigned n) {
    xSemaphoreTake(mutex, portMAX_DELAY);
    sums[task] += tree(n, 3);
    xSemaphoreGive(mutex);
}

/* Switches to the task at once, with these two functions open. */
KEEP static void wake(void) {
    BaseType_t switches = pdFALSE;
    vTaskNotifyGiveFromISR((TaskHandle_t)&tasks[WOKEN], &switches);
    portYIELD_FROM_ISR(switches);
}
static void interrupted(uint32_t cause) {
    if (cause != (1u << 31 | 3))
        abort();
    *(volatile uint32_t *)GNOMON_TIMER_MSIP = 0;
    wake();
}

static void late(void *argument) {
    (void)argument;
    guarded(LATE, 11);
    ended++;
    vTaskDelete(NULL);
}
static void work(void *argument) {
    const unsigned task = (unsigned)(uintptr_t)argument;
    for (unsigned n = 0; n < ROUNDS; n++) {
        guarded(task, n);
        if (n % 8 == 5)
            *(volatile uint32_t *)GNOMON_TIMER_MSIP = 1;
        if (task == ALPHA && n == 9)
            xTaskCreateStatic(late, "late", STACK, NULL, 2, stacks[LATE], &tasks[LATE]);
        if (n % 16 == 7)
            vTaskDelay(1);
    }
    ended++;
    vTaskDelete(NULL);
}
static void woken(void *argument) {
    (void)argument;
    gnomon_irq_enable(GNOMON_IRQ_SOFTWARE);
    while (ended < 3)
        if (ulTaskNotifyTake(pdTRUE, 2)) {
            wakes++;
            sums[WOKEN] += tree(wakes, 2);
        }
    printf("%u wakes, sums %u %u\n", wakes, sums[ALPHA], sums[BETA]);
    exit(0);
}

int main(void) {
    static StaticQueue_t memory;
    take_traps();
    on_interrupt = interrupted;
    mutex = xSemaphoreCreateMutexStatic(&memory);
    xTaskCreateStatic(work, "alpha", STACK, (void *)ALPHA, 1, stacks[ALPHA], &tasks[ALPHA]);
    xTaskCreateStatic(work, "beta", STACK, (void *)BETA, 1, stacks[BETA], &tasks[BETA]);
    xTaskCreateStatic(woken, "woken", STACK, NULL, 2, stacks[WOKEN], &tasks[WOKEN]);
    vTaskStartScheduler();
    return 1;
}
