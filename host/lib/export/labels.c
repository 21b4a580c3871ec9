/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/export/labels.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/export/export_internal.h"
#include "lib/util/array.h"

bool export_labels_add(struct export_labels *labels, uint32_t number, const char *text) {
    if (!gnomon_array_room(&labels->list, &labels->room, labels->count + 1, sizeof *labels->list))
        return false;
    char *copy = strdup(text);
    if (!copy)
        return false;
    export_clean(copy);
    labels->list[labels->count++] = (struct export_label){number, copy};
    return true;
}

static int by_text(const void *a, const void *b) {
    const struct export_label *left = a, *right = b;
    return strcmp(left->text, right->text);
}

static int by_number(const void *a, const void *b) {
    const struct export_label *left = a, *right = b;
    return left->number < right->number ? -1 : left->number > right->number;
}

/* Also names that look like those with a number get one, so that none is equal to another. */
static bool add_number(struct export_label *label) {
    char *text;
    if (asprintf(&text, "%s (%" PRIu32 ")", label->text, label->number) < 0)
        return false;
    free(label->text);
    label->text = text;
    return true;
}

bool export_labels_finish(struct export_labels *labels) {
    struct export_label *list = labels->list;
    bool good = true;
    if (!labels->count)
        return true;
    qsort(list, labels->count, sizeof *list, by_text);
    for (size_t first = 0, after; good && first < labels->count; first = after) {
        const size_t length = strlen(list[first].text);
        for (after = first + 1; after < labels->count && !by_text(&list[first], &list[after]);)
            after++;
        const bool plain = after - first == 1 && !(length && list[first].text[length - 1] == ')');
        for (size_t i = first; good && !plain && i < after; i++)
            good = add_number(&list[i]);
    }
    qsort(list, labels->count, sizeof *list, by_number);
    return good;
}

const char *export_labels_find(const struct export_labels *labels, uint32_t number) {
    const struct export_label key = {.number = number};
    const struct export_label *found =
        labels->count ? bsearch(&key, labels->list, labels->count, sizeof key, by_number) : NULL;
    return found ? found->text : "?";
}

void export_labels_free(struct export_labels *labels) {
    for (size_t i = 0; i < labels->count; i++)
        free(labels->list[i].text);
    free(labels->list);
    *labels = (struct export_labels){0};
}
