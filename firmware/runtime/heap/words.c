/* SPDX-License-Identifier: Apache-2.0 */
#include "heap/words.h"

#include <gnomon.h>

#include "heap/heap.h"
#include "locks/lock_word.h"

/* Not in .bss: the host writes it before the start. */
volatile uint32_t __gnomon_heap_watch = GNOMON_HEAP_WATCH_OFF;

bool __gnomon_heap_watches(void) {
    uint32_t hart;
    if (__gnomon_heap_watch != GNOMON_HEAP_WATCH_ON)
        return false;
    __asm__("csrr %0, mhartid" : "=r"(hart));
    return hart == 0;
}

void __gnomon_heap_words_empty(void) {
    const uint32_t before = gnomon_interrupts_off();
    const uint32_t places_log2 = __gnomon_lock_words_empty();
    gnomon_interrupts_restore(before);
    __gnomon_heap_tell((const void *)&__gnomon_heap_watch, GNOMON_HEAP_FOUND(GNOMON_HEAP_EMPTIED, places_log2));
}

/* False: it has no place. */
static bool add(uint32_t address, unsigned index, uint32_t *ways) {
    uint32_t way;
    const uint32_t before = gnomon_interrupts_off();
    const bool traced = __gnomon_lock_word_add(address, &way) == GNOMON_LOCK_WORD_TRACED;
    gnomon_interrupts_restore(before);
    if (traced)
        *ways |= (way + 1) << (GNOMON_HEAP_WAY_BITS * index);
    return traced;
}

/* The words from `first` on, as those of the block from number `index` on. */
static bool add_all(uint32_t first, unsigned count, unsigned index, uint32_t *ways) {
    bool all = true;
    for (unsigned i = 0; i < count; i++)
        all &= add(first + 4 * i, index + i, ways);
    return all;
}

bool __gnomon_heap_words_freed(const void *block, size_t size) {
    const size_t words = (size + 3) / 4;
    uint32_t ways = 0;
    const bool all =
        add_all((uintptr_t)block, words < GNOMON_HEAP_WATCHED_WORDS ? words : GNOMON_HEAP_WATCHED_WORDS, 0, &ways);
    __gnomon_heap_tell(block, GNOMON_HEAP_FOUND(GNOMON_HEAP_WATCHED, ways));
    return all;
}

bool __gnomon_heap_words_guards(const void *block, size_t size) {
    const uint32_t at = (uintptr_t)block, end = at + ((size + 3) & ~(size_t)3);
    uint32_t ways = 0;
    const bool before = add_all(at - 4, 1, 0, &ways), after = add_all(end, GNOMON_HEAP_WATCHED_GUARDS - 1, 1, &ways);
    __gnomon_heap_tell(block, GNOMON_HEAP_FOUND(GNOMON_HEAP_WATCHED, ways));
    return before && after;
}

void __gnomon_heap_words_forget(const void *block) {
    __gnomon_heap_tell(block, GNOMON_HEAP_FOUND(GNOMON_HEAP_FORGOTTEN, 0));
}
