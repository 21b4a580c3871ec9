/* SPDX-License-Identifier: Apache-2.0 */
/* Call frame information (DWARF 4, 6.4; the form of .eh_frame in the Linux Standard Base): where, at an address, the
 * caller's registers are. Of the library, which was compiled without .eh_frame, it is .debug_frame that is there. */
#ifndef GNOMON_RUNTIME_CFI_H
#define GNOMON_RUNTIME_CFI_H

#include <gnomon_unwind.h>

enum { GNOMON_CFI_REGISTERS = 32 };

/* A register's rule: the offset from the CFA at which it was saved, or one of these. */
enum { GNOMON_CFI_SAME = INT32_MAX, GNOMON_CFI_UNDEFINED = INT32_MAX - 1 };

struct gnomon_cfi_row {
    uint32_t cfa_register; /* the CFA (sp before the call) is this register ... */
    int32_t cfa_offset;    /* ... and this */
    int32_t saved[GNOMON_CFI_REGISTERS];
};

/* False: nothing is known of that address, or nothing that can be made sense of. */
bool __gnomon_cfi_find(uint32_t address, struct gnomon_cfi_entry *entry);
bool __gnomon_cfi_row(const struct gnomon_cfi_entry *entry, uint32_t address, struct gnomon_cfi_row *row);

#endif
