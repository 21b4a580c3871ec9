/* SPDX-License-Identifier: Apache-2.0 */
/* gmon.out, as gprof reads it beside the program: a histogram, arcs, and, if the recording has the cycles of
 * instructions, basic-block counts. gprof knows functions by their addresses in the program, so what has none there
 * counts at address 0, outside of all functions. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/export/gmon_file.h"
#include "lib/util/bytes.h"

enum tag { TAG_HISTOGRAM, TAG_ARC, TAG_BLOCKS };

#define VERSION 1
#define DIMENSION_BYTES 15
#define HISTOGRAM_BYTES 33 /* of a record without its bins */
#define ARC_BYTES 13

void gmon_put_number(FILE *stream, unsigned bytes, uint64_t value) {
    uint8_t little[8];
    gnomon_put_little(little, bytes, value);
    fwrite(little, 1, bytes, stream);
}

/* ---- Histogram ---- */

/* The format has no comments: the name of the unit tells that figures are not exact. */
static const char *dimension_of(const struct gnomon_export *export) {
    return gnomon_exactness_exact(&export->exactness) ? "cycles" : "inexact cycles";
}

void gmon_put_head(FILE *stream, const struct gmon_unit *unit, uint32_t start, uint32_t bins) {
    char text[DIMENSION_BYTES] = "";
    for (size_t i = 0; i < sizeof text && unit->dimension[i]; i++) /* all bytes may be used: it is no string */
        text[i] = unit->dimension[i];
    gmon_put_number(stream, 1, TAG_HISTOGRAM);
    gmon_put_number(stream, 4, start);
    gmon_put_number(stream, 4, start + bins * GMON_BIN_BYTES);
    gmon_put_number(stream, 4, bins);
    gmon_put_number(stream, 4, unit->rate);
    fwrite(text, 1, sizeof text, stream);
    fputc(unit->abbreviation, stream);
}

/* A record of the bins of one address range. */
static void put_histogram(FILE *stream, const char *dimension, uint32_t start, uint32_t bins, uint64_t each,
                          uint64_t first) {
    const struct gmon_unit unit = {.dimension = dimension, .abbreviation = 'c', .rate = 1}; /* a sample is a cycle */
    gmon_put_head(stream, &unit, start, bins);
    for (uint32_t i = 0; i < bins; i++)
        gmon_put_number(stream, 2, i < first ? each + 1 : each);
}

/* Spreads the cycles over the bins of the range. What is more than a bin can hold goes to more records of the range:
 * gprof adds them. */
static void put_cycles(FILE *stream, const char *dimension, uint32_t start, uint32_t end, uint64_t cycles) {
    const uint32_t bins = (end - start) / GMON_BIN_BYTES;
    const uint64_t most = (uint64_t)bins * GMON_BIN_MOST;
    for (; cycles > most; cycles -= most)
        put_histogram(stream, dimension, start, bins, GMON_BIN_MOST, 0);
    put_histogram(stream, dimension, start, bins, cycles / bins, cycles % bins);
}

/* gprof leaves out symbols with a '.' or '$' that are no clones of functions: parts that the compiler moved out. */
static bool gprof_takes(const char *symbol) {
    static const char *const clones[] = {".clone.", ".constprop.", "."};
    while (*symbol && *symbol != '$') {
        size_t length = 0;
        for (unsigned i = 0; *symbol == '.' && !length && i < sizeof clones / sizeof *clones; i++)
            if (!strncmp(symbol, clones[i], strlen(clones[i])))
                length = strlen(clones[i]);
        if (*symbol == '.' && !strspn(symbol + length, "0123456789"))
            return false;
        symbol += length ? length + strspn(symbol + length, "0123456789") : 1;
        if (length && *symbol && *symbol != '.')
            return false;
    }
    return !*symbol;
}

/* A function that gprof finds in the program; `end` is its end. */
static bool in_program(const struct gnomon_export *export, uint32_t index, uint32_t *start, uint32_t *end) {
    const struct gnomon_name *name = &export->functions[index].name;
    if (!name->symbol || name->module || name->overlay || name->address < GMON_OUTSIDE_END ||
        name->address % GMON_BIN_BYTES)
        return false;
    if (!gprof_takes(name->symbol))
        return false;
    if (!gnomon_symbols_range(export->analysis.symbols, name->address, start, end) || *start != name->address)
        return false;
    *end -= (*end - *start) % GMON_BIN_BYTES;
    return *end > *start;
}

/* Of the records that put_cycles writes. */
static uint64_t bytes_of_cycles(uint32_t start, uint32_t end, uint64_t cycles) {
    const uint64_t bins = (end - start) / GMON_BIN_BYTES;
    return (cycles / (bins * GMON_BIN_MOST) + 1) * (HISTOGRAM_BYTES + bins * GMON_BIN_BYTES);
}

/* A run of days, or damaged times, would fill the disk with records of 16 bits. */
static bool is_too_long(const struct gnomon_export *export) {
    uint64_t outside = export->sums->cycles, bytes = 0;
    for (uint32_t i = 0; i < export->profiled; i++) {
        const struct gnomon_profile_function *figures = export->functions[i].figures;
        uint32_t start, end;
        bytes += figures->calls / UINT32_MAX * ARC_BYTES;
        if (bytes > GMON_MOST_BYTES)
            return true;
        if (!in_program(export, i, &start, &end))
            continue;
        bytes += bytes_of_cycles(start, end, figures->self);
        outside -= figures->self;
    }
    return bytes + bytes_of_cycles(0, GMON_OUTSIDE_END, outside) > GMON_MOST_BYTES;
}

static void put_histograms(const struct gnomon_export *export, FILE *stream) {
    const char *dimension = dimension_of(export);
    uint64_t outside = export->sums->cycles;
    for (uint32_t i = 0; i < export->profiled; i++) {
        const uint64_t cycles = export->functions[i].figures->self;
        uint32_t start, end;
        if (!in_program(export, i, &start, &end))
            continue;
        put_cycles(stream, dimension, start, end, cycles);
        outside -= cycles;
    }
    put_cycles(stream, dimension, 0, GMON_OUTSIDE_END, outside);
}

/* ---- Arcs ---- */

static void put_arc(FILE *stream, uint32_t from, uint32_t to, uint64_t calls) {
    for (; calls > 0; calls -= calls < UINT32_MAX ? calls : UINT32_MAX) {
        gmon_put_number(stream, 1, TAG_ARC);
        gmon_put_number(stream, 4, from);
        gmon_put_number(stream, 4, to);
        gmon_put_number(stream, 4, calls < UINT32_MAX ? calls : UINT32_MAX);
    }
}

/* Where the program begins. gprof leaves calls out whose caller is in no function. */
static uint32_t entry_of(const struct gnomon_export *export) {
    const Elf32_Ehdr *header = export->names.elf ? elf32_getehdr(export->names.elf) : NULL;
    return header ? header->e_entry : 0;
}

/* Calls by traps, by code that is not profiled, and by callers that are not known come from the program's entry. `rest`
 * has room for the calls of each function. */
static void put_arcs(const struct gnomon_export *export, FILE *stream, uint64_t *rest) {
    size_t count;
    const struct gnomon_profile_arc *arcs = gnomon_profile_arcs(export->profile, &count);
    uint32_t start, from, end;
    for (uint32_t i = 0; i < export->profiled; i++)
        rest[i] = export->functions[i].figures->calls;
    for (size_t i = 0; i < count; i++) {
        if (arcs[i].caller == GNOMON_PROFILE_UNPROFILED || !in_program(export, arcs[i].callee, &start, &end) ||
            !in_program(export, arcs[i].caller, &from, &end))
            continue;
        put_arc(stream, from, start, arcs[i].calls);
        rest[arcs[i].callee] -= arcs[i].calls < rest[arcs[i].callee] ? arcs[i].calls : rest[arcs[i].callee];
    }
    for (uint32_t i = 0; i < export->profiled; i++)
        if (in_program(export, i, &start, &end))
            put_arc(stream, entry_of(export), start, rest[i]);
}

/* ---- Basic blocks ---- */

/* Begins a block here? Each instruction of a block is executed as often as its first one. */
static bool begins_block(const struct gnomon_export *export, size_t index) {
    enum { LONGEST = 4 }; /* bytes of an instruction */
    const struct gnomon_instruction *list = export->instructions.list;
    return index == 0 || list[index].address - list[index - 1].address > LONGEST ||
           list[index].cycles[GNOMON_CAUSE_RETIRED] != list[index - 1].cycles[GNOMON_CAUSE_RETIRED] ||
           export->owners[index] != export->owners[index - 1];
}

static void put_blocks(const struct gnomon_export *export, FILE *stream) {
    uint32_t count = 0;
    for (size_t i = 0; i < export->instructions.count; i++)
        count += begins_block(export, i);
    gmon_put_number(stream, 1, TAG_BLOCKS);
    gmon_put_number(stream, 4, count);
    for (size_t i = 0; i < export->instructions.count; i++) {
        const uint64_t executions = export->instructions.list[i].cycles[GNOMON_CAUSE_RETIRED];
        if (!begins_block(export, i))
            continue;
        gmon_put_number(stream, 4, export->instructions.list[i].address);
        gmon_put_number(stream, 4, executions < UINT32_MAX ? executions : UINT32_MAX);
    }
}

static void put_start(FILE *stream) {
    static const uint8_t spare[12];
    fputs("gmon", stream);
    gmon_put_number(stream, 4, VERSION);
    fwrite(spare, 1, sizeof spare, stream);
}

static enum gnomon_status write_gmon(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    if (export->analysis.sampled) {
        put_start(stream);
        return gmon_samples(export, stream, error);
    }
    if (is_too_long(export)) {
        gnomon_fail(error, GNOMON_ERR_TOO_BIG, "%s has too many cycles for gmon, which counts to 65,535",
                    export->analysis.path);
        return gnomon_remedy(error, GNOMON_ERR_TOO_BIG, "use another format: gnomon export --list");
    }
    uint64_t *rest = calloc(export->profiled + 1, sizeof *rest);
    if (!rest)
        return gnomon_fail_memory(error);
    put_start(stream);
    put_histograms(export, stream);
    put_arcs(export, stream, rest);
    if (export->with_instructions)
        put_blocks(export, stream);
    free(rest);
    return GNOMON_OK;
}

const struct gnomon_export_format gnomon_export_gmon = {
    .name = "gmon",
    .extension = "gmon.out",
    .description = "histogram, arcs and basic-block counts: for gprof, beside the program",
    .needs = GNOMON_EXPORT_PROFILE,
    .binary = true,
    .write = write_gmon,
};
