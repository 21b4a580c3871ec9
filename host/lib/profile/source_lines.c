/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/source_lines.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* A list: the lines of the program or of a module. */
struct gnomon_source_lines {
    const struct gnomon_symbols *symbols;
    int fd;
    Elf *elf;
    struct gnomon_lines *lines; /* NULL: there are none */
    struct gnomon_source_lines *next;
};

static struct gnomon_source_lines *lines_of(struct gnomon_source_lines **files, const struct gnomon_symbols *symbols) {
    struct gnomon_source_lines *file = *files;
    while (file && file->symbols != symbols)
        file = file->next;
    if (file || !(file = calloc(1, sizeof *file)))
        return file;
    elf_version(EV_CURRENT);
    file->symbols = symbols;
    file->fd = open(gnomon_symbols_path(symbols), O_RDONLY | O_CLOEXEC);
    file->elf = file->fd >= 0 ? elf_begin(file->fd, ELF_C_READ, NULL) : NULL;
    file->lines = file->elf ? gnomon_lines_open(file->elf) : NULL;
    file->next = *files;
    return *files = file;
}

bool gnomon_source_line(struct gnomon_source_lines **files, const struct gnomon_code *code, uint32_t address,
                        struct gnomon_line *line) {
    const struct gnomon_source_lines *file = code->symbols ? lines_of(files, code->symbols) : NULL;
    return file && file->lines && gnomon_lines_find(file->lines, address - code->base, line);
}

size_t gnomon_source_inlined(struct gnomon_source_lines **files, const struct gnomon_code *code, uint32_t address,
                             struct gnomon_inlined *list, size_t most) {
    const struct gnomon_source_lines *file = code->symbols ? lines_of(files, code->symbols) : NULL;
    return file && file->lines ? gnomon_lines_inlined(file->lines, address - code->base, list, most) : 0;
}

void gnomon_source_lines_close(struct gnomon_source_lines *files) {
    while (files) {
        struct gnomon_source_lines *next = files->next;
        gnomon_lines_close(files->lines);
        elf_end(files->elf);
        if (files->fd >= 0)
            close(files->fd);
        free(files);
        files = next;
    }
}
