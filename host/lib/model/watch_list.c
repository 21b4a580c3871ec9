/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/model/watch_list.h"

#include <stdlib.h>

#include "gnomon/trace.h"

void gnomon_watch_free(struct gnomon_watch *watch) {
    free(watch->addresses);
    free(watch->places);
    *watch = (struct gnomon_watch){0};
}

bool gnomon_watch_make(struct gnomon_watch *watch, size_t size) {
    watch->addresses = calloc(size ? size : 1, sizeof *watch->addresses);
    watch->places = calloc(size ? size : 1, sizeof *watch->places);
    if (watch->addresses && watch->places)
        return true;
    gnomon_watch_free(watch);
    return false;
}

json_t *gnomon_watch_json(const struct gnomon_watch *watch) {
    json_t *list = json_array();
    for (size_t i = 0; i < watch->count; i++)
        json_array_append_new(list, json_integer(watch->addresses[i]));
    return json_pack("{s:I, s:o}", "first", (json_int_t)watch->first, "addresses", list);
}

static bool get(const json_t *json, uint32_t most, uint32_t *value) {
    json_int_t number = json_integer_value(json);
    *value = (uint32_t)number;
    return json_is_integer(json) && number >= 0 && number <= (json_int_t)most;
}

static bool parse(const json_t *json, struct gnomon_watch *watch) {
    const json_t *list = json_object_get(json, "addresses");
    if (!json_is_array(list) || !get(json_object_get(json, "first"), GNOMON_MAX_FUNCTIONS, &watch->first) ||
        json_array_size(list) > GNOMON_MAX_FUNCTIONS - watch->first)
        return false;
    for (; watch->count < json_array_size(list); watch->count++)
        if (!get(json_array_get(list, watch->count), UINT32_MAX, &watch->addresses[watch->count]))
            return false;
    return true;
}

enum gnomon_status gnomon_watch_parse(const json_t *json, struct gnomon_watch *watch, struct gnomon_error *error) {
    *watch = (struct gnomon_watch){0};
    if (!gnomon_watch_make(watch, json_array_size(json_object_get(json, "addresses"))))
        return gnomon_fail_memory(error);
    free(watch->places);
    watch->places = NULL;
    if (parse(json, watch))
        return GNOMON_OK;
    gnomon_watch_free(watch);
    return gnomon_fail(error, GNOMON_ERR_FORMAT, "the list of watched functions in it makes no sense");
}
