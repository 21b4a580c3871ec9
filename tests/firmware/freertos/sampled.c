/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that share functions, at different depths of recursion, and take turns by the clock; one more wakes at each
 * tick. Which task it was shows the function that its stack begins with. */
#include <FreeRTOS.h>
#include <stdlib.h>
#include <task.h>

#include "handlers.h"

enum { WORKERS = 3, ROUNDS = 300, TURNS = 60, STACK = 512 };

static volatile uint32_t results[WORKERS + 1];
static unsigned ended;

static __attribute__((noinline)) uint32_t work(uint32_t value) {
    for (unsigned i = 0; i < TURNS; i++)
        value = value * 1664525u + 1013904223u;
    return value;
}

/* Works below `depth` calls of itself. */
static __attribute__((noinline)) uint32_t descend(unsigned depth, uint32_t value) {
    if (!depth)
        return work(value);
    const uint32_t below = descend(depth - 1, value);
    return below ^ work(below >> depth);
}

static void end_task(void) {
    if (++ended == WORKERS)
        exit(0);
    vTaskDelete(NULL);
}

static void shallow(void *argument) {
    for (unsigned i = 0; i < 4 * ROUNDS; i++)
        results[0] += work(i);
    (void)argument;
    end_task();
}
static void middle(void *argument) {
    for (unsigned i = 0; i < ROUNDS; i++)
        results[1] += descend(3, i);
    (void)argument;
    end_task();
}
static void deep(void *argument) {
    for (unsigned i = 0; i < ROUNDS; i++)
        results[2] += descend(9, i);
    (void)argument;
    end_task();
}
static void beat(void *argument) {
    (void)argument;
    for (uint32_t i = 0;; i++) {
        results[WORKERS] += work(i);
        vTaskDelay(1);
    }
}

int main(void) {
    static const struct {
        TaskFunction_t run;
        const char *name;
        UBaseType_t priority;
    } tasks[] = {{shallow, "shallow", 1}, {middle, "middle", 1}, {deep, "deep", 1}, {beat, "beat", 2}};
    enum { TASKS = sizeof tasks / sizeof *tasks };
    static StackType_t stacks[TASKS][STACK];
    static StaticTask_t memory[TASKS];
    take_traps();
    for (unsigned i = 0; i < TASKS; i++)
        xTaskCreateStatic(tasks[i].run, tasks[i].name, STACK, NULL, tasks[i].priority, stacks[i], &memory[i]);
    vTaskStartScheduler();
    return 1;
}
