/* SPDX-License-Identifier: Apache-2.0 */
/* What a program can say to the profiler, and the few devices it needs. Everything here is optional: functions are
 * profiled without it. Compiled for another machine, messages vanish, so that one source serves both. */
#ifndef GNOMON_H
#define GNOMON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function with this attribute is not profiled; its cycles are its caller's. */
#if defined(__has_attribute)
#if __has_attribute(gnomon_off)
#define GNOMON_OFF __attribute__((gnomon_off))
#endif
#endif
#ifndef GNOMON_OFF
#define GNOMON_OFF __attribute__((no_instrument_function))
#endif

#if defined(__riscv) && __riscv_xlen == 32

/* One store, one cycle. CHANNEL is a constant, 0 to 511. */
#define GNOMON_SEND(channel, value)                                                                                    \
    __asm__ volatile("sw %z0, %1(zero)" ::"rJ"((uint32_t)(value)), "i"(-4 - 4 * (channel)) : "memory")

#else

#define GNOMON_SEND(channel, value) ((void)(value))

#endif

/* A mark on the time line, with a value: ID is a constant, 0 to 47. */
#define GNOMON_MARK(id, value) GNOMON_SEND(16 + (id), value)

/* A sample of a value that changes over time: ID is a constant, 0 to 447. */
#define GNOMON_VALUE(id, value) GNOMON_SEND(64 + (id), value)

/* From here on, what runs belongs to thread NUMBER; 0 is the one that runs main. */
#ifdef GNOMON_RECORDS
void gnomon_records_thread(unsigned number);
#define GNOMON_THREAD(number) gnomon_records_thread(number)
#else
#define GNOMON_THREAD(number) GNOMON_SEND(1, number)
#endif

/* A text into the trace: one store per four characters. */
static inline void gnomon_text(const char *text) {
    for (;;) {
        uint32_t word = 0;
        unsigned used = 0;
        while (used < 4 && *text)
            word |= (uint32_t)(unsigned char)*text++ << (8 * used++);
        GNOMON_SEND(8, word);
        if (used < 4)
            return;
    }
}

/* Overlays (docs/firmware.md): functions, and if need be variables, that share an address range. N is a number, 0 to
 * 15; a function of overlay N may be called while the last gnomon_overlay_load was that of N. Its variables begin anew
 * whenever another overlay was there. Linked with gnomon cc --gnomon-overlays. */
#if defined(__riscv) && __riscv_xlen == 32
#define GNOMON_OVERLAY(n) __attribute__((section(".overlay." #n ".text"), noinline))
#define GNOMON_OVERLAY_DATA(n) __attribute__((section(".overlay." #n ".data")))
/* 0; or -1, and nothing has changed: the program has no overlay of that number. */
int gnomon_overlay_load(unsigned number);
#else
#define GNOMON_OVERLAY(n)
#define GNOMON_OVERLAY_DATA(n)
static inline int gnomon_overlay_load(unsigned number) {
    (void)number;
    return 0;
}
#endif

#if defined(__riscv) && __riscv_xlen == 32

/* Cycles since the hart left reset. */
static inline uint64_t gnomon_cycles(void) {
    uint32_t high, low, again;
    do {
        __asm__ volatile("csrr %0, mcycleh\n\tcsrr %1, mcycle\n\tcsrr %2, mcycleh"
                         : "=r"(high), "=r"(low), "=r"(again));
    } while (high != again);
    return (uint64_t)high << 32 | low;
}

/* Instructions retired since then. */
static inline uint64_t gnomon_instructions(void) {
    uint32_t high, low, again;
    do {
        __asm__ volatile("csrr %0, minstreth\n\tcsrr %1, minstret\n\tcsrr %2, minstreth"
                         : "=r"(high), "=r"(low), "=r"(again));
    } while (high != again);
    return (uint64_t)high << 32 | low;
}

/* A file that the host hands over when it is asked (gnomon run --offer, gnomon record --offer): its bytes, in memory
 * from malloc, and their number. NULL, with errno: ENOENT where the host has none of that name. Meanwhile the hart is
 * halted; cycles pass, and what they count depends on the host. */
void *gnomon_fetch(const char *name, size_t *size);

/* Interrupts. A program handles one by defining the function of its name:
 *
 *     GNOMON_INTERRUPT void gnomon_timer_interrupt(void) { ... }
 *
 * and likewise gnomon_software_interrupt, gnomon_external_interrupt, gnomon_counter_interrupt,
 * gnomon_profile_interrupt, gnomon_exception. */
#define GNOMON_INTERRUPT __attribute__((interrupt))

enum gnomon_irq {
    GNOMON_IRQ_SOFTWARE = 3,
    GNOMON_IRQ_TIMER = 7,
    GNOMON_IRQ_EXTERNAL = 11, /* the console has received a byte */
    GNOMON_IRQ_COUNTER = 13,  /* one has overflowed (gnomon_pmu.h) */
    GNOMON_IRQ_PROFILE = 16,
};

GNOMON_INTERRUPT void gnomon_software_interrupt(void);
GNOMON_INTERRUPT void gnomon_timer_interrupt(void);
GNOMON_INTERRUPT void gnomon_external_interrupt(void);
GNOMON_INTERRUPT void gnomon_counter_interrupt(void);
GNOMON_INTERRUPT void gnomon_profile_interrupt(void);
GNOMON_INTERRUPT void gnomon_exception(void);

static inline void gnomon_irq_enable(enum gnomon_irq irq) {
    __asm__ volatile("csrs mie, %0" ::"r"(1u << irq) : "memory");
}
static inline void gnomon_irq_disable(enum gnomon_irq irq) {
    __asm__ volatile("csrc mie, %0" ::"r"(1u << irq) : "memory");
}

/* All interrupts on or off; OFF returns what to give to gnomon_interrupts_restore. */
static inline void gnomon_interrupts_on(void) {
    __asm__ volatile("csrsi mstatus, 8" ::: "memory");
}
static inline uint32_t gnomon_interrupts_off(void) {
    uint32_t before;
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(before)::"memory");
    return before & 8u;
}
static inline void gnomon_interrupts_restore(uint32_t before) {
    __asm__ volatile("csrs mstatus, %0" ::"r"(before) : "memory");
}
static inline void gnomon_wait_for_interrupt(void) {
    __asm__ volatile("wfi" ::: "memory");
}

/* The machine timer counts cycles; its interrupt stays pending while the time is at or past the alarm. */
uint64_t gnomon_timer_now(void);
void gnomon_timer_alarm(uint64_t when);

#endif

#ifdef __cplusplus
}
#endif

#endif
