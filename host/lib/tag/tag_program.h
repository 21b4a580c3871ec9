/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a program that tags need: its symbols (local ones with their files), its code, and its debug
 * information. */
#ifndef GNOMON_LIB_TAG_PROGRAM_H
#define GNOMON_LIB_TAG_PROGRAM_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

/* A function or a variable in the symbol table. */
struct gnomon_tag_symbol {
    const char *name;
    const char *file; /* of a local symbol, without folders; NULL: it is global, or the table does not say; "": neither
                         the table nor the debug information says */
    uint32_t address, size;
    bool data; /* a variable */
};

/* A section that has addresses. */
struct gnomon_tag_section {
    uint32_t start, end;
    uint32_t overlay; /* number of the overlay plus 1; 0: no overlay */
    bool code;
    const uint8_t *bytes; /* NULL: the file has no bytes for it (.bss) */
};

struct gnomon_tag_program {
    char *path;
    int fd;
    Elf *elf;
    Dwarf *dwarf;       /* NULL: there is no debug information */
    bool module;        /* a module, whose addresses begin at 0 */
    char build_id[129]; /* in hexadecimal; "" if the file has none */
    size_t symbol_count, section_count;
    struct gnomon_tag_symbol *symbols;
    struct gnomon_tag_section *sections;
    uint32_t profile_handler; /* address of the function that handles the profile interrupt; 0: no symbol says */
    uint32_t no_handler;      /* address of the runtime's code for interrupts without a handler; 0: no symbol says */
};

/* The function that a program defines to handle the profile interrupt. */
#define GNOMON_TAG_HANDLER "gnomon_profile_interrupt"

/* All results are valid until gnomon_tag_program_close. The caller calls it whatever the status is. */
enum gnomon_status gnomon_tag_program_open(struct gnomon_tag_program *program, const char *path,
                                           struct gnomon_error *error);
void gnomon_tag_program_close(struct gnomon_tag_program *program);

/* Completes the files of the symbols from the debug information, if the program was linked with -flto. */
void gnomon_tag_find_files(const struct gnomon_tag_program *program);

/* The bytes of the section of that name, and their number. NULL: there is no such section; an empty section is not
 * NULL. */
const uint8_t *gnomon_tag_section_bytes(const struct gnomon_tag_program *program, const char *name, size_t *size);
/* Where the bytes of the section of that name lie in the file. False: there is no such section. */
bool gnomon_tag_section_place(const struct gnomon_tag_program *program, const char *name, uint64_t *offset,
                              uint64_t *size);

/* The section that holds `address`; NULL: none does. */
const struct gnomon_tag_section *gnomon_tag_section_at(const struct gnomon_tag_program *program, uint32_t address);

/* Is `address` in a section of code? */
bool gnomon_tag_is_code(const struct gnomon_tag_program *program, uint32_t address);

/* Reads the instruction at `address` (a 16-bit one in the lower half) and returns its length in bytes; 0: there is
 * none. */
unsigned gnomon_tag_instruction(const struct gnomon_tag_program *program, uint32_t address, uint32_t *instruction);

/* The function that holds `address`; NULL: the symbol table has none. */
const struct gnomon_tag_symbol *gnomon_tag_function_at(const struct gnomon_tag_program *program, uint32_t address);

/* Fills *error: the program has no `name`; the message suggests similar names. */
enum gnomon_status gnomon_tag_unknown(const struct gnomon_tag_program *program, const char *what, const char *name,
                                      struct gnomon_error *error);

#endif
