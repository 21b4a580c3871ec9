/* SPDX-License-Identifier: Apache-2.0 */
/* A set of names. */
#ifndef GNOMON_LIB_NAME_SET_H
#define GNOMON_LIB_NAME_SET_H

#include <stdbool.h>
#include <stddef.h>

/* Starts as zeros. */
struct gnomon_name_set {
    size_t count, room;
    char **names; /* after gnomon_name_set_sort in their order, each once; owned */
};

/* Adds a copy; also of a name that is there. False: out of memory. */
bool gnomon_name_set_add(struct gnomon_name_set *set, const char *name);
/* Call it after the last name, and before the first question. */
void gnomon_name_set_sort(struct gnomon_name_set *set);
bool gnomon_name_set_has(const struct gnomon_name_set *set, const char *name);
void gnomon_name_set_free(struct gnomon_name_set *set);

#endif
