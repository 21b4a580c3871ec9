/* SPDX-License-Identifier: Apache-2.0 */
/* Lock words (gnomon_locks.h): addresses whose accesses the device traces. Each hart has a table of its own. */
#include <gnomon.h>
#include <gnomon/heap.h>
#include <gnomon_locks.h>

#include "locks/lock_word.h"

/* Where the profiler's registers of this hart are, above those of hart 0. */
static uint32_t blocks_of_hart(void) {
    uint32_t hart;
    __asm__("csrr %0, mhartid" : "=r"(hart));
    return hart << 14;
}

#define STATE GNOMON_REG(blocks + GNOMON_PROFILE_LOCK_WORD_PLACE)

enum gnomon_lock_word __gnomon_lock_word_add(uint32_t address, uint32_t *way) {
    const uint32_t blocks = blocks_of_hart();
    if (!(STATE & GNOMON_PROFILE_LOCK_WORD_PLACE_PRESENT))
        return GNOMON_LOCK_WORD_UNSUPPORTED;
    GNOMON_REG(blocks + GNOMON_PROFILE_LOCK_WORD) = address;
    while (STATE & GNOMON_PROFILE_LOCK_WORD_PLACE_BUSY)
        ;
    const uint32_t state = STATE, found = GNOMON_REG(blocks + GNOMON_PROFILE_LOCK_WORD);
    *way = state >> 8 & 3;
    if (found == address)
        return GNOMON_LOCK_WORD_TRACED;
    return state & GNOMON_PROFILE_LOCK_WORD_PLACE_FULL ? GNOMON_LOCK_WORD_FULL : GNOMON_LOCK_WORD_ELSEWHERE;
}

uint32_t __gnomon_lock_words_empty(void) {
    const uint32_t blocks = blocks_of_hart();
    STATE = GNOMON_PROFILE_LOCK_WORD_PLACE_PRESENT;
    while (STATE & GNOMON_PROFILE_LOCK_WORD_PLACE_BUSY)
        ;
    return (STATE & GNOMON_PROFILE_LOCK_WORD_PLACE_LOG2) >> GNOMON_PROFILE_LOCK_WORD_PLACE_LOG2_SHIFT;
}

enum gnomon_lock_word gnomon_lock_word(const volatile void *word) {
    const uint32_t address = (uint32_t)(uintptr_t)word & ~3u;
    uint32_t way;
    if (&__gnomon_heap_watch && __gnomon_heap_watch == GNOMON_HEAP_WATCH_ON)
        return GNOMON_LOCK_WORD_UNSUPPORTED;
    const uint32_t before = gnomon_interrupts_off();
    const enum gnomon_lock_word result = __gnomon_lock_word_add(address, &way);
    if (result == GNOMON_LOCK_WORD_TRACED)
        GNOMON_SEND(GNOMON_CHANNEL_LOCK_WORD, address | way);
    gnomon_interrupts_restore(before);
    return result;
}
