/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the source lines of addresses in DWARF. It builds its own index from address to compilation unit: after
 * --gc-sections .debug_aranges can hold a (0, 0) pair in the middle, and libdw finds nothing after that pair. */
#ifndef GNOMON_LIB_LINES_H
#define GNOMON_LIB_LINES_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

struct gnomon_lines;

/* NULL: the file has no usable debug information, or out of memory. `elf` must outlive the result. */
struct gnomon_lines *gnomon_lines_open(Elf *elf);
void gnomon_lines_close(struct gnomon_lines *lines); /* may be NULL */

/* Strings live as long as `lines`. */
struct gnomon_line {
    const char *file;
    unsigned line;
};

/* The line of the instruction at `address`. */
bool gnomon_lines_find(const struct gnomon_lines *lines, uint32_t address, struct gnomon_line *line);

/* A function that the compiler inlined. */
struct gnomon_inlined {
    const char *name;            /* the linker's name, if it has one */
    struct gnomon_line declared; /* file NULL: not known */
    struct gnomon_line call;     /* in the function that contains it: the next one of a list */
};

/* The functions that were inlined where the instruction at `address` is, the innermost first. Fills up to `most`, and
 * returns how many. The first call reads what was inlined in the whole program. */
size_t gnomon_lines_inlined(struct gnomon_lines *lines, uint32_t address, struct gnomon_inlined *list, size_t most);

/* Calls `function` for each address where the code of a function begins, with the line of the function's declaration.
 * Functions without code are left out. */
typedef void gnomon_lines_function(void *context, uint32_t address, const struct gnomon_line *line);
void gnomon_lines_functions(const struct gnomon_lines *lines, gnomon_lines_function *function, void *context);

#endif
