/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "fake_usbip.h"
#include "lib/util/clock.h"

#define GOOD_READS 6  /* before another fault than a jump */
#define JUMP_READ 200 /* with enough reads before it that some are kept */
#define JUMP_NS 2000000000

static double rate; /* cycles per ns; 0: no clock */
static uint64_t start, cycle;
static unsigned to_us, back_us, reads;

void fake_clock_set(const char *text, uint32_t hz) {
    double ppm;
    unsigned long long begin;
    if (sscanf(text, "%lf:%llu:%u:%u", &ppm, &begin, &to_us, &back_us) != 4) {
        fprintf(stderr, "fake_device: %s is no clock\n", text);
        exit(2);
    }
    rate = hz * (1 + ppm / 1e6) / 1e9;
    start = begin;
}

static void wait_up_to(unsigned most_us) {
    const uint64_t end = gnomon_now_raw_ns() + (uint64_t)(most_us * 1e3 * rand() / RAND_MAX);
    while (gnomon_now_raw_ns() < end)
        ;
}

uint64_t fake_clock_read(enum fault fault) {
    if (rate == 0)
        return 0;
    const bool faulty = ++reads > GOOD_READS;
    if (faulty && fault == CLOCK_CUT)
        fake_end(0);
    if (reads == GOOD_READS && fault == CLOCK_BACK)
        start += JUMP_NS;
    if (reads == JUMP_READ && fault == CLOCK_JUMP)
        start -= JUMP_NS;
    wait_up_to(to_us);
    if (!faulty || fault != CLOCK_STOP)
        cycle = (uint64_t)((double)(gnomon_now_raw_ns() - start) * rate);
    wait_up_to(back_us);
    return cycle;
}

void fake_clock_tell(uint32_t control) {
    if (rate == 0)
        return;
    printf("control %u\n", (unsigned)control);
    fflush(stdout);
}
