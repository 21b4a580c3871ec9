/* SPDX-License-Identifier: Apache-2.0 */
/* Counters and ranges from the program's side: by gnomon_pmu.h and by CSRs; overflow, its interrupt and its flag. */
#include <gnomon.h>
#include <gnomon_pmu.h>

#include "check.h"

#define KEEP __attribute__((noipa)) GNOMON_OFF

enum { PERIOD = 100, OVERFLOW_BIT = 1 << GNOMON_IRQ_COUNTER };

#define CSR_READ(name)                                                                                                 \
    ({                                                                                                                 \
        uint32_t value;                                                                                                \
        __asm__ volatile("csrr %0, " name : "=r"(value)::"memory");                                                    \
        value;                                                                                                         \
    })
#define CSR_WRITE(name, value) __asm__ volatile("csrw " name ", %0" ::"r"((uint32_t)(value)) : "memory")

static volatile unsigned interrupts, by_counter_1;
static volatile uint32_t seen_cause;
static volatile bool again;

GNOMON_INTERRUPT void gnomon_counter_interrupt(void) {
    seen_cause = CSR_READ("mcause");
    gnomon_counter_acknowledge();
    interrupts++;
    if (gnomon_counter_overflowed(1)) {
        by_counter_1++;
        if (again)
            gnomon_counter_start(1, GNOMON_EVENT_BRANCHES | GNOMON_ONLY_RANGE0, 0, 0ull - PERIOD);
    }
}

/* N branches, N - 1 of them taken */
__attribute__((naked)) KEEP void loop(unsigned n) {
    (void)n;
    __asm__("1: addi a0, a0, -1\n\tbnez a0, 1b\n\tret");
}
KEEP void behind_loop(void) {
    __asm__ volatile("");
}

/* Longer than an overflow's interrupt may take: nothing in range 0 happens meanwhile. */
static void settle(void) {
    for (unsigned i = 0; i < 8; i++)
        (void)CSR_READ("mcycle");
}

volatile uint8_t table[8];

KEEP static void touch(void) {
    table[0] = 1;
    table[1] = 2;                            /* in the range from here on */
    (void)*(volatile uint32_t *)table;       /* overlaps */
    (void)*(volatile uint32_t *)(table + 4); /* does not */
    (void)table[2];
    (void)table[3];
}

static void csrs(void) {
    /* One counter by two names. */
    CSR_WRITE("0x325", GNOMON_EVENT_CYCLES | GNOMON_ONLY_THREAD(7));
    CSR_WRITE("0x725", GNOMON_NOT_USER);
    CSR_WRITE("0x320", 1 << 5); /* mcountinhibit stops it */
    CSR_WRITE("0xB05", 0x12345678);
    CSR_WRITE("0xB85", 0x9ABCDEF0);
    CHECK(gnomon_counter_read(2) == 0x9ABCDEF012345678);
    CHECK(CSR_READ("0xC05") == 0x12345678 && CSR_READ("0xC85") == 0x9ABCDEF0);
    CHECK(*(volatile uint32_t *)GNOMON_PMU_INHIBIT == 1 << 5);
    CHECK(CSR_READ("0x325") == (GNOMON_EVENT_CYCLES | GNOMON_ONLY_THREAD(7)) && CSR_READ("0x725") == GNOMON_NOT_USER);
    CHECK(*(volatile uint32_t *)(GNOMON_PMU_EVENT_LO + 2 * 16) == CSR_READ("0x325"));
    *(volatile uint32_t *)GNOMON_PMU_INHIBIT = 0;
    CHECK(CSR_READ("0x320") == 0);
    /* Reserved bits, and missing events and counters. */
    CSR_WRITE("0x325", 0xFFFFFFFF);
    CSR_WRITE("0x725", 0xFFFFFFFF);
    CHECK(CSR_READ("0x325") == 0xFF00FF00 && CSR_READ("0x725") == 0xD0000000);
    CSR_WRITE("0x329", 0xFFFFFFFF);
    CSR_WRITE("0x729", 0xFFFFFFFF);
    CSR_WRITE("0xB09", 0xFFFFFFFF);
    CHECK(CSR_READ("0x329") == 0 && CSR_READ("0x729") == 0 && CSR_READ("0xB09") == 0);
    CSR_WRITE("0x325", 0);
    CSR_WRITE("0x725", 0);
}

static void counts(void) {
    gnomon_range_set(0, (const void *)loop, (const void *)behind_loop);
    gnomon_counter_start(0, GNOMON_EVENT_BRANCHES | GNOMON_ONLY_RANGE0, 0, 5);
    gnomon_counter_start(1, GNOMON_EVENT_BRANCHES_TAKEN | GNOMON_ONLY_RANGE0, GNOMON_NOT_USER, 0);
    gnomon_counter_start(2, GNOMON_EVENT_BRANCHES | GNOMON_ONLY_RANGE0, GNOMON_NOT_MACHINE, 0);
    loop(1000);
    loop(10);
    CHECK(gnomon_counter_read(0) == 5 + 1010 && gnomon_counter_read(1) == 1008 && gnomon_counter_read(2) == 0);
    gnomon_counter_stop(0);
    loop(3);
    CHECK(gnomon_counter_read(0) == 5 + 1010 && gnomon_counter_read(1) == 1010);
    struct gnomon_range range;
    gnomon_range_read(0, &range);
    CHECK(range.entries == 3 && range.instructions == 2 * 1013 + 3 && range.cycles > range.instructions &&
          !range.reads && !range.writes);

    gnomon_counter_start(0, GNOMON_EVENT_LOADS | GNOMON_ONLY_DATA, 0, 0);
    gnomon_range_set(2, table + 1, table + 3);
    touch();
    gnomon_range_read(2, &range);
    CHECK(range.reads == 2 && range.writes == 1 && range.instructions == 3 && gnomon_counter_read(0) == 2);
    /* An access that spans an empty range. */
    gnomon_range_set(2, table + 2, table + 1);
    touch();
    gnomon_range_read(2, &range);
    CHECK(range.instructions == 0 && range.entries == 0);

    for (unsigned thread = 0; thread < 3; thread++)
        gnomon_counter_start(thread, GNOMON_EVENT_BRANCHES | GNOMON_ONLY_RANGE0 | GNOMON_ONLY_THREAD(thread * 255 / 2),
                             0, 0);
    GNOMON_SEND(1, 255);
    loop(20);
    GNOMON_SEND(1, 256); /* no thread's number, though its low bits are 0 */
    loop(40);
    GNOMON_SEND(1, 0);
    loop(80);
    CHECK(gnomon_counter_read(0) == 80 && gnomon_counter_read(1) == 0 && gnomon_counter_read(2) == 20);
}

static void overflow(void) {
    /* The interrupt is disabled: it stays pending, and the program continues. */
    gnomon_counter_start(1, GNOMON_EVENT_BRANCHES | GNOMON_ONLY_RANGE0, 0, 0ull - 3);
    loop(2);
    CHECK(!gnomon_counter_overflowed(1) && !(CSR_READ("mip") & OVERFLOW_BIT));
    loop(2);
    CHECK(gnomon_counter_overflowed(1) && gnomon_counter_read(1) == 1);
    settle();
    CHECK(CSR_READ("mip") & OVERFLOW_BIT);
    /* Cleared by software; while the overflow flag is set, another wrap requests no interrupt. */
    gnomon_counter_acknowledge();
    CHECK(!(CSR_READ("mip") & OVERFLOW_BIT));
    CSR_WRITE("0xB84", 0xFFFFFFFF);
    CSR_WRITE("0xB04", 0xFFFFFFFF);
    loop(5);
    CHECK(gnomon_counter_read(1) == 4 && gnomon_counter_overflowed(1) && !(CSR_READ("mip") & OVERFLOW_BIT));

    gnomon_irq_enable(GNOMON_IRQ_COUNTER);
    gnomon_interrupts_on();
    CHECK(interrupts == 0);
    __asm__ volatile("csrs mip, %0" ::"r"(OVERFLOW_BIT) : "memory"); /* set by software */
    CHECK(interrupts == 1 && seen_cause == 0x8000000D && by_counter_1 == 1);
    again = true;
    gnomon_counter_start(1, GNOMON_EVENT_BRANCHES | GNOMON_ONLY_RANGE0, 0, 0ull - PERIOD);
    for (unsigned i = 0; i < 10; i++) {
        loop(PERIOD);
        settle();
    }
    CHECK(interrupts == 11 && by_counter_1 == 11);
    again = false;
    loop(PERIOD);
    settle();
    loop(PERIOD);
    settle();
    CHECK(interrupts == 12 && gnomon_counter_overflowed(1));
    (void)gnomon_interrupts_off();
    gnomon_counter_stop(1);
}

/* Reads a register in hundreds of consecutive instructions, once the code is in the instruction cache. */
KEEP static void read_on(uintptr_t address) {
    for (unsigned i = 0; i < 4; i++)
        __asm__ volatile(".rept 400\n\tlw t0, 0(%0)\n\t.endr" ::"r"(address) : "t0");
}

/* Accesses without a pause leave the counter store every other cycle, which is enough for its round. */
static void busy(void) {
    gnomon_counter_start(1, GNOMON_EVENT_LOADS | GNOMON_ONLY_RANGE0, 0, 7);
    gnomon_range_set(0, (const void *)read_on, (const void *)busy);
    read_on(GNOMON_PMU_COUNTER_LO);
    read_on(GNOMON_PMU_RANGE_CYCLES_LO);
    struct gnomon_range range;
    gnomon_range_read(0, &range);
    /* without optimization, some loads of the loop's counter as well */
    const uint64_t more = gnomon_counter_read(1) - 7 - 2ull * 4 * 400;
    CHECK(more <= 64);
    CHECK(range.entries == 2 && range.instructions >= 2 * 4 * 400);
    CHECK(gnomon_counts_lost() == 0);
}

int main(void) {
    csrs();
    counts();
    overflow();
    busy();
    return check_failed;
}
