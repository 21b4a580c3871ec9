/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/read_heap.h"

#include <stddef.h>
#include <string.h>

#include "gnomon/heap.h"
#include "gnomon/param.h"
#include "lib/elf/objects.h"

enum {
    PART_WORDS = 4096,
    MOST_WORDS = 2 << 20, /* of all looks together: what a file holds */
};

/* *address: of the program's variable; 0: there is none, or it makes no sense. */
static enum gnomon_status find_variable(const struct gnomon_session *session, const char *name, uint32_t size,
                                        uint32_t *address, struct gnomon_error *error) {
    struct gnomon_objects objects;
    uint32_t at = 0;
    const bool loaded = gnomon_objects_load(&objects, session->image->path);
    const bool found = loaded && gnomon_objects_named(&objects, name, &at);
    gnomon_objects_free(&objects);
    *address = found && at % 4 == 0 && gnomon_board_holds(session->board, at, size) ? at : 0;
    return loaded ? GNOMON_OK : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_heap_reader_open(struct gnomon_heap_reader *reader, const struct gnomon_session *session,
                                           bool halts, struct gnomon_error *error) {
    *reader = (struct gnomon_heap_reader){.session = session};
    enum gnomon_status status =
        find_variable(session, GNOMON_HEAP_SYMBOL, (uint32_t)sizeof(struct gnomon_heap_state), &reader->state, error);
    if (status || !reader->state || !halts)
        return status;
    return gnomon_device_set(session->device, reader->state + (uint32_t)offsetof(struct gnomon_heap_state, wanted), 1,
                             error);
}

enum gnomon_status gnomon_heap_watch(const struct gnomon_session *session, struct gnomon_error *error) {
    uint32_t address = 0, value = 0;
    enum gnomon_status status = find_variable(session, GNOMON_HEAP_WATCH_SYMBOL, sizeof value, &address, error);
    if (!status && address)
        status = gnomon_device_get(session->device, address, &value, error);
    if (status)
        return status;
    if (value == GNOMON_HEAP_WATCH_OFF)
        return gnomon_device_set(session->device, address, GNOMON_HEAP_WATCH_ON, error);
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no guards around the blocks of its heap", session->image->path);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                         "link it with gnomon cc --gnomon-heap=guard, and keep its symbols");
}

static uint64_t cycle_of(const uint32_t words[2]) {
    return (uint64_t)words[1] << 32 | words[0];
}

/* ---- Words ---- */

static size_t words_in_all(const struct gnomon_heap_memory *memory) {
    size_t count = 0;
    for (size_t i = 0; i < memory->look_count; i++)
        count += memory->looks[i].count;
    return count;
}

/* Only an address in main memory can be one of a block. */
static bool is_pointer(const struct gnomon_heap_reader *reader, uint32_t value) {
    return gnomon_board_holds(reader->session->board, value, 1);
}

static enum gnomon_status read_words(struct gnomon_heap_reader *reader, struct gnomon_heap_look *look,
                                     struct gnomon_heap_range range, struct gnomon_error *error) {
    uint32_t words[PART_WORDS];
    const uint32_t end = range.end & ~3u;
    for (uint32_t at = (range.start + 3) & ~3u; at < end && !reader->too_large;) {
        const uint32_t count = (end - at) / 4 < PART_WORDS ? (end - at) / 4 : PART_WORDS;
        enum gnomon_status status = gnomon_device_read(reader->session->device, at, words, count, error);
        if (status)
            return status;
        for (uint32_t i = 0; i < count; i++)
            if (is_pointer(reader, words[i]) && !gnomon_heap_look_add_word(look, at + 4 * i, words[i]))
                return gnomon_fail_memory(error);
        reader->too_large = words_in_all(&reader->memory) > MOST_WORDS;
        at += 4 * count;
    }
    return GNOMON_OK;
}

/* ---- Address ranges ---- */

enum { MOST_RANGES = 64 };
struct ranges {
    unsigned count;
    struct gnomon_heap_range list[MOST_RANGES];
};

/* In the order of addresses. A range that overlaps an earlier one loses that part, so that no word comes twice. */
static void add_range(struct ranges *ranges, const struct gnomon_board *board, uint32_t start, uint32_t end) {
    unsigned place = 0;
    for (; place < ranges->count && ranges->list[place].start <= start; place++)
        if (ranges->list[place].end > start)
            start = ranges->list[place].end;
    if (place < ranges->count && ranges->list[place].start < end)
        end = ranges->list[place].start;
    if (start >= end || ranges->count == MOST_RANGES || !gnomon_board_holds(board, start, end - start))
        return;
    memmove(&ranges->list[place + 1], &ranges->list[place], (ranges->count - place) * sizeof *ranges->list);
    ranges->list[place] = (struct gnomon_heap_range){start, end};
    ranges->count++;
}

/* Variables: what the program may write, and memory that the file has no bytes for. */
static void add_variables(struct ranges *ranges, const struct gnomon_session *session) {
    for (size_t i = 0; i < session->image->segment_count; i++) {
        const struct gnomon_segment *segment = &session->image->segments[i];
        const uint32_t start = segment->runs_at + (segment->writable ? 0 : segment->size);
        add_range(ranges, session->board, start, segment->runs_at + segment->memory);
    }
}

/* The stack of the thread that runs main begins below the parameters. If another thread runs, its top is not known. */
static enum gnomon_status add_stack(struct ranges *ranges, const struct gnomon_session *session,
                                    const struct gnomon_heap_state *state, struct gnomon_error *error) {
    const uint32_t top = session->param->address;
    uint32_t lowest = 0;
    enum gnomon_status status =
        gnomon_device_get(session->device, top + (uint32_t)offsetof(struct gnomon_param, stack_end), &lowest, error);
    const bool own = state->sp >= state->heap_end && state->sp < top;
    if (!status)
        add_range(ranges, session->board, own ? state->sp : lowest, top);
    return status;
}

static enum gnomon_status look_at(struct gnomon_heap_reader *reader, const struct gnomon_heap_state *state, bool ended,
                                  struct gnomon_error *error) {
    const struct gnomon_session *session = reader->session;
    struct ranges roots = {0}, all;
    struct gnomon_heap_look *look = gnomon_heap_memory_add(&reader->memory);
    if (!look)
        return gnomon_fail_memory(error);
    look->number = ended ? 0 : state->looks;
    look->at_exit = !ended && state->exited;
    look->cycle = cycle_of(state->cycle);
    add_variables(&roots, session);
    enum gnomon_status status = add_stack(&roots, session, state, error);
    all = roots;
    add_range(&all, session->board, state->heap_start, state->heap_end);
    for (unsigned i = 0; i < roots.count && !status; i++)
        if (!gnomon_heap_look_add_root(look, roots.list[i].start, roots.list[i].end))
            status = gnomon_fail_memory(error);
    for (unsigned i = 0; i < all.count && !status; i++)
        status = read_words(reader, look, all.list[i], error);
    return status;
}

enum gnomon_status gnomon_heap_reader_look(struct gnomon_heap_reader *reader, bool ended, struct gnomon_error *error) {
    struct gnomon_heap_state state;
    if (!reader->state)
        return GNOMON_OK;
    enum gnomon_status status =
        gnomon_device_read_bytes(reader->session->device, reader->state, &state, sizeof state, error);
    if (status || state.magic != GNOMON_HEAP_MAGIC || state.version != GNOMON_HEAP_VERSION || !state.sp ||
        (!ended && !state.looks))
        return status;
    reader->memory.known = true;
    reader->memory.exited = state.exited;
    reader->memory.main_cycle = cycle_of(state.main_cycle);
    return look_at(reader, &state, ended, error);
}

void gnomon_heap_reader_narrow(struct gnomon_heap_reader *reader, struct gnomon_heap_range heap) {
    for (size_t i = 0; i < reader->memory.look_count; i++) {
        struct gnomon_heap_look *look = &reader->memory.looks[i];
        size_t kept = 0;
        for (size_t j = 0; j < look->count; j++)
            if (look->words[j].value >= heap.start && look->words[j].value < heap.end)
                look->words[kept++] = look->words[j];
        look->count = kept;
    }
}

void gnomon_heap_reader_free(struct gnomon_heap_reader *reader) {
    gnomon_heap_memory_free(&reader->memory);
}
