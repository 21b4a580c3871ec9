/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which code ran at an address in a run, when only the address is known. Modules are loaded and unloaded, and
 * overlays share addresses: if several of them can have run there, the result says so and names no function. */
#ifndef GNOMON_LIB_CODE_H
#define GNOMON_LIB_CODE_H

#include "lib/profile/modules.h"

#define GNOMON_NO_FUNCTION "[no function]"

struct gnomon_code {
    const struct gnomon_function *function; /* NULL: `text` says why no function can be named */
    const char *module;                     /* the module of the code; NULL: the program */
    const struct gnomon_symbols *symbols;   /* symbols of the file that holds `function`; NULL: there is none */
    uint32_t base;                          /* where the module was loaded; 0: the program */
    bool elsewhere;                         /* the module was also loaded at another address */
    char text[96];                          /* "[no function]", "[overlay 1 or 2]", "[module a.so or b.so]" */
};

/* `symbols` and `modules` (may be NULL) must outlive the result. All events of the run must have been noted before. */
void gnomon_code_at(struct gnomon_code *code, const struct gnomon_symbols *symbols,
                    const struct gnomon_modules *modules, uint32_t address);

/* Writes "[overlay 1, 2 or 5]" for a set of overlay numbers (bits). */
void gnomon_overlays_text(char *text, size_t size, uint32_t overlays);

/* Order for sorting; 0 for the same code. */
int gnomon_code_compare(const struct gnomon_code *a, const struct gnomon_code *b);

/* The function's name (the linker's if `raw`), or `text` if there is no function. */
const char *gnomon_code_name(const struct gnomon_code *code, bool raw);

#endif
