/* SPDX-License-Identifier: Apache-2.0 */
#include <gnomon.h>
#include <gnomon_pmu.h>

#include "internal.h"

enum { COUNTER_BYTES = 16, RANGE_BYTES = 64 };

#define COUNTER(name, counter) GNOMON_REG(GNOMON_PMU_##name + (counter)*COUNTER_BYTES)
#define RANGE(name, range) GNOMON_REG(GNOMON_PMU_RANGE_##name + (range)*RANGE_BYTES)

void gnomon_counter_start(unsigned counter, uint32_t what, uint32_t modes, uint64_t value) {
    COUNTER(EVENT_LO, counter) = GNOMON_EVENT_NONE;
    COUNTER(EVENT_HI, counter) = modes; /* clears the overflow mark */
    COUNTER(COUNTER_LO, counter) = (uint32_t)value;
    COUNTER(COUNTER_HI, counter) = (uint32_t)(value >> 32);
    COUNTER(EVENT_LO, counter) = what;
}

void gnomon_counter_stop(unsigned counter) {
    COUNTER(EVENT_LO, counter) = GNOMON_EVENT_NONE;
}

/* The lower word is valid if the upper word has not changed during the read. */
static uint64_t read_pair(uintptr_t low) {
    uint32_t high, value;
    do {
        high = GNOMON_REG(low + 4);
        value = GNOMON_REG(low);
    } while (high != GNOMON_REG(low + 4));
    return (uint64_t)high << 32 | value;
}

uint64_t gnomon_counter_read(unsigned counter) {
    return read_pair(GNOMON_PMU_COUNTER_LO + counter * COUNTER_BYTES);
}

void gnomon_counter_acknowledge(void) {
    __asm__ volatile("csrc mip, %0" ::"r"(1u << GNOMON_IRQ_COUNTER) : "memory");
}

bool gnomon_counter_overflowed(unsigned counter) {
    return COUNTER(EVENT_HI, counter) & GNOMON_PMU_EVENT_HI_OF;
}

void gnomon_range_set(unsigned range, const volatile void *base, const volatile void *limit) {
    RANGE(BASE, range) = (uint32_t)(uintptr_t)base;
    RANGE(LIMIT, range) = (uint32_t)(uintptr_t)limit;
    RANGE(CLEAR, range) = 0;
}

void gnomon_range_read(unsigned range, struct gnomon_range *counts) {
    const uintptr_t first = GNOMON_PMU_RANGE_ENTRIES_LO + range * RANGE_BYTES;
    counts->entries = read_pair(first);
    counts->instructions = read_pair(first + 8);
    counts->cycles = read_pair(first + 16);
    counts->reads = read_pair(first + 24);
    counts->writes = read_pair(first + 32);
}

uint32_t gnomon_counts_lost(void) {
    return GNOMON_REG(GNOMON_PMU_LOST);
}

void gnomon_trace_ranges(uint32_t ranges) {
    GNOMON_REG(GNOMON_PMU_TRACE) = ranges;
}

void gnomon_latency_start(uint32_t what, uint32_t threshold) {
    GNOMON_REG(GNOMON_PMU_LATENCY_THRESHOLD) = threshold;
    GNOMON_REG(GNOMON_PMU_LATENCY_CONTROL) = what | GNOMON_PMU_LATENCY_CONTROL_ENABLE;
}

void gnomon_latency_stop(void) {
    GNOMON_REG(GNOMON_PMU_LATENCY_CONTROL) = 0;
}

/* A read of the lower word keeps the upper one. */
uint64_t gnomon_latency_count(unsigned power) {
    const uintptr_t at = GNOMON_PMU_LATENCY_COUNT_LO + power * 8;
    const uint32_t low = GNOMON_REG(at);
    return (uint64_t)GNOMON_REG(at + 4) << 32 | low;
}

bool gnomon_latency_found(struct gnomon_latency *first) {
    const uint32_t found = GNOMON_REG(GNOMON_PMU_LATENCY_FOUND);
    if (!(found & GNOMON_PMU_LATENCY_FOUND_FOUND))
        return false;
    *first = (struct gnomon_latency){found >> GNOMON_PMU_LATENCY_FOUND_CYCLES_SHIFT, GNOMON_REG(GNOMON_PMU_LATENCY_PC),
                                     found & GNOMON_PMU_LATENCY_FOUND_ACCESS, GNOMON_REG(GNOMON_PMU_LATENCY_ADDRESS)};
    GNOMON_REG(GNOMON_PMU_LATENCY_FOUND) = GNOMON_PMU_LATENCY_FOUND_FOUND;
    return true;
}
