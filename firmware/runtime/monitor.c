/* SPDX-License-Identifier: Apache-2.0 */
/* Watches one function at a time: those whose callers are wanted, and all callers that were found, in turn. */
#include <gnomon.h>
#include <gnomon_monitor.h>
#include <gnomon_pmu.h>
#include <gnomon_unwind.h>

#include "internal.h"

enum {
    CALLS = 0, /* the counter of entries */
    TURN = 1,  /* that of cycles */
    RANGE = 0, /* the function's first instruction */
    CALMEST = 12,
    MOST_FRAMES = 1024,
};

GNOMON_INTERRUPT_FRAME(gnomon_counter_interrupt, __gnomon_monitor_overflow, 2560)

/* Not in bss, which is cleared after the host has written it. */
struct gnomon_monitor_request __gnomon_monitor_request __attribute__((section(".data.gnomon.monitor"), used));
struct gnomon_monitor_results __gnomon_monitor_results __attribute__((used));

/* So that there is a section for the library's call frame information to go into (gnomon.ld). */
static const uint32_t frames __attribute__((section(".gnomon.frames"), used)) = 0;

static struct gnomon_monitor_settings settings;
static struct { uint32_t entry, level; } functions[GNOMON_MONITOR_FUNCTIONS];
static unsigned current;  /* whose turn it is */
static unsigned calm;     /* period and turns are 2^calm times as long */
static uint32_t known;    /* walks since there was a new caller, in this turn */
static bool hit, news;    /* in this round: a walk, a new caller */
static uint32_t scramble; /* so that the walks keep no step with the program */

static uint32_t next_distance(void) {
    const uint32_t period = settings.period << calm;
    scramble = scramble * 1664525u + 1013904223u;
    return period / 2 + 1 + (uint32_t)((uint64_t)(scramble >> 8) * period >> 24);
}

static void await_calls(void) {
    gnomon_counter_start(CALLS, GNOMON_EVENT_RANGE0_ENTRIES, 0, 0 - (uint64_t)next_distance());
}

static void begin_turn(unsigned index) {
    const uint32_t entry = functions[index].entry;
    current = index;
    known = 0;
    gnomon_range_set(RANGE, (const void *)(uintptr_t)entry, (const void *)(uintptr_t)(entry + 2));
    gnomon_counter_start(TURN, GNOMON_EVENT_CYCLES, 0, 0 - ((uint64_t)settings.quiet << calm));
    await_calls();
}

static void next_turn(void) {
    const unsigned next = (current + 1) % __gnomon_monitor_results.functions;
    if (next == 0) {
        calm = news ? 0 : calm + (hit && calm < CALMEST);
        hit = news = false;
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
    functions[(*count)++].level = level;
}

static void add_caller(uint32_t callee, uint32_t function, uint32_t site) {
    struct gnomon_monitor_results *results = &__gnomon_monitor_results;
    known++;
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
    known = 0;
    add_function(function, functions[current].level + 1);
    if (settings.found)
        settings.found(caller);
}

static bool goes_to(uint32_t site, uint32_t entry) {
    uint32_t target;
    return __gnomon_call_before(site, &target) == GNOMON_CALL_DIRECT && target == entry;
}

/* The call that was counted, some instructions ago: the function is open; or it has jumped on to another one, to which
 * its caller's call instruction does not go; or it has ended, and ra still says where it was called. */
static bool find_caller(const struct gnomon_frame *interrupted, uint32_t entry, uint32_t *function, uint32_t *site) {
    struct gnomon_walk walk;
    gnomon_walk_begin(&walk, interrupted);
    *site = interrupted->x[GNOMON_FRAME_RA];
    if (walk.function != entry && goes_to(*site, entry)) {
        *function = gnomon_function_at(*site - 2);
        return true;
    }
    for (unsigned i = 0; i < MOST_FRAMES; i++) {
        /* Without information about a function, only its first instructions are known to be its own. */
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

void __gnomon_monitor_overflow(const struct gnomon_frame *interrupted) {
    struct gnomon_monitor_results *results = &__gnomon_monitor_results;
    const bool called = gnomon_counter_overflowed(CALLS);
    bool over = gnomon_counter_overflowed(TURN);
    gnomon_counter_acknowledge();
    if (called) {
        const uint32_t callee = functions[current].entry;
        uint32_t function, site;
        hit = true;
        if (find_caller(interrupted, callee, &function, &site)) {
            results->walks++;
            add_caller(callee, function, site);
        } else {
            results->missed++;
        }
        over |= known >= settings.settle;
    }
    if (over)
        next_turn();
    else if (called)
        await_calls();
}

void gnomon_monitor_start(const struct gnomon_monitor_settings *wanted) {
    gnomon_monitor_stop();
    settings = *wanted;
    settings.period = settings.period ? settings.period : GNOMON_MONITOR_PERIOD;
    settings.settle = settings.settle ? settings.settle : GNOMON_MONITOR_SETTLE;
    settings.quiet = settings.quiet ? settings.quiet : GNOMON_MONITOR_QUIET;
    __gnomon_monitor_results =
        (struct gnomon_monitor_results){.magic = GNOMON_MONITOR_MAGIC, .version = GNOMON_MONITOR_VERSION};
    calm = 0;
    hit = news = false;
    add_function((uint32_t)(uintptr_t)settings.function, 0);
    begin_turn(0);
    gnomon_irq_enable(GNOMON_IRQ_COUNTER);
    gnomon_interrupts_on();
}

void gnomon_monitor_stop(void) {
    gnomon_irq_disable(GNOMON_IRQ_COUNTER);
    gnomon_counter_stop(CALLS);
    gnomon_counter_stop(TURN);
    gnomon_counter_acknowledge();
}

size_t gnomon_monitor_callers(const struct gnomon_caller **callers) {
    *callers = __gnomon_monitor_results.callers;
    return __gnomon_monitor_results.count;
}

/* Before all other constructors. */
__attribute__((constructor(101))) static void start_if_asked(void) {
    const struct gnomon_monitor_request *request = &__gnomon_monitor_request;
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
