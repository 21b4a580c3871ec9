/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU profile of gperftools from samples, as its own profiler writes it: stacks of addresses with their numbers of
 * samples, and the address map. The reader finds the names in the program. */
#include <gelf.h>
#include <inttypes.h>
#include <string.h>

#include "lib/export/pprof_legacy.h"

#define MICROSECONDS 1000000u

/* The time of a sample; events have none. */
static uint64_t period_of(const struct gnomon_export *export) {
    const struct gnomon_samples *samples = &export->analysis.samples;
    const uint64_t hz = export->analysis.clock_hz;
    const bool of_time = hz && !strcmp(samples->event, GNOMON_SAMPLED_CYCLES);
    const uint64_t period = of_time ? ((uint64_t)samples->period * MICROSECONDS + hz / 2) / hz : 1;
    return period ? period : 1;
}

static void put_stack(const struct gnomon_samples *samples, const struct gnomon_sampled_stack *stack, FILE *stream) {
    pprof_legacy_word(stream, stack->count);
    pprof_legacy_word(stream, stack->depth);
    for (uint32_t i = 0; i < stack->depth; i++)
        pprof_legacy_word(stream, samples->addresses[stack->first + i]);
}

/* A line for each part of the program's code, in the form of Linux' /proc/self/maps. */
static void put_map(const struct gnomon_export *export, FILE *stream) {
    size_t count = 0;
    Elf *elf = export->names.elf;
    if (!elf || elf_getphdrnum(elf, &count))
        return;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr part;
        if (gelf_getphdr(elf, (int)i, &part) && part.p_type == PT_LOAD && part.p_flags & PF_X)
            fprintf(stream, "%08" PRIx64 "-%08" PRIx64 " r-xp %08" PRIx64 " 00:00 0 %s\n", (uint64_t)part.p_vaddr,
                    (uint64_t)(part.p_vaddr + part.p_memsz), (uint64_t)part.p_offset, export->analysis.elf_path);
    }
}

void pprof_legacy_samples(const struct gnomon_export *export, FILE *stream) {
    const struct gnomon_samples *samples = &export->analysis.samples;
    pprof_legacy_head(stream, period_of(export));
    for (size_t i = 0; i < samples->count; i++)
        put_stack(samples, &samples->list[i], stream);
    pprof_legacy_end(stream);
    put_map(export, stream);
}
