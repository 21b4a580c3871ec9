/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/cost_names.h"

#include <string.h>

#include "lib/fleet/api_profile.h"

/* False: it is no name, it was there before, or there is no room. */
static bool add(struct gnomon_cost_names *costs, const char *name, size_t length) {
    if (!length || length >= GNOMON_COST_NAME_BYTES || costs->count == GNOMON_COST_NAMES ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") < length)
        return false;
    for (size_t i = 0; i < costs->count; i++)
        if (strlen(costs->names[i]) == length && !memcmp(costs->names[i], name, length))
            return false;
    memcpy(costs->names[costs->count], name, length);
    costs->names[costs->count++][length] = '\0';
    return true;
}

void gnomon_cost_names_of(struct gnomon_cost_names *costs, const json_t *json) {
    *costs = (struct gnomon_cost_names){0};
    for (size_t i = 0; i < json_array_size(json); i++) {
        const json_t *name = json_array_get(json, i);
        if (json_is_string(name))
            add(costs, json_string_value(name), json_string_length(name));
    }
    if (!costs->count)
        add(costs, GNOMON_API_CYCLES, strlen(GNOMON_API_CYCLES));
}

enum gnomon_status gnomon_cost_names_parse(struct gnomon_cost_names *costs, const char *text,
                                           struct gnomon_error *error) {
    *costs = (struct gnomon_cost_names){0};
    for (const char *name = text;; name++) {
        const size_t length = strcspn(name, ",");
        if (!add(costs, name, length)) {
            gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%s\" is no list of different names of costs", text);
            return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                                 "names with commas between them, as in cycles,retired; at most %d", GNOMON_COST_NAMES);
        }
        name += length;
        if (!*name)
            return GNOMON_OK;
    }
}

json_t *gnomon_cost_names_json(const struct gnomon_cost_names *costs) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < costs->count; i++)
        if (json_array_append_new(array, json_string(costs->names[i]))) {
            json_decref(array);
            return NULL;
        }
    return array;
}
