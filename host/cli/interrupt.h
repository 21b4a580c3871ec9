/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C and its kin: a command that has begun something ends it well. */
#ifndef GNOMON_CLI_INTERRUPT_H
#define GNOMON_CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on Ctrl-C, SIGTERM and the end of the terminal are remembered; a second such signal ends the process. SIGHUP
 * stays ignored if it was (nohup). `restart`: a signal does not break off reading and writing, as of a table that is
 * printed; false: reading ends, as from a pipe that gives nothing. Waiting in poll() ends in both cases. */
void cli_watch_interrupts(bool restart);
bool cli_interrupted(void);

#endif
