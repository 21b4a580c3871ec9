/* SPDX-License-Identifier: Apache-2.0 */
/* Tags that a program's source requests: the section `.gnomon.tags` of its ELF file (docs/guide/tag.md, "In the file").
 */
#ifndef GNOMON_LIB_TAG_SECTION_H
#define GNOMON_LIB_TAG_SECTION_H

#include "lib/tag/tag_plan.h"

#define GNOMON_TAG_SECTION ".gnomon.tags"               /* in the linked program */
#define GNOMON_TAG_SOURCE_SECTION ".gnomon.tags.source" /* written by the compiler, before linking */

/* Adds the tags that the program requests; none if it has no such section. The section is not trusted:
 * GNOMON_ERR_FORMAT. GNOMON_ERR_MISMATCH: the section is of another build. GNOMON_ERR_UNSUPPORTED: there
 * are too many tags. */
enum gnomon_status gnomon_tag_section_load(struct gnomon_tag_list *list, const struct gnomon_tag_program *program,
                                           struct gnomon_error *error);

/* The same for the bytes of a section. `build_id`: the program's, in hexadecimal; `path` is for messages. */
enum gnomon_status gnomon_tag_section_parse(struct gnomon_tag_list *list, const uint8_t *bytes, size_t size,
                                            const char *build_id, const char *path, struct gnomon_error *error);

/* Makes the bytes of a section from a list. The caller frees them. */
enum gnomon_status gnomon_tag_section_make(const struct gnomon_tag_list *list, const char *build_id, uint8_t **bytes,
                                           size_t *size, struct gnomon_error *error);

#endif
