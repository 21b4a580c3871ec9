/* SPDX-License-Identifier: Apache-2.0 */
/* A profile's functions, arcs and call paths from samples. Their cycles are estimates: the samples' share of the time
 * that was sampled. */
#ifndef GNOMON_LIB_PROFILE_SAMPLES_H
#define GNOMON_LIB_PROFILE_SAMPLES_H

#include "lib/model/samples.h"
#include "lib/profile/exactness.h"
#include "lib/profile/modules.h"
#include "lib/profile/profile.h"

/* Finds the id of the function at an address. */
struct gnomon_sampled_code {
    const struct gnomon_symbols *symbols; /* may be NULL */
    const struct gnomon_modules *modules; /* has noted all events */
    bool functions;                       /* of the samples: addresses that are too low are traps */
    size_t place_count, place_room;
    struct gnomon_sampled_place *places; /* what can be at several addresses */
};
uint32_t gnomon_sampled_id(struct gnomon_sampled_code *code, uint32_t address);
void gnomon_sampled_code_free(struct gnomon_sampled_code *code);

/* Fills a new profile, which has had no event: its cycles are those of gnomon_samples_time. `cycles`: of the run.
 * False: out of memory. */
bool gnomon_profile_samples(struct gnomon_profile *profile, const struct gnomon_samples *samples, uint64_t cycles,
                            struct gnomon_sampled_code *code);

/* The events that all samples together stand for: cycles of the run without the monitor's, or a multiple of the
 * period. */
uint64_t gnomon_samples_time(const struct gnomon_samples *samples, uint64_t cycles);

/* Adds what makes the figures no exact ones. `samples` NULL: they are missing. */
void gnomon_samples_exactness(const struct gnomon_samples *samples, struct gnomon_exactness *exactness);

#endif
