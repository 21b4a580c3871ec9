/* SPDX-License-Identifier: Apache-2.0 */
/* A module's file: an ELF shared object as firmware/runtime/module.ld lays it out. Nothing in it is trusted until it
 * has been checked; each function that can fail says why by __gnomon_module_fail and returns false. */
#ifndef GNOMON_RUNTIME_MODULE_ELF_H
#define GNOMON_RUNTIME_MODULE_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODULE_KEY_BYTES 20 /* of the build id, SHA-1 */
#define NEAR_NUMBERS 2048u  /* that a hook of one instruction reaches */

struct elf_relocation {
    uint32_t offset, info, addend;
};

struct elf_symbol {
    uint32_t name, value, size;
    uint8_t info, other;
    uint16_t section; /* 0: not defined here */
};

/* A hook, and the slot of its function: what .gnomon.sites holds. */
struct module_site {
    uint32_t at, slot;
};

struct module_file {
    const uint8_t *bytes;
    size_t size;
    uint8_t key[MODULE_KEY_BYTES];
    uint32_t functions;
    uint32_t image_bytes; /* memory that it takes when loaded */
    const uint8_t *sites; /* module_site, not aligned */
    uint32_t site_count;
    uint32_t dynamic, dynamic_bytes; /* in the loaded image */
};

/* Looks at everything that can be told from the file. */
bool __gnomon_module_check(struct module_file *file, const void *bytes, size_t size);

/* What the dynamic section of a loaded image says; addresses are within the image. */
struct module_dynamic {
    uint8_t *image;
    uint32_t image_bytes;
    const struct elf_symbol *symbols;
    uint32_t symbol_count;
    const char *strings;
    uint32_t string_bytes;
    const struct elf_relocation *relocations[2]; /* those of data, those of calls */
    uint32_t relocation_count[2];
    void (**constructors)(void), (**destructors)(void);
    uint32_t constructor_count, destructor_count;
};

/* Copies the segments to `image`, which has file->image_bytes and lies at a multiple of 16, and reads its dynamic
 * section. */
bool __gnomon_module_place(const struct module_file *file, uint8_t *image, struct module_dynamic *dynamic);

/* Sets all addresses. `resolve` finds those of the program; NULL: it has none of that name. */
bool __gnomon_module_relocate(const struct module_dynamic *dynamic, const void *(*resolve)(const char *name));

/* Gives the hooks their numbers, from `base` on. */
bool __gnomon_module_number(const struct module_file *file, uint8_t *image, uint32_t base);

/* Does any of its hooks only reach numbers below 2048? */
bool __gnomon_module_is_near(const struct module_file *file);

/* The address of a symbol that the module defines, or NULL. */
void *__gnomon_module_find(const struct module_dynamic *dynamic, const char *name);

/* Makes what gnomon_module_error says: WHAT, and in quotes WHICH if it is not NULL. Returns false. */
bool __gnomon_module_fail(const char *what, const char *which);

#endif
