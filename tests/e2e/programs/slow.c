/* SPDX-License-Identifier: Apache-2.0 */
/* Has the device look for slow instructions of one function, and prints each one that the profile interrupt reports,
 * then the counts. Argument 1: the threshold in cycles; argument 2: the kind, 0 all instructions, 1 loads, 2 stores. */
#include <gnomon.h>
#include <gnomon_pmu.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline, noclone, aligned(4)))
#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
enum { MOST = 64, POWERS = 16 };

volatile uint32_t table[256];
static volatile unsigned reports;
static struct gnomon_latency reported[MOST];

GNOMON_INTERRUPT void gnomon_profile_interrupt(void) {
    struct gnomon_latency first;
    if (gnomon_latency_found(&first) && reports < MOST)
        reported[reports++] = first;
}

/* Divisions, loads and stores of memory and of a register of the timer, which take different times. */
KEEP unsigned slow(unsigned n) {
    unsigned sum = n;
    for (unsigned i = 1; i < 6; i++) {
        table[(i * 37 + n) & 255] += sum / i;
        sum += table[n * i & 255] + (REGISTER(GNOMON_TIMER_MTIME_HI) & 1);
        REGISTER(GNOMON_TIMER_MTIMECMP_HI) = UINT32_MAX;
    }
    return sum;
}

KEEP void after_slow(void) {
}

int main(int argc, char **argv) {
    static const uint32_t kinds[] = {0, GNOMON_LATENCY_LOADS, GNOMON_LATENCY_STORES};
    const unsigned threshold = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 0;
    const unsigned kind = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) % 3 : 0;
    unsigned sum = 0;
    gnomon_range_set(0, (const void *)(uintptr_t)slow, (const void *)(uintptr_t)after_slow);
    gnomon_irq_enable(GNOMON_IRQ_PROFILE);
    gnomon_interrupts_on();
    gnomon_latency_start(kinds[kind] | GNOMON_ONLY_RANGE0 | GNOMON_LATENCY_INTERRUPT, threshold);
    for (volatile unsigned i = 0; i < 20; i++) /* counting begins */
        ;
    for (unsigned i = 0; i < 4; i++)
        sum += slow(i);
    (void)gnomon_interrupts_off();
    for (unsigned i = 0; i < reports; i++)
        printf("found %u %x %d %x\n", (unsigned)reported[i].cycles, (unsigned)reported[i].pc, reported[i].accessed,
               (unsigned)reported[i].address);
    for (unsigned power = 0; power < POWERS; power++)
        printf("count %u %llu\n", power, gnomon_latency_count(power));
    gnomon_latency_stop();
    printf("sum %x\n", sum);
    return 0;
}
