/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOS's mutexes used wrongly, once each, and tasks that block while they have one; priority inversion. A mutex of
 * FreeRTOS inherits, but not along a chain: in `chain`, the highest task waits for a mutex whose owner waits for that
 * of the lowest, which keeps its priority, and the middle task runs. The cases that are none: the highest waits for the
 * mutex of the lowest (`plain`), and the priority of the lowest was once not below that of the middle (`changed`).
 *
 * usage: wrong misuse|chain|plain|changed */
#include <FreeRTOS.h>
#include <semphr.h>
#include <stdlib.h>
#include <string.h>
#include <task.h>

#include "handlers.h"

enum { LOW = 1, MIDDLE, HIGH, STACK = 512, MUTEXES = 6 };
static SemaphoreHandle_t owned, destroyed_held, used_late, again, device_lock, other_lock;
static TaskHandle_t first;
static const char *mode;

static void work(int loops) {
    for (volatile int i = 0; i < loops; i++)
        ;
}
static void take(SemaphoreHandle_t mutex) {
    xSemaphoreTake(mutex, portMAX_DELAY);
}
static void end(void) {
    vTaskDelay(1000); /* the last task ends the program */
}

/* ---- Wrong use ---- */

static void owner(void *argument) {
    (void)argument;
    take(owned);
    vTaskDelay(2);
    vTaskSuspend(NULL);
    vTaskDelay(2); /* the meddler gives `owned` */
    take(destroyed_held);
    vSemaphoreDelete(destroyed_held);
    vSemaphoreDelete(used_late);
    xSemaphoreTake(used_late, 0);
    take(again);
    xSemaphoreTake(again, 2);
    xSemaphoreGive(again);
    exit(0);
}
static void meddler(void *argument) {
    (void)argument;
    vTaskDelay(4);
    vTaskResume(first);
    xSemaphoreGive(owned);
    end();
}

/* ---- Priority inversion ---- */

static void low(void *argument) {
    (void)argument;
    vTaskDelay(2);
    take(device_lock);
    work(4000);
    xSemaphoreGive(device_lock);
    vTaskDelay(4);
    exit(0);
}
static void between(void *argument) {
    (void)argument;
    vTaskDelay(4);
    if (strcmp(mode, "chain") == 0 || strcmp(mode, "changed") == 0) {
        take(other_lock);
        take(device_lock);
        xSemaphoreGive(device_lock);
        xSemaphoreGive(other_lock);
    }
    end();
}
static void middle(void *argument) {
    (void)argument;
    vTaskDelay(9);
    work(800);
    end();
}
static void high(void *argument) {
    const SemaphoreHandle_t mutex = strcmp(mode, "plain") == 0 ? device_lock : other_lock;
    (void)argument;
    vTaskDelay(8);
    take(mutex);
    xSemaphoreGive(mutex);
    end();
}

/* ---- Tasks ---- */

static SemaphoreHandle_t make(const char *name) {
    static StaticQueue_t memory[MUTEXES];
    static int used;
    const SemaphoreHandle_t mutex = xSemaphoreCreateMutexStatic(&memory[used++]);
    vQueueAddToRegistry(mutex, name);
    return mutex;
}
static TaskHandle_t start(void (*function)(void *), const char *name, int priority) {
    static StackType_t stacks[4][STACK];
    static StaticTask_t tasks[4];
    static int used;
    const int at = used++;
    return xTaskCreateStatic(function, name, STACK, NULL, (UBaseType_t)priority, stacks[at], &tasks[at]);
}

int main(int argc, char **argv) {
    mode = argc > 1 ? argv[1] : "misuse";
    take_traps();
    owned = make("owned");
    destroyed_held = make("destroyed_held");
    used_late = make("used_late");
    again = make("again");
    device_lock = make("device_lock");
    other_lock = make("other_lock");
    if (strcmp(mode, "misuse") == 0) {
        first = start(owner, "owner", MIDDLE);
        start(meddler, "meddler", LOW);
    } else {
        first = start(low, "low", LOW);
        start(between, "between", LOW);
        start(middle, "middle", MIDDLE);
        start(high, "high", HIGH);
    }
    if (strcmp(mode, "changed") == 0) {
        vTaskPrioritySet(first, MIDDLE);
        vTaskPrioritySet(first, LOW);
    }
    vTaskStartScheduler();
    return 1;
}
