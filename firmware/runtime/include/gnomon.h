/* SPDX-License-Identifier: Apache-2.0 */
/* The messages that a program can send to the profiler, and the few devices that it needs for that. All of it is
 * optional: functions are profiled without it. On another machine the messages compile to nothing, so the same source
 * works on both. */
#ifndef GNOMON_H
#define GNOMON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function with this attribute is not profiled; its cycles count as its caller's. */
#if defined(__has_attribute)
#if __has_attribute(gnomon_off)
#define GNOMON_OFF __attribute__((gnomon_off))
#endif
#endif
#ifndef GNOMON_OFF
#define GNOMON_OFF __attribute__((no_instrument_function))
#endif

#if defined(__riscv) && __riscv_xlen == 32

#include <gnomon/trace.h>

/* Sends a message: one store, one cycle. CHANNEL is a constant, 0 to 511. */
#define GNOMON_SEND(channel, value)                                                                                    \
    __asm__ volatile("sw %z0, %1(zero)" ::"rJ"((uint32_t)(value)), "i"(-4 - 4 * (channel)) : "memory")

#else

#define GNOMON_SEND(channel, value) ((void)(value))

#endif

/* Puts a mark with a value on the time line. ID is a constant, 0 to 47. */
#define GNOMON_MARK(id, value) GNOMON_SEND(GNOMON_CHANNEL_MARK + (id), value)

/* The same mark, for gnomon heap --between with a --mode that needs to know what the program can still reach. Under
 * gnomon record --leak-check the program halts here, and the host looks at its memory; otherwise this is a mark with
 * value 0. For programs linked with gnomon cc --gnomon-heap. */
#if defined(__riscv) && __riscv_xlen == 32
#define GNOMON_HEAP_MARK(id)                                                                                           \
    do {                                                                                                               \
        const uint32_t gnomon_before = gnomon_interrupts_off();                                                        \
        GNOMON_MARK(id, gnomon_heap_look());                                                                           \
        gnomon_interrupts_restore(gnomon_before);                                                                      \
    } while (0)
uint32_t gnomon_heap_look(void); /* the value for the mark; 0: no look was asked for */
#else
#define GNOMON_HEAP_MARK(id) GNOMON_MARK(id, 0)
#endif

/* What the leak checks of gnomon heap leave out, with all blocks that it points to. For programs linked with gnomon cc
 * --gnomon-heap. */
#if defined(__riscv) && __riscv_xlen == 32
void gnomon_heap_ignore(const void *block);   /* a live block */
void gnomon_heap_unignore(const void *block); /* the same block is checked again */
/* The blocks that this thread allocates between these two. Pairs may lie in each other. */
void gnomon_heap_leaks_off(void);
void gnomon_heap_leaks_on(void);
#else
static inline void gnomon_heap_ignore(const void *block) {
    (void)block;
}
static inline void gnomon_heap_unignore(const void *block) {
    (void)block;
}
static inline void gnomon_heap_leaks_off(void) {
}
static inline void gnomon_heap_leaks_on(void) {
}
#endif

/* Sends a sample of a value that changes over time. ID is a constant, 0 to 447. */
#define GNOMON_VALUE(id, value) GNOMON_SEND(GNOMON_CHANNEL_VALUE + (id), value)

/* Says that from here on thread NUMBER runs. Thread 0 is the one that runs main. */
#ifdef GNOMON_RECORDS
void gnomon_records_thread(unsigned number);
#define GNOMON_THREAD(number) gnomon_records_thread(number)
#else
#define GNOMON_THREAD(number) GNOMON_SEND(GNOMON_CHANNEL_THREAD, number)
#endif

/* Sends a text to the trace: one store per four characters. */
static inline void gnomon_text(const char *text) {
    for (;;) {
        uint32_t word = 0;
        unsigned used = 0;
        while (used < 4 && *text)
            word |= (uint32_t)(unsigned char)*text++ << (8 * used++);
        GNOMON_SEND(GNOMON_CHANNEL_TEXT, word);
        if (used < 4)
            return;
    }
}

/* Overlays (docs/guide/firmware.md): functions, and variables if wanted, that share an address range. N is the number
 * of the overlay, 0 to 15. A function of overlay N may be called as long as the last call of gnomon_overlay_load loaded
 * N. The variables of an overlay get their initial values again when it is loaded after another overlay. Link the
 * program with gnomon cc --gnomon-overlays. */
#if defined(__riscv) && __riscv_xlen == 32
#define GNOMON_OVERLAY(n) __attribute__((section(".overlay." #n ".text"), noinline))
#define GNOMON_OVERLAY_DATA(n) __attribute__((section(".overlay." #n ".data")))
/* Loads an overlay. Returns 0; or -1 if the program has no overlay of that number, and then nothing has changed. */
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

/* Instructions retired since the hart left reset. */
static inline uint64_t gnomon_instructions(void) {
    uint32_t high, low, again;
    do {
        __asm__ volatile("csrr %0, minstreth\n\tcsrr %1, minstret\n\tcsrr %2, minstreth"
                         : "=r"(high), "=r"(low), "=r"(again));
    } while (high != again);
    return (uint64_t)high << 32 | low;
}

/* Asks the host for a file (gnomon run --offer, gnomon record --offer). Returns the file's content in memory from
 * malloc, and its number of bytes in SIZE. Returns NULL and sets errno on failure: ENOENT if the host has no file of
 * that name. The hart is halted during the request. Cycles pass meanwhile; their number depends on the host. */
void *gnomon_fetch(const char *name, size_t *size);

/* Interrupts. A program handles an interrupt by defining the function of its name:
 *
 *     GNOMON_INTERRUPT void gnomon_timer_interrupt(void) { ... }
 *
 * The other functions are gnomon_software_interrupt, gnomon_external_interrupt, gnomon_counter_interrupt,
 * gnomon_profile_interrupt and gnomon_exception. */
#define GNOMON_INTERRUPT __attribute__((interrupt))

enum gnomon_irq {
    GNOMON_IRQ_SOFTWARE = 3,
    GNOMON_IRQ_TIMER = 7,
    GNOMON_IRQ_EXTERNAL = 11, /* the console has received a byte */
    GNOMON_IRQ_COUNTER = 13,  /* a counter has overflowed (gnomon_pmu.h) */
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

/* Switch all interrupts on or off. gnomon_interrupts_off returns the value that gnomon_interrupts_restore takes. */
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
