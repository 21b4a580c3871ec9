/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_tags.h"

#include <string.h>

#include "gnomon/registers.h"

#define SHADOW_LOG2 12
#define BLOCKS_LOG2 4
#define BLOCKS (1u << BLOCKS_LOG2)
#define ALL_BYTES (4u << SHADOW_LOG2) /* that all blocks cover */
#define TIMERS 2
#define STEPS 2
#define PER_ADDRESS_LOG2 6
#define SLOW_POLLS 3 /* reads of a busy register until an access is done */

struct timer {
    uint32_t intervals, last, shortest, longest, steps[STEPS], over[STEPS];
    uint64_t cycles, started;
    bool running;
};

static uint32_t control, address, until, blocks[2][BLOCKS], modes[32], own_address, per_address_overflow, rounds;
static uint16_t shadow[2][1u << SHADOW_LOG2]; /* of code, of data; as in the register TAG */
static uint64_t values[32][4];
static uint32_t own[2][1u << PER_ADDRESS_LOG2];
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
    for (unsigned i = 0; i < BLOCKS; i++)
        blocks[0][i] = blocks[1][i] = 0x10000003;
}

static uint32_t block_of(uint32_t at, bool data) {
    return blocks[data][at / (ALL_BYTES / BLOCKS) % BLOCKS];
}

/* Returns the shadow word of an address; NULL if it has none. */
static uint16_t *find(uint32_t at, bool data) {
    uint32_t block = block_of(at, data);
    bool inside = block & GNOMON_TAGS_CODE_BLOCK_VALID && (block ^ at) < ALL_BYTES;
    return inside ? &shadow[data][at / 4 % (1u << SHADOW_LOG2)] : NULL;
}

static uint32_t *place_of(uint32_t at, bool data) {
    return &own[data][at / (data ? 4 : 2) % (1u << (PER_ADDRESS_LOG2 - data))];
}

static uint32_t *find_own(uint32_t at, bool data) {
    return block_of(at, data) & GNOMON_TAGS_CODE_BLOCK_PER_ADDRESS ? place_of(at, data) : NULL;
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
    const uint16_t *word = find(at, false);
    uint32_t cycles = 1 + at / 2 % 4, tag = word ? (at & 2 ? *word >> 5 : *word) & 31u : 0;
    now += cycles;
    if (!tag || !(modes[tag] & GNOMON_TAGS_MODE_EXECUTE))
        return;
    values[tag][0]++;
    values[tag][1] += cycles;
    act(modes[tag], at, false);
}

static void access_word(uint32_t at, bool write) {
    const uint16_t *word = find(at, true);
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
    uint16_t *code, *data;
    if (busy) /* a write while busy is lost, as in hardware */
        return;
    do {
        if ((code = find(address, false)))
            *code = (uint16_t)(value & (GNOMON_TAGS_TAG_LOW | GNOMON_TAGS_TAG_HIGH));
        if ((data = find(address, true)))
            *data = (uint16_t)(value & GNOMON_TAGS_TAG_DATA);
        address += 4;
    } while ((code || data) && address < until);
    busy = SLOW_POLLS;
}

static uint32_t read_timer(uint32_t offset) {
    const struct timer *timer = &timers[offset / 64 % TIMERS];
    const uint32_t words[] = {timer->intervals, (uint32_t)timer->cycles, (uint32_t)(timer->cycles >> 32), timer->last,
                              timer->shortest,  timer->longest,          (uint32_t)timer->started,        0};
    offset %= 64;
    if (offset >= GNOMON_TAGS_TIMER_OVER - GNOMON_TAGS_TIMER_INTERVALS)
        return timer->over[(offset - 0x30) / 4 % STEPS];
    return offset < sizeof words ? words[offset / 4] : timer->steps[(offset - 0x20) / 4 % STEPS];
}

static uint32_t read_per_address(void) {
    bool data = own_address & 1;
    const uint32_t *count = place_of(own_address & ~1u, data);
    own_address += data ? 4 : 2;
    busy = SLOW_POLLS;
    return *count;
}

static uint32_t read_status(enum fake_tags_fault fault) {
    clearing -= clearing && fault != TAGS_STUCK_CLEARING;
    busy -= busy && fault != TAGS_STUCK_ACCESS;
    rounds += fault != TAGS_STUCK_ROUNDS;
    return (clearing ? 0 : GNOMON_TAGS_STATUS_READY) | (busy ? GNOMON_TAGS_STATUS_BUSY : 0) |
           (find(address, false) && fault != TAGS_UNMAPPED ? 0 : GNOMON_TAGS_STATUS_UNMAPPED_CODE) |
           (find(address, true) && fault != TAGS_UNMAPPED ? 0 : GNOMON_TAGS_STATUS_UNMAPPED_DATA) |
           (fault == TAGS_LOST || fault == TAGS_SATURATED ? GNOMON_TAGS_STATUS_SATURATED : 0) |
           (fault == TAGS_LOST ? GNOMON_TAGS_STATUS_MISSED : 0) |
           (rounds << GNOMON_TAGS_STATUS_ROUNDS_SHIFT & GNOMON_TAGS_STATUS_ROUNDS);
}

static uint32_t read_config(enum fake_tags_fault fault) {
    return GNOMON_TAGS_CONFIG_PRESENT | (fault == TAGS_ODD ? 31u : SHADOW_LOG2) |
           BLOCKS_LOG2 << GNOMON_TAGS_CONFIG_BLOCKS_LOG2_SHIFT | TIMERS << GNOMON_TAGS_CONFIG_TIMERS_SHIFT |
           STEPS << GNOMON_TAGS_CONFIG_STEPS_SHIFT | PER_ADDRESS_LOG2 << GNOMON_TAGS_CONFIG_PER_ADDRESS_LOG2_SHIFT |
           4u << GNOMON_TAGS_CONFIG_DELAY_SHIFT;
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
        return running | (fault == TAGS_LOST ? running << GNOMON_TAGS_GATE_LONG_SHIFT : 0);
    case GNOMON_TAGS_TIMERS_LOST:
        return fault == TAGS_LOST ? 5 : 0;
    case GNOMON_TAGS_CLEARED:
        return fault == TAGS_LOST ? 6 : 0;
    case GNOMON_TAGS_HINTS_LOST:
        return fault == TAGS_LOST ? 7 : 0;
    default:
        return 0;
    }
}

void fake_tags_write(uint32_t at, uint32_t value, enum fake_tags_fault fault) {
    (void)fault;
    power_on();
    if (at >= GNOMON_TAGS_MODE && at < GNOMON_TAGS_MODE + 32 * 4)
        modes[(at - GNOMON_TAGS_MODE) / 4] = value;
    else if (at >= GNOMON_TAGS_CODE_BLOCK && at < GNOMON_TAGS_CODE_BLOCK + BLOCKS * 4)
        blocks[0][(at - GNOMON_TAGS_CODE_BLOCK) / 4] = value;
    else if (at >= GNOMON_TAGS_DATA_BLOCK && at < GNOMON_TAGS_DATA_BLOCK + BLOCKS * 4)
        blocks[1][(at - GNOMON_TAGS_DATA_BLOCK) / 4] = value;
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
