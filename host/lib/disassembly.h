/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code as text, by objdump of the cross toolchain: it knows every extension that the compiler does. */
#ifndef GNOMON_LIB_DISASSEMBLY_H
#define GNOMON_LIB_DISASSEMBLY_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

#define GNOMON_OBJDUMP "riscv64-unknown-elf-objdump"

struct gnomon_disassembly {
    size_t count;
    struct gnomon_disassembly_line {
        uint32_t address;
        char *text; /* "addi a0,a0,1"; no control characters */
    } * lines;      /* by address */
};

/* Of the code from `start` to before `end`; `base`: where it was loaded, 0 for a program. `objdump`: the program, NULL:
 * that of the cross toolchain. To be freed whatever the status is. */
enum gnomon_status gnomon_disassemble(struct gnomon_disassembly *disassembly, const char *objdump, const char *elf,
                                      uint32_t start, uint32_t end, uint32_t base, struct gnomon_error *error);
/* NULL: nothing begins there. */
const char *gnomon_disassembly_at(const struct gnomon_disassembly *disassembly, uint32_t address);
void gnomon_disassembly_free(struct gnomon_disassembly *disassembly);

#endif
