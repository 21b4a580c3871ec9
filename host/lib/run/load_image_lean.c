/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether a program may run on a lean model of a simulated board (docs/guide/sim.md). */
#include <gelf.h>
#include <libelf.h>
#include <stddef.h>

#include "gnomon/registers.h"
#include "lib/run/load_image.h"

#define OPCODE 0x7F
#define OPCODE_LUI 0x37
#define OPCODE_SYSTEM 0x73
#define FUNCT3 0x7000 /* of SYSTEM instructions: 0 is no CSR instruction */
#define UPPER 0xFFFFF000u
#define SCOUNTOVF 0xDA0

/* mhpmcounter3 and following, their upper words, hpmcounter3 and following, mhpmevent3 and following. */
static bool is_event_counter(uint32_t csr) {
    unsigned page = csr >> 8, number = csr & 0x1F;
    bool counter = (page == 0xB || page == 0xC) && !(csr & 0x60);
    bool event = (page == 0x3 || page == 0x7) && (csr & 0x60) == 0x20;
    return csr == SCOUNTOVF || ((counter || event) && number >= 3);
}

/* Is it the upper part of a block's address? With a negative offset the upper part is one page higher. */
static bool is_block(uint32_t upper) {
    return upper >= GNOMON_PMU_CONFIG && upper <= (GNOMON_TAGS_CONFIG & UPPER) + 0x1000;
}

static bool names_unit(uint32_t insn) {
    if ((insn & OPCODE) == OPCODE_LUI)
        return is_block(insn & UPPER);
    return (insn & OPCODE) == OPCODE_SYSTEM && (insn & FUNCT3) && is_event_counter(insn >> 20);
}

static bool code_names_unit(const uint8_t *code, size_t size) {
    size_t at = 0;
    while (at + 4 <= size) {
        bool is_long = (code[at] & 3) == 3;
        uint32_t insn = (uint32_t)code[at] | (uint32_t)code[at + 1] << 8 | (uint32_t)code[at + 2] << 16 |
                        (uint32_t)code[at + 3] << 24;
        if (is_long && names_unit(insn))
            return true;
        at += is_long ? 4 : 2;
    }
    return false;
}

bool gnomon_image_suits_lean(const struct gnomon_image *image) {
    Elf *elf = elf_memory((char *)image->file, image->file_size);
    bool found = false, names = false;
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; elf && (section = elf_nextscn(elf, section));) {
        if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR) || header.sh_type != SHT_PROGBITS)
            continue;
        if (header.sh_offset > image->file_size || header.sh_size > image->file_size - header.sh_offset)
            continue;
        found = true;
        names |= code_names_unit(image->file + header.sh_offset, (size_t)header.sh_size);
    }
    elf_end(elf);
    return found && !names;
}
