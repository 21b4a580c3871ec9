/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/tag/tag_program.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_NAME 64                  /* of names that are compared with an unknown name */
#define NO_HANDLER "__gnomon_trapped" /* what handles an interrupt for which the program defines no function */
#define NEAR_PER 3 /* an unknown name of N characters is similar with N / 3 + 1 wrong characters or fewer */

/* ---- The file ---- */

static enum gnomon_status not_usable(const struct gnomon_tag_program *program, const char *why,
                                     struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_FORMAT, "%s %s", program->path, why);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "give an ELF executable for RV32, as gnomon cc makes it");
}

static bool is_variable(const GElf_Sym *symbol) {
    return GELF_ST_TYPE(symbol->st_info) == STT_OBJECT || GELF_ST_TYPE(symbol->st_info) == STT_COMMON;
}

/* Takes the symbols. Local symbols come after the name of their file. */
static void take_symbols(struct gnomon_tag_program *program, Elf_Data *data, size_t count, size_t strings) {
    const char *file = NULL;
    GElf_Sym symbol;
    for (size_t i = 0; i < count && gelf_getsym(data, (int)i, &symbol); i++) {
        const char *name = elf_strptr(program->elf, strings, symbol.st_name);
        bool data_symbol = is_variable(&symbol);
        if (GELF_ST_TYPE(symbol.st_info) == STT_FILE)
            file = name;
        if (name && strcmp(name, GNOMON_TAG_HANDLER) == 0)
            program->profile_handler = (uint32_t)symbol.st_value;
        if (name && strcmp(name, NO_HANDLER) == 0)
            program->no_handler = (uint32_t)symbol.st_value;
        if (!name || !*name || symbol.st_shndx == SHN_UNDEF ||
            (GELF_ST_TYPE(symbol.st_info) != STT_FUNC && !data_symbol))
            continue;
        program->symbols[program->symbol_count++] = (struct gnomon_tag_symbol){
            .name = name,
            .file = GELF_ST_BIND(symbol.st_info) == STB_LOCAL ? file : NULL,
            .address = (uint32_t)symbol.st_value,
            .size = (uint32_t)symbol.st_size,
            .data = data_symbol,
        };
    }
}

static enum gnomon_status read_symbols(struct gnomon_tag_program *program, Elf_Scn *section, const GElf_Shdr *header,
                                       struct gnomon_error *error) {
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    if (count == 0 || program->symbols)
        return GNOMON_OK;
    program->symbols = calloc(count, sizeof *program->symbols);
    if (!program->symbols)
        return gnomon_fail_memory(error);
    take_symbols(program, data, count, header->sh_link);
    return GNOMON_OK;
}

static uint32_t overlay_of(const struct gnomon_tag_program *program, const GElf_Shdr *header) {
    static const char prefix[] = ".overlay.";
    size_t names;
    const char *name =
        elf_getshdrstrndx(program->elf, &names) == 0 ? elf_strptr(program->elf, names, header->sh_name) : NULL;
    if (!name || strncmp(name, prefix, sizeof prefix - 1) != 0)
        return 0;
    char *end;
    unsigned long number = strtoul(name + sizeof prefix - 1, &end, 10);
    return *end || number >= 32 ? 0 : (uint32_t)number + 1;
}

static void read_section(struct gnomon_tag_program *program, Elf_Scn *section, const GElf_Shdr *header) {
    Elf_Data *data = header->sh_type == SHT_PROGBITS ? elf_rawdata(section, NULL) : NULL;
    bool whole = data && data->d_buf && data->d_size == header->sh_size;
    program->sections[program->section_count++] = (struct gnomon_tag_section){
        .start = (uint32_t)header->sh_addr,
        .end = (uint32_t)(header->sh_addr + header->sh_size),
        .overlay = overlay_of(program, header),
        .code = header->sh_flags & SHF_EXECINSTR,
        .bytes = whole ? data->d_buf : NULL,
    };
}

static enum gnomon_status read_sections(struct gnomon_tag_program *program, struct gnomon_error *error) {
    size_t count = 0;
    if (elf_getshdrnum(program->elf, &count))
        return not_usable(program, "is a damaged ELF file", error);
    program->sections = calloc(count ? count : 1, sizeof *program->sections);
    if (!program->sections)
        return gnomon_fail_memory(error);
    enum gnomon_status status = GNOMON_OK;
    for (Elf_Scn *section = NULL; !status && (section = elf_nextscn(program->elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header))
            continue;
        uint64_t end = header.sh_addr + header.sh_size;
        if (header.sh_type == SHT_SYMTAB)
            status = read_symbols(program, section, &header, error);
        else if (header.sh_flags & SHF_ALLOC && header.sh_size > 0 && end >= header.sh_addr && end <= UINT32_MAX)
            read_section(program, section, &header);
    }
    return status;
}

static void read_build_id(struct gnomon_tag_program *program) {
    const void *bytes;
    ssize_t size = dwelf_elf_gnu_build_id(program->elf, &bytes);
    for (ssize_t i = 0; i < size && (size_t)size <= sizeof program->build_id / 2; i++)
        snprintf(program->build_id + 2 * i, 3, "%02x", (unsigned)((const uint8_t *)bytes)[i]);
}

enum gnomon_status gnomon_tag_program_open(struct gnomon_tag_program *program, const char *path,
                                           struct gnomon_error *error) {
    *program = (struct gnomon_tag_program){.path = strdup(path), .fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (!program->path)
        return gnomon_fail_memory(error);
    if (program->fd < 0)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot open %s", path);
    elf_version(EV_CURRENT);
    program->elf = elf_begin(program->fd, ELF_C_READ, NULL);
    GElf_Ehdr header;
    if (!program->elf || elf_kind(program->elf) != ELF_K_ELF || !gelf_getehdr(program->elf, &header))
        return not_usable(program, "is not an ELF file", error);
    if (header.e_machine != EM_RISCV || header.e_ident[EI_CLASS] != ELFCLASS32 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB)
        return not_usable(program, "is no program for RV32", error);
    program->module = header.e_type == ET_DYN;
    read_build_id(program);
    enum gnomon_status status = read_sections(program, error);
    program->dwarf = status ? NULL : dwarf_begin_elf(program->elf, DWARF_C_READ, NULL);
    gnomon_tag_find_files(program);
    return status;
}

void gnomon_tag_program_close(struct gnomon_tag_program *program) {
    if (program->dwarf)
        dwarf_end(program->dwarf);
    if (program->elf)
        elf_end(program->elf);
    if (program->path && program->fd >= 0)
        close(program->fd);
    free(program->symbols);
    free(program->sections);
    free(program->path);
    *program = (struct gnomon_tag_program){.fd = -1};
}

/* ---- Finding sections, code and functions ---- */

/* The section of that name, and its header; NULL: there is none. */
static Elf_Scn *find_section(const struct gnomon_tag_program *program, const char *name, GElf_Shdr *header) {
    size_t names;
    if (elf_getshdrstrndx(program->elf, &names) != 0)
        return NULL;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(program->elf, section));) {
        const char *called = gelf_getshdr(section, header) ? elf_strptr(program->elf, names, header->sh_name) : NULL;
        if (called && strcmp(called, name) == 0)
            return section;
    }
    return NULL;
}

const uint8_t *gnomon_tag_section_bytes(const struct gnomon_tag_program *program, const char *name, size_t *size) {
    static const uint8_t nothing[1];
    GElf_Shdr header;
    Elf_Scn *section = find_section(program, name, &header);
    if (!section)
        return NULL;
    const Elf_Data *data = elf_rawdata(section, NULL);
    bool any = data && data->d_buf;
    *size = any ? data->d_size : 0;
    return any ? data->d_buf : nothing;
}

bool gnomon_tag_section_place(const struct gnomon_tag_program *program, const char *name, uint64_t *offset,
                              uint64_t *size) {
    GElf_Shdr header;
    if (!find_section(program, name, &header))
        return false;
    *offset = header.sh_offset;
    *size = header.sh_size;
    return true;
}

const struct gnomon_tag_section *gnomon_tag_section_at(const struct gnomon_tag_program *program, uint32_t address) {
    for (size_t i = 0; i < program->section_count; i++)
        if (address >= program->sections[i].start && address < program->sections[i].end)
            return &program->sections[i];
    return NULL;
}

bool gnomon_tag_is_code(const struct gnomon_tag_program *program, uint32_t address) {
    const struct gnomon_tag_section *section = gnomon_tag_section_at(program, address);
    return section && section->code;
}

unsigned gnomon_tag_instruction(const struct gnomon_tag_program *program, uint32_t address, uint32_t *instruction) {
    const struct gnomon_tag_section *section = gnomon_tag_section_at(program, address);
    if (!section || !section->code || !section->bytes || section->end - address < 2)
        return 0;
    const uint8_t *at = section->bytes + (address - section->start);
    *instruction = (uint32_t)at[0] | (uint32_t)at[1] << 8;
    if ((*instruction & 3) != 3)
        return 2;
    if (section->end - address < 4)
        return 0;
    *instruction |= (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    return 4;
}

const struct gnomon_tag_symbol *gnomon_tag_function_at(const struct gnomon_tag_program *program, uint32_t address) {
    for (size_t i = 0; i < program->symbol_count; i++) {
        const struct gnomon_tag_symbol *symbol = &program->symbols[i];
        if (!symbol->data && address >= symbol->address && address - symbol->address < symbol->size)
            return symbol;
    }
    return NULL;
}

/* ---- Unknown names ---- */

/* Number of characters that must be inserted, removed or changed to get `b` from `a`. */
static unsigned distance(const char *a, const char *b) {
    unsigned row[MOST_NAME + 1];
    size_t width = strlen(b);
    for (unsigned i = 0; i <= width; i++)
        row[i] = i;
    for (unsigned line = 1; a[line - 1]; line++) {
        unsigned diagonal = row[0];
        row[0] = line;
        for (size_t i = 1; i <= width; i++) {
            unsigned changed = diagonal + (a[line - 1] != b[i - 1]), least = row[i] < row[i - 1] ? row[i] : row[i - 1];
            diagonal = row[i];
            row[i] = least + 1 < changed ? least + 1 : changed;
        }
    }
    return row[width];
}

static const struct gnomon_tag_symbol *nearest(const struct gnomon_tag_program *program, const char *name) {
    size_t length = strlen(name), least = length / NEAR_PER + 2;
    const struct gnomon_tag_symbol *found = NULL;
    for (size_t i = 0; i < program->symbol_count && length <= MOST_NAME; i++) {
        const char *other = program->symbols[i].name;
        size_t size = strlen(other), apart = size > length ? size - length : length - size;
        if (size > MOST_NAME || apart >= least)
            continue;
        unsigned between = distance(name, other);
        if (between < least) {
            least = between;
            found = &program->symbols[i];
        }
    }
    return found;
}

enum gnomon_status gnomon_tag_unknown(const struct gnomon_tag_program *program, const char *what, const char *name,
                                      struct gnomon_error *error) {
    const struct gnomon_tag_symbol *near = nearest(program, name);
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no %s %s", program->path, what, name);
    if (near)
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "it has the %s %s", near->data ? "variable" : "function",
                             near->name);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                         "take a name from its symbol table, FILE:LINE, or an address 0xADDR or 0xADDR-0xEND");
}
