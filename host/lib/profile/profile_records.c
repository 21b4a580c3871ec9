/* SPDX-License-Identifier: Apache-2.0 */
/* A profile's functions and arcs from the device's function records. */
#include "lib/profile/profile_internal.h"

/* Index of the function or trap of that record, or UNPROFILED. False: out of memory. */
static bool find_recorded(struct gnomon_profile *profile, const struct gnomon_records *records, const uint32_t *ids,
                          uint32_t number, uint32_t *index) {
    uint32_t traps = records->size - GNOMON_RECORD_TRAPS;
    *index = GNOMON_PROFILE_UNPROFILED;
    if (number == traps + GNOMON_RECORD_NONE)
        return true;
    *index = profile_find_function(profile, number < traps ? ids[number] : GNOMON_PROFILE_TRAP + number - traps);
    return *index != PROFILE_MAP_NONE;
}

static bool take_arcs(struct gnomon_profile *profile, const struct gnomon_records *records, const uint32_t *ids) {
    for (size_t i = 0; i < records->arc_count; i++) {
        const struct gnomon_record_arc *recorded = &records->arcs[i];
        uint32_t caller, callee;
        if (!find_recorded(profile, records, ids, recorded->caller, &caller) ||
            !find_recorded(profile, records, ids, recorded->callee, &callee))
            return false;
        if (callee == GNOMON_PROFILE_UNPROFILED) /* impossible for a device */
            continue;
        uint32_t arc = profile_find_arc(profile, caller, callee);
        if (arc == PROFILE_MAP_NONE)
            return false;
        profile->arcs[arc].calls = recorded->calls;
        profile->arcs[arc].self = recorded->self;
        profile->arcs[arc].total = recorded->total;
    }
    return true;
}

/* Books what each hart has not yet booked; the cycles of all. */
static uint64_t credit_all(struct gnomon_profile *profile) {
    uint64_t passed = 0;
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++) {
        profile->hart = &profile->harts[i];
        if (profile->hart->begun)
            profile_credit(profile, profile->hart->now);
        passed += gnomon_profile_hart_cycles(profile, i);
    }
    return passed;
}

/* The record of time outside of all functions replaces the result from the events, which count all time as unprofiled.
 * It has no cycles of threads that the device does not follow. */
bool gnomon_profile_records(struct gnomon_profile *profile, const struct gnomon_records *records, const uint32_t *ids) {
    struct gnomon_profile_sums *sums = &profile->sums;
    uint64_t unprofiled = 0;
    profile->recorded = true;
    const uint64_t passed = credit_all(profile);
    for (size_t i = 0; i < records->count; i++) {
        const struct gnomon_record *record = &records->list[i];
        uint32_t index;
        if (!find_recorded(profile, records, ids, record->number, &index))
            return false;
        if (index == GNOMON_PROFILE_UNPROFILED) {
            unprofiled = record->self;
            profile->lost_unprofiled = record->lost_here;
            continue;
        }
        /* If the device does not count them apart, any function may have had calls without a frame. */
        bool untimed = record->untimed || (records->overflow > 0 && !records->deepest);
        struct gnomon_profile_function *function = &profile->functions[index];
        function->calls = record->calls;
        function->self = record->self;
        function->total = record->total;
        function->min = record->calls && !untimed ? record->min : UINT64_MAX;
        function->max = untimed ? 0 : record->max;
        function->lost_here = record->lost_here;
        function->lost_calls = record->lost_calls;
        function->lost_cycles = record->lost_cycles;
        function->lost_within = record->lost_within;
        function->saturated = record->saturated;
        function->measured = records->in_memory ? GNOMON_MEASURED_MEMORY : profile_measured_by(profile, function->id);
        sums->self += record->self;
        if (!untimed && !gnomon_records_histogram(records, record->number, &function->histogram))
            return false;
    }
    uint64_t booked = sums->self + sums->lost + unprofiled;
    sums->unprofiled = records->untracked && booked < passed ? unprofiled + passed - booked : unprofiled;
    return take_arcs(profile, records, ids);
}
