/* SPDX-License-Identifier: Apache-2.0 */
/* The profile of a part of a run, while the run goes on: what was counted from one moment to a later one. */
#ifndef GNOMON_LIB_PROFILE_BETWEEN_H
#define GNOMON_LIB_PROFILE_BETWEEN_H

#include "lib/profile/profile.h"

/* What each call path had counted by then. A call that is open counts with its cycles so far. All zeros: the run's
 * start. */
struct gnomon_profile_moment {
    uint64_t cycles[GNOMON_MAX_HARTS]; /* of each hart, since its first event */
    size_t count;
    struct gnomon_profile_path *paths; /* owned */
};

/* `profile` makes paths, and takes functions from events. A hart whose last event was before `cycle` has none up to
 * there, and has gone on with what it did, unless it has ended; 0: it is not known what it did since. The caller frees
 * `moment`. False: out of memory. */
bool gnomon_profile_now(const struct gnomon_profile *profile, uint64_t cycle, struct gnomon_profile_moment *moment);
/* The caller frees `copy`. False: out of memory. */
bool gnomon_profile_moment_copy(struct gnomon_profile_moment *copy, const struct gnomon_profile_moment *moment);
void gnomon_profile_moment_free(struct gnomon_profile_moment *moment);

/* Makes a finished profile of what `profile` counted between two of its moments. Its functions and paths are those of
 * `profile`, with the same indices, also those in which nothing was counted. They have calls (that began), self and
 * total cycles, and cycles of lost calls. There are no arcs, no threads, no shortest and longest calls, and no doubt
 * about single functions. The caller frees it.
 * GNOMON_ERR_FORMAT: the cycles do not add up, which happens only with a damaged trace; the figures can be read. */
enum gnomon_status gnomon_profile_between(const struct gnomon_profile *profile,
                                          const struct gnomon_profile_moment *from,
                                          const struct gnomon_profile_moment *to, struct gnomon_profile **between,
                                          struct gnomon_error *error);

#endif
