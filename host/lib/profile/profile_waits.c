/* SPDX-License-Identifier: Apache-2.0 */
/* How long interrupts waited until they were taken. */
#include <stdlib.h>

#include "gnomon/trace.h"
#include "lib/profile/profile_internal.h"

static struct gnomon_profile_waits *waits_of(struct gnomon_profile *profile, unsigned code) {
    const uint32_t index = profile_find_function(profile, GNOMON_PROFILE_INTERRUPT + code);
    if (index == PROFILE_MAP_NONE)
        return NULL;
    struct gnomon_profile_function *function = &profile->functions[index];
    if (!function->waits && (function->waits = calloc(1, sizeof *function->waits)))
        function->waits->min = UINT64_MAX;
    return function->waits;
}

bool profile_wait(struct gnomon_profile *profile, const struct gnomon_event *event) {
    const uint64_t cycles = event->value >> GNOMON_INTERRUPT_WAIT_CYCLES_AT;
    if (profile_is_other(profile))
        return true;
    struct gnomon_profile_waits *waits =
        waits_of(profile, event->value & ((1u << GNOMON_INTERRUPT_WAIT_CYCLES_AT) - 1));
    if (!waits)
        return false;
    if (cycles > waits->max || waits->min > waits->max) {
        waits->max = cycles;
        waits->longest_at = event->cycle - 1; /* the message comes a cycle after the interrupt */
    }
    if (cycles < waits->min)
        waits->min = cycles;
    waits->at_least |= cycles == GNOMON_INTERRUPT_WAIT_MOST;
    gnomon_histogram_add(&waits->histogram, cycles);
    return true;
}
