/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

/* The signal can come right before a read, which then waits: another one follows each second. */
static void on_alarm(int number) {
    (void)number;
    alarm(1);
}

static void on_interrupt_of_reading(int number) {
    on_interrupt(number);
    alarm(1);
}

void cli_watch_interrupts(bool restart) {
    const struct sigaction action = {.sa_handler = restart ? on_interrupt : on_interrupt_of_reading,
                                     .sa_flags = (int)SA_RESETHAND | (restart ? SA_RESTART : 0)};
    const struct sigaction again = {.sa_handler = on_alarm};
    struct sigaction before;
    sigaction(SIGALRM, &again, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

bool cli_interrupted(void) {
    return interrupted;
}
