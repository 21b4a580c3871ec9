/* SPDX-License-Identifier: Apache-2.0 */
/* A part of an API profile, with scenarios, sizes and devices added together. */
#ifndef GNOMON_LIB_API_VIEW_H
#define GNOMON_LIB_API_VIEW_H

#include "lib/fleet/api_profile.h"

/* NULL, or what the sources must have. */
struct gnomon_api_filter {
    const char *scenario, *device;
    const char *build; /* the first digits of a build id */
    uint64_t size;     /* 0: any */
};

bool gnomon_api_passes(const struct gnomon_api_filter *filter, const struct gnomon_api_source *source);

/* A new profile of the sources that pass, in which a program and build has one source, without scenario, size and
 * device. NULL: out of memory. */
struct gnomon_api_profile *gnomon_api_view(const struct gnomon_api_profile *profile,
                                           const struct gnomon_api_filter *filter);

#endif
