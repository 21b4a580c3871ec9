/* SPDX-License-Identifier: Apache-2.0 */
/* A program that died: function, line and call stack on stderr. */
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include "cli/print_names.h"
#include "cli/run/target.h"
#include "lib/elf/lines.h"
#include "lib/elf/symbols.h"

#define MOST_CALLS 32

struct stack {
    const struct cli_context *context;
    const struct gnomon_symbols *symbols; /* NULL: unreadable */
    const struct gnomon_lines *lines;     /* NULL: unreadable */
};

/* Prints, for example, "main  prog.c:12". */
static void put_place(const struct stack *stack, uint32_t address) {
    const struct gnomon_function *function = stack->symbols ? gnomon_symbols_at(stack->symbols, address) : NULL;
    char text[CLI_CLEAN_BYTES];
    struct gnomon_line line;
    if (function)
        fputs(cli_clean(text, stack->context->raw_names ? function->symbol : function->name), stderr);
    else
        fprintf(stderr, "0x%08x", (unsigned)address);
    if (stack->lines && gnomon_lines_find(stack->lines, address, &line))
        fprintf(stderr, "  %s:%u", cli_clean(text, cli_basename(line.file)), line.line);
}

static void put_calls(const struct stack *stack, const uint32_t *calls, size_t count) {
    for (size_t i = 0; i < count && i < MOST_CALLS; i++) {
        fprintf(stderr, "        #%zu ", i);
        put_place(stack, calls[i]);
        fputc('\n', stderr);
    }
    if (count > MOST_CALLS)
        fprintf(stderr, "        ... and what called it\n");
}

bool target_explain_crash(const struct cli_context *context, const struct target *target,
                          const struct gnomon_crash *crash) {
    uint32_t calls[MOST_CALLS + 1];
    char why[GNOMON_CRASH_BYTES];
    struct gnomon_symbols *symbols = NULL;
    struct gnomon_error error;
    if (!crash->died)
        return false;
    const char *path = target->image->path;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    struct gnomon_lines *lines = elf ? gnomon_lines_open(elf) : NULL;
    if (gnomon_symbols_load_any(&symbols, path, NULL))
        symbols = NULL;
    const struct stack stack = {context, symbols, lines};
    size_t count = gnomon_crash_calls(crash, path, target->device, &target->board, calls, MOST_CALLS + 1);
    gnomon_fail(&error, GNOMON_ERR_SYSTEM, "%s died: %s", cli_basename(path), gnomon_crash_text(crash, why));
    cli_error(context, &error);
    put_calls(&stack, calls, count);
    gnomon_symbols_free(symbols);
    gnomon_lines_close(lines);
    if (elf)
        elf_end(elf);
    if (fd >= 0)
        close(fd);
    return true;
}
