/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the caches fill lines as often as the second argument says: of data (argument "data", two lines of `table`
 * each time), of code ("code", the line of `called`). "store": it writes two bytes of `called` each time, and runs it.
 * "self": the program tags the second line of `table`, counts its
 * fills and their interrupts, and prints both. */
#include <gnomon.h>
#include <gnomon_pmu.h>
#include <gnomon_tags.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_WORDS = 2048, LINE_WORDS = 8 };
/* Both have the same lines of the data cache. Not zero, so that no start-up code writes to them. */
volatile uint32_t table[CACHE_WORDS] __attribute__((aligned(4 * CACHE_WORDS))) = {1};
volatile uint32_t other[CACHE_WORDS] __attribute__((aligned(4 * CACHE_WORDS))) = {1};
static volatile unsigned interrupts;
static volatile uint32_t filled;

__attribute__((noinline, noclone, aligned(64))) unsigned called(unsigned n) {
    return n ^ n << 3;
}
/* So that nothing else is in the line. */
__attribute__((noinline, noclone, aligned(64))) unsigned after_called(unsigned n) {
    return n + 1;
}

GNOMON_INTERRUPT void gnomon_profile_interrupt(void) {
    if (gnomon_tag_interrupt(NULL, NULL) & GNOMON_TAGS_INTERRUPT_FILL)
        interrupts++;
    filled = *(volatile uint32_t *)GNOMON_TAGS_FILLED_ADDRESS;
}

__attribute__((noinline)) static void touch(unsigned times) {
    for (unsigned i = 0; i < times; i++) {
        (void)table[0];
        (void)table[LINE_WORDS + 3];
        (void)other[5];
        (void)other[LINE_WORDS];
    }
}

static unsigned call(unsigned times) {
    unsigned sum = 0;
    for (unsigned i = 0; i < times; i++) {
        __asm__ volatile("fence.i" ::: "memory");
        sum += called(i);
    }
    return sum;
}

__attribute__((noinline)) static unsigned store(unsigned times) {
    volatile uint16_t *word = (volatile uint16_t *)(uintptr_t)called;
    unsigned sum = 0;
    for (unsigned i = 0; i < times; i++) {
        *word = *word;
        __asm__ volatile("fence.i" ::: "memory");
        sum += called(i);
    }
    return sum;
}

static void count(unsigned times) {
    gnomon_tags_clear(GNOMON_TAGS_CLEAR_TAGS); /* not COUNTS: the host may take samples */
    gnomon_tags_map(GNOMON_TAGS_DATA, table, table + CACHE_WORDS);
    gnomon_tag_data(table + LINE_WORDS + 6, table + LINE_WORDS + 7, 1);
    gnomon_tags_control(GNOMON_TAGS_CONTROL_ENABLE | GNOMON_TAGS_CONTROL_FILL_INTERRUPT);
    gnomon_irq_enable(GNOMON_IRQ_PROFILE);
    gnomon_interrupts_on();
    gnomon_counter_start(0, GNOMON_EVENT_TAGGED_FILLS, 0, 0);
    touch(times);
    for (unsigned i = 0; i < 100; i++)
        (void)other[0];
    gnomon_counter_stop(0);
    gnomon_tags_control(0);
    printf("%u fills, %u interrupts, of the right line: %d\n", (unsigned)gnomon_counter_read(0), interrupts,
           filled == (uint32_t)(uintptr_t)(table + LINE_WORDS));
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    const unsigned times = (unsigned)strtoul(argv[2], NULL, 0);
    if (strcmp(argv[1], "data") == 0)
        touch(times);
    else if (strcmp(argv[1], "code") == 0)
        return call(times) + after_called(times) == 0;
    else if (strcmp(argv[1], "store") == 0)
        return store(times) == 0;
    else
        count(times);
    return 0;
}
