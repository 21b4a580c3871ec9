/* SPDX-License-Identifier: Apache-2.0 */
/* Linked with any program: walks up its stack at random times, and leaves the walks in the file "walks": for each
 * walk the number of addresses, 1 if the walk did not reach the start, and the addresses. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <gnomon.h>
#include <gnomon_unwind.h>

#ifndef LONGEST
#define LONGEST 8192 /* maximum number of cycles between two walks: a power of two */
#endif

enum { ROOM = 1 << 17, MOST = 200 };

static uint32_t found[ROOM], used, scramble = 1;

static void next_time(void) {
    scramble = scramble * 1664525u + 1013904223u;
    gnomon_timer_alarm(gnomon_timer_now() + 60 + (scramble >> 12) % LONGEST);
}

static void sample(const struct gnomon_frame *interrupted) {
    if (used + 2 + MOST > ROOM) { /* no room */
        gnomon_timer_alarm(UINT64_MAX);
        return;
    }
    struct gnomon_walk walk;
    uint32_t *count = &found[used++], *cut = &found[used++];
    *count = 0;
    gnomon_walk_begin(&walk, interrupted);
    do
        found[used++] = walk.frame.x[GNOMON_FRAME_PC];
    while (++*count < MOST && gnomon_walk_up(&walk));
    *cut = walk.cut;
    next_time();
}

GNOMON_INTERRUPT_FRAME(gnomon_timer_interrupt, sample, 4096)

static void leave(void) {
    gnomon_irq_disable(GNOMON_IRQ_TIMER);
    const int fd = open("walks", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || write(fd, found, 4 * used) != (ssize_t)(4 * used) || close(fd) != 0)
        abort();
}

__attribute__((constructor)) static void begin(void) {
    atexit(leave);
    next_time();
    gnomon_irq_enable(GNOMON_IRQ_TIMER);
    gnomon_interrupts_on();
}
