/* SPDX-License-Identifier: Apache-2.0 */
/* Watches two functions at a time: the function whose callers are wanted, all the time; and the callers found so far,
 * in turns. */
#include <gnomon.h>
#include <gnomon_monitor.h>
#include <gnomon_pmu.h>
#include <gnomon_unwind.h>

#include "internal.h"
#include "profiler/stacks.h"

enum {
    WANTED, /* the two watches. Watch n has counter n and range n, and counts entries into the first instruction */
    OTHERS,
    WATCHES,
    TURN = WATCHES, /* the counter of cycles, which ends the turns of OTHERS */
    CALMEST = 12,
    MOST_FRAMES = 1024,
};

GNOMON_INTERRUPT_FRAME(gnomon_counter_interrupt, __gnomon_monitor_overflow, 2560)

/* Not in bss, because bss is cleared after the host has written this variable. */
struct gnomon_monitor_request __gnomon_monitor_request __attribute__((section(".data.gnomon.monitor"), used));
/* Not in bss either: so the program's other variables stay at the addresses near gp that they have without the
 * monitor. */
struct gnomon_monitor_results __gnomon_monitor_results __attribute__((used, noinit));

/* Makes sure that the section exists into which the library's call frame information goes (gnomon.ld). */
static const uint32_t frames __attribute__((section(".gnomon.frames"), used)) = 0;

static struct gnomon_monitor_settings settings __attribute__((noinit));
static struct { uint32_t entry, level; } functions[GNOMON_MONITOR_FUNCTIONS] __attribute__((noinit));
static struct {
    bool on;
    unsigned index; /* index of the watched function */
    unsigned calm;  /* period and turns are 2^calm times as long */
    uint32_t known; /* walks since the last new caller */
} watches[WATCHES] __attribute__((noinit));
static bool hit __attribute__((noinit)),
    news __attribute__((noinit));                 /* in this round of turns: had a walk; found a new caller */
static uint32_t scramble __attribute__((noinit)); /* random state: walks must not follow the program's rhythm */
static bool started;

static uint32_t next_distance(unsigned calm) {
    const uint32_t period = settings.period << calm;
    scramble = scramble * 1664525u + 1013904223u;
    return period / 2 + 1 + (uint32_t)((uint64_t)(scramble >> 8) * period >> 24);
}

static void await_calls(unsigned watch) {
    gnomon_counter_start(watch, GNOMON_EVENT_RANGE0_ENTRIES + watch, 0,
                         0 - (uint64_t)next_distance(watches[watch].calm));
}

static void begin_watch(unsigned watch, unsigned index) {
    const uint32_t entry = functions[index].entry;
    watches[watch].on = true;
    watches[watch].index = index;
    watches[watch].known = 0;
    gnomon_range_set(watch, (const void *)(uintptr_t)entry, (const void *)(uintptr_t)(entry + 2));
    await_calls(watch);
}

static void begin_turn(unsigned index) {
    begin_watch(OTHERS, index);
    gnomon_counter_start(TURN, GNOMON_EVENT_CYCLES, 0, 0 - ((uint64_t)settings.quiet << watches[OTHERS].calm));
}

static void next_turn(void) {
    unsigned next = watches[OTHERS].index + 1;
    if (next == __gnomon_monitor_results.functions) {
        const unsigned calm = watches[OTHERS].calm;
        watches[OTHERS].calm = news ? 0 : calm + (hit && calm < CALMEST);
        hit = news = false;
        next = 1;
    }
    begin_turn(next);
}

static void add_function(uint32_t entry, uint32_t level) {
    uint32_t *count = &__gnomon_monitor_results.functions;
    for (unsigned i = 0; i < *count; i++)
        if (functions[i].entry == entry)
            return;
    if (!entry || *count == GNOMON_MONITOR_FUNCTIONS || (settings.levels && level >= settings.levels))
        return;
    functions[*count].entry = entry;
    functions[*count].level = level;
    ++*count;
}

static void add_caller(unsigned watch, uint32_t function, uint32_t site) {
    struct gnomon_monitor_results *results = &__gnomon_monitor_results;
    const unsigned index = watches[watch].index;
    const uint32_t callee = functions[index].entry;
    watches[watch].known++;
    for (unsigned i = 0; i < results->count; i++) {
        struct gnomon_caller *caller = &results->callers[i];
        if (caller->callee == callee && caller->site == site) {
            caller->hits++;
            return;
        }
    }
    if (results->count == GNOMON_MONITOR_CALLERS) {
        results->dropped++;
        return;
    }
    struct gnomon_caller *caller = &results->callers[results->count++];
    *caller = (struct gnomon_caller){callee, function, site, 1};
    news = true;
    watches[watch].known = 0;
    add_function(function, functions[index].level + 1);
    if (settings.found)
        settings.found(caller);
}

static bool goes_to(uint32_t site, uint32_t entry) {
    uint32_t target;
    return __gnomon_call_before(site, &target) == GNOMON_CALL_DIRECT && target == entry;
}

/* Finds the counted call, which began some instructions ago. Three cases: the function is still open; or it has jumped
 * to another function, but its caller's call instruction still names it; or it has ended, and ra still contains its
 * return address. */
static bool find_caller(const struct gnomon_frame *interrupted, uint32_t entry, uint32_t *function, uint32_t *site) {
    struct gnomon_walk walk;
    gnomon_walk_begin(&walk, interrupted);
    *site = interrupted->x[GNOMON_FRAME_RA];
    if (walk.function != entry && goes_to(*site, entry)) {
        *function = gnomon_function_at(*site - 2);
        return true;
    }
    for (unsigned i = 0; i < MOST_FRAMES; i++) {
        /* For a function without information, only its first instruction is known to belong to it. */
        const bool open = walk.function == entry || walk.frame.x[GNOMON_FRAME_PC] == entry;
        if (!gnomon_walk_up(&walk))
            return false;
        *site = walk.frame.x[GNOMON_FRAME_PC];
        *function = walk.function;
        if (open || goes_to(*site, entry))
            return true;
    }
    return false;
}

static void walk(unsigned watch, const struct gnomon_frame *interrupted) {
    uint32_t function, site;
    if (find_caller(interrupted, functions[watches[watch].index].entry, &function, &site)) {
        __gnomon_monitor_results.walks++;
        add_caller(watch, function, site);
    } else {
        __gnomon_monitor_results.missed++;
    }
}

void __gnomon_monitor_overflow(const struct gnomon_frame *interrupted) {
    if (__gnomon_stacks_sample(interrupted))
        return;
    const bool wanted = gnomon_counter_overflowed(WANTED), others = gnomon_counter_overflowed(OTHERS);
    const bool over = gnomon_counter_overflowed(TURN);
    gnomon_counter_acknowledge();
    if (wanted) {
        walk(WANTED, interrupted);
        if (watches[WANTED].known >= settings.settle) {
            watches[WANTED].known = 0;
            watches[WANTED].calm += watches[WANTED].calm < CALMEST;
        }
        await_calls(WANTED);
    }
    if (others) {
        hit = true;
        walk(OTHERS, interrupted);
    }
    if (watches[OTHERS].on && (over || watches[OTHERS].known >= settings.settle))
        next_turn();
    else if (others)
        await_calls(OTHERS);
    else if (!watches[OTHERS].on && __gnomon_monitor_results.functions > 1)
        begin_turn(1);
}

void gnomon_monitor_start(const struct gnomon_monitor_settings *wanted) {
    gnomon_monitor_stop();
    started = true;
    scramble = 0;
    settings = *wanted;
    settings.period = settings.period ? settings.period : GNOMON_MONITOR_PERIOD;
    settings.settle = settings.settle ? settings.settle : GNOMON_MONITOR_SETTLE;
    settings.quiet = settings.quiet ? settings.quiet : GNOMON_MONITOR_QUIET;
    __gnomon_monitor_results =
        (struct gnomon_monitor_results){.magic = GNOMON_MONITOR_MAGIC, .version = GNOMON_MONITOR_VERSION};
    for (unsigned i = 0; i < WATCHES; i++)
        watches[i].on = false, watches[i].calm = 0;
    hit = news = false;
    add_function((uint32_t)(uintptr_t)settings.function, 0);
    begin_watch(WANTED, 0);
    gnomon_irq_enable(GNOMON_IRQ_COUNTER);
    gnomon_interrupts_on();
}

void gnomon_monitor_stop(void) {
    gnomon_irq_disable(GNOMON_IRQ_COUNTER);
    for (unsigned i = 0; i <= TURN; i++)
        gnomon_counter_stop(i);
    gnomon_counter_acknowledge();
}

size_t gnomon_monitor_callers(const struct gnomon_caller **callers) {
    *callers = __gnomon_monitor_results.callers;
    return started ? __gnomon_monitor_results.count : 0;
}

/* Runs before all other constructors. */
__attribute__((constructor(101))) static void start_if_asked(void) {
    const struct gnomon_monitor_request *request = &__gnomon_monitor_request;
    if (__gnomon_stacks_request.magic == GNOMON_STACKS_MAGIC)
        __gnomon_stacks_start();
    if (request->magic != GNOMON_MONITOR_MAGIC || request->version != GNOMON_MONITOR_VERSION)
        return;
    const struct gnomon_monitor_settings asked = {(const void *)(uintptr_t)request->function,
                                                  request->period,
                                                  request->settle,
                                                  request->quiet,
                                                  request->levels,
                                                  NULL};
    gnomon_monitor_start(&asked);
}
