/* SPDX-License-Identifier: Apache-2.0 */
/* The source lines of the code of a run: of the program and of its modules, whose files are opened when they are needed
 * for the first time. */
#ifndef GNOMON_LIB_SOURCE_LINES_H
#define GNOMON_LIB_SOURCE_LINES_H

#include "lib/elf/lines.h"
#include "lib/profile/code.h"

/* The lines of the opened files; NULL: none yet. */
struct gnomon_source_lines;

/* The source line of the instruction at `address`, which belongs to `code`; false: not known. */
bool gnomon_source_line(struct gnomon_source_lines **files, const struct gnomon_code *code, uint32_t address,
                        struct gnomon_line *line);
/* The functions that were inlined there, as gnomon_lines_inlined. */
size_t gnomon_source_inlined(struct gnomon_source_lines **files, const struct gnomon_code *code, uint32_t address,
                             struct gnomon_inlined *list, size_t most);
void gnomon_source_lines_close(struct gnomon_source_lines *files); /* may be NULL */

#endif
