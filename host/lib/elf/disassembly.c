/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/disassembly.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/util/array.h"

/* Starts objdump and opens its output as *output. */
static bool start_objdump(const char *objdump, const char *elf, uint32_t start, uint32_t end, pid_t *child,
                          FILE **output) {
    char from[40], to[40];
    snprintf(from, sizeof from, "--start-address=0x%x", (unsigned)start);
    snprintf(to, sizeof to, "--stop-address=0x%x", (unsigned)end);
    char *arguments[] = {(char *)objdump, "-d", "-w", "--no-show-raw-insn", from, to, "--", (char *)elf, NULL};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return false;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool good = posix_spawnp(child, objdump, &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *output = good ? fdopen(ends[0], "r") : NULL;
    if (!*output)
        close(ends[0]);
    return good;
}

static void clean(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            *text = ' ';
}

/* Takes a line such as "10000010:\taddi\ta0,a0,1"; all other lines are headings. False: out of memory. */
static bool take(struct gnomon_disassembly *disassembly, size_t *capacity, uint32_t base, char *line) {
    char *rest;
    unsigned long address = strtoul(line, &rest, 16);
    if (rest == line || rest[0] != ':' || rest[1] != '\t')
        return true;
    char *text = rest + 2;
    text[strcspn(text, "\n")] = '\0';
    clean(text);
    if (!gnomon_array_room(&disassembly->lines, capacity, disassembly->count + 1, sizeof *disassembly->lines))
        return false;
    char *copy = strdup(text);
    if (copy)
        disassembly->lines[disassembly->count++] = (struct gnomon_disassembly_line){base + (uint32_t)address, copy};
    return copy != NULL;
}

enum gnomon_status gnomon_disassemble(struct gnomon_disassembly *disassembly, const char *objdump, const char *elf,
                                      uint32_t start, uint32_t end, uint32_t base, struct gnomon_error *error) {
    *disassembly = (struct gnomon_disassembly){0};
    const char *program = objdump ? objdump : GNOMON_OBJDUMP;
    pid_t child = 0;
    FILE *output = NULL;
    int result = -1;
    bool memory = true;
    if (start_objdump(program, elf, start - base, end - base, &child, &output)) {
        char *line = NULL;
        size_t size = 0, capacity = 0;
        while (output && memory && getline(&line, &size, output) > 0)
            memory = take(disassembly, &capacity, base, line);
        free(line);
        if (output)
            fclose(output);
        waitpid(child, &result, 0);
    }
    if (!memory)
        return gnomon_fail_memory(error);
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0 && disassembly->count > 0)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_SYSTEM, "%s cannot disassemble %s", program, elf);
    return gnomon_remedy(error, GNOMON_ERR_SYSTEM, "install binutils for RISC-V, or name an objdump with --objdump");
}

static int by_address(const void *key, const void *line) {
    uint32_t address = *(const uint32_t *)key, other = ((const struct gnomon_disassembly_line *)line)->address;
    return (address > other) - (address < other);
}

const char *gnomon_disassembly_at(const struct gnomon_disassembly *disassembly, uint32_t address) {
    if (!disassembly->count)
        return NULL;
    const struct gnomon_disassembly_line *line =
        bsearch(&address, disassembly->lines, disassembly->count, sizeof *disassembly->lines, by_address);
    return line ? line->text : NULL;
}

void gnomon_disassembly_free(struct gnomon_disassembly *disassembly) {
    for (size_t i = 0; i < disassembly->count; i++)
        free(disassembly->lines[i].text);
    free(disassembly->lines);
    *disassembly = (struct gnomon_disassembly){0};
}
