/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code as text. The objdump of the cross toolchain makes it, because it knows every extension that the compiler
 * knows. */
#ifndef GNOMON_LIB_DISASSEMBLY_H
#define GNOMON_LIB_DISASSEMBLY_H

#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

#define GNOMON_OBJDUMP "riscv64-unknown-elf-objdump"

struct gnomon_disassembly {
    size_t count;
    struct gnomon_disassembly_line {
        uint32_t address;
        char *text; /* "addi a0,a0,1"; no control characters */
    } * lines;      /* by address */
};

/* Disassembles the code from `start` to before `end`. `base`: the address where the code was loaded, 0 for a program.
 * `objdump`: the program to run, NULL: objdump of the cross toolchain. The caller frees the result, whatever the status
 * is. */
enum gnomon_status gnomon_disassemble(struct gnomon_disassembly *disassembly, const char *objdump, const char *elf,
                                      uint32_t start, uint32_t end, uint32_t base, struct gnomon_error *error);
/* The instruction that begins at `address`; NULL: none begins there. */
const char *gnomon_disassembly_at(const struct gnomon_disassembly *disassembly, uint32_t address);
void gnomon_disassembly_free(struct gnomon_disassembly *disassembly);

#endif
