/* SPDX-License-Identifier: Apache-2.0 */
/* The counters and ranges of the device, for the program itself (docs/profile.md, "Counters" and "Ranges"). The
 * standard CSRs mhpmcounter3.. and mhpmevent3.. are the same counters: number 0 here is mhpmcounter3. Only devices with
 * the block PMU have them (full); elsewhere an access traps. */
#ifndef GNOMON_PMU_H
#define GNOMON_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include <gnomon/events.h>
#include <gnomon/registers.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a counter counts: an event (enum gnomon_event) with filters, all of which must hold for the instruction. */
#define GNOMON_ONLY_TAGGED GNOMON_PMU_EVENT_LO_TAGGED /* it is tagged */
#define GNOMON_ONLY_RANGE0 GNOMON_PMU_EVENT_LO_RANGE0 /* it lies in range 0 */
#define GNOMON_ONLY_RANGE1 GNOMON_PMU_EVENT_LO_RANGE1
#define GNOMON_ONLY_DATA GNOMON_PMU_EVENT_LO_DATA_RANGE /* it accesses range 2 */
#define GNOMON_ONLY_THREAD(number)                                                                                     \
    (GNOMON_PMU_EVENT_LO_THREAD_ONLY | (uint32_t)(number) << GNOMON_PMU_EVENT_LO_THREAD_SHIFT) /* 0 to 255 */
/* In which modes: 0, or one of these. */
#define GNOMON_NOT_MACHINE GNOMON_PMU_EVENT_HI_MINH
#define GNOMON_NOT_USER GNOMON_PMU_EVENT_HI_UINH

/* From here on, the counter counts WHAT, beginning with VALUE. 0 - n: it overflows at the n-th event. */
void gnomon_counter_start(unsigned counter, uint32_t what, uint32_t modes, uint64_t value);
/* It keeps its value. */
void gnomon_counter_stop(unsigned counter);
uint64_t gnomon_counter_read(unsigned counter);

/* Overflow. A counter that wraps sets its mark and, if that was not set, asks for GNOMON_IRQ_COUNTER, which the program
 * handles by defining
 *
 *     GNOMON_INTERRUPT void gnomon_counter_interrupt(void) { gnomon_counter_acknowledge(); ... }
 *
 * and asks of each counter whether it was the one; gnomon_counter_start clears its mark. */
void gnomon_counter_acknowledge(void);
bool gnomon_counter_overflowed(unsigned counter);

/* Range 0 or 1 of instructions, 2 of data: from BASE up to, not with, LIMIT. Its counts begin with 0. */
void gnomon_range_set(unsigned range, const volatile void *base, const volatile void *limit);
struct gnomon_range {
    uint64_t entries, instructions, cycles, reads, writes;
};
void gnomon_range_read(unsigned range, struct gnomon_range *counts);

/* From here on, calls of functions are events of the trace (or records) only where the function lies in range 0 (bit 0
 * of RANGES), or in range 1 (bit 1); 0: all. None of those that it concerns is open. */
void gnomon_trace_ranges(uint32_t ranges);

#ifdef __cplusplus
}
#endif

#endif
