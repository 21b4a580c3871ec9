/* SPDX-License-Identifier: Apache-2.0 */
/* A module's file: an ELF shared object with the layout of firmware/runtime/modules/module.ld. No content is trusted
 * before it has been checked. A function that fails calls __gnomon_module_fail with the reason and returns false. */
#ifndef GNOMON_RUNTIME_MODULE_ELF_H
#define GNOMON_RUNTIME_MODULE_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODULE_KEY_BYTES 20 /* size of the build id, SHA-1 */
#define NEAR_NUMBERS 2048u  /* numbers that a one-instruction hook reaches */

struct elf_relocation {
    uint32_t offset, info, addend;
};

struct elf_symbol {
    uint32_t name, value, size;
    uint8_t info, other;
    uint16_t section; /* 0: the symbol is not defined here */
};

/* An entry of .gnomon.sites: a hook, and the slot of its function. */
struct module_site {
    uint32_t at, slot;
};

struct module_file {
    const uint8_t *bytes;
    size_t size;
    uint8_t key[MODULE_KEY_BYTES];
    uint32_t functions;
    uint32_t image_bytes; /* memory that the loaded module takes */
    const uint8_t *sites; /* array of module_site, not aligned */
    uint32_t site_count;
    const uint8_t *tags; /* array of gnomon_module_tag, not aligned; the entries in use are within the image */
    uint32_t tag_count;
    uint32_t dynamic, dynamic_bytes; /* offset and size in the loaded image */
};

/* Checks everything that can be checked in the file before loading. */
bool __gnomon_module_check(struct module_file *file, const void *bytes, size_t size);

/* The content of the dynamic section of a loaded image. Addresses are within the image. */
struct module_dynamic {
    uint8_t *image;
    uint32_t image_bytes;
    const struct elf_symbol *symbols;
    uint32_t symbol_count;
    const char *strings;
    uint32_t string_bytes;
    const struct elf_relocation *relocations[2]; /* [0]: relocations of data, [1]: of calls */
    uint32_t relocation_count[2];
    void (**constructors)(void), (**destructors)(void);
    uint32_t constructor_count, destructor_count;
};

/* Copies the segments to `image` and reads their dynamic section. `image` has file->image_bytes bytes and lies at a
 * multiple of 16. */
bool __gnomon_module_place(const struct module_file *file, uint8_t *image, struct module_dynamic *dynamic);

/* Relocates the image. `resolve` finds addresses of the program; it returns NULL if the program has no such name. */
bool __gnomon_module_relocate(const struct module_dynamic *dynamic, const void *(*resolve)(const char *name));

/* Gives the hooks their numbers, beginning with `base`. */
bool __gnomon_module_number(const struct module_file *file, uint8_t *image, uint32_t base);

/* Does the module have hooks that reach only numbers below 2048? */
bool __gnomon_module_is_near(const struct module_file *file);

/* The address of a symbol that the module defines, or NULL. */
void *__gnomon_module_find(const struct module_dynamic *dynamic, const char *name);

/* Sets the text of gnomon_module_error: WHAT, followed by WHICH unless NULL. Returns false. */
bool __gnomon_module_fail(const char *what, const char *which);

#endif
