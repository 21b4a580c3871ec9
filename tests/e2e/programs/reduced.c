/* SPDX-License-Identifier: Apache-2.0 */
/* A program for the reduced tags: functions, loops and a timer interrupt every ARGUMENT-2 cycles (0: none). ARGUMENT-1
 * "self": it also tags itself, handles the interrupts of a tag, overwrites tagged code, and prints what it reads. */
#include <gnomon.h>
#include <gnomon_tags.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline, noclone, aligned(4)))
#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define AT(function) ((const void *)(uintptr_t)(function))

volatile uint32_t table[16] = {1};
static volatile unsigned asked, ticks;
static unsigned period;

GNOMON_INTERRUPT void gnomon_profile_interrupt(void) {
    asked += gnomon_tag_interrupt(NULL, NULL) & 1;
}

GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    ticks++;
    gnomon_timer_alarm(gnomon_timer_now() + period);
}

KEEP unsigned mixed(unsigned n) {
    unsigned sum = n;
    for (unsigned i = 0; i < n; i++) {
        table[i * 5 & 15] += sum;
        sum = (sum << 3) + table[i & 15] / (i + 1);
        if (sum & 4)
            sum ^= 0x55u + i;
    }
    return sum;
}

/* No branch in a long row of instructions. */
KEEP unsigned straight(unsigned n) {
    __asm__ volatile(".rept 64\n\tslli %0, %0, 1\n\txori %0, %0, 3\n\t.endr" : "+r"(n));
    return n;
}

KEEP void ended(void) {
    table[3]++;
}

KEEP void timed(unsigned n) {
    for (unsigned i = 0; i < n; i++)
        table[0] += i;
    ended();
}

KEEP void asks(void) {
    table[1]++;
}

KEEP unsigned patched(unsigned n) {
    return n * 3 + table[2];
}

KEEP void after_patched(void) {
}

static void prepare(void) {
    gnomon_tags_control(0);
    gnomon_tags_clear(GNOMON_TAGS_CLEAR_TAGS | GNOMON_TAGS_CLEAR_COUNTS);
    gnomon_tags_map(GNOMON_TAGS_CODE, AT(mixed), AT(after_patched));
    bool good = gnomon_tag_code(AT(mixed), AT(straight), 1);
    good = gnomon_tag_code(AT(timed), (const char *)AT(timed) + 2, 2) && good;
    good = gnomon_tag_code(AT(ended), (const char *)AT(ended) + 2, 3) && good;
    good = gnomon_tag_code(AT(asks), (const char *)AT(asks) + 2, 4) && good;
    good = gnomon_tag_code(AT(patched), AT(after_patched), 15) && good;
    const bool data = gnomon_tag_data(table, table + 1, 4), outside = gnomon_tag_code((void *)8, (void *)12, 4);
    printf("mapped %d %d %d\n", good, data, outside);
    gnomon_tag_mode(1, GNOMON_TAGS_MODE_EXECUTE);
    gnomon_tag_mode(2, GNOMON_TAGS_MODE_EXECUTE | GNOMON_TAG_STARTS(1));
    gnomon_tag_mode(3, GNOMON_TAGS_MODE_EXECUTE | GNOMON_TAG_STOPS(1));
    gnomon_tag_mode(4, GNOMON_TAGS_MODE_EXECUTE | GNOMON_TAGS_MODE_INTERRUPT);
    gnomon_tag_mode(15, GNOMON_TAGS_MODE_EXECUTE);
    gnomon_irq_enable(GNOMON_IRQ_PROFILE);
    gnomon_interrupts_on();
    gnomon_tags_control(GNOMON_TAGS_CONTROL_ENABLE);
}

static void print(void) {
    static const unsigned tags[] = {1, 2, 3, 4, 15};
    for (unsigned i = 0; i < sizeof tags / sizeof *tags; i++) {
        struct gnomon_tag_counts counts;
        gnomon_tag_read(tags[i], &counts);
        printf("tag %u %llu\n", tags[i], counts.executions);
    }
    struct gnomon_tag_timer timer;
    gnomon_tag_timer_read(1, &timer);
    printf("timer %u %llu %u %u %u\n", (unsigned)timer.intervals, timer.cycles, (unsigned)timer.last,
           (unsigned)timer.shortest, (unsigned)timer.longest);
    printf("asked %u\n", asked);
    printf("lost %u %u %u\n", (unsigned)REGISTER(GNOMON_TAGS_CLEARED), (unsigned)REGISTER(GNOMON_TAGS_TIMERS_LOST),
           (unsigned)(REGISTER(GNOMON_TAGS_STATUS) & (GNOMON_TAGS_STATUS_SATURATED | GNOMON_TAGS_STATUS_MISSED)));
}

int main(int argc, char **argv) {
    const bool self = argc > 1 && strcmp(argv[1], "self") == 0;
    period = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    if (self)
        prepare();
    if (period) {
        gnomon_timer_alarm(gnomon_timer_now() + period);
        gnomon_irq_enable(GNOMON_IRQ_TIMER);
        gnomon_interrupts_on();
    }
    unsigned sum = 0;
    for (unsigned i = 4; i < 44; i++)
        sum += mixed(i) + straight(i);
    for (unsigned i = 10; i < 130; i += 30) {
        timed(i);
        sum += mixed(5);
    }
    for (unsigned i = 0; i < 5; i++) {
        asks();
        sum += mixed(9);
    }
    sum += patched(1) + patched(2);
    if (self) { /* stores the same instruction again, as code patchers and module loaders do */
        volatile uint32_t *code = (volatile uint32_t *)(uintptr_t)patched;
        *code = *code;
        __asm__ volatile("fence.i" ::: "memory");
    }
    sum += patched(3);
    if (self) {
        gnomon_interrupts_off();
        print();
    }
    printf("sum %u\n", sum);
    return 0;
}
