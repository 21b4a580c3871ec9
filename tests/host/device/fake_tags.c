/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_tags.h"

#include <string.h>

#include "gnomon/registers.h"

#define SHADOW_LOG2 12
#define SEGMENTS 4
#define SEGMENT_WORDS ((1u << SHADOW_LOG2) / SEGMENTS)
#define TIMERS 2
#define STEPS 2
#define PER_ADDRESS_LOG2 4
#define PER_ADDRESS_SEGMENTS 4
#define SLOW_POLLS 3 /* reads of a busy register until an access is done */

struct timer {
    uint32_t intervals, last, shortest, longest, steps[STEPS], over[STEPS];
    uint64_t cycles, started;
    bool running;
};

static uint32_t control, address, until, maps[SEGMENTS], modes[32], per_address_bases[PER_ADDRESS_SEGMENTS],
    own_address, per_address_overflow;
static uint16_t shadow[SEGMENTS][SEGMENT_WORDS];
static uint64_t values[32][4];
static uint32_t own[PER_ADDRESS_SEGMENTS][1u << PER_ADDRESS_LOG2];
static struct timer timers[TIMERS];
static uint64_t now;
static unsigned busy, clearing;

/* Fills memory as after power-on or after another host: with arbitrary values. */
static void power_on(void) {
    static bool done;
    if (done)
        return;
    done = true;
    memset(shadow, 0x5A, sizeof shadow);
    memset(values, 0xA5, sizeof values);
    memset(own, 0xA5, sizeof own);
    memset(modes, 0xA5, sizeof modes);
    memset(timers, 0x5A, sizeof timers);
    for (unsigned i = 0; i < TIMERS; i++)
        timers[i].running = true;
    for (unsigned i = 0; i < PER_ADDRESS_SEGMENTS; i++)
        per_address_bases[i] = 0x10000001;
    for (unsigned i = 0; i < SEGMENTS; i++)
        maps[i] = 0x10000001;
}

/* Returns the shadow word of an address; NULL if it has none. */
static uint16_t *find(uint32_t at) {
    for (unsigned i = 0; i < SEGMENTS; i++)
        if (maps[i] & GNOMON_TAGS_MAP_VALID && at - (maps[i] & GNOMON_TAGS_MAP_BASE) < SEGMENT_WORDS * 4)
            return &shadow[i][(at - (maps[i] & GNOMON_TAGS_MAP_BASE)) / 4];
    return NULL;
}

static uint32_t *find_own(uint32_t at, bool data) {
    for (unsigned i = 0; i < PER_ADDRESS_SEGMENTS; i++) {
        uint32_t offset = at - (per_address_bases[i] & GNOMON_TAGS_PER_ADDRESS_BASE_BASE);
        if (per_address_bases[i] & GNOMON_TAGS_PER_ADDRESS_BASE_VALID &&
            !(per_address_bases[i] & GNOMON_TAGS_PER_ADDRESS_BASE_DATA) == !data &&
            offset >> (data ? 2 : 1) < 1u << PER_ADDRESS_LOG2)
            return &own[i][offset >> (data ? 2 : 1)];
    }
    return NULL;
}

/* ---- The hart ---- */

static void stop(struct timer *timer) {
    uint32_t cycles = (uint32_t)(now - timer->started);
    timer->running = false;
    timer->intervals++;
    timer->cycles += cycles;
    timer->last = cycles;
    timer->shortest = cycles < timer->shortest ? cycles : timer->shortest;
    timer->longest = cycles > timer->longest ? cycles : timer->longest;
    for (unsigned i = 0; i < STEPS; i++)
        timer->over[i] += timer->steps[i] && cycles >= timer->steps[i];
}

static void act(uint32_t mode, uint32_t at, bool data) {
    unsigned what = (mode & GNOMON_TAGS_MODE_TIMER) >> GNOMON_TAGS_MODE_TIMER_SHIFT;
    struct timer *timer = &timers[(mode & GNOMON_TAGS_MODE_WHICH) >> GNOMON_TAGS_MODE_WHICH_SHIFT];
    if (what == 1 || (what == 3 && !timer->running)) {
        timer->started = timer->running ? timer->started : now;
        timer->running = true;
    } else if (what && timer->running) {
        stop(timer);
    }
    uint32_t *count = mode & GNOMON_TAGS_MODE_PER_ADDRESS ? find_own(at, data) : NULL;
    if (count)
        ++*count;
    else
        per_address_overflow += (mode & GNOMON_TAGS_MODE_PER_ADDRESS) != 0;
}

static void execute(uint32_t at) {
    const uint16_t *word = find(at);
    uint32_t cycles = 1 + at / 2 % 4, tag = word ? (at & 2 ? *word >> 5 : *word) & 31u : 0;
    now += cycles;
    if (!tag || !(modes[tag] & GNOMON_TAGS_MODE_EXECUTE))
        return;
    values[tag][0]++;
    values[tag][1] += cycles;
    act(modes[tag], at, false);
}

static void access_word(uint32_t at, bool write) {
    const uint16_t *word = find(at);
    uint32_t tag = word ? *word >> 10 & 31u : 0;
    now++;
    if (!tag || !(modes[tag] & (write ? GNOMON_TAGS_MODE_WRITE : GNOMON_TAGS_MODE_READ)))
        return;
    values[tag][write ? 3 : 2]++;
    act(modes[tag], at, true);
}

void fake_tags_run(uint32_t base, uint32_t bytes, enum fake_tags_fault fault) {
    if (!(control & GNOMON_TAGS_CONTROL_ENABLE) || fault == TAGS_ODD)
        return;
    for (uint32_t at = base; at < base + bytes; at += 2)
        execute(at);
    for (uint32_t at = base; at < base + bytes; at += 4) {
        access_word(at, false);
        access_word(at, false);
        if (at % 8 == 0)
            access_word(at, true);
    }
}

/* ---- Registers ---- */

static void clear(uint32_t what) {
    if (what & GNOMON_TAGS_CLEAR_TAGS) {
        memset(shadow, 0, sizeof shadow);
    }
    if (what & GNOMON_TAGS_CLEAR_COUNTS) {
        memset(values, 0, sizeof values);
        memset(own, 0, sizeof own);
        for (unsigned i = 0; i < TIMERS; i++) {
            uint32_t steps[STEPS];
            memcpy(steps, timers[i].steps, sizeof steps);
            timers[i] = (struct timer){.shortest = UINT32_MAX};
            memcpy(timers[i].steps, steps, sizeof steps);
        }
        per_address_overflow = 0;
    }
    clearing = SLOW_POLLS;
}

static void write_tag(uint32_t value) {
    uint16_t *word;
    if (busy) /* a write while busy is lost, as in hardware */
        return;
    do {
        if ((word = find(address)))
            *word = (uint16_t)(value & 0x7FFF);
        address += 4;
    } while (word && address < until);
    busy = SLOW_POLLS;
}

static uint32_t read_timer(uint32_t offset) {
    const struct timer *timer = &timers[offset / 64 % TIMERS];
    const uint32_t words[] = {timer->intervals,
                              (uint32_t)timer->cycles,
                              (uint32_t)(timer->cycles >> 32),
                              timer->last,
                              timer->shortest,
                              timer->longest,
                              timer->running ? (uint32_t)(now - timer->started) : 0,
                              0};
    offset %= 64;
    if (offset >= GNOMON_TAGS_TIMER_OVER - GNOMON_TAGS_TIMER_INTERVALS)
        return timer->over[(offset - 0x30) / 4 % STEPS];
    return offset < sizeof words ? words[offset / 4] : timer->steps[(offset - 0x20) / 4 % STEPS];
}

static uint32_t read_per_address(void) {
    bool data = own_address & 1;
    const uint32_t *count = find_own(own_address & ~1u, data);
    own_address += data ? 4 : 2;
    busy = SLOW_POLLS;
    return count ? *count : 0;
}

static uint32_t read_status(enum fake_tags_fault fault) {
    clearing -= clearing && fault != TAGS_STUCK_CLEARING;
    busy -= busy && fault != TAGS_STUCK_ACCESS;
    return (clearing ? 0 : GNOMON_TAGS_STATUS_READY) | (busy ? GNOMON_TAGS_STATUS_BUSY : 0) |
           (find(address) && fault != TAGS_UNMAPPED ? 0 : GNOMON_TAGS_STATUS_UNMAPPED);
}

static uint32_t read_config(enum fake_tags_fault fault) {
    return GNOMON_TAGS_CONFIG_PRESENT | (fault == TAGS_ODD ? 31u : SHADOW_LOG2) |
           SEGMENTS << GNOMON_TAGS_CONFIG_SEGMENTS_SHIFT | TIMERS << GNOMON_TAGS_CONFIG_TIMERS_SHIFT |
           STEPS << GNOMON_TAGS_CONFIG_STEPS_SHIFT | PER_ADDRESS_LOG2 << GNOMON_TAGS_CONFIG_PER_ADDRESS_LOG2_SHIFT |
           PER_ADDRESS_SEGMENTS << GNOMON_TAGS_CONFIG_PER_ADDRESS_SEGMENTS_SHIFT | 8u << GNOMON_TAGS_CONFIG_DELAY_SHIFT;
}

uint32_t fake_tags_read(uint32_t at, enum fake_tags_fault fault) {
    uint32_t running = 0;
    power_on();
    for (unsigned i = 0; i < TIMERS; i++)
        running |= (uint32_t)timers[i].running << i;
    if (at >= GNOMON_TAGS_VALUE_EXECUTIONS_LO && at < GNOMON_TAGS_VALUE_EXECUTIONS_LO + 32 * 32) {
        uint32_t offset = at - GNOMON_TAGS_VALUE_EXECUTIONS_LO;
        return (uint32_t)(values[offset / 32][offset / 8 % 4] >> (offset & 4 ? 32 : 0));
    }
    if (at >= GNOMON_TAGS_TIMER_INTERVALS && at < GNOMON_TAGS_TIMER_INTERVALS + TIMERS * 64)
        return read_timer(at - GNOMON_TAGS_TIMER_INTERVALS);
    switch (at) {
    case GNOMON_TAGS_CONFIG:
        return read_config(fault);
    case GNOMON_TAGS_STATUS:
        return read_status(fault);
    case GNOMON_TAGS_PER_ADDRESS_COUNT:
        return busy ? 0xBADBAD : read_per_address();
    case GNOMON_TAGS_PER_ADDRESS_OVERFLOW:
        return per_address_overflow;
    case GNOMON_TAGS_GATE:
        return running;
    case GNOMON_TAGS_LATE:
        return fault == TAGS_LATE ? 5 : 0;
    case GNOMON_TAGS_CLEARED:
        return fault == TAGS_LATE ? 6 : 0;
    case GNOMON_TAGS_HINTS_LOST:
        return fault == TAGS_LATE ? 7 : 0;
    default:
        return 0;
    }
}

void fake_tags_write(uint32_t at, uint32_t value, enum fake_tags_fault fault) {
    (void)fault;
    power_on();
    if (at >= GNOMON_TAGS_MODE && at < GNOMON_TAGS_MODE + 32 * 4)
        modes[(at - GNOMON_TAGS_MODE) / 4] = value;
    else if (at >= GNOMON_TAGS_MAP && at < GNOMON_TAGS_MAP + SEGMENTS * 4)
        maps[(at - GNOMON_TAGS_MAP) / 4] = value;
    else if (at >= GNOMON_TAGS_PER_ADDRESS_BASE && at < GNOMON_TAGS_PER_ADDRESS_BASE + PER_ADDRESS_SEGMENTS * 4)
        per_address_bases[(at - GNOMON_TAGS_PER_ADDRESS_BASE) / 4] = value;
    else if (at >= GNOMON_TAGS_TIMER_STEP && at < GNOMON_TAGS_TIMER_INTERVALS + TIMERS * 64 &&
             (at - GNOMON_TAGS_TIMER_STEP) % 64 < STEPS * 4)
        timers[(at - GNOMON_TAGS_TIMER_STEP) / 64].steps[(at - GNOMON_TAGS_TIMER_STEP) % 64 / 4] = value;
    else if (at == GNOMON_TAGS_CONTROL)
        control = value;
    else if (at == GNOMON_TAGS_CLEAR)
        clear(value);
    else if (at == GNOMON_TAGS_ADDRESS)
        address = value, busy = SLOW_POLLS;
    else if (at == GNOMON_TAGS_UNTIL)
        until = value;
    else if (at == GNOMON_TAGS_TAG)
        write_tag(value);
    else if (at == GNOMON_TAGS_PER_ADDRESS_SELECT)
        own_address = value, busy = SLOW_POLLS;
}
