/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/export/event_labels.h"

#include <stdlib.h>

#include "lib/export/export_internal.h"
#include "lib/util/array.h"

/* FNV-1a. Where two labels have the same hash, a label is longer than it must be. */
static uint64_t hash(const char *text) {
    uint64_t value = UINT64_C(0xCBF29CE484222325);
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    return value;
}

/* NULL: out of memory. */
static char *new_label(struct event_labels *labels, const struct gnomon_name *name, uint32_t index) {
    /* Which functions modules have in common is not known before the end, so all of theirs have the module's name. */
    for (enum export_label_form form = name->module ? LABEL_FILE : LABEL_NAME;; form++) {
        char *label = export_make_label(name, form, index);
        const uint32_t known = labels->used.count;
        const uint32_t place = label ? profile_map_find(&labels->used, hash(label)) : PROFILE_MAP_NONE;
        if (place != PROFILE_MAP_NONE && (place == known || form == LABEL_INDEX))
            return label;
        free(label);
        if (place == PROFILE_MAP_NONE)
            return NULL;
    }
}

const char *event_label(struct event_labels *labels, const struct gnomon_export *export, uint32_t index, uint32_t id) {
    struct gnomon_name name;
    if (!gnomon_array_room(&labels->texts, &labels->room, (size_t)index + 1, sizeof *labels->texts))
        return NULL;
    while (labels->count <= index)
        labels->texts[labels->count++] = NULL;
    if (!labels->texts[index]) {
        gnomon_name_of(&name, &export->analysis, id);
        labels->texts[index] = new_label(labels, &name, index);
    }
    return labels->texts[index];
}

void event_labels_free(struct event_labels *labels) {
    for (size_t i = 0; i < labels->count; i++)
        free(labels->texts[i]);
    free(labels->texts);
    profile_map_free(&labels->used);
    *labels = (struct event_labels){0};
}
