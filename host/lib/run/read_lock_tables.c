/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/read_lock_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/elf/objects.h"

#define PAGE_BYTES 4096u
#define PAGES 64u
#define MOST_NAME 255u /* bytes of a name; the rest of a longer name is cut off */

/* Main memory, read in pages: the names of locks are mostly beside each other. */
struct memory {
    struct gnomon_device *device;
    const struct gnomon_board *board;
    const struct gnomon_image *image;
    struct gnomon_error *error;
    enum gnomon_status status;
    uint32_t starts[PAGES]; /* addresses plus 1; 0: empty */
    uint8_t pages[PAGES][PAGE_BYTES];
};

static const uint8_t *page_of(struct memory *memory, uint32_t start) {
    const unsigned at = start / PAGE_BYTES % PAGES;
    uint64_t size = (uint64_t)memory->board->ram_base + memory->board->ram_bytes - start;
    if (memory->starts[at] == start + 1)
        return memory->pages[at];
    memory->starts[at] = 0;
    memory->status = gnomon_device_read_bytes(memory->device, start, memory->pages[at],
                                              size < PAGE_BYTES ? (size_t)size : PAGE_BYTES, memory->error);
    if (memory->status)
        return NULL;
    memory->starts[at] = start + 1;
    return memory->pages[at];
}

/* Reads bytes of main memory, which holds them all. */
static bool take(struct memory *memory, uint32_t address, void *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        const uint32_t at = address + (uint32_t)done, offset = at % PAGE_BYTES;
        const uint8_t *page = page_of(memory, at - offset);
        size_t part = PAGE_BYTES - offset < size - done ? PAGE_BYTES - offset : size - done;
        if (!page)
            return false;
        memcpy((uint8_t *)bytes + done, page + offset, part);
        done += part;
    }
    return true;
}

/* Constants that stay in flash memory are read from the program's file. */
static const char *in_file(const struct gnomon_image *image, uint32_t address, size_t *size) {
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct gnomon_segment *segment = &image->segments[i];
        if (address >= segment->runs_at && address - segment->runs_at < segment->size) {
            *size = segment->size - (address - segment->runs_at);
            return (const char *)segment->data + (address - segment->runs_at);
        }
    }
    return NULL;
}

/* The string at `address`; NULL: there is none, or reading failed. A string that ends with memory is one. */
static char *name_at(struct memory *memory, uint32_t address) {
    char text[MOST_NAME + 1] = "";
    size_t length = 0, size = 0;
    if (gnomon_board_holds(memory->board, address, 1)) {
        while (length < MOST_NAME && gnomon_board_holds(memory->board, address + (uint32_t)length, 1)) {
            if (!take(memory, address + (uint32_t)length, &text[length], 1))
                return NULL;
            if (!text[length])
                break;
            length++;
        }
    } else {
        const char *found = in_file(memory->image, address, &size);
        length = found ? strnlen(found, size < MOST_NAME ? size : MOST_NAME) : 0;
        if (!found)
            return NULL;
        memcpy(text, found, length);
    }
    text[length] = '\0';
    return strdup(text);
}

static bool table_fits(const struct memory *memory, uint32_t address, uint32_t count, size_t size) {
    return count == 0 || (address % 4 == 0 && gnomon_board_holds(memory->board, address, (uint64_t)count * size));
}

/* What is wrong with the head of the tables; NULL: nothing. */
static const char *head_doubt(const struct memory *memory, const struct gnomon_locks *head) {
    if (head->magic != GNOMON_LOCKS_MAGIC)
        return "their magic number is wrong";
    if (head->version != GNOMON_LOCKS_VERSION)
        return "their version is not known to this gnomon";
    if (head->threads > head->threads_room || head->threads_room > GNOMON_THREADS_MOST)
        return "the number of threads is absurd";
    if (head->locks > head->locks_room || head->locks_room > GNOMON_LOCKS_MOST)
        return "the number of locks is absurd";
    if (!table_fits(memory, head->thread_table, head->threads, sizeof(struct gnomon_thread_entry)))
        return "the table of threads is not in main memory";
    if (!table_fits(memory, head->lock_table, head->locks_room, sizeof(struct gnomon_lock_entry)))
        return "the table of locks is not in main memory";
    return NULL;
}

/* Counts entries and names that make no sense. */
struct left_out {
    unsigned names, kinds;
};

static char *take_name(struct memory *memory, uint32_t address, struct left_out *left_out) {
    char *name = address ? name_at(memory, address) : NULL;
    left_out->names += address && !name && !memory->status;
    return name;
}

static bool take_threads(struct memory *memory, const struct gnomon_locks *head, struct gnomon_lock_tables *tables,
                         struct left_out *left_out) {
    for (uint32_t i = 0; i < head->threads && i < GNOMON_LOCKS_THREAD_OTHER; i++) {
        struct gnomon_thread_entry entry;
        if (!take(memory, head->thread_table + i * (uint32_t)sizeof entry, &entry, sizeof entry))
            return false;
        const bool sound = entry.least_priority <= entry.most_priority;
        tables->threads[i] = (struct gnomon_table_thread){
            .known = true,
            .ended = entry.state == GNOMON_THREAD_ENDED,
            .name = take_name(memory, entry.name, left_out),
            .start = entry.start,
            .least_priority = sound ? entry.least_priority : 0,
            .most_priority = sound ? entry.most_priority : 0,
        };
    }
    return !memory->status;
}

/* Entry 0 is no lock. */
static bool take_locks(struct memory *memory, const struct gnomon_locks *head, struct gnomon_lock_tables *tables,
                       struct left_out *left_out) {
    for (uint32_t i = 1; i < head->locks && i < GNOMON_LOCKS_LOCK_OTHER; i++) {
        struct gnomon_lock_entry entry;
        if (!take(memory, head->lock_table + i * (uint32_t)sizeof entry, &entry, sizeof entry))
            return false;
        if (entry.state == GNOMON_LOCK_UNUSED)
            continue;
        const bool sound = entry.kind < GNOMON_LOCK_KINDS && entry.state <= GNOMON_LOCK_DESTROYED;
        left_out->kinds += !sound;
        tables->locks[i] = (struct gnomon_table_lock){
            .kind = sound ? (enum gnomon_lock_kind)entry.kind : GNOMON_LOCK_NONE,
            .state = sound ? (enum gnomon_lock_state)entry.state : GNOMON_LOCK_LIVE,
            .name = take_name(memory, entry.name, left_out),
            .address = entry.address,
            .caller = entry.caller,
            .wrong = entry.wrong,
        };
    }
    return !memory->status;
}

static void explain(const struct left_out *left_out, char doubt[GNOMON_LOCK_DOUBT_BYTES]) {
    if (left_out->kinds)
        snprintf(doubt, GNOMON_LOCK_DOUBT_BYTES, "%u of the locks have a kind or state that is not known",
                 left_out->kinds);
    else if (left_out->names)
        snprintf(doubt, GNOMON_LOCK_DOUBT_BYTES, "%u names of threads or locks are not in memory", left_out->names);
}

static enum gnomon_status read_at(struct memory *memory, uint32_t address, struct gnomon_lock_tables *tables,
                                  char doubt[GNOMON_LOCK_DOUBT_BYTES]) {
    struct gnomon_locks head;
    struct left_out left_out = {0};
    if (address % 4 || !gnomon_board_holds(memory->board, address, sizeof head)) {
        snprintf(doubt, GNOMON_LOCK_DOUBT_BYTES, "they are not in main memory");
        return GNOMON_OK;
    }
    if (!take(memory, address, &head, sizeof head))
        return memory->status;
    const char *wrong = head_doubt(memory, &head);
    if (wrong) {
        snprintf(doubt, GNOMON_LOCK_DOUBT_BYTES, "%s", wrong);
        return GNOMON_OK;
    }
    if (!take_threads(memory, &head, tables, &left_out) || !take_locks(memory, &head, tables, &left_out))
        return memory->status;
    tables->threads_refused = head.threads_refused;
    tables->locks_refused = head.locks_refused;
    tables->known = true;
    explain(&left_out, doubt);
    return GNOMON_OK;
}

enum gnomon_status gnomon_lock_tables_read(struct gnomon_lock_tables *tables, struct gnomon_device *device,
                                           const struct gnomon_board *board, const struct gnomon_image *image,
                                           char doubt[GNOMON_LOCK_DOUBT_BYTES], struct gnomon_error *error) {
    struct gnomon_objects objects;
    uint32_t address;
    *tables = (struct gnomon_lock_tables){0};
    doubt[0] = '\0';
    const bool loaded = gnomon_objects_load(&objects, image->path);
    const bool found = loaded && gnomon_objects_named(&objects, GNOMON_LOCKS_SYMBOL, &address);
    gnomon_objects_free(&objects);
    if (!loaded)
        return gnomon_fail_memory(error);
    if (!found)
        return GNOMON_OK;
    struct memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return gnomon_fail_memory(error);
    memory->device = device;
    memory->board = board;
    memory->image = image;
    memory->error = error;
    enum gnomon_status status = read_at(memory, address, tables, doubt);
    free(memory);
    return status;
}
