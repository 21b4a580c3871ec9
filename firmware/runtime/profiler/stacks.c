/* SPDX-License-Identifier: Apache-2.0 */
/* A table of stacks with their numbers of samples. It is 4-way set associative; in a full set the stack with the fewest
 * samples is sent to the host, and leaves. So the table has what is frequent, and no sample is lost. */
#include <gnomon.h>
#include <gnomon/stacks.h>
#include <gnomon_pmu.h>
#include <gnomon_unwind.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "profiler/stacks.h"

enum { COUNTER = 0 };
_Static_assert(GNOMON_IRQ_COUNTER == GNOMON_STACKS_INTERRUPT, "the host looks for this interrupt in the trace");

/* Neither is in bss, as those of the monitor (monitor.c). */
struct gnomon_stacks_request __gnomon_stacks_request __attribute__((section(".data.gnomon.monitor"), used));
struct gnomon_stacks_results __gnomon_stacks_results __attribute__((used, noinit));

static struct {
    struct gnomon_stack_head head;
    uint32_t addresses[GNOMON_STACKS_DEEPEST];
} found __attribute__((noinit));
static uint32_t scramble __attribute__((noinit)); /* random state: samples must not run in step with the program */

/* Weak: a program without threads, or without a heap, does not get these because of the monitor. */
extern uint32_t __gnomon_thread __attribute__((weak));
extern __typeof__(sbrk) sbrk __attribute__((weak));

static void send(uint32_t channel, uint32_t value) {
    *(volatile uint32_t *)(uintptr_t)(0u - 4u - 4u * channel) = value;
}

static uint32_t words_of(const struct gnomon_stack_head *stack) {
    return sizeof *stack / sizeof(uint32_t) + (stack->what & GNOMON_STACK_DEPTH);
}

static uint32_t entry_words(void) {
    return sizeof(struct gnomon_stack_head) / sizeof(uint32_t) + __gnomon_stacks_request.depth;
}

/* From half of the period to one and a half. */
static void await(void) {
    const uint32_t period = __gnomon_stacks_request.period;
    scramble = scramble * 1664525u + 1013904223u;
    const uint64_t distance = period / 2 + 1 + (uint32_t)((uint64_t)(scramble >> 8) * period >> 24);
    gnomon_counter_start(COUNTER, __gnomon_stacks_request.event, 0, 0 - distance);
}

/* ---- The table ---- */

/* If the host stops the hart here, it knows from `leaving` that the stack may have been sent, and is in the table. */
static void evict(struct gnomon_stack_head *stack) {
    const uint32_t *words = (const uint32_t *)stack;
    __gnomon_stacks_results.leaving = (uint32_t)(uintptr_t)stack;
    __asm__ volatile("" ::: "memory");
    send(GNOMON_CHANNEL_STACK, stack->what);
    send(GNOMON_CHANNEL_STACK_WORD, stack->count);
    for (uint32_t i = sizeof *stack / sizeof *words; i < words_of(stack); i++)
        send(GNOMON_CHANNEL_STACK_WORD, words[i]);
    __gnomon_stacks_results.evictions++;
    __asm__ volatile("" ::: "memory");
    stack->count = 0;
    __asm__ volatile("" ::: "memory");
    __gnomon_stacks_results.leaving = 0;
}

static uint32_t hash(void) {
    uint32_t value = found.head.what;
    for (uint32_t i = 0; i < (found.head.what & GNOMON_STACK_DEPTH); i++)
        value = (value ^ found.addresses[i]) * 0x9E3779B1u;
    return value ^ value >> 15;
}

static bool same(const struct gnomon_stack_head *stack) {
    return stack->count && stack->what == found.head.what &&
           memcmp(stack + 1, found.addresses, (found.head.what & GNOMON_STACK_DEPTH) * sizeof(uint32_t)) == 0;
}

static void count_stack(void) {
    const uint32_t size = entry_words();
    uint32_t *way = (uint32_t *)(uintptr_t)__gnomon_stacks_results.table;
    way += hash() % __gnomon_stacks_request.sets * GNOMON_STACKS_WAYS * size;
    struct gnomon_stack_head *least = (struct gnomon_stack_head *)way;
    for (unsigned i = 0; i < GNOMON_STACKS_WAYS; i++, way += size) {
        struct gnomon_stack_head *stack = (struct gnomon_stack_head *)way;
        if (same(stack)) {
            stack->count++;
            return;
        }
        if (stack->count < least->count)
            least = stack;
    }
    if (least->count)
        evict(least);
    memcpy(least + 1, found.addresses, (found.head.what & GNOMON_STACK_DEPTH) * sizeof(uint32_t));
    least->what = found.head.what;
    __asm__ volatile("" ::: "memory");
    least->count = 1;
}

/* ---- The walk ---- */

static void walk(const struct gnomon_frame *interrupted) {
    struct gnomon_walk walk;
    uint32_t depth = 0;
    bool more;
    gnomon_walk_begin(&walk, interrupted);
    do {
        found.addresses[depth++] = walk.frame.x[GNOMON_FRAME_PC];
        more = gnomon_walk_up(&walk);
    } while (more && depth < __gnomon_stacks_request.depth);
    const bool cut = walk.cut || more;
    const uint32_t thread = &__gnomon_thread ? __gnomon_thread : 0;
    found.head.what = depth | (cut ? GNOMON_STACK_CUT : 0) | thread << GNOMON_STACK_THREAD_SHIFT;
}

bool __gnomon_stacks_sample(const struct gnomon_frame *interrupted) {
    if (__gnomon_stacks_request.magic != GNOMON_STACKS_MAGIC)
        return false;
    gnomon_counter_acknowledge();
    walk(interrupted);
    count_stack();
    __gnomon_stacks_results.samples++;
    await();
    return true;
}

void __gnomon_stacks_start(void) {
    struct gnomon_stacks_request *request = &__gnomon_stacks_request;
    if (request->version != GNOMON_STACKS_VERSION)
        return;
    const uint32_t bytes = request->sets * GNOMON_STACKS_WAYS * entry_words() * (uint32_t)sizeof(uint32_t);
    void *table = sbrk ? sbrk((ptrdiff_t)((bytes + 15) & ~15u)) : (void *)-1;
    const bool good = table != (void *)-1;
    __gnomon_stacks_results = (struct gnomon_stacks_results){
        .magic = GNOMON_STACKS_MAGIC,
        .version = GNOMON_STACKS_VERSION,
        .state = good ? GNOMON_STACKS_ON : GNOMON_STACKS_NO_MEMORY,
        .table = good ? (uint32_t)(uintptr_t)table : 0,
        .bytes = good ? bytes : 0,
    };
    if (!good)
        return;
    memset(table, 0, bytes);
    scramble = request->seed;
    gnomon_irq_enable(GNOMON_IRQ_COUNTER);
    await();
    gnomon_interrupts_on();
}
