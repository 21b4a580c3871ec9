/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions for formats of events, which meet the functions one after the other: of several functions with the
 * same name, the later ones have their file or address behind it. */
#ifndef GNOMON_LIB_EXPORT_EVENT_LABELS_H
#define GNOMON_LIB_EXPORT_EVENT_LABELS_H

#include "lib/export/export.h"
#include "lib/profile/profile_map.h"

/* Starts as zeros. */
struct event_labels {
    struct profile_map used; /* hashes of the labels that functions have */
    char **texts;            /* by index of the function; NULL: not met so far */
    size_t count, room;
};

/* The label of the function `id`, whose index in the profile is `index`. NULL: out of memory. */
const char *event_label(struct event_labels *labels, const struct gnomon_export *export, uint32_t index, uint32_t id);
void event_labels_free(struct event_labels *labels);

#endif
