/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that the compiler inlined, by address, from DWARF. Only lines.c uses this header. */
#ifndef GNOMON_LIB_INLINED_H
#define GNOMON_LIB_INLINED_H

#include <elfutils/libdw.h>

#include "lib/elf/lines.h"

struct gnomon_inlined_index;

/* Reads all compilation units. NULL: out of memory. `dwarf` must outlive the result. */
struct gnomon_inlined_index *gnomon_inlined_open(Dwarf *dwarf);
void gnomon_inlined_close(struct gnomon_inlined_index *index); /* may be NULL */

/* As gnomon_lines_inlined. */
size_t gnomon_inlined_find(const struct gnomon_inlined_index *index, uint32_t address, struct gnomon_inlined *list,
                           size_t most);

#endif
