/* SPDX-License-Identifier: Apache-2.0 */
/* What a recording says about the costs of functions, added to an API profile: cycles of each call, and the bytes of
 * each block that was allocated, if the recording has events and messages about the heap. */
#ifndef GNOMON_LIB_API_RECORDING_H
#define GNOMON_LIB_API_RECORDING_H

#include "lib/fleet/api_profile.h"
#include "lib/profile/exactness.h"

/* Is a function asked for? */
typedef bool gnomon_api_chosen(void *context, const char *name, const char *symbol);

enum gnomon_api_what { GNOMON_API_ALL_COSTS, GNOMON_API_ONLY_CALLS, GNOMON_API_ONLY_BLOCKS };

struct gnomon_api_recording {
    const char *path;
    const char *elf;            /* replaces the program's path in the recording; NULL: none */
    const char *scenario;       /* NULL: the name of the program */
    uint64_t size;              /* of the input; 0: not said */
    const char *const *modules; /* files of modules */
    size_t module_count;
    enum gnomon_api_what what;
    gnomon_api_chosen *chosen; /* NULL: all functions, and traps */
    void *context;             /* of `chosen` */
};

/* Adds one run. `exactness` judges the figures of calls; it is not filled with ONLY_BLOCKS. */
enum gnomon_status gnomon_api_recording_add(struct gnomon_api_profile *profile,
                                            const struct gnomon_api_recording *recording,
                                            struct gnomon_exactness *exactness, struct gnomon_error *error);

#endif
