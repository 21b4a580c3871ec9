/* SPDX-License-Identifier: Apache-2.0 */
/* A part of an API profile, with scenarios and devices added together. */
#ifndef GNOMON_LIB_API_VIEW_H
#define GNOMON_LIB_API_VIEW_H

#include "lib/fleet/api_profile.h"

/* NULL, or what the sources must have. */
struct gnomon_api_filter {
    const char *scenario, *device;
    const char *build; /* the first digits of a build id */
};

/* A new profile of the sources that pass, in which a program and build has one source, without scenario and device.
 * NULL: out of memory. */
struct gnomon_api_profile *gnomon_api_view(const struct gnomon_api_profile *profile,
                                           const struct gnomon_api_filter *filter);

#endif
