/* SPDX-License-Identifier: Apache-2.0 */
/* Unwinds the stack of a crashed program with the call frame information of its ELF file. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/run/crash.h"

#define MOST_OPERATIONS 64
#define MOST_VALUES 16

enum { RA = 1, SP = 2, S0 = 8, S1 = 9, S2 = 18, S11 = 27 };

struct walk {
    struct gnomon_device *device;
    const struct gnomon_board *board;
    Dwarf_CFI *cfi;
    uint32_t pc; /* of an instruction in the function */
    uint32_t registers[GNOMON_CRASH_REGISTERS];
};

static bool read_word(const struct walk *walk, uint32_t address, uint32_t *value) {
    return address % 4 == 0 && gnomon_board_readable(walk->board, address) >= 4 &&
           gnomon_device_get(walk->device, address, value, NULL) == GNOMON_OK;
}

/* ---- DWARF expressions, limited to those that compilers use in call frame information ---- */

struct machine {
    const struct walk *walk;
    uint32_t cfa; /* for expressions of registers */
    size_t count;
    uint32_t values[MOST_VALUES];
    bool is_value; /* the result is the value, not its address */
};

static bool push(struct machine *machine, uint32_t value) {
    if (machine->count == MOST_VALUES)
        return false;
    machine->values[machine->count++] = value;
    return true;
}

static bool push_register(struct machine *machine, Dwarf_Word number, Dwarf_Word offset) {
    return number < GNOMON_CRASH_REGISTERS && push(machine, machine->walk->registers[number] + (uint32_t)offset);
}

static bool step(struct machine *machine, const Dwarf_Op *op) {
    uint32_t *top = machine->count ? &machine->values[machine->count - 1] : NULL;
    if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
        return push_register(machine, op->atom - DW_OP_breg0, op->number);
    switch (op->atom) {
    case DW_OP_bregx:
        return push_register(machine, op->number, op->number2);
    case DW_OP_call_frame_cfa:
        return push(machine, machine->cfa);
    case DW_OP_consts:
    case DW_OP_constu:
        return push(machine, (uint32_t)op->number);
    case DW_OP_plus_uconst:
        if (top)
            *top += (uint32_t)op->number;
        return top;
    case DW_OP_plus:
        if (machine->count < 2)
            return false;
        machine->values[machine->count - 2] += *top;
        machine->count--;
        return true;
    case DW_OP_deref:
        return top && read_word(machine->walk, *top, top);
    case DW_OP_stack_value:
        machine->is_value = true;
        return true;
    default:
        return false;
    }
}

static bool evaluate(struct machine *machine, const Dwarf_Op *ops, size_t count) {
    if (count == 0 || count > MOST_OPERATIONS)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!step(machine, &ops[i]))
            return false;
    return machine->count > 0;
}

/* ---- Frames ---- */

enum found { UNKNOWN, UNDEFINED, FOUND };

/* Finds the value that the register had in the caller. */
static enum found register_before(const struct walk *walk, Dwarf_Frame *frame, uint32_t cfa, int number,
                                  uint32_t *value) {
    Dwarf_Op memory[3], *ops;
    size_t count;
    if (dwarf_frame_register(frame, number, memory, &ops, &count) != 0)
        return UNKNOWN;
    if (count == 0) {
        *value = walk->registers[number];
        return ops == memory ? UNDEFINED : FOUND;
    }
    struct machine machine = {.walk = walk, .cfa = cfa};
    if (!evaluate(&machine, ops, count))
        return UNKNOWN;
    *value = machine.values[machine.count - 1];
    return machine.is_value || read_word(walk, *value, value) ? FOUND : UNKNOWN;
}

static bool is_saved(int number) {
    return number == RA || number == S0 || number == S1 || (number >= S2 && number <= S11);
}

/* Steps to the caller. False: the walk is at its end. */
static bool step_out(struct walk *walk) {
    Dwarf_Frame *frame = NULL;
    Dwarf_Op *ops;
    size_t count;
    uint32_t registers[GNOMON_CRASH_REGISTERS] = {0};
    struct machine machine = {.walk = walk};
    if (dwarf_cfi_addrframe(walk->cfi, walk->pc, &frame) != 0)
        return false;
    bool good = dwarf_frame_cfa(frame, &ops, &count) == 0 && evaluate(&machine, ops, count);
    uint32_t cfa = good ? machine.values[machine.count - 1] : 0;
    enum found way_back = UNKNOWN;
    for (int number = 0; number < GNOMON_CRASH_REGISTERS && good; number++) {
        if (!is_saved(number))
            continue;
        enum found found = register_before(walk, frame, cfa, number, &registers[number]);
        if (number == RA)
            way_back = found;
    }
    free(frame);
    if (way_back != FOUND || registers[RA] < 2 ||
        (cfa == walk->registers[SP] && registers[RA] == walk->registers[RA] && registers[RA] - 2 == walk->pc))
        return false;
    registers[SP] = cfa;
    memcpy(walk->registers, registers, sizeof registers);
    walk->pc = registers[RA] - 2; /* within the call, which may be the last instruction of its function */
    return true;
}

static size_t walk_up(struct walk *walk, uint32_t *calls, size_t count, size_t most) {
    while (count < most && step_out(walk))
        calls[count++] = walk->pc;
    return count;
}

/* Steps to the caller through ra, for code without information, such as an address without any code: it may not have
 * changed ra yet. */
static bool step_by_ra(struct walk *walk) {
    uint32_t ra = walk->registers[RA];
    if (ra < 2 || ra - 2 == walk->pc || gnomon_board_readable(walk->board, ra - 2) < 2)
        return false;
    walk->pc = ra - 2;
    return true;
}

size_t gnomon_crash_calls(const struct gnomon_crash *crash, const char *elf, struct gnomon_device *device,
                          const struct gnomon_board *board, uint32_t *calls, size_t most) {
    struct walk walk = {.device = device, .board = board, .pc = crash->trapped ? crash->pc : crash->pc - 2};
    memcpy(walk.registers, crash->registers, sizeof walk.registers);
    calls[0] = walk.pc;
    int fd = open(elf, O_RDONLY | O_CLOEXEC);
    Dwarf *dwarf = fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;
    walk.cfi = dwarf ? dwarf_getcfi(dwarf) : NULL;
    size_t count = walk.cfi ? walk_up(&walk, calls, 1, most) : 1;
    if (count == 1 && most > 1 && crash->trapped && step_by_ra(&walk)) {
        calls[count++] = walk.pc;
        count = walk.cfi ? walk_up(&walk, calls, count, most) : count;
    }
    if (dwarf)
        dwarf_end(dwarf);
    if (fd >= 0)
        close(fd);
    return count;
}
