/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/finder.h"

#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"

#define PAGE_WITHOUT_SYMBOLS 256
#define MOST_TIMES 16 /* reads in a row, because more samples may come than can be read */

static enum gnomon_status add_piece(struct gnomon_finder *finder, size_t *capacity, struct gnomon_piece piece,
                                    struct gnomon_error *error) {
    if (!gnomon_array_room(&finder->pieces, capacity, finder->count + 1, sizeof *finder->pieces))
        return gnomon_fail_memory(error);
    finder->pieces[finder->count++] = piece;
    return GNOMON_OK;
}

static int by_address(const void *a, const void *b) {
    const struct gnomon_piece *one = a, *other = b;
    return one->start < other->start ? -1 : one->start > other->start;
}

/* Is the address in code that is always in memory? */
static bool stays(const struct gnomon_tag_program *program, uint32_t address) {
    const struct gnomon_tag_section *section = gnomon_tag_section_at(program, address);
    return section && section->code && !section->overlay;
}

/* Adds all functions; of several functions at one address only the first. */
static enum gnomon_status add_functions(struct gnomon_finder *finder, const struct gnomon_tag_program *program,
                                        struct gnomon_error *error) {
    size_t capacity = 0, kept = 0;
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < program->symbol_count && !status; i++) {
        const struct gnomon_tag_symbol *symbol = &program->symbols[i];
        if (!symbol->data && symbol->size > 0 && stays(program, symbol->address))
            status = add_piece(finder, &capacity,
                               (struct gnomon_piece){
                                   .function = symbol, .start = symbol->address, .end = symbol->address + symbol->size},
                               error);
    }
    if (status || finder->count == 0)
        return status;
    qsort(finder->pieces, finder->count, sizeof *finder->pieces, by_address);
    for (size_t i = 0; i < finder->count; i++) {
        struct gnomon_piece *last = kept ? &finder->pieces[kept - 1] : NULL;
        if (last && last->start == finder->pieces[i].start)
            continue;
        if (last && last->end > finder->pieces[i].start)
            last->end = finder->pieces[i].start;
        finder->pieces[kept++] = finder->pieces[i];
    }
    finder->count = kept;
    return GNOMON_OK;
}

static enum gnomon_status add_pages(struct gnomon_finder *finder, const struct gnomon_tag_program *program,
                                    uint32_t page, struct gnomon_error *error) {
    size_t capacity = 0;
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < program->section_count; i++) {
        const struct gnomon_tag_section *section = &program->sections[i];
        for (uint32_t at = section->start & ~3u; section->code && !section->overlay && at < section->end && !status;
             at += page)
            status = add_piece(finder, &capacity,
                               (struct gnomon_piece){.function = gnomon_tag_function_at(program, at),
                                                     .start = at,
                                                     .end = section->end - at < page ? section->end : at + page},
                               error);
    }
    if (!status && finder->count)
        qsort(finder->pieces, finder->count, sizeof *finder->pieces, by_address);
    return status;
}

enum gnomon_status gnomon_finder_open(struct gnomon_finder *finder, const struct gnomon_tags *tags,
                                      const struct gnomon_tag_program *program, uint32_t page,
                                      struct gnomon_error *error) {
    *finder = (struct gnomon_finder){.tags = tags};
    enum gnomon_status status = page ? add_pages(finder, program, page, error) : add_functions(finder, program, error);
    finder->by_page = page || finder->count == 0;
    if (!status && finder->count == 0)
        status = add_pages(finder, program, PAGE_WITHOUT_SYMBOLS, error);
    for (size_t i = 0; i < program->section_count; i++)
        finder->overlays |= program->sections[i].overlay != 0;
    if (!status && finder->count == 0)
        return gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no code", program->path);
    return status;
}

void gnomon_finder_free(struct gnomon_finder *finder) {
    free(finder->pieces);
    free(finder->sampled);
    free(finder->loaded);
    finder->pieces = NULL;
    finder->sampled = NULL;
    finder->loaded = NULL;
}

void gnomon_finder_forget(struct gnomon_finder *finder) {
    finder->samples = 0;
    finder->sampled_count = finder->loaded_count = 0;
    finder->late = finder->cleared = finder->cleared_address = 0;
    for (size_t i = 0; i < finder->count; i++) {
        struct gnomon_piece *piece = &finder->pieces[i];
        *piece = (struct gnomon_piece){.function = piece->function, .start = piece->start, .end = piece->end};
    }
}

enum gnomon_status gnomon_finder_begin(struct gnomon_finder *finder, struct gnomon_error *error) {
    finder->used = 0;
    memset(finder->before, 0, sizeof finder->before);
    for (size_t i = 0; i < finder->count; i++)
        finder->pieces[i].number = 0;
    return gnomon_tags_begin(finder->tags, finder->pieces[0].start, finder->pieces[finder->count - 1].end, error);
}

/* The piece that holds the address; NULL: there is none. */
static struct gnomon_piece *piece_at(const struct gnomon_finder *finder, uint32_t address) {
    size_t index = gnomon_array_from(finder->pieces, finder->count, sizeof *finder->pieces,
                                     offsetof(struct gnomon_piece, end), (uint64_t)address + 1);
    return index < finder->count && finder->pieces[index].start <= address ? &finder->pieces[index] : NULL;
}

/* Keeps a sample that is in no piece. After the run it is known which code was there. */
static enum gnomon_status keep(struct gnomon_finder *finder, uint32_t address, struct gnomon_error *error) {
    size_t index = gnomon_array_from(finder->sampled, finder->sampled_count, sizeof *finder->sampled,
                                     offsetof(struct gnomon_sampled, address), address);
    if (index < finder->sampled_count && finder->sampled[index].address == address) {
        finder->sampled[index].samples++;
        return GNOMON_OK;
    }
    struct gnomon_sampled *more = realloc(finder->sampled, (finder->sampled_count + 1) * sizeof *more);
    if (!more)
        return gnomon_fail_memory(error);
    finder->sampled = more;
    memmove(&more[index + 1], &more[index], (finder->sampled_count - index) * sizeof *more);
    more[index] = (struct gnomon_sampled){address, 1};
    finder->sampled_count++;
    return GNOMON_OK;
}

bool gnomon_finder_ending(const struct gnomon_finder *finder) {
    return finder->ending && finder->ending(finder->context);
}

enum gnomon_status gnomon_finder_sample(struct gnomon_finder *finder, struct gnomon_error *error) {
    uint32_t addresses[GNOMON_SAMPLES_AT_ONCE];
    size_t count = GNOMON_SAMPLES_AT_ONCE;
    enum gnomon_status status = GNOMON_OK;
    for (unsigned times = 0; times < MOST_TIMES && count > 0 && !status && !gnomon_finder_ending(finder); times++) {
        status = gnomon_sampler_read(finder->tags, addresses, &count, error);
        for (size_t i = 0; i < count && !status; i++) {
            struct gnomon_piece *piece = piece_at(finder, addresses[i]);
            finder->samples++;
            if (piece) {
                piece->samples++;
                piece->untagged += piece->number == 0;
            } else {
                status = keep(finder, addresses[i], error);
            }
        }
    }
    return status;
}

static enum gnomon_status give(struct gnomon_finder *finder, size_t index, unsigned number, uint64_t now,
                               struct gnomon_error *error) {
    struct gnomon_piece *piece = &finder->pieces[index];
    piece->number = number;
    piece->since = now;
    finder->tagged[number] = index;
    return gnomon_tags_mark(finder->tags, piece->start, piece->end, number, error);
}

/* Adds what the piece with this number has counted since it got the number. */
static void add_counts(struct gnomon_finder *finder, unsigned number, const struct gnomon_tag_counts *counts,
                       uint64_t now) {
    struct gnomon_piece *piece = &finder->pieces[finder->tagged[number]];
    if (now > piece->since) /* false if its turn began just after the program had ended */
        piece->watched += now - piece->since;
    piece->executions += counts->values[number].executions - finder->before[number].executions;
    piece->cycles += counts->values[number].cycles - finder->before[number].cycles;
    finder->before[number] = counts->values[number];
}

/* The piece without a tag that has the most samples. */
static size_t hottest(const struct gnomon_finder *finder) {
    size_t best = 0;
    uint64_t most = 0;
    for (size_t i = 0; i < finder->count; i++)
        if (finder->pieces[i].number == 0 && finder->pieces[i].samples > most) {
            most = finder->pieces[i].samples;
            best = i;
        }
    return best;
}

/* The number whose piece has the fewest samples. */
static unsigned coldest(const struct gnomon_finder *finder) {
    unsigned best = 1;
    for (unsigned number = 2; number <= finder->used; number++)
        if (finder->pieces[finder->tagged[number]].samples < finder->pieces[finder->tagged[best]].samples)
            best = number;
    return best;
}

/* Takes the number away from its piece. The piece keeps its counts. */
static enum gnomon_status take(struct gnomon_finder *finder, unsigned number, uint64_t now,
                               struct gnomon_error *error) {
    struct gnomon_piece *piece = &finder->pieces[finder->tagged[number]];
    struct gnomon_tag_counts counts;
    enum gnomon_status status = gnomon_tags_mark(finder->tags, piece->start, piece->end, 0, error);
    if (!status)
        status = gnomon_tags_read(finder->tags, &counts, error);
    if (!status)
        add_counts(finder, number, &counts, now);
    piece->number = 0;
    return status;
}

enum gnomon_status gnomon_finder_tag_hottest(struct gnomon_finder *finder, uint64_t least, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    while (!status && !gnomon_finder_ending(finder)) {
        const size_t index = hottest(finder);
        const struct gnomon_piece *piece = &finder->pieces[index];
        const bool full = finder->used == GNOMON_TAG_VALUES;
        uint64_t now;
        if (piece->number != 0 || piece->samples == 0 || piece->samples < least)
            return GNOMON_OK;
        if (full && piece->samples <= 2 * finder->pieces[finder->tagged[coldest(finder)]].samples)
            return GNOMON_OK;
        unsigned number = full ? coldest(finder) : ++finder->used;
        status = gnomon_tags_now(finder->tags, &now, error);
        if (!status && full)
            status = take(finder, number, now, error);
        if (!status)
            status = give(finder, index, number, now, error);
    }
    return status;
}

/* Forgets the tags of all pieces. Counting is paused, and all counts were added before. */
static void forget_tags(struct gnomon_finder *finder) {
    for (; finder->used > 0; finder->used--)
        finder->pieces[finder->tagged[finder->used]].number = 0;
}

enum gnomon_status gnomon_finder_tag_from(struct gnomon_finder *finder, size_t first, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_tags_pause(finder->tags, error);
    uint64_t now = 0;
    for (unsigned n = 1; n <= finder->used && !status && !gnomon_finder_ending(finder); n++) {
        const struct gnomon_piece *piece = &finder->pieces[finder->tagged[n]];
        status = gnomon_tags_mark(finder->tags, piece->start, piece->end, 0, error);
    }
    forget_tags(finder);
    for (size_t i = first; i < finder->count && finder->used < GNOMON_TAG_VALUES && !status; i++) {
        if (gnomon_finder_ending(finder))
            break;
        status = give(finder, i, ++finder->used, 0, error);
    }
    if (!status && gnomon_finder_ending(finder)) {
        forget_tags(finder);
        return gnomon_tags_clear_counts(finder->tags, error);
    }
    memset(finder->before, 0, sizeof finder->before); /* counting starts at 0 */
    if (!status) /* before counting begins, so that no piece counts more cycles than its turn has */
        status = gnomon_tags_now(finder->tags, &now, error);
    if (!status)
        status = gnomon_tags_restart(finder->tags, error);
    for (unsigned n = 1; n <= finder->used; n++)
        finder->pieces[finder->tagged[n]].since = now;
    return status;
}

enum gnomon_status gnomon_finder_collect(struct gnomon_finder *finder, uint64_t end, struct gnomon_error *error) {
    struct gnomon_tag_counts counts;
    uint64_t now = end;
    enum gnomon_status status = gnomon_tags_pause(finder->tags, error);
    if (!status && end == GNOMON_FINDER_RUNNING)
        status = gnomon_tags_now(finder->tags, &now, error);
    if (!status)
        status = gnomon_tags_read(finder->tags, &counts, error);
    for (unsigned n = 1; n <= finder->used && !status; n++)
        add_counts(finder, n, &counts, now);
    if (status)
        return status;
    finder->late += counts.late;
    finder->cleared += counts.cleared;
    if (counts.cleared)
        finder->cleared_address = counts.cleared_address;
    return GNOMON_OK;
}

/* The piece that stands for this code; NULL: out of memory. */
static struct gnomon_piece *loaded_piece(struct gnomon_finder *finder, const struct gnomon_code *code,
                                         uint32_t address) {
    for (size_t i = 0; i < finder->loaded_count; i++)
        if (gnomon_code_compare(&finder->loaded[i].code, code) == 0)
            return &finder->loaded[i];
    struct gnomon_piece *more = realloc(finder->loaded, (finder->loaded_count + 1) * sizeof *more);
    if (!more)
        return NULL;
    finder->loaded = more;
    more[finder->loaded_count] = (struct gnomon_piece){.start = address, .end = address, .loaded = true, .code = *code};
    return &more[finder->loaded_count++];
}

enum gnomon_status gnomon_finder_resolve(struct gnomon_finder *finder, const struct gnomon_symbols *symbols,
                                         const struct gnomon_modules *modules, struct gnomon_error *error) {
    finder->loaded_count = 0;
    for (size_t i = 0; i < finder->sampled_count; i++) {
        const struct gnomon_sampled *sampled = &finder->sampled[i];
        struct gnomon_code code;
        gnomon_code_at(&code, symbols, modules, sampled->address);
        struct gnomon_piece *piece = loaded_piece(finder, &code, sampled->address);
        if (!piece)
            return gnomon_fail_memory(error);
        piece->end = sampled->address + 2;
        piece->samples += sampled->samples;
        piece->untagged += sampled->samples;
    }
    return GNOMON_OK;
}

void gnomon_finder_reasons(const struct gnomon_finder *finder, struct gnomon_exactness *exactness) {
    const struct gnomon_tag_counts counts = {
        .late = finder->late, .cleared = finder->cleared, .cleared_address = finder->cleared_address};
    gnomon_tags_reasons(&counts, exactness);
}

uint64_t gnomon_piece_estimate(const struct gnomon_piece *piece, uint64_t period) {
    return piece->cycles + piece->untagged * period;
}
