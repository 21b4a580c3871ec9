/* SPDX-License-Identifier: Apache-2.0 */
/* Tags from the program's side: tags of its own instructions and words, set by registers and by hints; their counts,
 * and their use as filters. */
#include <gnomon.h>
#include <gnomon/registers.h>
#include <gnomon_pmu.h>

#include "check.h"

#define KEEP __attribute__((noipa)) GNOMON_OFF
#define REGISTER(address) (*(volatile uint32_t *)(address))

enum { BLOCK = 1 << 16, BLOCKS = 16, FIRST = 1, BRANCH = 2, WORD = 3, HINT = 5, AFTER = 6 };

/* N times two instructions of four bytes, the first one at `tagged_loop`. */
__attribute__((naked, aligned(4))) KEEP void tagged_loop(unsigned n) {
    (void)n;
    __asm__(".option push\n\t.option norvc\n1: addi a0, a0, -1\n\tbne a0, zero, 1b\n\tret\n\t.option pop");
}
__attribute__((naked, aligned(4))) KEEP void hinted(void) {
    __asm__(".option push\n\t.option norvc\n\tslti zero, zero, 0x465\n\taddi t0, zero, 1\n\taddi t0, zero, "
            "1\n\tret\n\t.option pop");
}
volatile uint32_t words[4];
/* A function that the program stores to: `ret`, of two bytes, twice. */
volatile uint32_t code = 0x80828082;

static void settle(void) {
    while (REGISTER(GNOMON_TAGS_STATUS) & GNOMON_TAGS_STATUS_BUSY)
        ;
}
KEEP static void tag(const volatile void *where, uint32_t tags) {
    REGISTER(GNOMON_TAGS_ADDRESS) = (uint32_t)where;
    settle();
    CHECK(!(REGISTER(GNOMON_TAGS_STATUS) & (tags >> GNOMON_TAGS_TAG_DATA_SHIFT ? GNOMON_TAGS_STATUS_UNMAPPED_DATA
                                                                               : GNOMON_TAGS_STATUS_UNMAPPED_CODE)));
    REGISTER(GNOMON_TAGS_TAG) = tags;
    settle();
}
static void map(uint32_t first_block, const volatile void *where) {
    REGISTER(first_block + (uint32_t)where / BLOCK % BLOCKS * 4) =
        ((uint32_t)where & -(BLOCK * BLOCKS)) | GNOMON_TAGS_CODE_BLOCK_VALID;
}
static uint32_t tags_of(const volatile void *where) {
    REGISTER(GNOMON_TAGS_ADDRESS) = (uint32_t)where;
    settle();
    return REGISTER(GNOMON_TAGS_TAG);
}
/* Waits until all retired instructions are counted: two rounds. */
KEEP static void pause(void) {
    const uint32_t first = REGISTER(GNOMON_TAGS_STATUS) & GNOMON_TAGS_STATUS_ROUNDS;
    while (((REGISTER(GNOMON_TAGS_STATUS) - first) & GNOMON_TAGS_STATUS_ROUNDS) < 2u << GNOMON_TAGS_STATUS_ROUNDS_SHIFT)
        ;
}
static uint32_t value(uint32_t first, unsigned tag) {
    pause();
    return REGISTER(first + 32 * tag);
}
#define EXECUTIONS(tag) value(GNOMON_TAGS_VALUE_EXECUTIONS_LO, tag)

static void counts(void) {
    gnomon_counter_start(0, GNOMON_EVENT_TAGGED, 0, 0);
    gnomon_counter_start(1, GNOMON_EVENT_BRANCHES | GNOMON_ONLY_TAGGED, 0, 0);
    gnomon_counter_start(2, GNOMON_EVENT_RETIRED | GNOMON_ONLY_TAGGED, 0, 0);
    tagged_loop(100);
    tagged_loop(1);
    CHECK(EXECUTIONS(FIRST) == 101 && EXECUTIONS(BRANCH) == 101);
    CHECK(value(GNOMON_TAGS_VALUE_CYCLES_LO, FIRST) >= 101 && value(GNOMON_TAGS_VALUE_CYCLES_LO, BRANCH) >= 101);
    CHECK(gnomon_counter_read(0) == 101 && gnomon_counter_read(1) == 101 && gnomon_counter_read(2) == 101);
    for (unsigned i = 0; i < 10; i++)
        words[i % 4] = words[1] + i;
    CHECK(value(GNOMON_TAGS_VALUE_READS_LO, WORD) == 10 && value(GNOMON_TAGS_VALUE_WRITES_LO, WORD) == 3);
}

static void hints(void) {
    hinted();
    CHECK(EXECUTIONS(HINT) == 0 && REGISTER(GNOMON_TAGS_HINTED) == 0); /* hints are disabled: no-operations */
    REGISTER(GNOMON_TAGS_CONTROL) = GNOMON_TAGS_CONTROL_ENABLE | GNOMON_TAGS_CONTROL_HINTS;
    hinted();
    hinted();
    CHECK(EXECUTIONS(HINT) == 2 && REGISTER(GNOMON_TAGS_HINTED) == 2 && REGISTER(GNOMON_TAGS_HINTS_LOST) == 0);
}

static void stores(void) {
    tag(&code, FIRST | BRANCH << 5 | AFTER << 10);
    code = 0x80828082;
    pause();
    CHECK(REGISTER(GNOMON_TAGS_CLEARED) == 1 && REGISTER(GNOMON_TAGS_CLEARED_ADDRESS) == (uint32_t)&code);
    CHECK(tags_of(&code) == AFTER << 10);
    /* A write to TAG directly after a store takes effect after the store. */
    tag(&code, FIRST);
    REGISTER(GNOMON_TAGS_ADDRESS) = (uint32_t)&code;
    settle();
    code = 0x80828082;
    REGISTER(GNOMON_TAGS_TAG) = BRANCH << 5;
    settle();
    pause();
    CHECK(REGISTER(GNOMON_TAGS_CLEARED) == 2 && tags_of(&code) == BRANCH << 5);
}

int main(void) {
    uint32_t config = REGISTER(GNOMON_TAGS_CONFIG);
    CHECK(config & GNOMON_TAGS_CONFIG_PRESENT && (config & GNOMON_TAGS_CONFIG_SHADOW_LOG2) == 18);
    while (!(REGISTER(GNOMON_TAGS_STATUS) & GNOMON_TAGS_STATUS_READY))
        ;
    map(GNOMON_TAGS_CODE_BLOCK, (const volatile void *)tagged_loop);
    map(GNOMON_TAGS_CODE_BLOCK, &code);
    map(GNOMON_TAGS_DATA_BLOCK, &code);
    map(GNOMON_TAGS_DATA_BLOCK, words);
    REGISTER(GNOMON_TAGS_MODE + 4 * FIRST) = GNOMON_TAGS_MODE_EXECUTE;
    REGISTER(GNOMON_TAGS_MODE + 4 * BRANCH) = GNOMON_TAGS_MODE_EXECUTE | GNOMON_TAGS_MODE_TAGGED;
    REGISTER(GNOMON_TAGS_MODE + 4 * WORD) = GNOMON_TAGS_MODE_READ | GNOMON_TAGS_MODE_WRITE;
    REGISTER(GNOMON_TAGS_MODE + 4 * HINT) = GNOMON_TAGS_MODE_EXECUTE;
    tag((const volatile void *)tagged_loop, FIRST);
    tag((const volatile char *)tagged_loop + 4, BRANCH);
    tag(words + 1, WORD << 10);
    REGISTER(GNOMON_TAGS_CONTROL) = GNOMON_TAGS_CONTROL_ENABLE;
    counts();
    hints();
    stores();
    CHECK((REGISTER(GNOMON_TAGS_STATUS) & (GNOMON_TAGS_STATUS_SATURATED | GNOMON_TAGS_STATUS_MISSED)) == 0);
    CHECK(REGISTER(GNOMON_TAGS_TIMERS_LOST) == 0);
    REGISTER(GNOMON_TAGS_CONTROL) = 0;
    tagged_loop(10);
    CHECK(EXECUTIONS(FIRST) == 101);
    return check_failed;
}
