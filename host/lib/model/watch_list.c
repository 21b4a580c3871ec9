/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/model/watch_list.h"

#include <stdlib.h>

#include "gnomon/trace.h"

void gnomon_watch_free(struct gnomon_watch *watch) {
    free(watch->addresses);
    free(watch->places);
    free(watch->roles);
    *watch = (struct gnomon_watch){0};
}

bool gnomon_watch_make(struct gnomon_watch *watch, size_t size, bool roles) {
    watch->addresses = calloc(size ? size : 1, sizeof *watch->addresses);
    watch->places = calloc(size ? size : 1, sizeof *watch->places);
    watch->roles = roles ? calloc(size ? size : 1, sizeof *watch->roles) : NULL;
    if (watch->addresses && watch->places && (watch->roles || !roles))
        return true;
    gnomon_watch_free(watch);
    return false;
}

json_t *gnomon_watch_json(const struct gnomon_watch *watch) {
    json_t *list = json_array();
    for (size_t i = 0; i < watch->count; i++)
        json_array_append_new(list, json_integer(watch->addresses[i]));
    json_t *roles = watch->roles ? json_array() : NULL;
    for (size_t i = 0; roles && i < watch->count; i++)
        json_array_append_new(roles, json_string(watch->roles[i]->name));
    return json_pack("{s:I, s:o, s:o*}", "first", (json_int_t)watch->first, "addresses", list, "roles", roles);
}

static bool get(const json_t *json, uint32_t most, uint32_t *value) {
    json_int_t number = json_integer_value(json);
    *value = (uint32_t)number;
    return json_is_integer(json) && number >= 0 && number <= (json_int_t)most;
}

static bool parse(const json_t *json, struct gnomon_watch *watch) {
    const json_t *list = json_object_get(json, "addresses"), *roles = json_object_get(json, "roles");
    if (!json_is_array(list) || !get(json_object_get(json, "first"), GNOMON_MAX_FUNCTIONS, &watch->first) ||
        json_array_size(list) > GNOMON_MAX_FUNCTIONS - watch->first)
        return false;
    for (; watch->count < json_array_size(list); watch->count++) {
        const char *role = json_string_value(json_array_get(roles, watch->count));
        if (!get(json_array_get(list, watch->count), UINT32_MAX, &watch->addresses[watch->count]))
            return false;
        if (watch->roles && (!role || !(watch->roles[watch->count] = gnomon_lock_role_named(role))))
            return false;
    }
    return true;
}

enum gnomon_status gnomon_watch_parse(const json_t *json, struct gnomon_watch *watch, struct gnomon_error *error) {
    *watch = (struct gnomon_watch){0};
    if (!gnomon_watch_make(watch, json_array_size(json_object_get(json, "addresses")), json_object_get(json, "roles")))
        return gnomon_fail_memory(error);
    free(watch->places);
    watch->places = NULL;
    if (parse(json, watch))
        return GNOMON_OK;
    gnomon_watch_free(watch);
    return gnomon_fail(error, GNOMON_ERR_FORMAT, "the list of watched functions in it makes no sense");
}
