/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out on the target who calls a function, and who calls those callers, up to main (docs/guide/callers.md). A
 * selectable counter counts entries into the function. When the counter overflows, its interrupt walks up the stack.
 * The monitor needs gnomon cc --gnomon-monitor and a device with the block PMU; starting it on another device traps.
 * While it is on, it uses counters 0 to 2, ranges 0 and 1 and the interrupt GNOMON_IRQ_COUNTER, and the program must
 * not use them. While it is off, none of its code runs. */
#ifndef GNOMON_MONITOR_H
#define GNOMON_MONITOR_H

#include <stdbool.h>
#include <stddef.h>

#include <gnomon/monitor.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gnomon_monitor_settings {
    const void *function; /* the function whose callers are wanted; must not be NULL */
    uint32_t period;      /* mean number of calls from one walk to the next; 0: GNOMON_MONITOR_PERIOD */
    uint32_t settle; /* walks without a new caller after which a function counts as known; 0: GNOMON_MONITOR_SETTLE */
    uint32_t quiet;  /* most cycles that a turn lasts; 0: GNOMON_MONITOR_QUIET */
    uint32_t levels; /* levels of callers to find; 1: callers only; 2: also their callers ...; 0: all */
    /* Called in the interrupt for each new caller, unless NULL. */
    void (*found)(const struct gnomon_caller *caller);
};
#define GNOMON_MONITOR_PERIOD 8u
#define GNOMON_MONITOR_SETTLE 32u
#define GNOMON_MONITOR_QUIET 100000u

/* Forgets all results and begins. Turns interrupts on. The function itself is watched all the time; its period doubles
 * each time it counts as known. Its callers, and their callers, are watched in turns. A turn ends when its function
 * counts as known, or when its time is over. The period and the length of turns double after a round of turns that had
 * walks but found no new caller. So the cost goes towards zero. */
void gnomon_monitor_start(const struct gnomon_monitor_settings *settings);
/* Stops. The results stay. */
void gnomon_monitor_stop(void);

/* Points CALLERS at the callers, in the order in which they were found, and returns their number. While the monitor is
 * on, it continues to count their hits. */
size_t gnomon_monitor_callers(const struct gnomon_caller **callers);

#ifdef __cplusplus
}
#endif

#endif
