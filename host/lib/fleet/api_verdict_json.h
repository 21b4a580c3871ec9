/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts about two API profiles as JSON: for `gnomon check --against --json`, the page of `gnomon ui` and a fleet's
 * service. */
#ifndef GNOMON_LIB_API_VERDICT_JSON_H
#define GNOMON_LIB_API_VERDICT_JSON_H

#include <jansson.h>

#include "lib/fleet/api_verdict.h"

/* {good, worse, level, seed, functions: [{function, symbol, cost, module, file, ...}]}, in the order of `verdicts`.
 * NULL: out of memory. */
json_t *gnomon_api_verdicts_json(const struct gnomon_api_verdict *verdicts, size_t count,
                                 const struct gnomon_api_rule *rule, bool raw_names);

/* The same of what gnomon_api_verdicts says of two profiles. Without a function in both, `functions` is empty. */
json_t *gnomon_api_compare_json(const struct gnomon_api_profile *ours, const struct gnomon_api_profile *before,
                                const struct gnomon_api_rule *rule, bool raw_names);

#endif
