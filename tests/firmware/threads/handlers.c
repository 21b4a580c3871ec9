/* SPDX-License-Identifier: Apache-2.0 */
/* A program's own interrupt and exception handlers beside threads. A handler posts a semaphore; the thread that waits
 * for it runs as soon as the handler has ended. While all threads wait, handlers run. */
#include <semaphore.h>

#include <gnomon.h>
#include <gnomon/registers.h>

#include "check.h"

#define MSIP (*(volatile uint32_t *)GNOMON_TIMER_MSIP)

static sem_t semaphore;
static volatile int handled, woken, in_handler;
static volatile unsigned traps;

GNOMON_INTERRUPT void gnomon_software_interrupt(void) {
    MSIP = 0;
    handled++;
    in_handler = 1;
    sem_post(&semaphore);
    in_handler = 0;
}

/* Skips instructions that are no instructions of 32 bits, and calls of the environment. */
GNOMON_INTERRUPT void gnomon_exception(void) {
    uint32_t pc;
    __asm__ volatile("csrr %0, mepc" : "=r"(pc));
    traps++;
    __asm__ volatile("csrw mepc, %0" ::"r"(pc + 4));
}

static void *waits(void *argument) {
    struct sched_param param = {.sched_priority = 9};
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
    for (int i = 0; i < 20; i++) {
        sem_wait(&semaphore);
        CHECK(!in_handler);
        woken++;
    }
    return argument;
}

static volatile int stop;
static void *raises_later(void *argument) {
    while (!stop)
        ;
    for (int i = 0; i < 10; i++) {
        usleep(100);
        MSIP = 1;
    }
    return argument;
}

static uint32_t registers_survive(void) {
    uint32_t t0 = 0x1234, t1 = 0x5678, sum;
    __asm__ volatile("mv t0, %1\n\tmv t1, %2\n\tecall\n\t.word 0xFFFFFFFF\n\tadd %0, t0, t1"
                     : "=r"(sum)
                     : "r"(t0), "r"(t1)
                     : "t0", "t1", "memory");
    return sum;
}

int main(void) {
    sem_init(&semaphore, 0, 0);
    pthread_t waiter = begin(waits, NULL), raiser = begin(raises_later, NULL);
    usleep(1000); /* the waiter waits */
    gnomon_irq_enable(GNOMON_IRQ_SOFTWARE);
    for (int i = 0; i < 10; i++) {
        MSIP = 1;
        for (int wait = 0; wait < 200 && woken == i; wait++)
            ;
        IS(woken, i + 1);
    }
    IS(registers_survive(), 0x68AC);
    IS(traps, 2);
    stop = 1;
    end(raiser);
    end(waiter); /* meanwhile all threads wait */
    IS(woken, 20);
    IS(handled, 20);
    return FINISH();
}
