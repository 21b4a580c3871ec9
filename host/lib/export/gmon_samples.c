/* SPDX-License-Identifier: Apache-2.0 */
/* The histogram of gmon.out from samples: a bin of two bytes for each place where an instruction can begin, so none
 * lies in two functions. */
#include "lib/export/gmon_file.h"

#include <stdlib.h>
#include <string.h>

/* Samples by bin, from `start` on. */
struct bins {
    uint32_t start, count;
    uint64_t *samples;
    uint64_t outside; /* in no function of the program */
};

static bool in_program(const struct gnomon_export *export, uint32_t address) {
    struct gnomon_code code;
    gnomon_code_at(&code, export->analysis.symbols, export->analysis.modules, address);
    return code.function && !code.module && !code.function->overlay && address >= GMON_OUTSIDE_END;
}

static uint32_t address_of(const struct gnomon_samples *samples, size_t index) {
    return samples->addresses[samples->list[index].first];
}

/* The program's code that was sampled. Sets `samples` if there is some; false: out of memory. */
static bool take_range(const struct gnomon_export *export, const bool *inside, struct bins *bins) {
    const struct gnomon_samples *samples = &export->analysis.samples;
    uint32_t last = 0;
    bins->start = UINT32_MAX;
    for (size_t i = 0; i < samples->count; i++) {
        if (!inside[i])
            continue;
        bins->start = address_of(samples, i) < bins->start ? address_of(samples, i) : bins->start;
        last = address_of(samples, i) > last ? address_of(samples, i) : last;
    }
    if (last < bins->start)
        return true;
    bins->count = (last - bins->start) / GMON_BIN_BYTES + 1;
    bins->samples = calloc(bins->count, sizeof *bins->samples);
    return bins->samples;
}

static bool fill(const struct gnomon_export *export, struct bins *bins) {
    const struct gnomon_samples *samples = &export->analysis.samples;
    bool *inside = calloc(samples->count + 1, sizeof *inside);
    for (size_t i = 0; inside && i < samples->count; i++)
        inside[i] = in_program(export, address_of(samples, i));
    const bool good = inside && take_range(export, inside, bins);
    for (size_t i = 0; good && i < samples->count; i++)
        *(inside[i] ? &bins->samples[(address_of(samples, i) - bins->start) / GMON_BIN_BYTES] : &bins->outside) +=
            samples->list[i].count;
    free(inside);
    bins->outside += samples->excluded + samples->lost + samples->unattributed;
    return good;
}

/* A unit of gprof: a second, if samples are of time, and it is known how long a cycle is; else a sample. */
static void unit_of(const struct gnomon_export *export, struct gmon_unit *unit) {
    const struct gnomon_samples *samples = &export->analysis.samples;
    const uint64_t hz = export->analysis.clock_hz, period = samples->period; /* 0: the samples are missing */
    const uint64_t rate = period ? (hz + period / 2) / period : 0;
    *unit = (struct gmon_unit){.dimension = samples->event, .abbreviation = samples->event[0], .rate = 1};
    if (!strcmp(samples->event, GNOMON_SAMPLED_CYCLES) && rate > 0 && rate <= UINT32_MAX)
        *unit = (struct gmon_unit){.dimension = "seconds", .abbreviation = 's', .rate = (uint32_t)rate};
}

/* What is more than a bin can hold goes to more records: gprof adds them. */
static bool put_part(FILE *stream, const struct gmon_unit *unit, uint32_t start, uint32_t count, uint64_t *samples) {
    bool more = false;
    gmon_put_head(stream, unit, start, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t part = samples[i] < GMON_BIN_MOST ? samples[i] : GMON_BIN_MOST;
        gmon_put_number(stream, 2, part);
        samples[i] -= part;
        more |= samples[i] > 0;
    }
    return more;
}

static enum gnomon_status too_many(const struct gnomon_export *export, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_TOO_BIG, "%s has too many samples, or too much code, for gmon",
                export->analysis.path);
    return gnomon_remedy(error, GNOMON_ERR_TOO_BIG, "use another format: gnomon export --list");
}

/* The records of all bins would be larger than a file should be. */
static bool is_too_big(const struct bins *bins) {
    uint64_t most = bins->outside;
    for (uint32_t i = 0; i < bins->count; i++)
        most = bins->samples[i] > most ? bins->samples[i] : most;
    return (most / GMON_BIN_MOST + 1) * ((uint64_t)bins->count + GMON_OUTSIDE_END) * GMON_BIN_BYTES > GMON_MOST_BYTES;
}

enum gnomon_status gmon_samples(const struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    struct bins bins = {0};
    struct gmon_unit unit;
    enum gnomon_status status = fill(export, &bins) ? GNOMON_OK : gnomon_fail_memory(error);
    uint64_t outside[GMON_OUTSIDE_END / GMON_BIN_BYTES] = {bins.outside};
    if (!status && is_too_big(&bins))
        status = too_many(export, error);
    unit_of(export, &unit);
    while (!status && bins.count && put_part(stream, &unit, bins.start, bins.count, bins.samples))
        ;
    while (!status && put_part(stream, &unit, 0, GMON_OUTSIDE_END / GMON_BIN_BYTES, outside))
        ;
    free(bins.samples);
    return status;
}
