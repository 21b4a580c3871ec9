/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

void cli_watch_interrupts(bool restart) {
    const struct sigaction action = {.sa_handler = on_interrupt,
                                     .sa_flags = (int)SA_RESETHAND | (restart ? SA_RESTART : 0)};
    struct sigaction before;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

bool cli_interrupted(void) {
    return interrupted;
}
