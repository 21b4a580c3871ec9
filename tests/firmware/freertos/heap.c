/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that allocate from FreeRTOS's heap, and free each other's blocks. Some blocks are forgotten at the end. */
#include <FreeRTOS.h>
#include <stdint.h>
#include <stdlib.h>
#include <task.h>

#include "handlers.h"

enum { TASKS = 3, ROUNDS = 40, SLOTS = 8 };

static void *slots[SLOTS];
static volatile unsigned done;

__attribute__((noinline)) static void *take(unsigned slot, void *block) {
    taskENTER_CRITICAL();
    void *before = slots[slot];
    slots[slot] = block;
    taskEXIT_CRITICAL();
    return before;
}

__attribute__((noinline)) static void lose_pair(void) {
    void *volatile *first = pvPortMalloc(sizeof *first), *volatile *second = pvPortMalloc(sizeof *second);
    *first = (void *)second;
    *second = (void *)first;
}
/* The stack may hold what a function that has returned has left there. */
__attribute__((noinline)) static void scrub(void) {
    volatile uint32_t words[400];
    for (unsigned i = 0; i < 400; i++)
        words[i] = i;
    (void)words[0];
}

static void work(void *argument) {
    uint32_t state = (uint32_t)(uintptr_t)argument;
    for (unsigned i = 0; i < ROUNDS; i++) {
        state = state * 1664525u + 1013904223u;
        const size_t size = 1 + (state >> 24);
#ifdef CALLOC
        void *block = state & 0x1000 ? pvPortMalloc(size) : pvPortCalloc(size, 2);
#else
        void *block = pvPortMalloc(size);
#endif
        vPortFree(take(state >> 16 & (SLOTS - 1), block));
    }
    if (++done == TASKS) {
        taskENTER_CRITICAL(); /* an interrupt would save registers, which may have an address of the pair */
        lose_pair();
        scrub();
        taskEXIT_CRITICAL();
        for (unsigned i = 0; i < SLOTS / 2; i++) /* these blocks are lost */
            take(i, NULL);
        exit(0);
    }
    for (;;)
        vTaskDelay(100);
}

int main(void) {
    take_traps();
    for (unsigned i = 0; i < TASKS; i++)
        xTaskCreate(work, "work", 1024, (void *)(uintptr_t)(i + 1), 1, NULL);
    vTaskStartScheduler();
    return 1;
}
