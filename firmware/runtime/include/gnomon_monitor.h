/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out on the target who calls a function, and who calls those, up to main (docs/callers.md). A selectable counter
 * counts entries into the function; when it overflows, its interrupt walks up the stack. Needs gnomon cc
 * --gnomon-monitor and a device with the block PMU; elsewhere starting it traps. It takes counters 0 and 1, range 0 and
 * the interrupt GNOMON_IRQ_COUNTER; a program that has it on uses none of these. Where it is off, nothing of it runs.
 */
#ifndef GNOMON_MONITOR_H
#define GNOMON_MONITOR_H

#include <stdbool.h>
#include <stddef.h>

#include <gnomon/monitor.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gnomon_monitor_settings {
    const void *function; /* whose callers are wanted; it must not be NULL */
    uint32_t period;      /* a walk each so many calls, in the mean; 0: GNOMON_MONITOR_PERIOD */
    uint32_t settle; /* so many walks without a new caller, and a function counts as known; 0: GNOMON_MONITOR_SETTLE */
    uint32_t quiet;  /* a turn lasts so many cycles at most; 0: GNOMON_MONITOR_QUIET */
    uint32_t levels; /* 1: callers only; 2: and theirs ...; 0: all */
    /* NULL, or called for each new caller, in the interrupt. */
    void (*found)(const struct gnomon_caller *caller);
};
#define GNOMON_MONITOR_PERIOD 8u
#define GNOMON_MONITOR_SETTLE 32u
#define GNOMON_MONITOR_QUIET 100000u

/* Forgets what was found, and begins. Turns interrupts on. The function is watched all the time; each time it is known
 * its period doubles. Its callers, and theirs, take turns: a turn ends when the function is known, or by time; a round
 * of turns with walks but without a new caller doubles period and length. So in the end it costs next to nothing. */
void gnomon_monitor_start(const struct gnomon_monitor_settings *settings);
/* What was found stays. */
void gnomon_monitor_stop(void);

/* The callers, in the order in which they were found; they are counted further while it is on. Returns how many. */
size_t gnomon_monitor_callers(const struct gnomon_caller **callers);

#ifdef __cplusplus
}
#endif

#endif
