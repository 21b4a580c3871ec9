/* SPDX-License-Identifier: Apache-2.0 */
/* A program that scans itself, page by page, at each interrupt of its timer. Prints for each page that ran: address,
 * executions, cycles, cycles of its turns. */
#include <gnomon.h>
#include <gnomon_scan.h>
#include <stdio.h>

#define KEEP __attribute__((noipa, aligned(64)))
#define PAGE 64
#define PERIOD 20000

extern const char _start[], etext[];

static struct gnomon_scan_page pages[1024];
static struct gnomon_scan scan;
static volatile unsigned ticks, rounds;

/* The scan's own cycles are excluded from the program's. */
GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    ticks++;
    gnomon_scan_next(&scan);
    rounds = scan.rounds;
    gnomon_timer_alarm(gnomon_timer_now() + PERIOD);
}

KEEP unsigned heavy(unsigned n) {
    unsigned sum = n;
    for (unsigned i = 0; i < n; i++)
        sum = sum * 5 + (sum >> 7);
    return sum;
}

KEEP unsigned light(unsigned n) {
    unsigned sum = n;
    for (unsigned i = 0; i < n; i++)
        sum ^= sum << 3 | i;
    return sum;
}

int main(void) {
    unsigned sum = 0;
    scan = (struct gnomon_scan){
        .first = (uint32_t)_start & ~3u, .limit = (uint32_t)etext, .page_bytes = PAGE, .pages = pages};
    if ((scan.limit - scan.first) / PAGE >= sizeof pages / sizeof *pages || gnomon_scan_begin(&scan))
        return 1;
    gnomon_timer_alarm(gnomon_timer_now() + PERIOD);
    gnomon_irq_enable(GNOMON_IRQ_TIMER);
    gnomon_interrupts_on();
    while (rounds < 6)
        sum += heavy(90) + light(40);
    gnomon_interrupts_off();
    gnomon_scan_end(&scan);
    for (uint32_t i = 0; scan.first + i * PAGE < scan.limit; i++)
        if (pages[i].executions)
            printf("page %x %llu %llu %llu\n", (unsigned)(scan.first + i * PAGE), pages[i].executions, pages[i].cycles,
                   pages[i].watched);
    printf("result %u rounds %u turns %u\n", sum, (unsigned)scan.rounds, ticks);
    return 0;
}
