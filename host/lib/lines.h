/* SPDX-License-Identifier: Apache-2.0 */
/* Source lines of addresses, from DWARF. With an index of our own from address to compilation unit: after --gc-sections
 * .debug_aranges can hold a (0, 0) pair in the middle, behind which libdw finds nothing. */
#ifndef GNOMON_LIB_LINES_H
#define GNOMON_LIB_LINES_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

struct gnomon_lines;

/* NULL where the file has no usable debug information (or memory is out). `elf` must outlive the result. */
struct gnomon_lines *gnomon_lines_open(Elf *elf);
void gnomon_lines_close(struct gnomon_lines *lines); /* may be NULL */

/* Strings live as long as `lines`. */
struct gnomon_line {
    const char *file;
    unsigned line;
};

/* The line of the instruction at `address`. */
bool gnomon_lines_find(const struct gnomon_lines *lines, uint32_t address, struct gnomon_line *line);

/* Calls back for each place where the code of a function that has code begins, with the line of its declaration. */
typedef void gnomon_lines_function(void *context, uint32_t address, const struct gnomon_line *line);
void gnomon_lines_functions(const struct gnomon_lines *lines, gnomon_lines_function *function, void *context);

#endif
