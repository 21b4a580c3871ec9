/* SPDX-License-Identifier: Apache-2.0 */
/* Lock words (gnomon_locks.h): addresses whose accesses the device traces. Each hart has a table of its own. */
#include <gnomon.h>
#include <gnomon_locks.h>

#include "internal.h"

#define STATE GNOMON_REG(blocks + GNOMON_PROFILE_LOCK_WORD_PLACE)

/* Where the profiler's registers of this hart are, above those of hart 0. */
static uint32_t blocks_of_hart(void) {
    uint32_t hart;
    __asm__("csrr %0, mhartid" : "=r"(hart));
    return hart << 14;
}

enum gnomon_lock_word gnomon_lock_word(const volatile void *word) {
    const uint32_t address = (uint32_t)(uintptr_t)word & ~3u;
    enum gnomon_lock_word result = GNOMON_LOCK_WORD_TRACED;
    /* The device answers for the last address that it got, so that no other thread may come in between. */
    const uint32_t before = gnomon_interrupts_off(), blocks = blocks_of_hart();
    if (!(STATE & GNOMON_PROFILE_LOCK_WORD_PLACE_PRESENT)) {
        result = GNOMON_LOCK_WORD_UNSUPPORTED;
    } else {
        GNOMON_REG(blocks + GNOMON_PROFILE_LOCK_WORD) = address;
        while (STATE & GNOMON_PROFILE_LOCK_WORD_PLACE_BUSY)
            ;
        const uint32_t state = STATE, found = GNOMON_REG(blocks + GNOMON_PROFILE_LOCK_WORD);
        if (found == address)
            GNOMON_SEND(GNOMON_CHANNEL_LOCK_WORD, address | (state >> 8 & 3));
        else
            result = state & GNOMON_PROFILE_LOCK_WORD_PLACE_FULL ? GNOMON_LOCK_WORD_FULL : GNOMON_LOCK_WORD_ELSEWHERE;
    }
    gnomon_interrupts_restore(before);
    return result;
}
