/* SPDX-License-Identifier: Apache-2.0 */
/* Names of threads or locks by number, in a form that no other one has: "worker", or, if two have it, "worker (3)". */
#ifndef GNOMON_LIB_EXPORT_LABELS_H
#define GNOMON_LIB_EXPORT_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct export_labels {
    size_t count, room;
    struct export_label {
        uint32_t number;
        char *text; /* owned; without control characters */
    } * list;       /* after export_labels_finish by number */
};

/* Each number only once. False: out of memory. */
bool export_labels_add(struct export_labels *labels, uint32_t number, const char *text);
bool export_labels_finish(struct export_labels *labels);
/* "?": there is none. */
const char *export_labels_find(const struct export_labels *labels, uint32_t number);
void export_labels_free(struct export_labels *labels);

#endif
