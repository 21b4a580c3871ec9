/* SPDX-License-Identifier: Apache-2.0 */
/* Call frame information (DWARF 4, 6.4; the form of .eh_frame in the Linux Standard Base): for an address, it says
 * where the caller's registers are. The library was compiled without .eh_frame; its information is in .debug_frame. */
#ifndef GNOMON_RUNTIME_CFI_H
#define GNOMON_RUNTIME_CFI_H

#include <gnomon_unwind.h>

enum { GNOMON_CFI_REGISTERS = 32 };

/* The rule of a register: its offset from the CFA, or one of these values. */
enum { GNOMON_CFI_SAME = INT32_MAX, GNOMON_CFI_UNDEFINED = INT32_MAX - 1 };

struct gnomon_cfi_row {
    uint32_t cfa_register; /* the CFA (sp before the call) is the value of this register ... */
    int32_t cfa_offset;    /* ... plus this offset */
    int32_t saved[GNOMON_CFI_REGISTERS];
};

/* Returns false if there is no information about the address, or if it cannot be interpreted. */
bool __gnomon_cfi_find(uint32_t address, struct gnomon_cfi_entry *entry);
bool __gnomon_cfi_row(const struct gnomon_cfi_entry *entry, uint32_t address, struct gnomon_cfi_row *row);

#endif
