/* SPDX-License-Identifier: Apache-2.0 */
/* Tags that a program's source asks for: the section `.gnomon.tags` of its ELF file (docs/tag.md, "In the file"). */
#ifndef GNOMON_LIB_TAG_SECTION_H
#define GNOMON_LIB_TAG_SECTION_H

#include "tag_plan.h"

#define GNOMON_TAG_SECTION ".gnomon.tags"               /* what the linked program has */
#define GNOMON_TAG_SOURCE_SECTION ".gnomon.tags.source" /* what the compiler says, before */

/* Adds what the program asks for; nothing where it has no such section. Nothing in it is trusted: GNOMON_ERR_FORMAT.
 * GNOMON_ERR_MISMATCH: it is that of another build. `build_id`: the program's, in hexadecimal. */
enum gnomon_status gnomon_tag_section_load(struct gnomon_tag_list *list, const struct gnomon_tag_program *program,
                                           const char *build_id, struct gnomon_error *error);

/* The same of a section's bytes, for messages that of `path`. */
enum gnomon_status gnomon_tag_section_parse(struct gnomon_tag_list *list, const uint8_t *bytes, size_t size,
                                            const char *build_id, const char *path, struct gnomon_error *error);

/* The other way round: a section's bytes, to be freed. */
enum gnomon_status gnomon_tag_section_make(const struct gnomon_tag_list *list, const char *build_id, uint8_t **bytes,
                                           size_t *size, struct gnomon_error *error);

#endif
