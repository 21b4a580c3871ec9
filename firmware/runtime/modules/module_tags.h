/* SPDX-License-Identifier: Apache-2.0 */
/* Tags in modules, for `gnomon tag`. */
#ifndef GNOMON_RUNTIME_MODULE_TAGS_H
#define GNOMON_RUNTIME_MODULE_TAGS_H

#include "module_elf.h"

/* Where a loaded module has tags: [0] in its code, [1] in its data. */
struct module_tags {
    struct {
        const uint8_t *first, *limit; /* equal: nowhere */
    } places[2];
};

/* Sets the tags that the host has entered into the file. Fails if the device has no memory for them; the caller then
 * also calls __gnomon_module_untag, for the tags' memory that was taken before. */
bool __gnomon_module_tag(const struct module_file *file, const uint8_t *image, struct module_tags *tags);

/* Removes them. Does nothing for `tags` that are all zeros. */
void __gnomon_module_untag(struct module_tags *tags);

#endif
