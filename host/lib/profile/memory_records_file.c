/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/memory_records_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../../firmware/runtime/include/gnomon_records.h"
#include "lib/profile/profile.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file's structures are read as they lie");
_Static_assert(GNOMON_RECORDS_BUCKETS == GNOMON_BUCKETS, "buckets are handed on by number");

#define MAX_BYTES (UINT64_C(1) << 32) /* more than any target's memory */
#define MAX_NUMBERS (GNOMON_PROFILE_ADDRESS - GNOMON_PROFILE_MODULE)

struct memory {
    struct gnomon_memory shown; /* must be the first member */
    char *path;
    uint8_t *bytes;
    size_t size;
    struct gnomon_records_header header;
    size_t records, arcs, modules; /* offsets */
    size_t each;                   /* bytes of a record, including its lengths */
    uint32_t *first;               /* for each module: number of its first function */
    uint32_t *functions;           /* for each module: number of its functions */
    uint32_t *ids;
    char build_id[2 * GNOMON_RECORDS_KEY_BYTES + 1];
};

bool gnomon_memory_is(const char *path) {
    struct stat about;
    uint32_t magic = 0;
    if (stat(path, &about) || !S_ISREG(about.st_mode)) /* what is read from a pipe here would be missing later */
        return false;
    FILE *file = fopen(path, "rb");
    bool got = file && fread(&magic, sizeof magic, 1, file) == 1;
    if (file)
        fclose(file);
    return got && magic == GNOMON_RECORDS_MAGIC;
}

static enum gnomon_status damaged(const char *path, const char *what, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_FORMAT, "%s: %s", path, what);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "it was cut off, or is damaged; fetch it again, or run again");
}

static enum gnomon_status read_bytes(struct memory *memory, const char *path, struct gnomon_error *error) {
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) != 0) {
        gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot read %s", path);
        if (file)
            fclose(file);
        return gnomon_given(GNOMON_ERR_SYSTEM);
    }
    enum gnomon_status status = GNOMON_OK;
    memory->size = (size_t)size;
    if ((uint64_t)size > MAX_BYTES)
        status = damaged(path, "too large for a file of records", error);
    else if (!(memory->bytes = malloc(memory->size + 1)))
        status = gnomon_fail_memory(error);
    else if (fread(memory->bytes, 1, memory->size, file) != memory->size)
        status = gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot read %s", path);
    fclose(file);
    return status;
}

static void digits(char *text, const uint8_t key[GNOMON_RECORDS_KEY_BYTES]) {
    bool any = false;
    for (unsigned i = 0; i < GNOMON_RECORDS_KEY_BYTES; i++) {
        snprintf(text + 2 * i, 3, "%02x", key[i]);
        any |= key[i] != 0;
    }
    if (!any)
        *text = '\0';
}

/* Finds the offsets of all parts. Counts have 32 bits and sizes are below 2^8, so that nothing here overflows. */
static enum gnomon_status lay_out(struct memory *memory, const char *path, struct gnomon_error *error) {
    struct gnomon_records_header *header = &memory->header;
    if (memory->size < sizeof *header)
        return damaged(path, "ends within its header", error);
    memcpy(header, memory->bytes, sizeof *header);
    if (header->version != GNOMON_RECORDS_VERSION) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s is of version %u of its format, this gnomon reads %u", path,
                    header->version, GNOMON_RECORDS_VERSION);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "link the program with the gnomon that reads it");
    }
    memory->each = sizeof(struct gnomon_records_record) + (header->graph ? sizeof(struct gnomon_records_lengths) : 0);
    uint64_t at = sizeof *header + (uint64_t)header->open * sizeof(struct gnomon_records_open);
    memory->records = (size_t)at;
    at += (uint64_t)header->records * memory->each;
    memory->arcs = (size_t)at;
    at += (uint64_t)header->arcs * sizeof(struct gnomon_records_arc);
    memory->modules = (size_t)at;
    at += (uint64_t)header->modules * sizeof(struct gnomon_records_module);
    return at == memory->size ? GNOMON_OK : damaged(path, "its size is not what its header says", error);
}

static struct gnomon_records_module module_at(const struct memory *memory, uint32_t index) {
    struct gnomon_records_module module;
    memcpy(&module, memory->bytes + memory->modules + index * sizeof module, sizeof module);
    return module;
}

/* Numbers the functions of modules after the program's, in the order in which the modules were loaded. */
static enum gnomon_status number_modules(struct memory *memory, const char *path, struct gnomon_error *error) {
    const uint32_t modules = memory->header.modules;
    memory->first = calloc((size_t)modules + 1, sizeof *memory->first);
    memory->functions = calloc((size_t)modules + 1, sizeof *memory->functions);
    if (!memory->first || !memory->functions)
        return gnomon_fail_memory(error);
    memory->functions[0] = memory->header.functions;
    for (uint32_t i = 0; i < modules; i++) {
        const struct gnomon_records_module module = module_at(memory, i);
        if (module.module != modules - i)
            return damaged(path, "its modules are not in their order", error);
        memory->functions[module.module] = module.functions;
    }
    uint64_t numbers = 0;
    for (uint32_t i = 0; i <= modules; i++) {
        memory->first[i] = (uint32_t)numbers;
        numbers += memory->functions[i];
        if (numbers > MAX_NUMBERS || memory->functions[0] > GNOMON_MAX_FUNCTIONS)
            return damaged(path, "it says that there are more functions than any program has", error);
    }
    memory->shown.numbers = (uint32_t)numbers;
    return GNOMON_OK;
}

enum gnomon_status gnomon_memory_open(struct gnomon_memory **out, const char *path, struct gnomon_error *error) {
    struct memory *memory = calloc(1, sizeof *memory);
    *out = memory ? &memory->shown : NULL;
    if (!memory)
        return gnomon_fail_memory(error);
    memory->path = strdup(path);
    enum gnomon_status status = memory->path ? read_bytes(memory, path, error) : gnomon_fail_memory(error);
    if (!status)
        status = lay_out(memory, path, error);
    if (!status)
        status = number_modules(memory, path, error);
    const struct gnomon_records_header *header = &memory->header;
    digits(memory->build_id, header->key);
    memory->shown.build_id = memory->build_id;
    memory->shown.clock_hz = header->clock_hz;
    memory->shown.cycles = header->thread_cycles + header->interrupt_cycles;
    memory->shown.dropped = header->dropped;
    memory->shown.dropped_other = header->dropped_other;
    memory->shown.left = header->left;
    return status;
}

void gnomon_memory_free(struct gnomon_memory *shown) {
    struct memory *memory = (struct memory *)shown;
    if (!memory)
        return;
    free(memory->path);
    free(memory->bytes);
    free(memory->first);
    free(memory->functions);
    free(memory->ids);
    free(memory);
}

/* ---- As a device's records ---- */

/* The number of a module's function. False: there is no such function. */
static bool number_of(const struct memory *memory, uint32_t module, uint32_t function, uint32_t *number) {
    if (module > memory->header.modules || function >= memory->functions[module])
        return false;
    *number = memory->first[module] + function;
    return true;
}

static bool take_records(const struct memory *memory, struct gnomon_records *records) {
    for (uint32_t i = 0; i < memory->header.records; i++) {
        const uint8_t *at = memory->bytes + memory->records + i * memory->each;
        struct gnomon_records_record entry;
        memcpy(&entry, at, sizeof entry);
        struct gnomon_record *record = &records->list[records->count++];
        *record =
            (struct gnomon_record){.calls = entry.calls, .self = entry.self, .total = entry.total, .min = UINT64_MAX};
        if (!number_of(memory, entry.module, entry.number, &record->number))
            return false;
        struct gnomon_records_lengths lengths = {0};
        if (memory->header.graph)
            memcpy(&lengths, at + sizeof entry, sizeof lengths);
        for (unsigned bucket = 0; bucket < GNOMON_BUCKETS; bucket++)
            if (lengths.calls[bucket])
                records->buckets[records->bucket_count++] =
                    (struct gnomon_record_bucket){.number = record->number,
                                                  .bucket = bucket,
                                                  .figures = {.calls = lengths.calls[bucket]},
                                                  .saturated = lengths.calls[bucket] == UINT32_MAX};
    }
    return true;
}

static bool take_arcs(const struct memory *memory, struct gnomon_records *records) {
    for (uint32_t i = 0; i < memory->header.arcs; i++) {
        struct gnomon_records_arc entry;
        memcpy(&entry, memory->bytes + memory->arcs + i * sizeof entry, sizeof entry);
        struct gnomon_record_arc *arc = &records->arcs[records->arc_count++];
        *arc = (struct gnomon_record_arc){
            .caller = memory->shown.numbers + GNOMON_RECORD_NONE, /* outside */
            .calls = entry.calls,
            .self = entry.self,
            .total = entry.total,
        };
        if (!number_of(memory, entry.module, entry.number, &arc->callee) ||
            (entry.caller != GNOMON_RECORDS_UNPROFILED &&
             !number_of(memory, entry.caller_module, entry.caller, &arc->caller)))
            return false;
    }
    return true;
}

static int by_number(const void *a, const void *b) {
    const uint32_t left = ((const struct gnomon_record *)a)->number, right = ((const struct gnomon_record *)b)->number;
    return (left > right) - (left < right);
}

static int by_ends(const void *a, const void *b) {
    const struct gnomon_record_arc *left = a, *right = b;
    if (left->caller != right->caller)
        return left->caller > right->caller ? 1 : -1;
    return (left->callee > right->callee) - (left->callee < right->callee);
}

static int by_bucket(const void *a, const void *b) {
    const struct gnomon_record_bucket *left = a, *right = b;
    if (left->number != right->number)
        return left->number > right->number ? 1 : -1;
    return (left->bucket > right->bucket) - (left->bucket < right->bucket);
}

static void add_record(void *into, const void *from) {
    struct gnomon_record *sum = into;
    const struct gnomon_record *record = from;
    sum->calls += record->calls;
    sum->self += record->self;
    sum->total += record->total;
}

static void add_arc(void *into, const void *from) {
    struct gnomon_record_arc *sum = into;
    const struct gnomon_record_arc *arc = from;
    sum->calls += arc->calls;
    sum->self += arc->self;
    sum->total += arc->total;
}

static void add_bucket(void *into, const void *from) {
    struct gnomon_record_bucket *sum = into;
    const struct gnomon_record_bucket *bucket = from;
    sum->figures.calls += bucket->figures.calls;
    sum->saturated |= bucket->saturated;
}

/* Merges the entries of a function in threads and in interrupts. Sorts the list; returns the number of remaining
 * entries. */
static size_t merge(void *list, size_t count, size_t size, int (*compare)(const void *, const void *),
                    void (*add)(void *into, const void *from)) {
    char *kept = list;
    qsort(list, count, size, compare);
    for (size_t i = 0; i < count; i++) {
        const char *one = (char *)list + i * size;
        if (kept != list && compare(kept - size, one) == 0) {
            add(kept - size, one);
        } else {
            memmove(kept, one, size);
            kept += size;
        }
    }
    return (size_t)(kept - (char *)list) / size;
}

/* Adds the records of traps, which follow those of functions. This file has only the one for time outside of functions.
 */
static void add_outside(const struct memory *memory, struct gnomon_records *records) {
    const uint64_t covered = memory->header.covered[0] + memory->header.covered[1];
    records->list[records->count++] = (struct gnomon_record){
        .number = memory->shown.numbers + GNOMON_RECORD_NONE,
        .self = memory->shown.cycles - covered,
        .min = UINT64_MAX,
    };
}

static enum gnomon_status identify(struct memory *memory, struct gnomon_modules *modules, struct gnomon_error *error) {
    memory->shown.ids = memory->ids = calloc((size_t)memory->shown.numbers + 1, sizeof *memory->ids);
    if (!memory->ids)
        return gnomon_fail_memory(error);
    for (uint32_t number = 0; number < memory->header.functions; number++)
        memory->ids[number] = number;
    for (uint32_t i = 0; i < memory->header.modules; i++) {
        const struct gnomon_records_module module = module_at(memory, i);
        uint32_t key, id;
        memcpy(&key, module.key, sizeof key);
        if (!gnomon_modules_identify(modules, key, module.functions, &id))
            return gnomon_fail_memory(error);
        for (uint32_t n = 0; n < module.functions; n++)
            memory->ids[memory->first[module.module] + n] = id + n;
    }
    return GNOMON_OK;
}

enum gnomon_status gnomon_memory_records(struct gnomon_memory *shown, struct gnomon_modules *modules,
                                         struct gnomon_records *records, struct gnomon_error *error) {
    struct memory *memory = (struct memory *)shown;
    const struct gnomon_records_header *header = &memory->header;
    *records = (struct gnomon_records){
        .size = shown->numbers + GNOMON_RECORD_TRAPS,
        .with_arcs = header->graph,
        .arc_overflow = header->arcless,
        .bucketed = header->graph ? shown->numbers : 0,
        .in_memory = true,
        .list = calloc((size_t)header->records + 1, sizeof *records->list),
        .arcs = calloc((size_t)header->arcs + 1, sizeof *records->arcs),
        .buckets = calloc(header->graph ? (size_t)header->records * GNOMON_BUCKETS + 1 : 1, sizeof *records->buckets),
    };
    if (!records->list || !records->arcs || !records->buckets)
        return gnomon_fail_memory(error);
    if (!take_records(memory, records) || !take_arcs(memory, records))
        return damaged(memory->path, "it has figures of a function that there is not", error);
    if (header->covered[0] > header->thread_cycles || header->covered[1] > header->interrupt_cycles)
        return damaged(memory->path, "the cycles do not add up", error);
    records->count = merge(records->list, records->count, sizeof *records->list, by_number, add_record);
    records->arc_count = merge(records->arcs, records->arc_count, sizeof *records->arcs, by_ends, add_arc);
    records->bucket_count =
        merge(records->buckets, records->bucket_count, sizeof *records->buckets, by_bucket, add_bucket);
    add_outside(memory, records);
    return identify(memory, modules, error);
}
