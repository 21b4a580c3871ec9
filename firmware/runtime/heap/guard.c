/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon cc --gnomon-heap=guard links these wrappers in place of those in wrap_heap.c (lib/heap-guard.o): each block
 * has a guard before and after it, and a freed block is filled with a pattern and kept for a while. What has been
 * written there is told when the block is freed, when it is given back to libc, and at the end of the program. If the
 * host asked for it, the device traces accesses of what fits into its table of words: those of the latest blocks. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heap/heap.h"
#include "heap/lock.h"
#include "heap/words.h"
#include "internal.h"

enum {
    FRONT = 0xFB,
    TAIL = 0xFD,
    FREED = 0xDF,
    GUARD_BYTES = 8,
    MOST_QUARANTINE = 1 << 16, /* bytes; on a small device a sixteenth of main memory */
};
#define LIVE_MARK 0x4C495645u
#define FREED_MARK 0x46524545u

/* Before each block. */
struct header {
    uint32_t mark; /* LIVE_MARK or FREED_MARK, XOR the address of the block */
    uint32_t size;
    void *real; /* what libc gave */
    struct header *next, *previous;
    uint32_t table; /* the latest table that words of this block were added to; 0: none */
    uint8_t guard[GUARD_BYTES];
};

struct list {
    struct header *first, *last;
};
static struct list live, quarantine;
static size_t quarantined; /* bytes */

static uint8_t *block_of(struct header *header) {
    return (uint8_t *)(header + 1);
}

static size_t tail_of(const struct header *header) {
    return GUARD_BYTES + (-header->size & 3u);
}

/* Is this the header of a block with that mark? The program may have written anything there. */
static bool is_header(const struct header *header, uint32_t mark) {
    const uintptr_t at = (uintptr_t)header;
    return at % 8 == 0 && at >= (uintptr_t)__heap_start && at + sizeof *header < (uintptr_t)sbrk(0) &&
           header->mark == (mark ^ (uint32_t)(at + sizeof *header));
}

/* ---- Lists ---- */

static void append(struct list *list, struct header *header) {
    header->next = NULL;
    header->previous = list->last;
    *(list->last ? &list->last->next : &list->first) = header;
    list->last = header;
}

/* A neighbour whose header was overwritten is left out of the list, with all that follows it. */
static void take_out(struct list *list, struct header *header, uint32_t mark) {
    struct header *next = header->next, *previous = header->previous;
    if (next && !is_header(next, mark))
        next = NULL;
    if (previous && !is_header(previous, mark))
        previous = NULL;
    *(previous ? &previous->next : &list->first) = next;
    *(next ? &next->previous : &list->last) = previous;
}

/* ---- Watched words ---- */

/* The device's table is filled again when it is full, or when too many of its words are of blocks given back. */
static uint32_t table;          /* how often it was emptied */
static uint32_t watched, stale; /* blocks with words in it, and those among them that were given back */

static bool add_words(struct header *header) {
    const bool live_block = header->mark == (LIVE_MARK ^ (uint32_t)(uintptr_t)block_of(header));
    header->table = table;
    watched++;
    return live_block ? __gnomon_heap_words_guards(block_of(header), header->size)
                      : __gnomon_heap_words_freed(block_of(header), header->size);
}

static void add_latest(const struct list *list, uint32_t mark, uint32_t most) {
    for (struct header *header = list->last; header && most-- && is_header(header, mark); header = header->previous)
        add_words(header);
}

/* With half as many blocks as there were, so that most of the time a new one finds places. */
static void fill_again(void) {
    const uint32_t most = watched / 4 + 1;
    __gnomon_heap_words_empty();
    table++;
    watched = stale = 0;
    add_latest(&quarantine, FREED_MARK, most);
    add_latest(&live, LIVE_MARK, most);
}

/* The block is the latest of its list. */
static void watch(struct header *header) {
    enum { SOME = 16 };
    if (!__gnomon_heap_watches())
        return;
    if (!table || !add_words(header) || stale > watched / 2 + SOME)
        fill_again();
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
    for (struct header *header = live.first; header && is_header(header, LIVE_MARK); header = header->next)
        check_guards(header);
    for (struct header *header = quarantine.first; header && is_header(header, FREED_MARK); header = header->next)
        check_freed(header);
    heap_end(outer);
}

/* ---- Quarantine ---- */

void __real_free(void *block);

static size_t room(void) {
    const size_t share = GNOMON_REG(GNOMON_SYSCTL_RAM_BYTES) / 16;
    return share < MOST_QUARANTINE ? share : MOST_QUARANTINE;
}

/* Gives the oldest blocks back to libc until `most` bytes are left. */
static void release(size_t most) {
    while (quarantined > most && quarantine.first) {
        struct header *header = quarantine.first;
        if (!is_header(header, FREED_MARK)) { /* overwritten: what follows it is not known */
            quarantine = (struct list){0};
            quarantined = 0;
            return;
        }
        forget(header);
        check_freed(header);
        take_out(&quarantine, header, FREED_MARK);
        quarantined -= sizeof *header + header->size;
        header->mark = 0;
        __real_free(header->real);
    }
}

/* ---- Allocation ---- */

void *__real_malloc(size_t size);
void *__real_memalign(size_t alignment, size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);

static void *take(size_t alignment, size_t size) {
    return alignment > sizeof(struct header) ? __real_memalign(alignment, size) : __real_malloc(size);
}

/* NULL: no memory. `alignment` is a power of two. */
static void *allocate(size_t alignment, size_t size) {
    const size_t front = alignment > sizeof(struct header) ? alignment : sizeof(struct header);
    const size_t padded = ((size + 3) & ~(size_t)3) + GUARD_BYTES;
    size_t whole;
    if (padded < size || __builtin_add_overflow(front, padded, &whole))
        return NULL;
    uint8_t *real = take(alignment, whole);
    if (!real) {
        release(0);
        real = take(alignment, whole);
    }
    if (!real)
        return NULL;
    struct header *header = (struct header *)(void *)(real + front) - 1;
    *header = (struct header){.mark = LIVE_MARK ^ (uint32_t)(uintptr_t)(header + 1), .size = size, .real = real};
    memset(header->guard, FRONT, sizeof header->guard);
    memset(block_of(header) + size, TAIL, tail_of(header));
    append(&live, header);
    return block_of(header);
}

static void *allocate_and_tell(size_t alignment, size_t size) {
    void *block = allocate(alignment, size);
    heap_allocated(block, size);
    if (block)
        watch((struct header *)block - 1);
    return block;
}

/* What has no header of a live block is not freed. It is one whose header was overwritten, or was freed already, or is
 * none: the host knows which. */
static void give_up(void *block) {
    struct header *header = (struct header *)block - 1;
    if (!is_header(header, LIVE_MARK)) {
        if (!is_header(header, FREED_MARK))
            tell(header, GNOMON_HEAP_BEFORE_START, GUARD_BYTES);
        GNOMON_SEND(GNOMON_CHANNEL_HEAP_FREE, (uintptr_t)block);
        return;
    }
    forget(header);
    check_guards(header);
    GNOMON_SEND(GNOMON_CHANNEL_HEAP_FREE, (uintptr_t)block);
    take_out(&live, header, LIVE_MARK);
    memset(block, FREED, header->size);
    header->mark = FREED_MARK ^ (uint32_t)(uintptr_t)block;
    append(&quarantine, header);
    quarantined += sizeof *header + header->size;
    watch(header);
    release(room());
}

WRAPPED(void *, malloc, size_t size) {
    const bool outer = heap_begin();
    void *block = outer ? allocate_and_tell(1, size) : __real_malloc(size);
    heap_end(outer);
    return block;
}

WRAPPED(void *, calloc, size_t count, size_t size) {
    const bool outer = heap_begin();
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    void *block = outer ? allocate_and_tell(1, bytes) : __real_calloc(count, size);
    heap_end(outer);
    if (outer && block)
        memset(block, 0, bytes);
    return block;
}

/* The new block is always another one. */
static void *move(void *old, size_t size) {
    const struct header *header = (struct header *)old - 1;
    void *block = NULL;
    if (size && (!old || is_header(header, LIVE_MARK))) {
        block = allocate_and_tell(1, size);
        if (!block)
            return NULL;
        if (old)
            memcpy(block, old, size < header->size ? size : header->size);
    }
    if (old)
        give_up(old);
    return block;
}

WRAPPED(void *, realloc, void *old, size_t size) {
    const bool outer = heap_begin();
    void *block = outer ? move(old, size) : __real_realloc(old, size);
    heap_end(outer);
    return block;
}

WRAPPED(void *, memalign, size_t alignment, size_t size) {
    const bool outer = heap_begin();
    void *block = outer ? allocate_and_tell(alignment, size) : __real_memalign(alignment, size);
    heap_end(outer);
    return block;
}

WRAPPED(void *, aligned_alloc, size_t alignment, size_t size) {
    return __wrap_memalign(alignment, size);
}

WRAPPED(int, posix_memalign, void **block, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)))
        return EINVAL;
    void *made = __wrap_memalign(alignment, size);
    if (!made)
        return ENOMEM;
    *block = made;
    return 0;
}

WRAPPED(size_t, malloc_usable_size, void *block) {
    const struct header *header = (struct header *)block - 1;
    return block && is_header(header, LIVE_MARK) ? header->size : 0;
}

void __gnomon_heap_free(void *block) {
    const bool outer = heap_begin();
    if (!outer)
        __real_free(block);
    else if (block)
        give_up(block);
    heap_end(outer);
}
