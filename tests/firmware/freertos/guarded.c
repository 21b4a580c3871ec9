/* SPDX-License-Identifier: Apache-2.0 */
/* A task that uses FreeRTOS's heap and malloc wrongly, in ways that guards and the device's table of words find
 * (test_port.py), while other tasks use them right, come and go. Compiled with RIGHT, nothing is wrong. */
#include <FreeRTOS.h>
#include <queue.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <task.h>

#include "handlers.h"

#define KEEP __attribute__((noinline))
enum { ROUNDS = 60, HELPERS = 30 };
typedef volatile uint8_t *bytes;

static volatile unsigned sum, done, failures;

KEEP static bytes make(size_t size) {
    bytes block = pvPortMalloc(size);
    for (size_t i = 0; block && i < size; i++)
        block[i] = (uint8_t)i;
    return block;
}
KEEP static void drop(bytes block) {
    vPortFree((void *)block);
}

#ifndef RIGHT
KEEP static void reads_freed(void) {
    bytes block = make(24);
    drop(block);
    sum += block[5];
}
KEEP static void reads_beyond(void) {
    bytes block = make(16);
    sum += block[16];
    drop(block);
}
KEEP static void writes_beyond(void) {
    bytes block = make(21);
    block[21] = 0;
    drop(block);
}
KEEP static void writes_freed(void) {
    bytes block = make(40);
    drop(block);
    block[36] = 1;
}
KEEP static void frees_twice(void) {
    bytes block = make(14);
    drop(block);
    drop(block);
}
KEEP static void uses_malloc(void) {
    bytes block = malloc(12);
    free((void *)block);
    sum += block[3];
}
#endif

/* Its stack and what the kernel knows of it come from the heap, and go back. */
static void help(void *argument) {
    bytes block = make(1 + (size_t)(uintptr_t)argument % 100);
    drop(block);
    done++;
    vTaskDelete(NULL);
}

/* More than the heap has room for, if nothing goes back. */
KEEP static void uses(uint32_t seed) {
    for (unsigned i = 0; i < ROUNDS; i++) {
        seed = seed * 1664525u + 1013904223u;
        const size_t size = 1 + (seed >> 23);
        bytes first = make(size), second = pvPortCalloc(size, 2), third = malloc(size);
        failures += !first || !second || !third;
        for (size_t j = 0; second && j < 2 * size; j++)
            failures += second[j];
        drop(second);
        drop(first);
        free((void *)third);
    }
    failures += pvPortMalloc(0) != NULL;
    failures += pvPortMalloc(1 << 20) != NULL;
}

static void work(void *argument) {
    (void)argument;
    uses(1);
    for (unsigned i = 0; i < HELPERS; i++) {
        failures += xTaskCreate(help, "help", 256, (void *)(uintptr_t)(i * 7), 2, NULL) != pdPASS;
        vTaskDelay(2);
    }
    QueueHandle_t queue = xQueueCreate(5, 12);
    vQueueDelete(queue);
#ifndef RIGHT
    reads_freed();
    reads_beyond();
    writes_beyond();
    writes_freed();
    frees_twice();
    uses_malloc();
#endif
    failures += done != HELPERS;
    exit(failures != 0);
}

static void beside(void *argument) {
    for (;;)
        uses((uint32_t)(uintptr_t)argument);
}

int main(void) {
    take_traps();
    xTaskCreate(work, "work", 1024, NULL, 1, NULL);
    xTaskCreate(beside, "beside", 1024, (void *)7, 0, NULL);
    vTaskStartScheduler();
    return 1;
}
