/* SPDX-License-Identifier: Apache-2.0 */
#include <gnomon.h>
#include <gnomon_tags.h>

#include "internal.h"

enum { VALUE_BYTES = 32, TIMER_BYTES = 64 };

#define TAGS(name) GNOMON_REG(GNOMON_TAGS_##name)
#define TIMER(name, timer) GNOMON_REG(GNOMON_TAGS_TIMER_##name + (timer)*TIMER_BYTES)

/* Counts reach their registers in rounds: all of now are there after two more rounds. */
static void settle(void) {
    const uint32_t first = TAGS(STATUS) & GNOMON_TAGS_STATUS_ROUNDS;
    while (((TAGS(STATUS) - first) & GNOMON_TAGS_STATUS_ROUNDS) < 2u << GNOMON_TAGS_STATUS_ROUNDS_SHIFT)
        ;
}

static void wait_idle(void) {
    while (TAGS(STATUS) & GNOMON_TAGS_STATUS_BUSY)
        ;
}

void gnomon_tags_control(uint32_t control) {
    TAGS(CONTROL) = control;
}

void gnomon_tags_clear(uint32_t what) {
    TAGS(UNTIL) = 0;
    TAGS(CLEAR) = what;
    while (!(TAGS(STATUS) & GNOMON_TAGS_STATUS_READY))
        ;
}

static uint32_t field(uint32_t word, uint32_t mask, unsigned shift) {
    return (word & mask) >> shift;
}

uint32_t gnomon_tags_map(int kind, const volatile void *first, const volatile void *limit) {
    const uint32_t config = TAGS(CONFIG);
    const uint32_t blocks = 1u << field(config, GNOMON_TAGS_CONFIG_BLOCKS_LOG2, GNOMON_TAGS_CONFIG_BLOCKS_LOG2_SHIFT);
    const uint32_t all = 4u << field(config, GNOMON_TAGS_CONFIG_SHADOW_LOG2, GNOMON_TAGS_CONFIG_SHADOW_LOG2_SHIFT);
    const uint32_t bytes = all / blocks, begin = (uint32_t)(uintptr_t)first & -bytes, end = (uint32_t)(uintptr_t)limit;
    const bool data = kind == GNOMON_TAGS_DATA || kind == GNOMON_TAGS_DATA_PER_ADDRESS;
    const bool per_address = kind == GNOMON_TAGS_CODE_PER_ADDRESS || kind == GNOMON_TAGS_DATA_PER_ADDRESS;
    for (uint32_t at = begin; at < end; at += bytes)
        GNOMON_REG((data ? GNOMON_TAGS_DATA_BLOCK : GNOMON_TAGS_CODE_BLOCK) + at / bytes % blocks * 4) =
            (at & -all) | GNOMON_TAGS_CODE_BLOCK_VALID | (per_address ? GNOMON_TAGS_CODE_BLOCK_PER_ADDRESS : 0);
    return bytes;
}

/* Replaces the bits MASK of the tags of the word at ADDRESS by those of TAGS. */
static bool change(uint32_t address, uint32_t mask, uint32_t tags) {
    TAGS(ADDRESS) = address;
    wait_idle();
    if (TAGS(STATUS) &
        (mask & GNOMON_TAGS_TAG_DATA ? GNOMON_TAGS_STATUS_UNMAPPED_DATA : GNOMON_TAGS_STATUS_UNMAPPED_CODE))
        return false;
    TAGS(TAG) = (TAGS(TAG) & ~mask) | (tags & mask);
    wait_idle();
    return true;
}

bool gnomon_tag_code(const void *first, const void *limit, unsigned tag) {
    const uint32_t both = tag << GNOMON_TAGS_TAG_LOW_SHIFT | tag << GNOMON_TAGS_TAG_HIGH_SHIFT;
    uint32_t begin = (uint32_t)(uintptr_t)first, end = (uint32_t)(uintptr_t)limit;
    bool good = true;
    if (begin & 2 && begin < end) {
        good = change(begin & ~3u, GNOMON_TAGS_TAG_HIGH, both);
        begin += 2;
    }
    if (end & 2 && begin < end) {
        end -= 2;
        good = change(end, GNOMON_TAGS_TAG_LOW, both) && good;
    }
    if (begin >= end)
        return good;
    TAGS(ADDRESS) = begin;
    wait_idle();
    if (TAGS(STATUS) & GNOMON_TAGS_STATUS_UNMAPPED_CODE)
        return false;
    TAGS(UNTIL) = end;
    TAGS(TAG) = both;
    wait_idle();
    TAGS(UNTIL) = 0;
    return good && TAGS(ADDRESS) == end;
}

bool gnomon_tag_data(const volatile void *first, const volatile void *limit, unsigned tag) {
    const uint32_t end = (uint32_t)(uintptr_t)limit;
    bool good = true;
    for (uint32_t word = (uint32_t)(uintptr_t)first & ~3u; word < end; word += 4)
        good = change(word, GNOMON_TAGS_TAG_DATA, tag << GNOMON_TAGS_TAG_DATA_SHIFT) && good;
    return good;
}

void gnomon_tag_mode(unsigned tag, uint32_t mode) {
    GNOMON_REG(GNOMON_TAGS_MODE + 4 * tag) = mode;
}

/* Reading the low half latches the high half. */
static uint64_t read_pair(uintptr_t low) {
    const uint32_t value = GNOMON_REG(low);
    return (uint64_t)GNOMON_REG(low + 4) << 32 | value;
}

void gnomon_tag_read(unsigned tag, struct gnomon_tag_counts *counts) {
    const uintptr_t first = GNOMON_TAGS_VALUE_EXECUTIONS_LO + tag * VALUE_BYTES;
    settle();
    counts->executions = read_pair(first);
    counts->cycles = read_pair(first + 8);
    counts->reads = read_pair(first + 16);
    counts->writes = read_pair(first + 24);
}

uint32_t gnomon_tag_per_address_count(const volatile void *address, bool data) {
    settle();
    TAGS(PER_ADDRESS_SELECT) = (uint32_t)(uintptr_t)address | data;
    wait_idle();
    return TAGS(PER_ADDRESS_COUNT);
}

void gnomon_tag_timer_read(unsigned timer, struct gnomon_tag_timer *counts) {
    settle();
    counts->intervals = TIMER(INTERVALS, timer);
    counts->cycles = read_pair(GNOMON_TAGS_TIMER_CYCLES_LO + timer * TIMER_BYTES);
    counts->last = TIMER(LAST, timer);
    counts->shortest = TIMER(SHORTEST, timer);
    counts->longest = TIMER(LONGEST, timer);
}

void gnomon_tag_timer_step(unsigned timer, unsigned step, uint32_t cycles, bool interrupt) {
    const uint32_t bit = 1u << step, others = TIMER(INTERRUPT, timer) & ~bit;
    TIMER(INTERRUPT, timer) = others | (interrupt ? bit : 0);
    GNOMON_REG(GNOMON_TAGS_TIMER_STEP + timer * TIMER_BYTES + 4 * step) = cycles;
}

uint32_t gnomon_tag_timer_over(unsigned timer, unsigned step) {
    settle();
    return GNOMON_REG(GNOMON_TAGS_TIMER_OVER + timer * TIMER_BYTES + 4 * step);
}

uint32_t gnomon_tag_interrupt(uint32_t *pc, uint32_t *value) {
    const uint32_t causes = TAGS(INTERRUPT);
    if (pc)
        *pc = TAGS(INTERRUPT_PC);
    if (value)
        *value = TAGS(INTERRUPT_VALUE);
    TAGS(INTERRUPT) = causes;
    return causes;
}
