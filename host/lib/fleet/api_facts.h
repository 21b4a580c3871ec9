/* SPDX-License-Identifier: Apache-2.0 */
/* What can be said of an API profile in one line. */
#ifndef GNOMON_LIB_API_FACTS_H
#define GNOMON_LIB_API_FACTS_H

#include "lib/fleet/api_profile.h"

/* What the profile is about, for a first line: "3 runs of zlib.elf on sim:full, 2 scenarios, 57 functions, counted
 * exactly". Control characters are replaced. The caller frees it; NULL: out of memory. */
char *gnomon_api_facts(const struct gnomon_api_profile *profile);

/* Of rows with all these doubts, in words: "counted exactly" or why not. */
const char *gnomon_api_doubt_text(unsigned doubt, bool saturated);

#endif
