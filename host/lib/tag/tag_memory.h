/* SPDX-License-Identifier: Apache-2.0 */
/* Tags in the shadow of main memory, from where a device with tag caches gets them with the line (docs/internals/
 * tags.md, "Tag caches"). */
#ifndef GNOMON_LIB_TAG_MEMORY_H
#define GNOMON_LIB_TAG_MEMORY_H

#include "lib/tag/tag_device.h"

/* Writes the tags of the plan that are in main memory, says in which segments, and in what bounds. All tags must have
 * been cleared, and the hart must be in reset. */
enum gnomon_status gnomon_tags_load_memory(const struct gnomon_tags *tags, const struct gnomon_tag_plan *plan,
                                           struct gnomon_error *error);

#endif
