/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/overflow.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gnomon/registers.h>

#include "lib/elf/lines.h"
#include "lib/elf/symbols.h"
#include "lib/util/digits.h"

#define CAUSE_TRIGGER 2 /* dcsr.cause */

/* Reads the halted hart's dpc by executing instructions. The hart's registers t0 and t1 are lost. Each instruction ends
 * long before the next transfer. */
static enum gnomon_status read_dpc(struct gnomon_device *device, uint32_t *dpc, struct gnomon_error *error) {
    static const uint32_t instructions[] = {
        GNOMON_SYSCTL_BASE | 0x337, /* lui t1, SYSCTL */
        0x7B1022F3,                 /* csrr t0, dpc */
        0x00532023 | (GNOMON_SYSCTL_DEBUG_DATA & 0x1F) << 7 |
            (GNOMON_SYSCTL_DEBUG_DATA & 0xFE0) << 20, /* sw t0, DEBUG_DATA(t1) */
    };
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; !status && i < sizeof instructions / sizeof *instructions; i++)
        status = gnomon_device_set(device, GNOMON_SYSCTL_DEBUG_INSN, instructions[i], error);
    return status ? status : gnomon_device_get(device, GNOMON_SYSCTL_DEBUG_DATA, dpc, error);
}

/* Is the core the stack guard? A guard outside the core keeps the limit that the program has set. */
static enum gnomon_status is_guarded_by_core(struct gnomon_device *device, bool *by_core, struct gnomon_error *error) {
    uint32_t limit = 0;
    enum gnomon_status status = gnomon_device_get(device, GNOMON_SYSCTL_STACK_LIMIT, &limit, error);
    *by_core = !(limit & GNOMON_SYSCTL_STACK_LIMIT_ADDRESS);
    return status;
}

/* Finds where the core itself stopped: before the instruction, as at a trigger. Such a core has no triggers. */
static enum gnomon_status find_stopped(struct gnomon_device *device, struct gnomon_overflow *overflow,
                                       struct gnomon_error *error) {
    uint32_t cause;
    enum gnomon_status status = gnomon_device_get(device, GNOMON_SYSCTL_DEBUG_CAUSE, &cause, error);
    if (status || cause != CAUSE_TRIGGER)
        return status;
    status = read_dpc(device, &overflow->pc, error);
    overflow->found = !status;
    return status;
}

/* Finds the instruction that left the stack: a guard outside the core keeps its address. */
static enum gnomon_status find_instruction(struct gnomon_device *device, struct gnomon_overflow *overflow,
                                           struct gnomon_error *error) {
    uint32_t word;
    bool by_core;
    enum gnomon_status status = gnomon_device_get(device, GNOMON_SYSCTL_STACK_OVERFLOW, &word, error);
    if (status)
        return status;
    overflow->found = word & GNOMON_SYSCTL_STACK_OVERFLOW_FOUND;
    overflow->pc = word & GNOMON_SYSCTL_STACK_OVERFLOW_PC;
    if (overflow->found)
        return GNOMON_OK;
    status = is_guarded_by_core(device, &by_core, error);
    return status || !by_core ? status : find_stopped(device, overflow, error);
}

enum gnomon_status gnomon_overflow_read(struct gnomon_device *device, const struct gnomon_board *board, uint32_t param,
                                        struct gnomon_overflow *overflow, struct gnomon_error *error) {
    uint32_t control = 0;
    *overflow = (struct gnomon_overflow){0};
    if (!board->stack_guard)
        return GNOMON_OK;
    enum gnomon_status status = find_instruction(device, overflow, error);
    if (status || !overflow->found)
        return status;
    status = gnomon_crash_thread(device, board, param, overflow->thread, error);
    if (!status && board->profiler)
        status = gnomon_device_get(device, GNOMON_PROFILE_CONTROL, &control, error);
    overflow->at_most = !status && board->records && control & GNOMON_PROFILE_CONTROL_RECORDS;
    if (overflow->at_most)
        status = gnomon_device_get(device, GNOMON_PROFILE_DEEPEST, &overflow->calls, error);
    return status;
}

/* " (file.c:12)", or "". */
#define PLACE_BYTES 256
static void find_place(const char *path, uint32_t pc, char text[PLACE_BYTES]) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    text[0] = 0;
    if (fd < 0)
        return;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    struct gnomon_lines *lines = elf ? gnomon_lines_open(elf) : NULL;
    struct gnomon_line line;
    if (lines && gnomon_lines_find(lines, pc, &line)) {
        const char *slash = strrchr(line.file, '/');
        snprintf(text, PLACE_BYTES, " (%s:%u)", slash ? slash + 1 : line.file, line.line);
    }
    gnomon_lines_close(lines);
    elf_end(elf);
    close(fd);
}

const char *gnomon_overflow_text(const struct gnomon_overflow *overflow, const char *elf, char *text, size_t size) {
    struct gnomon_symbols *symbols = NULL;
    const struct gnomon_function *function = NULL;
    char deep[GNOMON_DIGITS_BYTES + 24] = "", number[GNOMON_DIGITS_BYTES], place[PLACE_BYTES], address[16];
    if (!gnomon_symbols_load_any(&symbols, elf, NULL))
        function = gnomon_symbols_at(symbols, overflow->pc);
    snprintf(address, sizeof address, "0x%08" PRIx32, overflow->pc);
    find_place(elf, overflow->pc, place);
    if (overflow->calls)
        snprintf(deep, sizeof deep, ", called %s%s deep", overflow->at_most ? "at most " : "",
                 gnomon_digits(number, overflow->calls));
    snprintf(text, size, "stack overflow %s%s%sin %s%s%s", *overflow->thread ? "of thread " : "", overflow->thread,
             *overflow->thread ? " " : "", function ? function->name : address, deep, place);
    gnomon_symbols_free(symbols);
    return text;
}
