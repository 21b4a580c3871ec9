/* SPDX-License-Identifier: Apache-2.0 */
#include "overflow.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gnomon/registers.h>

#include "digits.h"
#include "lines.h"
#include "symbols.h"

enum gnomon_status gnomon_overflow_read(struct gnomon_device *device, const struct gnomon_board *board,
                                        struct gnomon_overflow *overflow, struct gnomon_error *error) {
    uint32_t word, control, calls = 0;
    *overflow = (struct gnomon_overflow){0};
    enum gnomon_status status = gnomon_device_get(device, GNOMON_SYSCTL_STACK_OVERFLOW, &word, error);
    if (status || !(word & GNOMON_SYSCTL_STACK_OVERFLOW_FOUND))
        return status;
    if (board->profiler)
        status = gnomon_device_get(device, GNOMON_PROFILE_CONTROL, &control, error);
    if (!status && board->records && control & GNOMON_PROFILE_CONTROL_RECORDS)
        status = gnomon_device_get(device, GNOMON_PROFILE_DEEPEST, &calls, error);
    *overflow =
        (struct gnomon_overflow){.found = !status, .pc = word & GNOMON_SYSCTL_STACK_OVERFLOW_PC, .calls = calls};
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
    char deep[GNOMON_DIGITS_BYTES + 16] = "", number[GNOMON_DIGITS_BYTES], place[PLACE_BYTES], address[16];
    if (!gnomon_symbols_load_any(&symbols, elf, NULL))
        function = gnomon_symbols_at(symbols, overflow->pc);
    snprintf(address, sizeof address, "0x%08" PRIx32, overflow->pc);
    find_place(elf, overflow->pc, place);
    if (overflow->calls)
        snprintf(deep, sizeof deep, ", called %s deep", gnomon_digits(number, overflow->calls));
    snprintf(text, size, "stack overflow in %s%s%s", function ? function->name : address, deep, place);
    gnomon_symbols_free(symbols);
    return text;
}
