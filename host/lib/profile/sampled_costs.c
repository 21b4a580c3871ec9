/* SPDX-License-Identifier: Apache-2.0 */
/* The cycles of instructions, estimated from samples. Their causes are not known. */
#include <stdlib.h>
#include <string.h>

#include "lib/profile/profile_samples.h"
#include "lib/profile/recorded_costs.h"

struct place {
    uint32_t address;
    uint64_t samples;
};

static int by_address(const void *a, const void *b) {
    const struct place *left = a, *right = b;
    return left->address < right->address ? -1 : left->address > right->address;
}

/* The sampled instructions, by address; equal ones follow each other. */
static struct place *places_of(const struct gnomon_samples *samples) {
    struct place *places = calloc(samples->count + 1, sizeof *places);
    for (size_t i = 0; places && i < samples->count; i++)
        places[i] = (struct place){samples->addresses[samples->list[i].first], samples->list[i].count};
    if (places)
        qsort(places, samples->count, sizeof *places, by_address);
    return places;
}

static enum gnomon_status fill(const struct place *places, size_t count, uint64_t all,
                               struct gnomon_instructions *instructions, struct gnomon_error *error) {
    const unsigned __int128 time = instructions->cycles;
    enum gnomon_status status = GNOMON_OK;
    uint64_t booked = 0;
    for (size_t first = 0, after; first < count && !status; first = after) {
        const uint64_t before = (uint64_t)(time * booked / all);
        uint64_t cycles[GNOMON_CAUSES] = {0};
        for (after = first; after < count && places[after].address == places[first].address; after++)
            booked += places[after].samples;
        cycles[GNOMON_CAUSE_UNKNOWN] = (uint64_t)(time * booked / all) - before;
        status = gnomon_instructions_add(instructions, places[first].address, cycles, error);
    }
    return status;
}

enum gnomon_status gnomon_sampled_costs(const struct gnomon_analysis *analysis,
                                        struct gnomon_instructions *instructions, struct gnomon_error *error) {
    const struct gnomon_samples *samples = &analysis->samples;
    if (!analysis->with_samples || strcmp(samples->event, GNOMON_SAMPLED_CYCLES) != 0) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no samples of cycles", analysis->path);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "gnomon report shows samples of other events by function");
    }
    if (samples->functions) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has stacks of functions, without their instructions",
                    analysis->path);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "record samples without -g");
    }
    *instructions = (struct gnomon_instructions){.runs = 1};
    instructions->cycles = gnomon_samples_time(samples, gnomon_analysis_stats(analysis)->last_cycle);
    instructions->causes[GNOMON_CAUSE_UNKNOWN] = instructions->cycles;
    const uint64_t all = gnomon_samples_all(samples);
    struct place *places = places_of(samples);
    const enum gnomon_status status =
        places ? fill(places, samples->count, all, instructions, error) : gnomon_fail_memory(error);
    free(places);
    return status;
}
