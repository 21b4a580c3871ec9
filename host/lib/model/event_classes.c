/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/model/event_classes.h"

#include <stddef.h>
#include <string.h>

#include "gnomon/registers.h"

static const struct {
    uint32_t bit;
    const char *name;
} classes[] = {
    {GNOMON_PROFILE_CONTROL_FUNCTIONS, "functions"}, {GNOMON_PROFILE_CONTROL_TRAPS, "traps"},
    {GNOMON_PROFILE_CONTROL_CHANNELS, "channels"},   {GNOMON_PROFILE_CONTROL_LOCKS, "locks"},
    {GNOMON_PROFILE_CONTROL_MODULES, "modules"},     {GNOMON_PROFILE_CONTROL_INTERRUPTS, "interrupts"},
};
enum { CLASSES = sizeof classes / sizeof *classes };

json_t *gnomon_event_classes_json(uint32_t control) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < CLASSES; i++)
        if (control & classes[i].bit && json_array_append_new(list, json_string(classes[i].name))) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

struct gnomon_event_classes gnomon_event_classes_read(const json_t *json) {
    struct gnomon_event_classes recording = {.known = json_is_array(json)};
    for (size_t i = 0; i < json_array_size(json); i++) {
        const char *name = json_string_value(json_array_get(json, i));
        for (size_t j = 0; name && j < CLASSES; j++)
            if (!strcmp(name, classes[j].name))
                recording.recorded |= classes[j].bit;
    }
    return recording;
}

uint32_t gnomon_event_classes_left_out(const struct gnomon_event_classes *recording, uint32_t wanted) {
    return recording->known ? wanted & ~recording->recorded : 0;
}
