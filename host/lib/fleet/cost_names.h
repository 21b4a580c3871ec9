/* SPDX-License-Identifier: Apache-2.0 */
/* The costs in which a fleet's service lets its collectors measure, as names. Which of them there are is the device's
 * matter: a service and its collectors can be of different versions. */
#ifndef GNOMON_LIB_COST_NAMES_H
#define GNOMON_LIB_COST_NAMES_H

#include <jansson.h>
#include <stddef.h>

#include "lib/util/error.h"

#define GNOMON_COST_NAMES 64      /* at most; there are fewer events */
#define GNOMON_COST_NAME_BYTES 32 /* of each, with its end */

struct gnomon_cost_names {
    size_t count; /* 1 or more */
    char names[GNOMON_COST_NAMES][GNOMON_COST_NAME_BYTES];
};

/* What an array of another machine names. `json` is not trusted: what is no name of a cost is left out, and so are
 * names that were there before, or that have no room. Without any, the only cost is "cycles". */
void gnomon_cost_names_of(struct gnomon_cost_names *costs, const json_t *json);

/* Of a text of the user, "cycles,retired". GNOMON_ERR_ARGUMENT: it is no list of different names. */
enum gnomon_status gnomon_cost_names_parse(struct gnomon_cost_names *costs, const char *text,
                                           struct gnomon_error *error);

/* An array. The caller frees it; NULL: out of memory. */
json_t *gnomon_cost_names_json(const struct gnomon_cost_names *costs);

#endif
