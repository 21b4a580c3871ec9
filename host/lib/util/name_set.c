/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/name_set.h"

#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"

bool gnomon_name_set_add(struct gnomon_name_set *set, const char *name) {
    if (!gnomon_array_room(&set->names, &set->room, set->count + 1, sizeof *set->names))
        return false;
    char *copy = strdup(name);
    set->names[set->count] = copy;
    set->count += copy != NULL;
    return copy;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void gnomon_name_set_sort(struct gnomon_name_set *set) {
    size_t kept = 0;
    if (set->count)
        qsort(set->names, set->count, sizeof *set->names, compare);
    for (size_t i = 0; i < set->count; i++)
        if (!kept || strcmp(set->names[i], set->names[kept - 1]) != 0)
            set->names[kept++] = set->names[i];
        else
            free(set->names[i]);
    set->count = kept;
}

bool gnomon_name_set_has(const struct gnomon_name_set *set, const char *name) {
    return set->count && bsearch(&name, set->names, set->count, sizeof *set->names, compare);
}

void gnomon_name_set_free(struct gnomon_name_set *set) {
    for (size_t i = 0; i < set->count; i++)
        free(set->names[i]);
    free(set->names);
    *set = (struct gnomon_name_set){0};
}
