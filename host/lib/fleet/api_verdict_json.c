/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/api_verdict_json.h"

#include <stdlib.h>

#include "lib/fleet/api_json.h"
#include "lib/util/json_text.h"

static json_t *verdict_json(const struct gnomon_api_verdict *verdict, bool raw_names) {
    const struct gnomon_api_row *row = verdict->row;
    json_t *json =
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "function", gnomon_api_name_json(row->function, raw_names), "symbol",
                  gnomon_json_text(row->function), "cost", gnomon_json_text(row->cost), "module",
                  gnomon_json_text(row->module), "file", *row->file ? gnomon_json_text(row->file) : json_null());
    json_t *figures =
        json_pack("{s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:b, s:b, s:b, s:b}", "strata", (json_int_t)verdict->strata,
                  "calls", (json_int_t)verdict->calls, "calls_before", (json_int_t)verdict->calls_before, "mean",
                  verdict->mean, "mean_before", verdict->mean_before, "effect", verdict->effect, "p", verdict->p,
                  "adjusted", verdict->adjusted, "all_permutations", verdict->exact, "worse", verdict->worse,
                  "too_few_calls", verdict->few, "doubtful", verdict->doubtful);
    const bool bad = json_object_update(json, figures);
    json_decref(figures);
    if (!bad)
        return json;
    json_decref(json);
    return NULL;
}

json_t *gnomon_api_verdicts_json(const struct gnomon_api_verdict *verdicts, size_t count,
                                 const struct gnomon_api_rule *rule, bool raw_names) {
    json_t *list = json_array();
    size_t worse = 0;
    bool good = list;
    for (size_t i = 0; i < count && good; i++) {
        worse += verdicts[i].worse;
        good = !json_array_append_new(list, verdict_json(&verdicts[i], raw_names));
    }
    if (good)
        return json_pack("{s:b, s:I, s:f, s:I, s:o}", "good", !worse, "worse", (json_int_t)worse, "level", rule->level,
                         "seed", (json_int_t)rule->seed, "functions", list);
    json_decref(list);
    return NULL;
}

json_t *gnomon_api_compare_json(const struct gnomon_api_profile *ours, const struct gnomon_api_profile *before,
                                const struct gnomon_api_rule *rule, bool raw_names) {
    size_t count = 0;
    struct gnomon_api_verdict *verdicts = gnomon_api_verdicts(ours, before, rule, &count);
    json_t *json = verdicts ? gnomon_api_verdicts_json(verdicts, count, rule, raw_names) : NULL;
    free(verdicts);
    return json;
}
