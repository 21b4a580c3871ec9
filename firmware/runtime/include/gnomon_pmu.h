/* SPDX-License-Identifier: Apache-2.0 */
/* The counters and ranges of the device, for use by the program itself (docs/internals/profile.md, "Counters" and
 * "Ranges"). The standard CSRs mhpmcounter3.. and mhpmevent3.. access the same counters: counter 0 here is
 * mhpmcounter3. Only devices with the block PMU (full) have them; on other devices an access traps. */
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
#define GNOMON_ONLY_TAGGED GNOMON_PMU_EVENT_LO_TAGGED /* the instruction is tagged */
#define GNOMON_ONLY_RANGE0 GNOMON_PMU_EVENT_LO_RANGE0 /* the instruction lies in range 0 */
#define GNOMON_ONLY_RANGE1 GNOMON_PMU_EVENT_LO_RANGE1
#define GNOMON_ONLY_DATA GNOMON_PMU_EVENT_LO_DATA_RANGE /* the instruction accesses range 2 */
#define GNOMON_ONLY_THREAD(number)                                                                                     \
    (GNOMON_PMU_EVENT_LO_THREAD_ONLY | (uint32_t)(number) << GNOMON_PMU_EVENT_LO_THREAD_SHIFT) /* 0 to 255 */
/* Modes in which the counter does not count: 0, or one of these two. */
#define GNOMON_NOT_MACHINE GNOMON_PMU_EVENT_HI_MINH
#define GNOMON_NOT_USER GNOMON_PMU_EVENT_HI_UINH

/* The counter begins to count WHAT (an event with filters), from VALUE on. With VALUE 0 - n it overflows at the n-th
 * event. */
void gnomon_counter_start(unsigned counter, uint32_t what, uint32_t modes, uint64_t value);
/* Stops the counter. It keeps its value. */
void gnomon_counter_stop(unsigned counter);
uint64_t gnomon_counter_read(unsigned counter);

/* Overflow. A counter that wraps sets its overflow mark. If the mark was not set before, the counter also requests
 * GNOMON_IRQ_COUNTER. The program handles that interrupt by defining
 *
 *     GNOMON_INTERRUPT void gnomon_counter_interrupt(void) { gnomon_counter_acknowledge(); ... }
 *
 * and calls gnomon_counter_overflowed for each counter to find out which one it was. gnomon_counter_start clears the
 * mark. */
void gnomon_counter_acknowledge(void);
bool gnomon_counter_overflowed(unsigned counter);

/* Sets range 0 or 1 (of instructions) or range 2 (of data). BASE is included, LIMIT is not. The counts of the range
 * begin at 0. */
void gnomon_range_set(unsigned range, const volatile void *base, const volatile void *limit);
struct gnomon_range {
    uint64_t entries, instructions, cycles, reads, writes;
};
void gnomon_range_read(unsigned range, struct gnomon_range *counts);

/* 0, or bits of the counters (bit n: counter n) and ranges (bit 16 + n: range n) whose counts may be wrong, because the
 * program has accessed registers of counters or ranges for 70 cycles or more almost without a pause.
 * gnomon_counter_start and gnomon_range_set clear their bit. */
uint32_t gnomon_counts_lost(void);

/* Latencies of single instructions: the cycles since the instruction before it retired. WHAT: bits of
 * GNOMON_LATENCY_..., GNOMON_ONLY_TAGGED, GNOMON_ONLY_RANGE0, GNOMON_ONLY_RANGE1, GNOMON_ONLY_DATA; 0: all
 * instructions. All counts become 0, and 16 cycles later counting begins. THRESHOLD: cycles, 2^23 at most; 0: all reach
 * it. */
#define GNOMON_LATENCY_LOADS GNOMON_PMU_LATENCY_CONTROL_READS /* both: loads and stores */
#define GNOMON_LATENCY_STORES GNOMON_PMU_LATENCY_CONTROL_WRITES
#define GNOMON_LATENCY_INTERRUPT GNOMON_PMU_LATENCY_CONTROL_INTERRUPT /* GNOMON_IRQ_PROFILE at the threshold */
void gnomon_latency_start(uint32_t what, uint32_t threshold);
/* Stops counting and clears the counts. */
void gnomon_latency_stop(void);
/* Returns how many instructions had a latency from 2^POWER cycles to before twice as many; of POWER 14: all longer
 * ones, too. Of POWER 15: those that reached THRESHOLD, but not the next power of two; these are in no other count. */
uint64_t gnomon_latency_count(unsigned power);
struct gnomon_latency {
    uint32_t cycles; /* 2^23: at least that many */
    uint32_t pc;
    bool accessed; /* it accessed memory: ADDRESS */
    uint32_t address;
};
/* Returns true, and the first instruction that reached THRESHOLD since the call before, if there is one. To be called
 * in gnomon_profile_interrupt, too: it ends the interrupt's request. */
bool gnomon_latency_found(struct gnomon_latency *first);

/* From here on, the trace (or the records) contains only calls of functions that lie in range 0 (bit 0 of RANGES) or in
 * range 1 (bit 1 of RANGES). RANGES 0: calls of all functions. No function that this change adds or removes may be
 * open. */
void gnomon_trace_ranges(uint32_t ranges);

#ifdef __cplusplus
}
#endif

#endif
