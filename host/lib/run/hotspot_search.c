/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/hotspot_search.h"

#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"

#define PAGE_WITHOUT_SYMBOLS 256
#define MOST_TIMES 16 /* reads in a row, because more samples may come than can be read */

static enum gnomon_status add_hotspot(struct gnomon_hotspot_search *search, size_t *capacity,
                                      struct gnomon_hotspot hotspot, struct gnomon_error *error) {
    if (!gnomon_array_room(&search->hotspots, capacity, search->count + 1, sizeof *search->hotspots))
        return gnomon_fail_memory(error);
    search->hotspots[search->count++] = hotspot;
    return GNOMON_OK;
}

static int by_address(const void *a, const void *b) {
    const struct gnomon_hotspot *one = a, *other = b;
    return one->start < other->start ? -1 : one->start > other->start;
}

/* Is the address in code that is always in memory? */
static bool stays(const struct gnomon_tag_program *program, uint32_t address) {
    const struct gnomon_tag_section *section = gnomon_tag_section_at(program, address);
    return section && section->code && !section->overlay;
}

/* Adds all functions; of several functions at one address only the first. */
static enum gnomon_status add_functions(struct gnomon_hotspot_search *search, const struct gnomon_tag_program *program,
                                        struct gnomon_error *error) {
    size_t capacity = 0, kept = 0;
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < program->symbol_count && !status; i++) {
        const struct gnomon_tag_symbol *symbol = &program->symbols[i];
        if (!symbol->data && symbol->size > 0 && stays(program, symbol->address))
            status =
                add_hotspot(search, &capacity,
                            (struct gnomon_hotspot){
                                .function = symbol, .start = symbol->address, .end = symbol->address + symbol->size},
                            error);
    }
    if (status || search->count == 0)
        return status;
    qsort(search->hotspots, search->count, sizeof *search->hotspots, by_address);
    for (size_t i = 0; i < search->count; i++) {
        struct gnomon_hotspot *last = kept ? &search->hotspots[kept - 1] : NULL;
        if (last && last->start == search->hotspots[i].start)
            continue;
        if (last && last->end > search->hotspots[i].start)
            last->end = search->hotspots[i].start;
        search->hotspots[kept++] = search->hotspots[i];
    }
    search->count = kept;
    return GNOMON_OK;
}

static enum gnomon_status add_pages(struct gnomon_hotspot_search *search, const struct gnomon_tag_program *program,
                                    uint32_t page, struct gnomon_error *error) {
    size_t capacity = 0;
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < program->section_count; i++) {
        const struct gnomon_tag_section *section = &program->sections[i];
        for (uint32_t at = section->start & ~3u; section->code && !section->overlay && at < section->end && !status;
             at += page)
            status = add_hotspot(search, &capacity,
                                 (struct gnomon_hotspot){.function = gnomon_tag_function_at(program, at),
                                                         .start = at,
                                                         .end = section->end - at < page ? section->end : at + page},
                                 error);
    }
    if (!status && search->count)
        qsort(search->hotspots, search->count, sizeof *search->hotspots, by_address);
    return status;
}

enum gnomon_status gnomon_hotspot_search_open(struct gnomon_hotspot_search *search, const struct gnomon_tags *tags,
                                              const struct gnomon_tag_program *program, uint32_t page,
                                              struct gnomon_error *error) {
    *search = (struct gnomon_hotspot_search){.tags = tags};
    enum gnomon_status status = page ? add_pages(search, program, page, error) : add_functions(search, program, error);
    search->by_page = page || search->count == 0;
    if (!status && search->count == 0)
        status = add_pages(search, program, PAGE_WITHOUT_SYMBOLS, error);
    for (size_t i = 0; i < program->section_count; i++)
        search->overlays |= program->sections[i].overlay != 0;
    if (!status && search->count == 0)
        return gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no code", program->path);
    return status;
}

void gnomon_hotspot_search_free(struct gnomon_hotspot_search *search) {
    free(search->hotspots);
    free(search->sampled);
    free(search->loaded);
    search->hotspots = NULL;
    search->sampled = NULL;
    search->loaded = NULL;
}

void gnomon_hotspot_search_forget(struct gnomon_hotspot_search *search) {
    search->samples = 0;
    search->sampled_count = search->loaded_count = 0;
    search->losses = (struct gnomon_tag_losses){0};
    for (size_t i = 0; i < search->count; i++) {
        struct gnomon_hotspot *hotspot = &search->hotspots[i];
        *hotspot = (struct gnomon_hotspot){.function = hotspot->function, .start = hotspot->start, .end = hotspot->end};
    }
}

enum gnomon_status gnomon_hotspot_search_begin(struct gnomon_hotspot_search *search, struct gnomon_error *error) {
    search->used = 0;
    memset(search->before, 0, sizeof search->before);
    for (size_t i = 0; i < search->count; i++)
        search->hotspots[i].number = 0;
    return gnomon_tags_begin(search->tags, error);
}

/* The hotspot that holds the address; NULL: there is none. */
static struct gnomon_hotspot *hotspot_at(const struct gnomon_hotspot_search *search, uint32_t address) {
    size_t index = gnomon_array_from(search->hotspots, search->count, sizeof *search->hotspots,
                                     offsetof(struct gnomon_hotspot, end), (uint64_t)address + 1);
    return index < search->count && search->hotspots[index].start <= address ? &search->hotspots[index] : NULL;
}

/* Keeps a sample that is in no hotspot. After the run it is known which code was there. */
static enum gnomon_status keep(struct gnomon_hotspot_search *search, uint32_t address, struct gnomon_error *error) {
    size_t index = gnomon_array_from(search->sampled, search->sampled_count, sizeof *search->sampled,
                                     offsetof(struct gnomon_sampled, address), address);
    if (index < search->sampled_count && search->sampled[index].address == address) {
        search->sampled[index].samples++;
        return GNOMON_OK;
    }
    struct gnomon_sampled *more = realloc(search->sampled, (search->sampled_count + 1) * sizeof *more);
    if (!more)
        return gnomon_fail_memory(error);
    search->sampled = more;
    memmove(&more[index + 1], &more[index], (search->sampled_count - index) * sizeof *more);
    more[index] = (struct gnomon_sampled){address, 1};
    search->sampled_count++;
    return GNOMON_OK;
}

bool gnomon_hotspot_search_ending(const struct gnomon_hotspot_search *search) {
    return search->ending && search->ending(search->context);
}

enum gnomon_status gnomon_hotspot_search_sample(struct gnomon_hotspot_search *search, struct gnomon_error *error) {
    uint32_t addresses[GNOMON_SAMPLES_AT_ONCE];
    size_t count = GNOMON_SAMPLES_AT_ONCE;
    enum gnomon_status status = GNOMON_OK;
    for (unsigned times = 0; times < MOST_TIMES && count > 0 && !status && !gnomon_hotspot_search_ending(search);
         times++) {
        status = gnomon_sampler_read(search->tags, addresses, &count, error);
        for (size_t i = 0; i < count && !status; i++) {
            struct gnomon_hotspot *hotspot = hotspot_at(search, addresses[i]);
            search->samples++;
            if (hotspot) {
                hotspot->samples++;
                hotspot->untagged += hotspot->number == 0;
            } else {
                status = keep(search, addresses[i], error);
            }
        }
    }
    return status;
}

static enum gnomon_status give(struct gnomon_hotspot_search *search, size_t index, unsigned number, uint64_t now,
                               struct gnomon_error *error) {
    struct gnomon_hotspot *hotspot = &search->hotspots[index];
    hotspot->number = number;
    hotspot->since = now;
    search->tagged[number] = index;
    return gnomon_tags_mark(search->tags, hotspot->start, hotspot->end, number, error);
}

/* Adds what the hotspot with this number has counted since it got the number. */
static void add_counts(struct gnomon_hotspot_search *search, unsigned number, const struct gnomon_tag_counts *counts,
                       uint64_t now) {
    struct gnomon_hotspot *hotspot = &search->hotspots[search->tagged[number]];
    if (now > hotspot->since) /* false if its turn began just after the program had ended */
        hotspot->watched += now - hotspot->since;
    hotspot->executions += counts->values[number].executions - search->before[number].executions;
    hotspot->cycles += counts->values[number].cycles - search->before[number].cycles;
    search->before[number] = counts->values[number];
}

/* The number whose hotspot has the fewest samples. */
static unsigned coldest(const struct gnomon_hotspot_search *search) {
    unsigned best = 1;
    for (unsigned number = 2; number <= search->used; number++)
        if (search->hotspots[search->tagged[number]].samples < search->hotspots[search->tagged[best]].samples)
            best = number;
    return best;
}

static bool fit(const struct gnomon_hotspot_search *search, const struct gnomon_hotspot *one,
                const struct gnomon_hotspot *other) {
    return gnomon_tags_fit(&search->tags->sizes, one->start, one->end, other->start, other->end);
}

/* The number that the hotspot may get: a new one, or that of a hotspot which is much colder. 0: none, because its
 * number of tags or blocks is too small. */
static unsigned number_for(const struct gnomon_hotspot_search *search, const struct gnomon_hotspot *hotspot) {
    unsigned number = 0;
    if (!fit(search, hotspot, hotspot))
        return 0;
    for (unsigned n = 1; n <= search->used; n++)
        if (!fit(search, hotspot, &search->hotspots[search->tagged[n]])) {
            if (number) /* two hotspots would lose their tags for one */
                return 0;
            number = n;
        }
    if (!number && search->used < GNOMON_TAG_VALUES)
        return search->used + 1;
    if (!number)
        number = coldest(search);
    return hotspot->samples > 2 * search->hotspots[search->tagged[number]].samples ? number : 0;
}

/* The hotspot without a tag that has the most samples, at least `least`, of those that can have a tag; *number: which.
 * SIZE_MAX: there is none. */
static size_t hottest(const struct gnomon_hotspot_search *search, uint64_t least, unsigned *number) {
    size_t best = SIZE_MAX;
    uint64_t most = least ? least - 1 : 0;
    for (size_t i = 0; i < search->count; i++) {
        const struct gnomon_hotspot *hotspot = &search->hotspots[i];
        const unsigned free = hotspot->number == 0 && hotspot->samples > most ? number_for(search, hotspot) : 0;
        if (free) {
            most = hotspot->samples;
            *number = free;
            best = i;
        }
    }
    return best;
}

/* Takes the number away from its hotspot. The hotspot keeps its counts. */
static enum gnomon_status take(struct gnomon_hotspot_search *search, unsigned number, uint64_t now,
                               struct gnomon_error *error) {
    struct gnomon_hotspot *hotspot = &search->hotspots[search->tagged[number]];
    struct gnomon_tag_counts counts;
    enum gnomon_status status = gnomon_tags_mark(search->tags, hotspot->start, hotspot->end, 0, error);
    if (!status)
        status = gnomon_tags_read(search->tags, &counts, error);
    if (!status)
        add_counts(search, number, &counts, now);
    hotspot->number = 0;
    return status;
}

enum gnomon_status gnomon_hotspot_search_tag_hottest(struct gnomon_hotspot_search *search, uint64_t least,
                                                     struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    while (!status && !gnomon_hotspot_search_ending(search)) {
        unsigned number = 0;
        const size_t index = hottest(search, least, &number);
        uint64_t now;
        if (index == SIZE_MAX)
            return GNOMON_OK;
        const bool taken = number <= search->used;
        if (!taken)
            search->used = number;
        status = gnomon_tags_now(search->tags, &now, error);
        if (!status && taken)
            status = take(search, number, now, error);
        if (!status)
            status = give(search, index, number, now, error);
    }
    return status;
}

/* Forgets the tags of all hotspots. Counting is paused, and all counts were added before. */
static void forget_tags(struct gnomon_hotspot_search *search) {
    for (; search->used > 0; search->used--)
        search->hotspots[search->tagged[search->used]].number = 0;
}

size_t gnomon_hotspot_search_turn(const struct gnomon_hotspot_search *search, size_t first) {
    size_t end = first;
    for (; end < search->count && end - first < GNOMON_TAG_VALUES; end++)
        for (size_t i = first; i <= end; i++)
            if (!fit(search, &search->hotspots[end], &search->hotspots[i]))
                return end - first;
    return end - first;
}

static enum gnomon_status fail_large(const struct gnomon_hotspot_search *search, const struct gnomon_hotspot *hotspot,
                                     struct gnomon_error *error) {
    const struct gnomon_tag_sizes *sizes = &search->tags->sizes;
    const uint32_t block_bytes = sizes->bytes / sizes->blocks;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED,
                "%s has tags for %u blocks of %u bytes, too few for the code from 0x%08x to 0x%08x at once",
                search->tags->device->transport->address, sizes->blocks, (unsigned)block_bytes,
                (unsigned)hotspot->start, (unsigned)hotspot->end);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "--page %u looks at it page by page", (unsigned)block_bytes);
}

enum gnomon_status gnomon_hotspot_search_tag_from(struct gnomon_hotspot_search *search, size_t first,
                                                  struct gnomon_error *error) {
    enum gnomon_status status = gnomon_tags_pause(search->tags, error);
    uint64_t now = 0;
    for (unsigned n = 1; n <= search->used && !status && !gnomon_hotspot_search_ending(search); n++) {
        const struct gnomon_hotspot *hotspot = &search->hotspots[search->tagged[n]];
        status = gnomon_tags_mark(search->tags, hotspot->start, hotspot->end, 0, error);
    }
    forget_tags(search);
    const size_t end = first + gnomon_hotspot_search_turn(search, first);
    if (!status && end == first && first < search->count)
        return fail_large(search, &search->hotspots[first], error);
    for (size_t i = first; i < end && !status; i++) {
        if (gnomon_hotspot_search_ending(search))
            break;
        status = give(search, i, ++search->used, 0, error);
    }
    if (!status && gnomon_hotspot_search_ending(search)) {
        forget_tags(search);
        return gnomon_tags_clear_counts(search->tags, error);
    }
    memset(search->before, 0, sizeof search->before); /* counting starts at 0 */
    if (!status) /* before counting begins, so that no hotspot counts more cycles than its turn has */
        status = gnomon_tags_now(search->tags, &now, error);
    if (!status)
        status = gnomon_tags_restart(search->tags, error);
    for (unsigned n = 1; n <= search->used; n++)
        search->hotspots[search->tagged[n]].since = now;
    return status;
}

enum gnomon_status gnomon_hotspot_search_collect(struct gnomon_hotspot_search *search, uint64_t end,
                                                 struct gnomon_error *error) {
    struct gnomon_tag_counts counts;
    uint64_t now = end;
    enum gnomon_status status = gnomon_tags_pause(search->tags, error);
    if (!status && end == GNOMON_HOTSPOT_SEARCH_RUNNING)
        status = gnomon_tags_now(search->tags, &now, error);
    if (!status)
        status = gnomon_tags_read(search->tags, &counts, error);
    for (unsigned n = 1; n <= search->used && !status; n++)
        add_counts(search, n, &counts, now);
    if (status)
        return status;
    search->losses.cleared += counts.losses.cleared;
    if (counts.losses.cleared)
        search->losses.cleared_address = counts.losses.cleared_address;
    search->losses.saturated |= counts.losses.saturated;
    search->losses.missed |= counts.losses.missed;
    return GNOMON_OK;
}

/* The hotspot that stands for this code; NULL: out of memory. */
static struct gnomon_hotspot *loaded_hotspot(struct gnomon_hotspot_search *search, const struct gnomon_code *code,
                                             uint32_t address) {
    for (size_t i = 0; i < search->loaded_count; i++)
        if (gnomon_code_compare(&search->loaded[i].code, code) == 0)
            return &search->loaded[i];
    struct gnomon_hotspot *more = realloc(search->loaded, (search->loaded_count + 1) * sizeof *more);
    if (!more)
        return NULL;
    search->loaded = more;
    more[search->loaded_count] =
        (struct gnomon_hotspot){.start = address, .end = address, .loaded = true, .code = *code};
    return &more[search->loaded_count++];
}

enum gnomon_status gnomon_hotspot_search_resolve(struct gnomon_hotspot_search *search,
                                                 const struct gnomon_symbols *symbols,
                                                 const struct gnomon_modules *modules, struct gnomon_error *error) {
    search->loaded_count = 0;
    for (size_t i = 0; i < search->sampled_count; i++) {
        const struct gnomon_sampled *sampled = &search->sampled[i];
        struct gnomon_code code;
        gnomon_code_at(&code, symbols, modules, sampled->address);
        struct gnomon_hotspot *hotspot = loaded_hotspot(search, &code, sampled->address);
        if (!hotspot)
            return gnomon_fail_memory(error);
        hotspot->end = sampled->address + 2;
        hotspot->samples += sampled->samples;
        hotspot->untagged += sampled->samples;
    }
    return GNOMON_OK;
}

void gnomon_hotspot_search_reasons(const struct gnomon_hotspot_search *search, struct gnomon_exactness *exactness) {
    gnomon_tag_losses_reasons(&search->losses, exactness);
}

uint64_t gnomon_hotspot_estimate(const struct gnomon_hotspot *hotspot, uint64_t period) {
    return hotspot->cycles + hotspot->untagged * period;
}
