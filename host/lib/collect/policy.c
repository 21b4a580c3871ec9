/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/collect/policy.h"

#include <stdio.h>

#include "lib/collect/durable.h"
#include "lib/util/json_text.h"

/* ---- Policy ---- */

#define COSTS_NAME "costs"

enum { BINARIES, FUNCTIONS, SUBMIT_BYTES, SUBMIT_SECONDS, LOAD };

const struct gnomon_collect_bounds gnomon_collect_bounds[] = {
    [BINARIES] = {"binaries", 0, 6, 64},
    [FUNCTIONS] = {"functions", 0, 32, 128},
    [SUBMIT_BYTES] = {"submit_bytes", 1024, 131072, 1048576},
    [SUBMIT_SECONDS] = {"submit_seconds", 3600, 86400, 2592000},
    [LOAD] = {"load", 0, 0.7, 64},
    {0},
};

static double within(const json_t *json, unsigned field) {
    const struct gnomon_collect_bounds *bounds = &gnomon_collect_bounds[field];
    const json_t *value = json_object_get(json, bounds->name);
    if (!json_is_number(value))
        return bounds->usual;
    const double number = json_number_value(value);
    return number < bounds->least ? bounds->least : number > bounds->most ? bounds->most : number;
}

struct gnomon_collect_policy gnomon_collect_policy_of(const json_t *json) {
    struct gnomon_collect_policy policy = {
        .binaries = (unsigned)within(json, BINARIES),
        .functions = (unsigned)within(json, FUNCTIONS),
        .submit_bytes = (uint64_t)within(json, SUBMIT_BYTES),
        .submit_seconds = (uint64_t)within(json, SUBMIT_SECONDS),
        .load = within(json, LOAD),
    };
    gnomon_cost_names_of(&policy.costs, json_object_get(json, COSTS_NAME));
    return policy;
}

json_t *gnomon_collect_policy_json(const struct gnomon_collect_policy *policy) {
    return json_pack("{s:I, s:I, s:I, s:I, s:f, s:o}", gnomon_collect_bounds[BINARIES].name,
                     (json_int_t)policy->binaries, gnomon_collect_bounds[FUNCTIONS].name, (json_int_t)policy->functions,
                     gnomon_collect_bounds[SUBMIT_BYTES].name, (json_int_t)policy->submit_bytes,
                     gnomon_collect_bounds[SUBMIT_SECONDS].name, (json_int_t)policy->submit_seconds,
                     gnomon_collect_bounds[LOAD].name, policy->load, COSTS_NAME,
                     gnomon_cost_names_json(&policy->costs));
}

/* ---- What the service said ---- */

static int64_t number_of(const json_t *root, const char *key) {
    const json_int_t value = json_integer_value(json_object_get(root, key));
    return value > 0 ? value : 0;
}

void gnomon_collect_ledger_read(struct gnomon_collect_ledger *ledger, const char *path) {
    json_t *root = json_load_file(path, 0, NULL);
    const char *said = json_string_value(json_object_get(root, "said"));
    *ledger = (struct gnomon_collect_ledger){
        .policy = gnomon_collect_policy_of(json_object_get(root, "policy")),
        .policy_asked = number_of(root, "policy_asked"),
        .tried = number_of(root, "tried"),
        .next = number_of(root, "next"),
        .service_waits = json_is_true(json_object_get(root, "service_waits")),
        .failures = (unsigned)(number_of(root, "failures") & UINT16_MAX),
    };
    snprintf(ledger->said, sizeof ledger->said, "%s", said ? said : "");
    json_decref(root);
}

enum gnomon_status gnomon_collect_ledger_write(const struct gnomon_collect_ledger *ledger, const char *path,
                                               struct gnomon_error *error) {
    json_t *root = json_pack(
        "{s:o, s:I, s:I, s:I, s:b, s:I, s:s}", "policy", gnomon_collect_policy_json(&ledger->policy), "policy_asked",
        (json_int_t)ledger->policy_asked, "tried", (json_int_t)ledger->tried, "next", (json_int_t)ledger->next,
        "service_waits", (int)ledger->service_waits, "failures", (json_int_t)ledger->failures, "said", ledger->said);
    return gnomon_json_write(root, JSON_INDENT(1), path, gnomon_durable_write, error);
}
