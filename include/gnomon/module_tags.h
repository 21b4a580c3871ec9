/* SPDX-License-Identifier: Apache-2.0 */
/* The tags that a module's source asks for, as its loader needs them: the section .gnomon.tags.loader of the module's
 * file (docs/guide/tag.md, "In modules"). The linker step leaves all of it zero. `gnomon tag` fills it in, in the bytes
 * that the program gets. Both sides use this definition; all words are little endian, and not aligned. */
#ifndef GNOMON_MODULE_TAGS_H
#define GNOMON_MODULE_TAGS_H

#include <stdint.h>

#define GNOMON_MODULE_TAGS_SECTION ".gnomon.tags.loader"

struct gnomon_module_tag {
    uint32_t start, end; /* offsets in the loaded module; `end` 0: there are no more entries */
    uint32_t number;     /* of the tag */
    uint32_t data;       /* 1: the tag is for words of data; 0: for instructions */
};

#endif
