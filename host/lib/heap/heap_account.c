/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/heap/heap_account.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gnomon/heap.h"
#include "lib/heap/heap_words.h"
#include "lib/profile/call_sites.h"
#include "lib/profile/profile.h"
#include "lib/util/array.h"

/* An address that was a block's. */
struct place {
    bool live;
    bool counted; /* allocated between the marks */
    bool watched; /* accesses of its words in the device's table are mistakes */
    struct gnomon_heap_block block;
    uint32_t freed_by; /* site; NO_SITE: not freed yet */
    uint64_t freed_cycle;
    uint64_t born; /* number of peaks before it was allocated */
};

struct gnomon_heap {
    struct gnomon_heap_results results;
    struct call_sites sites; /* of struct gnomon_heap_site */
    struct profile_map place_map;
    struct place *places;
    size_t place_room;
    struct gnomon_heap_mistake *mistakes;
    size_t mistake_room;
    struct gnomon_heap_words words;
    struct profile_map use_map; /* of a site, a block and what was done to it */
    size_t *uses;               /* the latest mistake of that kind */
    size_t use_room;
    struct profile_map thread_map; /* threads that do not want their blocks checked for leaks, or did not */
    uint32_t *unchecked;           /* how many times they have said so */
    size_t unchecked_room;
    struct gnomon_heap_block *live;
    struct gnomon_heap_extent *since_peak; /* blocks that were live at the latest peak, and have been freed */
    size_t since_count, since_room;
    uint64_t epoch;                     /* number of peaks so far */
    uint32_t address[GNOMON_MAX_HARTS]; /* of HEAP_ADDR, until HEAP_ALLOC */
    bool addressed[GNOMON_MAX_HARTS];
    bool lost; /* messages can be missing: an unknown block is no mistake */
    struct gnomon_heap_span span;
};

struct gnomon_heap *gnomon_heap_new(void) {
    struct gnomon_heap *heap = calloc(1, sizeof *heap);
    if (heap) {
        heap->span = (struct gnomon_heap_span)GNOMON_HEAP_WHOLE_RUN;
        heap->sites.size = sizeof(struct gnomon_heap_site);
        heap->results.began = true;
        heap->results.lowest = UINT32_MAX;
    }
    return heap;
}

void gnomon_heap_free(struct gnomon_heap *heap) {
    if (!heap)
        return;
    call_sites_free(&heap->sites);
    profile_map_free(&heap->place_map);
    free(heap->places);
    free(heap->mistakes);
    profile_map_free(&heap->use_map);
    free(heap->uses);
    profile_map_free(&heap->thread_map);
    free(heap->unchecked);
    free(heap->live);
    free(heap->since_peak);
    gnomon_heap_sizes_free(&heap->results.by_function);
    free(heap);
}

void gnomon_heap_set_span(struct gnomon_heap *heap, const struct gnomon_heap_span *span) {
    heap->span = *span;
    heap->results.began = span->from < 0;
}

/* ---- Sites ---- */

static_assert(offsetof(struct gnomon_heap_site, parent) == offsetof(struct call_site, parent) &&
                  offsetof(struct gnomon_heap_site, id) == offsetof(struct call_site, id),
              "a site begins with a call site");
static_assert(GNOMON_HEAP_NO_SITE == PROFILE_MAP_NONE, "the parent of an outermost function");

static struct gnomon_heap_site *site_at(const struct gnomon_heap *heap, uint32_t site) {
    return (struct gnomon_heap_site *)heap->sites.list + site;
}

/* PROFILE_MAP_NONE: out of memory. */
static uint32_t site_of(struct gnomon_heap *heap, const struct gnomon_heap_stack *stack) {
    return call_sites_find(&heap->sites, stack->ids, stack->count);
}

/* What was live at the latest peak: as long as nothing changes at a site, that is what is live there now. */
static void settle_peak(const struct gnomon_heap *heap, struct gnomon_heap_site *site) {
    if (site->epoch == heap->epoch)
        return;
    site->epoch = heap->epoch;
    site->figures.peak_blocks = gnomon_heap_live_blocks(&site->figures);
    site->figures.peak_bytes = gnomon_heap_live_bytes(&site->figures);
}

/* ---- Blocks ---- */

static void count_allocation(struct gnomon_heap_figures *figures, uint32_t size) {
    figures->blocks++;
    figures->bytes += size;
}

static void count_free(struct gnomon_heap_figures *figures, uint32_t size, uint64_t life) {
    figures->freed++;
    figures->freed_bytes += size;
    figures->life += life;
    if (life > figures->longest)
        figures->longest = life;
}

static void note_peak(struct gnomon_heap *heap, uint64_t cycle) {
    struct gnomon_heap_figures *all = &heap->results.all;
    if (gnomon_heap_live_bytes(all) <= all->peak_bytes)
        return;
    heap->epoch++;
    heap->since_count = 0;
    all->peak_bytes = gnomon_heap_live_bytes(all);
    all->peak_blocks = gnomon_heap_live_blocks(all);
    heap->results.peak_cycle = cycle;
}

static bool was_at_peak(const struct gnomon_heap *heap, const struct place *place) {
    return place->counted && place->born < heap->epoch;
}

/* False: out of memory. */
static bool release(struct gnomon_heap *heap, struct place *place, uint64_t cycle, uint32_t by) {
    if (was_at_peak(heap, place)) {
        if (!gnomon_array_room(&heap->since_peak, &heap->since_room, heap->since_count + 1, sizeof *heap->since_peak))
            return false;
        heap->since_peak[heap->since_count++] = (struct gnomon_heap_extent){place->block.address, place->block.size};
    }
    place->live = place->watched = false;
    place->freed_by = by;
    place->freed_cycle = cycle;
    if (!place->counted)
        return true;
    struct gnomon_heap_site *site = site_at(heap, place->block.site);
    settle_peak(heap, site);
    count_free(&site->figures, place->block.size, cycle - place->block.cycle);
    count_free(&heap->results.all, place->block.size, cycle - place->block.cycle);
    return true;
}

/* NULL: out of memory. A new place has no block yet. */
static struct place *find_place(struct gnomon_heap *heap, uint32_t address) {
    const uint32_t before = heap->place_map.count, index = profile_map_find(&heap->place_map, address);
    if (index == PROFILE_MAP_NONE ||
        !gnomon_array_room(&heap->places, &heap->place_room, index + (size_t)1, sizeof *heap->places))
        return NULL;
    if (index == before)
        heap->places[index] = (struct place){.block = {.site = GNOMON_HEAP_NO_SITE}, .freed_by = GNOMON_HEAP_NO_SITE};
    return &heap->places[index];
}

static bool is_counting(const struct gnomon_heap *heap, uint64_t cycle) {
    return heap->results.began && !heap->results.ended && cycle >= heap->span.first_cycle;
}

static void count_failure(struct gnomon_heap *heap, uint32_t site, uint64_t cycle) {
    if (!is_counting(heap, cycle))
        return;
    site_at(heap, site)->figures.failed++;
    heap->results.all.failed++;
}

/* False: out of memory. */
static bool count_block(struct gnomon_heap *heap, const struct gnomon_heap_block *block,
                        const struct gnomon_heap_stack *stack) {
    static const struct gnomon_heap_stack not_known = {.count = 1, .ids = {GNOMON_PROFILE_UNPROFILED}};
    const struct gnomon_heap_stack *path = stack->count ? stack : &not_known;
    const uint32_t end = block->address + block->size;
    heap->results.deep |= stack->count == GNOMON_HEAP_STACK; /* one that just fits counts, too */
    settle_peak(heap, site_at(heap, block->site));
    count_allocation(&site_at(heap, block->site)->figures, block->size);
    count_allocation(&heap->results.all, block->size);
    gnomon_histogram_add(&heap->results.sizes, block->size);
    if (block->address < heap->results.lowest)
        heap->results.lowest = block->address;
    if (end > heap->results.highest)
        heap->results.highest = end;
    note_peak(heap, block->cycle);
    return gnomon_heap_sizes_add(&heap->results.by_function, path->ids, path->count, block->size);
}

static void count_growth(struct gnomon_heap *heap, uint32_t site, const struct gnomon_event *event) {
    if (!is_counting(heap, event->cycle))
        return;
    struct gnomon_heap_figures *const both[] = {&site_at(heap, site)->figures, &heap->results.all};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        both[i]->grown++;
        both[i]->grown_bytes += event->value - GNOMON_HEAP_GREW;
    }
}

/* ---- Blocks that leak checks leave out ---- */

/* How many times the thread has switched its leak checks off. NULL: out of memory. */
static uint32_t *unchecked_of(struct gnomon_heap *heap, uint32_t thread) {
    const uint32_t before = heap->thread_map.count, index = profile_map_find(&heap->thread_map, thread);
    if (index == PROFILE_MAP_NONE ||
        !gnomon_array_room(&heap->unchecked, &heap->unchecked_room, index + (size_t)1, sizeof *heap->unchecked))
        return NULL;
    if (index == before)
        heap->unchecked[index] = 0;
    return &heap->unchecked[index];
}

/* False: out of memory. */
static bool note_checks(struct gnomon_heap *heap, const struct gnomon_event *event, uint32_t address) {
    const uint32_t kind = GNOMON_HEAP_FOUND_KIND(event->value);
    if (kind == GNOMON_HEAP_IGNORED || kind == GNOMON_HEAP_UNIGNORED) {
        struct place *place = find_place(heap, address);
        if (place)
            place->block.ignored = kind == GNOMON_HEAP_IGNORED && place->live;
        return place != NULL;
    }
    uint32_t *unchecked = unchecked_of(heap, event->thread);
    if (!unchecked)
        return false;
    if (kind == GNOMON_HEAP_LEAKS_OFF)
        ++*unchecked;
    else if (*unchecked)
        --*unchecked;
    return true;
}

/* ---- Mistakes ---- */

static bool add_mistake(struct gnomon_heap *heap, const struct gnomon_heap_mistake *mistake) {
    if (!gnomon_array_room(&heap->mistakes, &heap->mistake_room, heap->results.mistake_count + 1,
                           sizeof *heap->mistakes))
        return false;
    heap->mistakes[heap->results.mistake_count++] = *mistake;
    return true;
}

static bool note_mistake(struct gnomon_heap *heap, const struct gnomon_event *event, const struct place *place,
                         uint32_t site) {
    if (heap->lost || !is_counting(heap, event->cycle))
        return true;
    const bool was_block = place->block.site != GNOMON_HEAP_NO_SITE;
    const struct gnomon_heap_mistake mistake = {.kind = was_block ? GNOMON_HEAP_FREED_TWICE : GNOMON_HEAP_NO_BLOCK,
                                                .address = event->value,
                                                .thread = event->thread,
                                                .cycle = event->cycle,
                                                .site = site,
                                                .before = place->block.site,
                                                .earlier = place->freed_by,
                                                .earlier_cycle = place->freed_cycle};
    return add_mistake(heap, &mistake);
}

/* Names the block in the mistake, and who had it. */
static void put_block(struct gnomon_heap_mistake *mistake, const struct place *place) {
    mistake->size = place->block.size;
    mistake->before = place->block.site;
    mistake->earlier = place->freed_by;
    mistake->earlier_cycle = place->freed_cycle;
}

/* What the guards of a block have shown. After a loss it is not known which block it was. */
static bool note_found(struct gnomon_heap *heap, const struct gnomon_event *event, uint32_t address, uint32_t site) {
    static const enum gnomon_heap_mistake_kind kinds[] = {[GNOMON_HEAP_AFTER_END] = GNOMON_HEAP_WRITTEN_BEYOND,
                                                          [GNOMON_HEAP_BEFORE_START] = GNOMON_HEAP_WRITTEN_BEFORE,
                                                          [GNOMON_HEAP_AFTER_FREE] = GNOMON_HEAP_WRITTEN_FREED};
    const uint32_t kind = GNOMON_HEAP_FOUND_KIND(event->value);
    struct place *place = find_place(heap, address);
    if (!place)
        return false;
    if (kind < GNOMON_HEAP_AFTER_END || kind > GNOMON_HEAP_AFTER_FREE || !is_counting(heap, event->cycle))
        return true;
    const bool was_block = place->block.site != GNOMON_HEAP_NO_SITE;
    if (!heap->lost && !(kind == GNOMON_HEAP_AFTER_FREE ? was_block && !place->live : place->live))
        return true; /* what was freed is no block: the message of its free follows */
    struct gnomon_heap_mistake mistake = {.kind = kinds[kind],
                                          .address = address,
                                          .thread = event->thread,
                                          .cycle = event->cycle,
                                          .site = site,
                                          .before = GNOMON_HEAP_NO_SITE,
                                          .earlier = GNOMON_HEAP_NO_SITE,
                                          .offset = GNOMON_HEAP_FOUND_OFFSET(event->value)};
    if (!heap->lost)
        put_block(&mistake, place);
    return add_mistake(heap, &mistake);
}

/* ---- Watched words ---- */

/* What the program tells of the device's table. False: out of memory. */
static bool note_watch(struct gnomon_heap *heap, uint32_t address, uint32_t what) {
    const uint32_t kind = GNOMON_HEAP_FOUND_KIND(what), offset = GNOMON_HEAP_FOUND_OFFSET(what);
    if (kind == GNOMON_HEAP_EMPTIED) {
        gnomon_heap_words_empty(&heap->words, offset);
        return true;
    }
    struct place *place = find_place(heap, address);
    if (!place)
        return false;
    place->watched = kind == GNOMON_HEAP_WATCHED && place->block.site != GNOMON_HEAP_NO_SITE;
    if (place->watched)
        gnomon_heap_words_add(&heap->words, address, place->block.size, place->block.cycle, place->live, offset);
    return true;
}

/* The latest mistake of this site that did the same to this block; a new place holds SIZE_MAX. NULL: out of memory. */
static size_t *latest_use(struct gnomon_heap *heap, const struct gnomon_heap_mistake *mistake) {
    /* Blocks with guards begin at multiples of 8. */
    const uint32_t what = (uint32_t)(mistake->kind - GNOMON_HEAP_USED_BEYOND) << 1 | mistake->writes;
    const uint64_t key = (uint64_t)mistake->site << 32 | ((mistake->address & ~7u) + what);
    const uint32_t before = heap->use_map.count, index = profile_map_find(&heap->use_map, key);
    if (index == PROFILE_MAP_NONE ||
        !gnomon_array_room(&heap->uses, &heap->use_room, index + (size_t)1, sizeof *heap->uses))
        return NULL;
    if (index == before)
        heap->uses[index] = SIZE_MAX;
    return &heap->uses[index];
}

static bool note_use(struct gnomon_heap *heap, const struct gnomon_heap_mistake *mistake) {
    size_t *latest = latest_use(heap, mistake);
    if (!latest)
        return false;
    if (*latest != SIZE_MAX && heap->mistakes[*latest].born == mistake->born) {
        heap->mistakes[*latest].times++;
        return true;
    }
    *latest = heap->results.mistake_count;
    return add_mistake(heap, mistake);
}

static void put_offset(struct gnomon_heap_mistake *mistake, const struct place *place, uint32_t at) {
    const uint32_t inside = at - mistake->address;
    if (at < mistake->address) {
        mistake->kind = GNOMON_HEAP_USED_BEFORE;
        mistake->offset = mistake->address - 1 - at;
    } else if (inside >= place->block.size) {
        mistake->kind = GNOMON_HEAP_USED_BEYOND;
        mistake->offset = inside - place->block.size;
    } else {
        mistake->kind = GNOMON_HEAP_USED_FREED;
        mistake->offset = inside;
    }
}

/* The first byte that was accessed. Before a block that is the nearest one to it. */
static uint32_t byte_of(const struct gnomon_event *event, const struct gnomon_heap_watched *word) {
    const uint32_t lanes = GNOMON_ACCESS_LANES(event->number);
    uint32_t lane = 0, last = 3;
    while (lane < 3 && !(lanes >> lane & 1))
        lane++;
    while (last > 0 && !(lanes >> last & 1))
        last--;
    return word->address + (word->address < word->block ? last : lane);
}

/* An access of a word. After a loss, it is not known whose the word is. */
static bool note_access(struct gnomon_heap *heap, const struct gnomon_event *event,
                        const struct gnomon_heap_stack *stack) {
    const struct gnomon_heap_watched *word = gnomon_heap_words_at(&heap->words, event);
    if (!word || heap->lost || !is_counting(heap, event->cycle))
        return true;
    const struct place *place = find_place(heap, word->block);
    if (!place)
        return false;
    if (!place->watched || place->block.cycle != word->born)
        return true;
    struct gnomon_heap_mistake mistake = {.address = word->block,
                                          .thread = event->thread,
                                          .cycle = event->cycle,
                                          .site = site_of(heap, stack),
                                          .reads = event->number & GNOMON_ACCESS_READ,
                                          .writes = event->number & GNOMON_ACCESS_WRITE,
                                          .times = 1,
                                          .born = word->born};
    put_block(&mistake, place);
    put_offset(&mistake, place, byte_of(event, word));
    return mistake.site != PROFILE_MAP_NONE && note_use(heap, &mistake);
}

static bool allocate(struct gnomon_heap *heap, const struct gnomon_event *event, uint32_t address,
                     const struct gnomon_heap_stack *stack) {
    if (address && event->value >= GNOMON_HEAP_FOUND(GNOMON_HEAP_EMPTIED, 0))
        return note_watch(heap, address, event->value);
    const uint32_t site = site_of(heap, stack);
    if (site == PROFILE_MAP_NONE)
        return false;
    if (!address) {
        count_failure(heap, site, event->cycle);
        return true;
    }
    if (event->value >= GNOMON_HEAP_FOUND(GNOMON_HEAP_IGNORED, 0))
        return note_checks(heap, event, address);
    if (event->value >= GNOMON_HEAP_FOUND(0, 0))
        return note_found(heap, event, address, site);
    if (event->value >= GNOMON_HEAP_GREW) {
        count_growth(heap, site, event);
        return true;
    }
    struct place *place = find_place(heap, address);
    const uint32_t *unchecked = heap->thread_map.count ? unchecked_of(heap, event->thread) : &(uint32_t){0};
    if (!place || !unchecked)
        return false;
    if (place->live && !release(heap, place, event->cycle, GNOMON_HEAP_NO_SITE)) /* its free was lost */
        return false;
    *place = (struct place){.live = true,
                            .counted = is_counting(heap, event->cycle),
                            .freed_by = GNOMON_HEAP_NO_SITE,
                            .born = heap->epoch,
                            .block = {.address = address,
                                      .size = event->value,
                                      .site = site,
                                      .thread = event->thread,
                                      .cycle = event->cycle,
                                      .ignored = *unchecked > 0}};
    const struct gnomon_heap_block block = place->block;
    return !place->counted || count_block(heap, &block, stack);
}

static bool free_block(struct gnomon_heap *heap, const struct gnomon_event *event,
                       const struct gnomon_heap_stack *stack) {
    const uint32_t site = site_of(heap, stack);
    struct place *place = site == PROFILE_MAP_NONE ? NULL : find_place(heap, event->value);
    if (!place)
        return false;
    if (!place->live)
        return note_mistake(heap, event, place, site);
    return release(heap, place, event->cycle, site);
}

/* ---- Events ---- */

bool gnomon_heap_concerns(const struct gnomon_event *event) {
    return gnomon_heap_words_concern(event) ||
           (event->type == GNOMON_EVENT_CHANNEL &&
            (event->number == GNOMON_CHANNEL_HEAP_ALLOC || event->number == GNOMON_CHANNEL_HEAP_FREE));
}

static void note_mark(struct gnomon_heap *heap, int mark, const struct gnomon_event *event) {
    if (!heap->results.began)
        heap->results.began = mark == heap->span.from;
    else if (mark == heap->span.to) {
        heap->results.ended = true;
        heap->results.end_value = event->value;
        heap->results.end_cycle = event->cycle;
    }
}

bool gnomon_heap_event(struct gnomon_heap *heap, const struct gnomon_event *event,
                       const struct gnomon_heap_stack *stack) {
    const unsigned hart = event->hart;
    if (event->type == GNOMON_EVENT_GAP || event->type == GNOMON_EVENT_DAMAGE ||
        (event->type == GNOMON_EVENT_LOST && event->lost.others)) {
        heap->lost = true;
        heap->addressed[hart] = false;
    }
    if (heap->results.ended || event->cycle > heap->span.last_cycle)
        return true;
    if (gnomon_heap_words_concern(event))
        return note_access(heap, event, stack);
    if (event->type != GNOMON_EVENT_CHANNEL)
        return true;
    if (event->number >= GNOMON_CHANNEL_MARK && event->number < GNOMON_CHANNEL_VALUE)
        note_mark(heap, (int)(event->number - GNOMON_CHANNEL_MARK), event);
    if (event->number == GNOMON_CHANNEL_HEAP_ADDR) {
        heap->address[hart] = event->value;
        heap->addressed[hart] = true;
    }
    if (!gnomon_heap_concerns(event))
        return true;
    heap->results.messages++;
    if (event->number == GNOMON_CHANNEL_HEAP_FREE)
        return free_block(heap, event, stack);
    const bool known = heap->addressed[hart];
    heap->addressed[hart] = false;
    return !known || allocate(heap, event, heap->address[hart], stack);
}

/* ---- Results ---- */

static int by_cycle(const void *a, const void *b) {
    const struct gnomon_heap_block *left = a, *right = b;
    if (left->cycle != right->cycle)
        return left->cycle < right->cycle ? -1 : 1;
    return (left->address > right->address) - (left->address < right->address);
}

/* How the blocks lay at the peak, and how they lie at the end. False: out of memory. */
static bool find_gaps(struct gnomon_heap *heap) {
    size_t count = heap->since_count, left = 0;
    struct gnomon_heap_extent *blocks = calloc(count + heap->place_map.count + 1, sizeof *blocks);
    if (!blocks)
        return false;
    if (count)
        memcpy(blocks, heap->since_peak, count * sizeof *blocks);
    for (uint32_t i = 0; i < heap->place_map.count; i++)
        if (heap->places[i].live && was_at_peak(heap, &heap->places[i]))
            blocks[count++] = (struct gnomon_heap_extent){heap->places[i].block.address, heap->places[i].block.size};
    heap->results.peak_gaps = gnomon_heap_gaps(blocks, count);
    for (; left < heap->results.live_count; left++)
        blocks[left] = (struct gnomon_heap_extent){heap->live[left].address, heap->live[left].size};
    heap->results.live_gaps = gnomon_heap_gaps(blocks, left);
    free(blocks);
    return true;
}

const struct gnomon_heap_results *gnomon_heap_finish(struct gnomon_heap *heap) {
    struct gnomon_heap_results *results = &heap->results;
    free(heap->live);
    heap->live = calloc(heap->place_map.count + (size_t)1, sizeof *heap->live);
    results->live_count = results->other_count = 0;
    if (!heap->live)
        return NULL;
    for (uint32_t i = 0; i < heap->place_map.count; i++)
        if (heap->places[i].live && heap->places[i].counted)
            heap->live[results->live_count++] = heap->places[i].block;
    for (uint32_t i = 0; i < heap->place_map.count; i++)
        if (heap->places[i].live && !heap->places[i].counted)
            heap->live[results->live_count + results->other_count++] = heap->places[i].block;
    qsort(heap->live, results->live_count, sizeof *heap->live, by_cycle);
    if (!find_gaps(heap))
        return NULL;
    results->site_count = heap->sites.count;
    results->sites = heap->sites.list;
    for (uint32_t i = 0; i < heap->sites.count; i++)
        settle_peak(heap, site_at(heap, i));
    results->live = heap->live;
    results->mistakes = heap->mistakes;
    return results;
}
