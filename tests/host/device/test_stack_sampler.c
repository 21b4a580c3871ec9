/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks that a program's monitor sends in the trace: whole ones count; those of which words may be missing, and
 * those that make no sense, do not. The time of its interrupts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/run/stack_sampler.h"

enum { DEPTH = 3, TIMER = 0x27, COUNTER = 0x20 | GNOMON_STACKS_INTERRUPT };

static struct gnomon_samples samples;
static struct gnomon_stack_sampler sampler;

static int begin(void **state) {
    (void)state;
    samples = (struct gnomon_samples){.period = 1};
    sampler = (struct gnomon_stack_sampler){.samples = &samples, .depth = DEPTH};
    return 0;
}

static int end(void **state) {
    (void)state;
    gnomon_samples_free(&samples);
    return 0;
}

static void send(uint32_t channel, uint32_t value) {
    gnomon_stack_sampler_event(&sampler,
                               &(struct gnomon_event){.type = GNOMON_EVENT_CHANNEL, .number = channel, .value = value});
}

static void event(enum gnomon_event_type type, uint32_t number, uint64_t cycle) {
    gnomon_stack_sampler_event(&sampler, &(struct gnomon_event){.type = type, .number = number, .cycle = cycle});
}

/* The first `words` words of a stack of thread 2 with four samples. */
static void send_words(unsigned words) {
    static const uint32_t stack[] = {4, 0x100, 0x200, 0x300};
    send(GNOMON_CHANNEL_STACK, 2u << GNOMON_STACK_THREAD_SHIFT | DEPTH);
    for (unsigned i = 0; i < words; i++)
        send(GNOMON_CHANNEL_STACK_WORD, stack[i]);
}

static void whole(void **state) {
    static const uint32_t addresses[] = {0x100, 0x200, 0x300};
    (void)state;
    send_words(1 + DEPTH);
    send(GNOMON_CHANNEL_MARK, 7);
    send_words(1 + DEPTH);
    assert_true(gnomon_samples_merge(&samples));
    assert_int_equal(samples.count, 1);
    assert_int_equal(samples.list[0].thread, 2);
    assert_int_equal(samples.list[0].count, 8);
    assert_int_equal(samples.list[0].depth, DEPTH);
    assert_memory_equal(samples.addresses, addresses, sizeof addresses);
    assert_int_equal(samples.cut, 0);
}

/* Other messages may come between the words; whatever can have dropped one ends the stack. */
static void in_part(void **state) {
    static const enum gnomon_event_type drops[] = {GNOMON_EVENT_LOST, GNOMON_EVENT_GAP, GNOMON_EVENT_DAMAGE};
    (void)state;
    for (size_t i = 0; i < sizeof drops / sizeof *drops; i++) {
        send_words(2);
        event(drops[i], 0, 0);
        send(GNOMON_CHANNEL_STACK_WORD, 0x200);
        send(GNOMON_CHANNEL_STACK_WORD, 0x300);
    }
    send_words(DEPTH); /* one word too few */
    send_words(2);
    assert_int_equal(samples.count, 0);
    send(GNOMON_CHANNEL_STACK_WORD, 0x200);
    send(GNOMON_CHANNEL_STACK_WORD, 0x300);
    send(GNOMON_CHANNEL_STACK_WORD, 0x400); /* of no stack */
    assert_int_equal(gnomon_samples_kept(&samples), 4);
}

static void no_sense(void **state) {
    (void)state;
    send(GNOMON_CHANNEL_STACK, 0);
    send(GNOMON_CHANNEL_STACK_WORD, 1);
    send(GNOMON_CHANNEL_STACK, DEPTH + 1);
    for (unsigned i = 0; i < DEPTH + 2; i++)
        send(GNOMON_CHANNEL_STACK_WORD, 1);
    send(GNOMON_CHANNEL_STACK, GNOMON_STACK_DEPTH);
    for (unsigned i = 0; i < 2 * GNOMON_STACKS_DEEPEST; i++)
        send(GNOMON_CHANNEL_STACK_WORD, 1);
    send(GNOMON_CHANNEL_STACK, 1); /* a stack without samples */
    send(GNOMON_CHANNEL_STACK_WORD, 0);
    send(GNOMON_CHANNEL_STACK_WORD, 0x100);
    assert_int_equal(samples.count, 0);
    send(GNOMON_CHANNEL_STACK, 0xFFFFu << GNOMON_STACK_THREAD_SHIFT | GNOMON_STACK_CUT | 1);
    send(GNOMON_CHANNEL_STACK_WORD, 3);
    send(GNOMON_CHANNEL_STACK_WORD, 0x101);
    assert_int_equal(samples.list[0].thread, GNOMON_SAMPLED_OTHER);
    assert_int_equal(samples.addresses[0], 0x100);
    assert_int_equal(samples.cut, 3);
}

static void cost(void **state) {
    (void)state;
    event(GNOMON_EVENT_TRAP_ENTER, COUNTER, 100);
    event(GNOMON_EVENT_TRAP_LEAVE, 0, 130);
    event(GNOMON_EVENT_TRAP_ENTER, TIMER, 200);
    event(GNOMON_EVENT_TRAP_LEAVE, 0, 260);
    event(GNOMON_EVENT_TRAP_LEAVE, 0, 270);
    event(GNOMON_EVENT_TRAP_ENTER, COUNTER, 300);
    event(GNOMON_EVENT_TRAP_LEAVE, 0, 301);
    assert_int_equal(samples.cost, 31);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whole, begin, end),
        cmocka_unit_test_setup_teardown(in_part, begin, end),
        cmocka_unit_test_setup_teardown(no_sense, begin, end),
        cmocka_unit_test_setup_teardown(cost, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
