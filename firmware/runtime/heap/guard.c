/* SPDX-License-Identifier: Apache-2.0 */
/* Guards around blocks (guard.h): what has been written there is told when the block is freed, when it is given back to
 * where it came from, and at the end of the program. If the host asked for it, the device traces accesses of what fits
 * into its table of words: those of the latest blocks. */
#include "heap/guard.h"

#include <string.h>

#include "heap/heap.h"
#include "heap/lock.h"
#include "heap/words.h"
#include "internal.h"

enum {
    FRONT = 0xFB,
    TAIL = 0xFD,
    FREED = 0xDF,
    GUARD_BYTES = 8,
};
#define LIVE_MARK 0x4C495645u
#define FREED_MARK 0x46524545u

/* Before each block. */
struct header {
    uint32_t mark; /* mark_of LIVE_MARK or FREED_MARK */
    uint32_t size;
    void *real; /* what the pool gave */
    struct header *next, *previous;
    uint32_t table; /* the latest table that words of this block were added to; 0: none */
    uint8_t guard[GUARD_BYTES];
};

static struct heap_pool *pools; /* that have had a block */

/* FreeRTOS, whose tasks may use several pools, lets no other task run meanwhile. */
void vTaskSuspendAll(void) __attribute__((weak));
long xTaskResumeAll(void) __attribute__((weak));

bool __gnomon_guard_begin(void) {
    if (vTaskSuspendAll)
        vTaskSuspendAll();
    return heap_begin();
}

void __gnomon_guard_end(bool outer) {
    heap_end(outer);
    if (vTaskSuspendAll)
        xTaskResumeAll();
}

static uint8_t *block_of(struct header *header) {
    return (uint8_t *)(header + 1);
}

static struct header *header_of(void *block) {
    return (struct header *)block - 1;
}

static size_t tail_of(const struct header *header) {
    return GUARD_BYTES + (-header->size & 3u);
}

static uint32_t mark_of(const struct heap_pool *pool, const struct header *header, uint32_t mark) {
    return mark ^ (uint32_t)(uintptr_t)(header + 1) ^ (uint32_t)(uintptr_t)pool;
}

/* Is this the header of a block of the pool with that mark? The program may have written anything there. */
static bool is_header(const struct heap_pool *pool, const struct header *header, uint32_t mark) {
    const uintptr_t at = (uintptr_t)header, offset = at - GNOMON_REG(GNOMON_SYSCTL_RAM_BASE);
    return at % 8 == 0 && offset < GNOMON_REG(GNOMON_SYSCTL_RAM_BYTES) - sizeof *header &&
           header->mark == mark_of(pool, header, mark);
}

/* ---- Lists ---- */

static void append(struct heap_list *list, struct header *header) {
    header->next = NULL;
    header->previous = list->last;
    *(list->last ? &list->last->next : &list->first) = header;
    list->last = header;
}

/* A neighbour whose header was overwritten is left out of the list, with all that follows it. */
static void take_out(struct heap_pool *pool, struct heap_list *list, struct header *header, uint32_t mark) {
    struct header *next = header->next, *previous = header->previous;
    if (next && !is_header(pool, next, mark))
        next = NULL;
    if (previous && !is_header(pool, previous, mark))
        previous = NULL;
    *(previous ? &previous->next : &list->first) = next;
    *(next ? &next->previous : &list->last) = previous;
}

/* ---- Watched words ---- */

/* The device's table is filled again when it is full, or when too many of its words are of blocks given back. */
static uint32_t table;          /* how often it was emptied */
static uint32_t watched, stale; /* blocks with words in it, and those among them that were given back */

static bool add_words(struct header *header, uint32_t mark) {
    header->table = table;
    watched++;
    return mark == LIVE_MARK ? __gnomon_heap_words_guards(block_of(header), header->size)
                             : __gnomon_heap_words_freed(block_of(header), header->size);
}

static void add_latest(const struct heap_pool *pool, const struct heap_list *list, uint32_t mark, uint32_t most) {
    for (struct header *header = list->last; header && most-- && is_header(pool, header, mark);
         header = header->previous)
        add_words(header, mark);
}

/* With half as many blocks as there were, so that most of the time a new one finds places. The block of that list is
 * the first to get its places. */
static void fill_again(const struct heap_pool *first) {
    const uint32_t most = watched / 4 + 1;
    __gnomon_heap_words_empty();
    table++;
    watched = stale = 0;
    add_latest(first, &first->quarantine, FREED_MARK, most);
    add_latest(first, &first->live, LIVE_MARK, most);
    for (const struct heap_pool *pool = pools; pool; pool = pool->next)
        if (pool != first) {
            add_latest(pool, &pool->quarantine, FREED_MARK, most);
            add_latest(pool, &pool->live, LIVE_MARK, most);
        }
}

/* The block is the latest of its list. */
static void watch(const struct heap_pool *pool, struct header *header, uint32_t mark) {
    enum { SOME = 16 };
    if (!__gnomon_heap_watches())
        return;
    if (!table || !add_words(header, mark) || stale > watched / 2 + SOME)
        fill_again(pool);
}

/* Its words are accessed by what is not the program from now on, or belong to another block soon. */
static void forget(struct header *header) {
    if (!table || header->table != table)
        return;
    __gnomon_heap_words_forget(block_of(header));
    header->table = 0;
    stale++;
}

/* ---- Checks ---- */

static void tell(struct header *header, uint32_t kind, size_t offset) {
    __gnomon_heap_tell(block_of(header), GNOMON_HEAP_FOUND(kind, offset));
}

static bool is_word_of(const uint8_t *bytes, uint8_t value) {
    uint32_t word;
    if ((uintptr_t)bytes % sizeof word)
        return false;
    memcpy(&word, __builtin_assume_aligned(bytes, sizeof word), sizeof word);
    return word == value * 0x01010101u;
}

/* The first of the bytes that is not `value`; `count`: all are. It reads words where it can: each read of a watched one
 * is an event. */
static size_t first_other(const uint8_t *bytes, size_t count, uint8_t value) {
    size_t i = 0;
    while (i < count) {
        if (count - i >= 4 && is_word_of(bytes + i, value))
            i += 4;
        else if (bytes[i] == value)
            i++;
        else
            break;
    }
    return i;
}

/* Bytes from the block back to the nearest one that was written; GUARD_BYTES: none was. */
static size_t written_before(const struct header *header) {
    size_t before = 0;
    if (first_other(header->guard, GUARD_BYTES, FRONT) == GUARD_BYTES)
        return GUARD_BYTES;
    while (header->guard[GUARD_BYTES - 1 - before] == FRONT)
        before++;
    return before;
}

static void check_guards(struct header *header) {
    const size_t tail = tail_of(header), after = first_other(block_of(header) + header->size, tail, TAIL);
    const size_t before = written_before(header);
    if (after < tail)
        tell(header, GNOMON_HEAP_AFTER_END, after);
    if (before < GUARD_BYTES)
        tell(header, GNOMON_HEAP_BEFORE_START, before);
}

static void check_freed(struct header *header) {
    const size_t at = first_other(block_of(header), header->size, FREED);
    if (at < header->size)
        tell(header, GNOMON_HEAP_AFTER_FREE, at);
}

void __gnomon_heap_verify(void) {
    const bool outer = heap_begin();
    if (__gnomon_heap_watches())
        __gnomon_heap_words_empty();
    for (const struct heap_pool *pool = pools; pool; pool = pool->next) {
        for (struct header *at = pool->live.first; at && is_header(pool, at, LIVE_MARK); at = at->next)
            check_guards(at);
        for (struct header *at = pool->quarantine.first; at && is_header(pool, at, FREED_MARK); at = at->next)
            check_freed(at);
    }
    heap_end(outer);
}

/* ---- Quarantine ---- */

void __gnomon_guard_release(struct heap_pool *pool, size_t most) {
    while (pool->quarantined > most && pool->quarantine.first) {
        struct header *header = pool->quarantine.first;
        if (!is_header(pool, header, FREED_MARK)) { /* overwritten: what follows it is not known */
            pool->quarantine = (struct heap_list){0};
            pool->quarantined = 0;
            return;
        }
        forget(header);
        check_freed(header);
        take_out(pool, &pool->quarantine, header, FREED_MARK);
        pool->quarantined -= sizeof *header + header->size;
        header->mark = 0;
        pool->give(header->real);
    }
}

/* ---- Allocation ---- */

static void *take(struct heap_pool *pool, size_t alignment, size_t size) {
    void *real = pool->take(alignment, size);
    if (real)
        return real;
    __gnomon_guard_release(pool, 0);
    return pool->take(alignment, size);
}

/* NULL: no memory. */
static struct header *allocate(struct heap_pool *pool, size_t alignment, size_t size) {
    const size_t front = alignment > sizeof(struct header) ? alignment : sizeof(struct header);
    const size_t padded = ((size + 3) & ~(size_t)3) + GUARD_BYTES;
    size_t whole;
    if (padded < size || __builtin_add_overflow(front, padded, &whole))
        return NULL;
    uint8_t *real = take(pool, alignment > sizeof(struct header) ? alignment : 1, whole);
    if (!real)
        return NULL;
    struct header *header = (struct header *)(void *)(real + front) - 1;
    *header = (struct header){.mark = mark_of(pool, header, LIVE_MARK), .size = size, .real = real};
    memset(header->guard, FRONT, sizeof header->guard);
    memset(block_of(header) + size, TAIL, tail_of(header));
    if (!pool->listed) {
        pool->next = pools;
        pools = pool;
        pool->listed = true;
    }
    append(&pool->live, header);
    return header;
}

void *__gnomon_guard_allocate(struct heap_pool *pool, size_t alignment, size_t size) {
    struct header *header = allocate(pool, alignment, size);
    void *block = header ? block_of(header) : NULL;
    heap_allocated(block, size);
    if (header)
        watch(pool, header, LIVE_MARK);
    return block;
}

bool __gnomon_guard_size(const struct heap_pool *pool, void *block, size_t *size) {
    const struct header *header = header_of(block);
    if (!is_header(pool, header, LIVE_MARK))
        return false;
    *size = header->size;
    return true;
}

void __gnomon_guard_free(struct heap_pool *pool, void *block) {
    struct header *header = header_of(block);
    if (!is_header(pool, header, LIVE_MARK)) {
        if (!is_header(pool, header, FREED_MARK))
            tell(header, GNOMON_HEAP_BEFORE_START, GUARD_BYTES);
        GNOMON_SEND(GNOMON_CHANNEL_HEAP_FREE, (uintptr_t)block);
        return;
    }
    forget(header);
    check_guards(header);
    GNOMON_SEND(GNOMON_CHANNEL_HEAP_FREE, (uintptr_t)block);
    take_out(pool, &pool->live, header, LIVE_MARK);
    memset(block, FREED, header->size);
    header->mark = mark_of(pool, header, FREED_MARK);
    append(&pool->quarantine, header);
    pool->quarantined += sizeof *header + header->size;
    watch(pool, header, FREED_MARK);
    __gnomon_guard_release(pool, pool->room());
}
