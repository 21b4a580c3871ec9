/* SPDX-License-Identifier: Apache-2.0 */
/* A program that tags itself (argument "self"), has hints in its code ("hints"; "groups": hints for several
 * instructions; both with a timer interrupt every ARGUMENT-2 cycles), or counts the interrupts of thresholds that the
 * host sets ("thresholds"), and prints the figures that it reads, one line for each name. */
#include <gnomon.h>
#include <gnomon_tags.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline, noclone, aligned(4)))
#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

/* Not zero, so that no start-up code writes to tagged words. */
volatile uint32_t table[16] = {1};
volatile uint32_t flag = 3, other = 1;
enum { STEPS = 16 };
static volatile unsigned tags_seen, steps_seen, step_seen[STEPS];
static uint32_t last_pc, last_value;

GNOMON_INTERRUPT void gnomon_profile_interrupt(void) {
    uint32_t pc, value;
    const uint32_t causes = gnomon_tag_interrupt(&pc, &value);
    if (causes & GNOMON_TAGS_INTERRUPT_TAG) {
        tags_seen++;
        last_pc = pc;
        last_value = value;
    }
    if (causes & GNOMON_TAGS_INTERRUPT_STEP)
        steps_seen++;
    for (unsigned step = 0; step < STEPS; step++)
        step_seen[step] += causes >> (GNOMON_TAGS_INTERRUPT_STEP_SHIFT + step) & 1;
}

KEEP unsigned worked(unsigned n) {
    unsigned sum = n;
    for (unsigned i = 0; i < n; i++) {
        table[i * 5 & 15] += sum;
        sum = (sum << 3) + table[i & 15] / (i + 1);
    }
    return sum;
}

KEEP void stopped(void) {
    other++;
}

KEEP void timed(unsigned n) {
    for (unsigned i = 0; i < n; i++)
        other += i;
    stopped();
}

KEEP unsigned patched(unsigned n) {
    return n * 3 + other;
}

KEEP void after_patched(void) {
}

static void print_counts(const char *name, unsigned tag) {
    struct gnomon_tag_counts counts;
    gnomon_tag_read(tag, &counts);
    printf("%s %llu %llu %llu %llu\n", name, counts.executions, counts.cycles, counts.reads, counts.writes);
}

static void self(void) {
    gnomon_tags_control(0);
    gnomon_tags_clear(GNOMON_TAGS_CLEAR_TAGS | GNOMON_TAGS_CLEAR_COUNTS);
    gnomon_tags_map(GNOMON_TAGS_CODE_PER_ADDRESS, (const void *)(uintptr_t)worked,
                    (const void *)(uintptr_t)after_patched);
    gnomon_tags_map(GNOMON_TAGS_DATA_PER_ADDRESS, table, table + 16);
    gnomon_tags_map(GNOMON_TAGS_DATA_PER_ADDRESS, &flag, &flag + 1);
    bool good = gnomon_tag_code((const void *)(uintptr_t)worked, (const void *)(uintptr_t)stopped, 1);
    good = gnomon_tag_code((const void *)(uintptr_t)timed, (const char *)(uintptr_t)timed + 2, 2) && good;
    good = gnomon_tag_code((const void *)(uintptr_t)stopped, (const char *)(uintptr_t)stopped + 2, 3) && good;
    good = gnomon_tag_data(table, table + 16, 4) && good;
    good = gnomon_tag_data(&flag, &flag + 1, 5) && good;
    good = gnomon_tag_code((const void *)(uintptr_t)patched, (const void *)(uintptr_t)after_patched, 6) && good;
    const bool nowhere = gnomon_tag_data((const uint32_t *)0xE0000000, (const uint32_t *)0xE0000004, 4);
    printf("mapped %d %d\n", good, nowhere);
    gnomon_tag_mode(1, GNOMON_TAGS_MODE_EXECUTE | GNOMON_TAGS_MODE_PER_ADDRESS | GNOMON_TAGS_MODE_TAGGED);
    gnomon_tag_mode(2, GNOMON_TAGS_MODE_EXECUTE | GNOMON_TAG_STARTS(1));
    gnomon_tag_mode(3, GNOMON_TAGS_MODE_EXECUTE | GNOMON_TAG_STOPS(1));
    gnomon_tag_mode(4, GNOMON_TAGS_MODE_READ | GNOMON_TAGS_MODE_WRITE | GNOMON_TAGS_MODE_PER_ADDRESS);
    gnomon_tag_mode(5, GNOMON_TAGS_MODE_WRITE | GNOMON_TAGS_MODE_INTERRUPT);
    gnomon_tag_mode(6, GNOMON_TAGS_MODE_EXECUTE);
    gnomon_tag_timer_step(1, 0, 300, true);
    gnomon_tag_timer_step(1, 3, 500, false);
    gnomon_irq_enable(GNOMON_IRQ_PROFILE);
    gnomon_interrupts_on();
    gnomon_tags_control(GNOMON_TAGS_CONTROL_ENABLE);

    const unsigned result = worked(300);
    for (unsigned i = 10; i < 130; i += 30)
        timed(i);
    flag = 1;
    while (tags_seen != 1)
        ;
    other = flag;
    flag = 2;
    while (tags_seen != 2)
        ;
    unsigned sum = patched(1) + patched(2) + patched(3);
    /* Stores the same instruction again, as code patchers and module loaders do. */
    volatile uint32_t *code = (volatile uint32_t *)(uintptr_t)patched;
    *code = *code;
    __asm__ volatile("fence.i" ::: "memory");
    sum += patched(4);
    gnomon_interrupts_off();

    print_counts("worked", 1);
    print_counts("started", 2);
    print_counts("stopped", 3);
    print_counts("table", 4);
    print_counts("flag", 5);
    print_counts("patched", 6);
    struct gnomon_tag_timer timer;
    gnomon_tag_timer_read(1, &timer);
    printf("timer %u %llu %u %u %u\n", (unsigned)timer.intervals, timer.cycles, (unsigned)timer.last,
           (unsigned)timer.shortest, (unsigned)timer.longest);
    printf("over %u %u\n", (unsigned)gnomon_tag_timer_over(1, 0), (unsigned)gnomon_tag_timer_over(1, 3));
    for (const char *at = (const char *)(uintptr_t)worked; at < (const char *)(uintptr_t)stopped; at += 2)
        printf("own %x %u\n", (unsigned)(uintptr_t)at, (unsigned)gnomon_tag_per_address_count(at, false));
    for (unsigned i = 0; i < 16; i++)
        printf("word %x %u\n", (unsigned)(uintptr_t)&table[i], (unsigned)gnomon_tag_per_address_count(&table[i], true));
    printf("interrupts %u %u %x %u\n", tags_seen, steps_seen, (unsigned)last_pc, (unsigned)last_value);
    printf("cleared %u %x\n", (unsigned)REGISTER(GNOMON_TAGS_CLEARED), (unsigned)REGISTER(GNOMON_TAGS_CLEARED_ADDRESS));
    printf("lost %u %u\n", (unsigned)REGISTER(GNOMON_TAGS_TIMERS_LOST),
           (unsigned)(REGISTER(GNOMON_TAGS_STATUS) & (GNOMON_TAGS_STATUS_SATURATED | GNOMON_TAGS_STATUS_MISSED)));
    printf("result %u %u\n", result, sum);
}

static unsigned period;
static volatile unsigned ticks;
static volatile bool quiet;

/* The handler contains hints, too, unless it is quiet. */
GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    if (!quiet)
        GNOMON_TAG_NEXT(9);
    ticks++;
    gnomon_timer_alarm(gnomon_timer_now() + period);
}

/* A trapping instruction does not retire, so the hint before it keeps waiting. */
GNOMON_INTERRUPT void gnomon_exception(void) {
    uint32_t at;
    __asm__ volatile("csrr %0, mepc\n\taddi %0, %0, 4\n\tcsrw mepc, %0" : "=r"(at));
}
#define TRAPS(tag) __asm__ volatile("slti x0, x0, %0\n\t.word 0x0000000B" ::"i"(GNOMON_TAG_HINT + (tag)))

KEEP unsigned hinted(unsigned n) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        __asm__ volatile("slti x0, x0, %2\n\taddi %0, %0, 3\n\tslti x0, x0, %3\n\tmul %0, %0, %1"
                         : "+r"(sum)
                         : "r"(i), "i"(GNOMON_TAG_HINT + 7), "i"(GNOMON_TAG_HINT + 8));
    return sum;
}

static void start_ticking(void) {
    if (period) {
        gnomon_timer_alarm(gnomon_timer_now() + period);
        gnomon_irq_enable(GNOMON_IRQ_TIMER);
        gnomon_interrupts_on();
    }
}

static void hints(void) {
    start_ticking();
    const unsigned sum = hinted(2000);
    gnomon_interrupts_off();
    const unsigned more = hinted(5);
    TRAPS(13);
    TRAPS(14); /* a hint while another one waits: that one is dropped */
    printf("result %u %u %u\n", sum, more, (unsigned)ticks);
}

/* Intervals of many lengths. Between two intervals there is time for the interrupt of the first. */
static void thresholds(void) {
    gnomon_irq_enable(GNOMON_IRQ_PROFILE);
    gnomon_interrupts_on();
    for (unsigned n = 0; n < 200; n += 4) {
        timed(n);
        for (volatile unsigned wait = 0; wait < 100; wait++)
            ;
    }
    gnomon_interrupts_off();
    for (unsigned step = 0; step < STEPS; step++)
        printf("step %u %u\n", step, step_seen[step]);
    printf("tags %u\n", tags_seen);
}

KEEP unsigned called(unsigned n) {
    return n & 1 ? n * 3 : n / 2;
}

/* Groups go on through branches and calls, and through an interrupt; a hint in a group ends it. */
KEEP unsigned grouped(unsigned n) {
    unsigned sum = n;
    for (unsigned i = 0; i < n; i++) {
        GNOMON_TAG_NEXT_MANY(10, 30);
        sum += called(i);
        GNOMON_TAG_NEXT_MANY(11, 63);
        for (unsigned k = 0; k < i % 4; k++)
            other += sum;
        GNOMON_TAG_NEXT(12);
        sum ^= other;
        GNOMON_TAG_NEXT_MANY(13, 1);
        sum++;
    }
    return sum;
}

static void groups(void) {
    quiet = true;
    start_ticking();
    const unsigned sum = grouped(500);
    quiet = false;
    const unsigned more = grouped(100);
    gnomon_interrupts_off();
    printf("result %u %u %u\n", sum, more, (unsigned)ticks);
}

int main(int argc, char **argv) {
    period = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    if (argc > 1 && strcmp(argv[1], "hints") == 0)
        hints();
    else if (argc > 1 && strcmp(argv[1], "thresholds") == 0)
        thresholds();
    else if (argc > 1 && strcmp(argv[1], "groups") == 0)
        groups();
    else
        self();
    return 0;
}
