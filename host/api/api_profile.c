/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings and their profiles. */
#include <stdlib.h>

#include "api.h"
#include "lib/profile/function_names.h"

struct libgnomon_profile {
    struct gnomon_analysis analysis;
    struct gnomon_profile *profile;
    struct gnomon_name *names; /* names of the profile's functions */
    const struct gnomon_profile_function *functions;
    const struct gnomon_profile_arc *arcs;
    size_t count, arc_count;
    struct gnomon_exactness exactness;
};

static enum gnomon_status work_out(struct libgnomon_profile *profile, struct gnomon_error *why) {
    struct gnomon_analysis *analysis = &profile->analysis;
    enum gnomon_status status = gnomon_analysis_profile(analysis, &profile->profile, why);
    if (status)
        return status;
    gnomon_analysis_finish(analysis, profile->profile, &profile->exactness);
    profile->functions = gnomon_profile_functions(profile->profile, &profile->count);
    profile->arcs = gnomon_profile_arcs(profile->profile, &profile->arc_count);
    profile->names = calloc(profile->count + 1, sizeof *profile->names);
    if (!profile->names)
        return gnomon_fail_memory(why);
    for (size_t i = 0; i < profile->count; i++)
        gnomon_name_of(&profile->names[i], analysis, profile->functions[i].id);
    return GNOMON_OK;
}

int libgnomon_profile_open(const char *path, const char *program, struct libgnomon_profile **profile,
                           struct libgnomon_error *error) {
    struct gnomon_error why;
    *profile = calloc(1, sizeof **profile);
    if (!*profile)
        return api_result(gnomon_fail_memory(&why), &why, error);
    enum gnomon_status status = gnomon_analysis_open(&(*profile)->analysis, path, program, GNOMON_WITH_SYMBOLS, &why);
    if (!status)
        status = work_out(*profile, &why);
    if (status) {
        libgnomon_profile_close(*profile);
        *profile = NULL;
    }
    return api_result(status, &why, error);
}

void libgnomon_profile_close(struct libgnomon_profile *profile) {
    if (!profile)
        return;
    gnomon_profile_free(profile->profile);
    gnomon_analysis_close(&profile->analysis);
    free(profile->names);
    free(profile);
}

void libgnomon_profile_sums(const struct libgnomon_profile *profile, struct libgnomon_sums *sums) {
    const struct gnomon_profile_sums *from = gnomon_profile_sums(profile->profile);
    *sums = (struct libgnomon_sums){.cycles = from->cycles,
                                    .unprofiled = from->unprofiled,
                                    .lost = from->lost,
                                    .clock_hz = profile->analysis.clock_hz,
                                    .functions = profile->count,
                                    .arcs = profile->arc_count,
                                    .faults = profile->exactness.count};
}

bool libgnomon_profile_function(const struct libgnomon_profile *profile, size_t index,
                                struct libgnomon_function *function) {
    if (index >= profile->count)
        return false;
    const struct gnomon_profile_function *from = &profile->functions[index];
    const struct gnomon_name *name = &profile->names[index];
    *function = (struct libgnomon_function){.name = name->text,
                                            .file = name->file,
                                            .line = name->line,
                                            .address = name->address,
                                            .calls = from->calls,
                                            .self = from->self,
                                            .total = from->total,
                                            .shortest = from->min,
                                            .longest = from->max,
                                            .exact = from->exact};
    return true;
}

_Static_assert(LIBGNOMON_UNPROFILED == GNOMON_PROFILE_UNPROFILED, "libgnomon.h has another number for outside");

bool libgnomon_profile_arc(const struct libgnomon_profile *profile, size_t index, struct libgnomon_arc *arc) {
    if (index >= profile->arc_count)
        return false;
    const struct gnomon_profile_arc *from = &profile->arcs[index];
    *arc = (struct libgnomon_arc){from->caller, from->callee, from->calls, from->self, from->total};
    return true;
}

const char *libgnomon_profile_fault(const struct libgnomon_profile *profile, size_t index) {
    return index < profile->exactness.count ? profile->exactness.reasons[index].text : NULL;
}
