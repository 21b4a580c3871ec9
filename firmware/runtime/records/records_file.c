/* SPDX-License-Identifier: Apache-2.0 */
/* Records in memory: writes the file when the program has ended (gnomon_records.h). */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "records_state.h"

/* A record that is reached through a pointer contains its array and number; otherwise its place gives the number. */
static void locate(const struct record *record, unsigned interrupt, uint32_t *array, uint32_t *number) {
    *array = record->array;
    *number = record->number;
#if !GNOMON_RECORDS_POINTERS
    for (const struct array *a = s->arrays; a; a = a->next) {
        const uint32_t below = (uint32_t)((struct record *)(uintptr_t)a->ends[interrupt] - record) - 1;
        if (below < a->functions) {
            *array = a->index;
            *number = below;
        }
    }
#else
    (void)interrupt;
#endif
}

static uint32_t write_open(int fd, const struct context *c, uint32_t thread, bool interrupt) {
    uint32_t count = 0;
    for (const struct frame *frame = c->base + 1; frame < c->top; frame++) {
        struct gnomon_records_open open = {
            .thread = thread | (uint32_t)interrupt << 31,
            .cycles = c->own - entered_at(frame, c->own),
        };
        locate(frame->record, interrupt, &open.module, &open.number);
        write(fd, &open, sizeof open);
        count++;
    }
    return count;
}

/* Writes the calls that have not ended: of the running context up to `now`, of other contexts up to when they were
 * left. */
static uint32_t write_all_open(int fd, uint64_t now) {
    uint32_t count = 0;
    context()->own = now - context()->away;
    context()->top = s->top;
    for (uint32_t thread = 0; thread < GNOMON_RECORDS_THREADS; thread++)
        if (threads[thread].base)
            count += write_open(fd, &threads[thread], thread, false);
    for (unsigned level = 1; level <= s->level; level++)
        count += write_open(fd, &s->levels[level], s->thread, true);
    return count;
}

#if GNOMON_RECORDS_GRAPH
static void write_lengths(int fd, const struct record *record) {
    write(fd, record->lengths, sizeof record->lengths);
}

/* Writes the arcs from callers to the record's function. */
static uint32_t write_arcs(int fd, const struct record *record, unsigned interrupt) {
    struct gnomon_records_arc entry = {.interrupt = interrupt};
    uint32_t count = 0;
    locate(record, interrupt, &entry.module, &entry.number);
    for (const struct arc *arc = record->arcs; arc; arc = arc->next) {
        entry.caller_module = 0;
        entry.caller = GNOMON_RECORDS_UNPROFILED;
        if (arc->caller != &s->unprofiled[interrupt])
            locate(arc->caller, interrupt, &entry.caller_module, &entry.caller);
        entry.calls = ((uint64_t)arc->calls_high << 31) + arc->calls;
        entry.self = arc->self;
        entry.total = arc->total;
        write(fd, &entry, sizeof entry);
        count++;
    }
    return count;
}
#else
static void write_lengths(int fd, const struct record *record) {
    (void)fd;
    (void)record;
}

static uint32_t write_arcs(int fd, const struct record *record, unsigned interrupt) {
    (void)fd;
    (void)record;
    (void)interrupt;
    return 0;
}
#endif

static uint32_t write_records(int fd, const struct array *array, unsigned interrupt) {
    uint32_t count = 0;
    for (uint32_t number = 0; number < array->functions; number++) {
        const struct record *record = record_of(array, interrupt, number);
        if (!record || !(record->calls | record->calls_high))
            continue;
        const uint64_t total = (uint64_t)record->total_high << 32 | record->total;
        const struct gnomon_records_record entry = {
            .number = number,
            .module = array->index,
            .interrupt = interrupt,
            .calls = ((uint64_t)record->calls_high << 31) + record->calls,
            .self = total - record->callees,
            .total = total,
        };
        write(fd, &entry, sizeof entry);
        write_lengths(fd, record);
        count++;
    }
    return count;
}

/* Writes the arcs. In the file they follow all records. */
static uint32_t write_arcs_of(int fd, const struct array *array, unsigned interrupt) {
    uint32_t count = 0;
    for (uint32_t number = 0; number < array->functions; number++) {
        const struct record *record = record_of(array, interrupt, number);
        if (record)
            count += write_arcs(fd, record, interrupt);
    }
    return count;
}

static uint32_t write_all(int fd, uint32_t (*write_one)(int fd, const struct array *array, unsigned interrupt)) {
    uint32_t count = 0;
    for (const struct array *array = s->arrays; array; array = array->next)
        for (unsigned interrupt = 0; interrupt <= has_interrupts(); interrupt++)
            count += write_one(fd, array, interrupt);
    return count;
}

/* Writes the modules, the last one first. */
static uint32_t write_modules(int fd) {
    for (const struct array *array = s->arrays; array != program; array = array->next) {
        struct gnomon_records_module module = {.module = array->index, .functions = array->functions};
        memcpy(module.key, array->key, sizeof module.key);
        write(fd, &module, sizeof module);
    }
    return s->arrays->index;
}

extern const uint8_t __gnomon_build_id[], __gnomon_build_id_end[];

/* The build id is in a note that the linker makes, after three words and the name "GNU". */
static void copy_build_id(uint8_t key[GNOMON_RECORDS_KEY_BYTES]) {
    enum { HEAD = 16 };
    if (__gnomon_build_id_end - __gnomon_build_id == HEAD + GNOMON_RECORDS_KEY_BYTES)
        memcpy(key, __gnomon_build_id + HEAD, GNOMON_RECORDS_KEY_BYTES);
}

/* Called when the program has ended. Open calls are listed and then ended, so that the records are complete. */
void __gnomon_records_write(void) {
    gnomon_interrupts_off();
    if (!s->began)
        return;
    const uint64_t now = __gnomon_records_now();
    struct gnomon_records_header header = {
        .magic = GNOMON_RECORDS_MAGIC,
        .version = GNOMON_RECORDS_VERSION,
        .functions = function_total(),
        .pointers = GNOMON_RECORDS_POINTERS,
        .graph = GNOMON_RECORDS_GRAPH,
        .clock_hz = GNOMON_REG(GNOMON_SYSCTL_CLOCK_HZ),
    };
    copy_build_id(header.key);
    const int fd = open(GNOMON_RECORDS_FILE, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    write(fd, &header, sizeof header);
    TRACE(END, 0, now);
    header.open = write_all_open(fd, now);
    header.thread_cycles = __gnomon_records_close(now);
    header.interrupt_cycles = s->interrupt_cycles;
    header.covered[0] = s->unprofiled[0].callees;
    header.covered[1] = s->unprofiled[1].callees;
    header.dropped = s->dropped;
    header.dropped_other = s->dropped_other;
    header.left = s->left;
    header.records = write_all(fd, write_records);
    header.arcs = write_all(fd, write_arcs_of);
    header.arcless = __gnomon_records_arcless();
    header.modules = write_modules(fd);
    lseek(fd, 0, SEEK_SET);
    if (write(fd, &header, sizeof header) != sizeof header || close(fd) != 0) {
        static const char text[] = "gnomon: no memory to write " GNOMON_RECORDS_FILE "\n";
        __gnomon_console_write(text, sizeof text - 1);
    }
}
