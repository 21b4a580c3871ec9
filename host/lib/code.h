/* SPDX-License-Identifier: Apache-2.0 */
/* What code an address was in a run, when all that is known is the address. Modules come and go and overlays take
 * turns: where several can have run there, that is said, and no function is named. */
#ifndef GNOMON_LIB_CODE_H
#define GNOMON_LIB_CODE_H

#include "modules.h"

#define GNOMON_NO_FUNCTION "[no function]"

struct gnomon_code {
    const struct gnomon_function *function; /* NULL: `text` says why none can be named */
    const char *module;                     /* that it belongs to; NULL: the program */
    const struct gnomon_symbols *symbols;   /* whose function it is; NULL: there is none */
    uint32_t base;                          /* where the module was loaded; 0: the program */
    bool elsewhere;                         /* the module was also loaded at another address */
    char text[96];                          /* "[no function]", "[overlay 1 or 2]", "[module a.so or b.so]" */
};

/* `symbols` and `modules` (may be NULL) must outlive the result; all events of the run have been noted. */
void gnomon_code_at(struct gnomon_code *code, const struct gnomon_symbols *symbols,
                    const struct gnomon_modules *modules, uint32_t address);

/* "[overlay 1, 2 or 5]", for a set of their numbers. */
void gnomon_overlays_text(char *text, size_t size, uint32_t overlays);

/* An order in which the same code is equal. */
int gnomon_code_compare(const struct gnomon_code *a, const struct gnomon_code *b);

/* The function's name, in the linker's form where `raw` wants it, or else the text. */
const char *gnomon_code_name(const struct gnomon_code *code, bool raw);

#endif
