/* SPDX-License-Identifier: Apache-2.0 */
/* Two tasks of one priority, with a kernel that sends no messages THREAD; one task waits for the other's count and
 * ends the program. */
#include <FreeRTOS.h>
#include <stdlib.h>
#include <task.h>

#include "handlers.h"

static volatile unsigned done;

__attribute__((noinline)) static void spin(unsigned n) {
    for (volatile unsigned i = 0; i < n; i++)
        ;
}
static void count(void *argument) {
    for (;;) {
        spin((unsigned)(uintptr_t)argument);
        done++;
    }
}
static void wait(void *argument) {
    (void)argument;
    while (done < 20)
        vTaskDelay(1);
    exit(0);
}

int main(void) {
    static StackType_t stacks[3][1024];
    static StaticTask_t tasks[3];
    take_traps();
    xTaskCreateStatic(count, "one", 1024, (void *)100, 1, stacks[0], &tasks[0]);
    xTaskCreateStatic(count, "two", 1024, (void *)300, 1, stacks[1], &tasks[1]);
    xTaskCreateStatic(wait, "wait", 1024, NULL, 2, stacks[2], &tasks[2]);
    vTaskStartScheduler();
    return 1;
}
