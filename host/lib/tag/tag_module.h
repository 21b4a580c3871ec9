/* SPDX-License-Identifier: Apache-2.0 */
/* Tags that the source of a module requests (docs/guide/tag.md, "In modules"). The loader sets them when the program
 * loads the module, so their numbers must be in the file that the program gets. */
#ifndef GNOMON_LIB_TAG_MODULE_H
#define GNOMON_LIB_TAG_MODULE_H

#include "lib/tag/tag_plan.h"

struct gnomon_tag_module {
    unsigned number;  /* of the module in the list */
    char *build_id;   /* the same module under another name has the same */
    uint8_t *entries; /* the loader's entries, in the bytes of the file */
    size_t room;      /* number of entries */
};

struct gnomon_tag_modules {
    size_t count, capacity;
    struct gnomon_tag_module *modules;
};

/* Adds the tags of the module with these bytes to the list; none if it is no module with tags. `path` is the file that
 * has the bytes, `name` the name of the module in the names of its tags. The bytes must outlive `modules`. */
enum gnomon_status gnomon_tag_modules_add(struct gnomon_tag_modules *modules, struct gnomon_tag_list *list,
                                          const char *path, const char *name, uint8_t *bytes, size_t size,
                                          struct gnomon_error *error);
/* Enters the numbers of the plan into the bytes of all modules. */
enum gnomon_status gnomon_tag_modules_number(const struct gnomon_tag_modules *modules,
                                             const struct gnomon_tag_plan *plan, struct gnomon_error *error);
void gnomon_tag_modules_free(struct gnomon_tag_modules *modules);

/* The number of the loader's entries that suffices for the targets of a list, however they overlap. */
size_t gnomon_tag_module_entries(const struct gnomon_tag_list *list);

#endif
