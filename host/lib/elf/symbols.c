/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/symbols_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gnomon/trace.h"
#include "lib/elf/demangle.h"
#include "lib/elf/lines.h"

#define MAP_SECTION ".gnomon.map"
#define OVERLAY_SECTION ".overlay."
#define TOTAL_SYMBOL "__gnomon_func_total"
#define TOP_SLOT UINT32_C(0xFFFFFFFF)

/* An ELF file during reading. */
struct source {
    const char *path;
    int fd;
    Elf *elf;
    Elf_Scn *symtab;
    size_t names;     /* section with the sections' names */
    uint32_t strings; /* section with the symbols' names */
    size_t symbol_count;
    Elf_Data *symbol_data;
};

/* ---- The file ---- */

static enum gnomon_status not_ours(const char *path, const char *why, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_MISMATCH, "%s %s", path, why);
    return gnomon_remedy(error, GNOMON_ERR_MISMATCH, "give the ELF file of the program that was recorded, with --elf");
}

static enum gnomon_status open_elf(struct source *source, struct gnomon_error *error) {
    source->fd = open(source->path, O_RDONLY | O_CLOEXEC);
    if (source->fd < 0) {
        gnomon_fail_errno(error, GNOMON_ERR_NOT_FOUND, "cannot open %s", source->path);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                             "give the ELF file of the program that was recorded, with --elf");
    }
    elf_version(EV_CURRENT);
    source->elf = elf_begin(source->fd, ELF_C_READ, NULL);
    GElf_Ehdr header;
    if (!source->elf || elf_kind(source->elf) != ELF_K_ELF || !gelf_getehdr(source->elf, &header))
        return not_ours(source->path, "is not an ELF file", error);
    if (header.e_machine != EM_RISCV)
        return not_ours(source->path, "is a program for another architecture, not for RISC-V", error);
    if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return not_ours(source->path, "is a RISC-V program, but not of 32 bits", error);
    return GNOMON_OK;
}

/* The name and the header of a section; "" if it has no name. */
static const char *get_section(const struct source *source, Elf_Scn *section, GElf_Shdr *header) {
    *header = (GElf_Shdr){0};
    const char *name = gelf_getshdr(section, header) ? elf_strptr(source->elf, source->names, header->sh_name) : NULL;
    return name ? name : "";
}

/* The rest of `name` after `prefix`; NULL: `name` does not begin with it. */
static const char *rest_after(const char *name, const char *prefix) {
    size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

/* A section `.overlay.N`: N + 1; else 0. */
static uint32_t overlay_of_section(const char *name) {
    const char *number = rest_after(name, OVERLAY_SECTION);
    char *end = NULL;
    unsigned long value = number ? strtoul(number, &end, 10) : 0;
    return number && end != number && !*end ? (uint32_t)value + 1 : 0;
}

static void take_shared(struct gnomon_symbols *symbols, const struct symbols_section *section) {
    bool first = symbols->shared_end == 0;
    symbols->shared_start = first || section->start < symbols->shared_start ? section->start : symbols->shared_start;
    symbols->shared_end = section->end > symbols->shared_end ? section->end : symbols->shared_end;
}

/* False: out of memory. */
static bool take_section(struct gnomon_symbols *symbols, const GElf_Shdr *header, uint32_t overlay) {
    struct symbols_section section = {(uint32_t)header->sh_addr, (uint32_t)(header->sh_addr + header->sh_size), overlay,
                                      overlay || header->sh_flags & SHF_EXECINSTR};
    if (!(header->sh_flags & SHF_ALLOC) || section.end <= section.start)
        return true;
    struct symbols_section *more = realloc(symbols->sections, (symbols->section_count + 1) * sizeof *more);
    if (!more)
        return false;
    symbols->sections = more;
    more[symbols->section_count++] = section;
    if (overlay)
        take_shared(symbols, &section);
    return true;
}

/* False: out of memory. */
static bool find_sections(struct source *source, struct gnomon_symbols *symbols) {
    if (elf_getshdrstrndx(source->elf, &source->names) != 0)
        return true;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(source->elf, section));) {
        GElf_Shdr header;
        const char *name = get_section(source, section, &header);
        if (header.sh_type == SHT_SYMTAB && header.sh_entsize > 0) {
            source->symtab = section;
            source->strings = header.sh_link;
            source->symbol_count = header.sh_size / header.sh_entsize;
            source->symbol_data = elf_getdata(section, NULL);
        } else if (!take_section(symbols, &header, overlay_of_section(name))) {
            return false;
        }
    }
    return true;
}

static void read_build_id(const struct source *source, struct gnomon_symbols *symbols) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(source->elf, section));) {
        GElf_Shdr header;
        Elf_Data *data;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE || !(data = elf_getdata(section, NULL)))
            continue;
        GElf_Nhdr note;
        size_t name, text;
        for (size_t at = 0; (at = gelf_getnote(data, at, &note, &name, &text)) > 0;) {
            const uint8_t *bytes = (const uint8_t *)data->d_buf + text;
            if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || note.n_descsz > SYMBOLS_MAX_BUILD_ID ||
                memcmp((const char *)data->d_buf + name, "GNU", 4) != 0)
                continue;
            for (size_t i = 0; i < note.n_descsz; i++)
                snprintf(symbols->build_id + 2 * i, 3, "%02x", bytes[i]);
        }
    }
}

/* ---- Numbers and addresses ---- */

static bool get_symbol(const struct source *source, size_t index, GElf_Sym *symbol, const char **name) {
    if (!source->symbol_data || !gelf_getsym(source->symbol_data, (int)index, symbol))
        return false;
    *name = elf_strptr(source->elf, source->strings, symbol->st_name);
    return *name && **name;
}

static uint32_t overlay_of(const struct source *source, const GElf_Sym *symbol) {
    GElf_Shdr header;
    Elf_Scn *section = elf_getscn(source->elf, symbol->st_shndx);
    return section ? overlay_of_section(get_section(source, section, &header)) : 0;
}

static bool has_total(const struct source *source) {
    GElf_Sym symbol;
    const char *name;
    for (size_t i = 0; i < source->symbol_count; i++)
        if (get_symbol(source, i, &symbol, &name) && !strcmp(name, TOTAL_SYMBOL))
            return true;
    return false;
}

static uint32_t word(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* A function's entry in a table of the compiler: number and address; in an overlay's table line and file follow. */
struct entry {
    struct gnomon_function function;
    uint32_t number; /* GNOMON_MAX_FUNCTIONS: the linker has dropped the function, and the entry is 0 */
};

static bool next_entry(const Elf_Data *table, uint32_t overlay, size_t *at, struct entry *entry) {
    const size_t fixed = overlay ? 12 : 8, left = *at < table->d_size ? table->d_size - *at : 0;
    if (left < fixed)
        return false;
    const uint8_t *bytes = (const uint8_t *)table->d_buf + *at;
    uint32_t slot = word(bytes), address = word(bytes + 4);
    *entry = (struct entry){{.address = address, .overlay = overlay},
                            slot && address ? TOP_SLOT - slot : GNOMON_MAX_FUNCTIONS};
    *at += fixed;
    if (!overlay)
        return true;
    size_t length = strnlen((const char *)bytes + fixed, left - fixed);
    entry->function.file = (const char *)bytes + fixed;
    entry->function.line = word(bytes + 8);
    *at += (length + 4) / 4 * 4;
    return length < left - fixed;
}

typedef bool entry_function(struct gnomon_symbols *symbols, const struct entry *entry);

/* Calls `function` for each entry of all tables. False: `function` failed. *any: there is a table. */
static bool each_entry(const struct source *source, struct gnomon_symbols *symbols, bool *any,
                       entry_function *function) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(source->elf, section));) {
        GElf_Shdr header;
        const char *of = rest_after(get_section(source, section, &header), MAP_SECTION);
        const Elf_Data *data = of && (!*of || overlay_of_section(of)) ? elf_rawdata(section, NULL) : NULL;
        *any |= data != NULL;
        struct entry entry;
        for (size_t at = 0; data && data->d_buf && next_entry(data, overlay_of_section(of), &at, &entry);)
            if (entry.number < GNOMON_MAX_FUNCTIONS && !function(symbols, &entry))
                return false;
    }
    return true;
}

static bool count_entry(struct gnomon_symbols *symbols, const struct entry *entry) {
    if (entry->number >= symbols->total)
        symbols->total = entry->number + 1;
    return true;
}

/* Replaces *place by a copy, because strings of the file do not outlive it. False: out of memory. */
static bool set(const char **place, const char *text) {
    char *copy = strdup(text);
    if (!copy)
        return false;
    free((char *)*place);
    *place = copy;
    return true;
}

static bool take_entry(struct gnomon_symbols *symbols, const struct entry *entry) {
    struct gnomon_function *function = &symbols->functions[entry->number];
    const char *former = function->file;
    *function = entry->function;
    function->file = former;
    return !entry->function.file || set(&function->file, entry->function.file);
}

/* `needed`: a program without hooks is an error. */
static enum gnomon_status read_maps(const struct source *source, struct gnomon_symbols *symbols, bool needed,
                                    struct gnomon_error *error) {
    bool any = has_total(source);
    each_entry(source, symbols, &any, count_entry);
    if (!any && needed) {
        gnomon_fail(error, GNOMON_ERR_MISMATCH, "%s was not built with gnomon cc: it has no table of functions",
                    source->path);
        return gnomon_remedy(error, GNOMON_ERR_MISMATCH,
                             "compile and link it with CC=\"gnomon cc\", and do not strip it");
    }
    symbols->functions = calloc(symbols->total ? symbols->total : 1, sizeof *symbols->functions);
    symbols->count = symbols->functions ? symbols->total : 0;
    if (!symbols->functions || !each_entry(source, symbols, &any, take_entry))
        return gnomon_fail_memory(error);
    return GNOMON_OK;
}

static uint64_t key(const struct gnomon_symbols *symbols, uint32_t index) {
    return symbols_key(symbols->functions[index].overlay, symbols->functions[index].address);
}

static int by_key(const void *a, const void *b, void *symbols) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    uint64_t of_left = key(symbols, left), of_right = key(symbols, right);
    if (of_left != of_right)
        return of_left < of_right ? -1 : 1;
    return (left > right) - (left < right);
}

static bool sort_addresses(struct gnomon_symbols *symbols) {
    free(symbols->by_address);
    symbols->known = 0;
    symbols->by_address = calloc(symbols->count ? symbols->count : 1, sizeof *symbols->by_address);
    if (!symbols->by_address)
        return false;
    for (uint32_t i = 0; i < symbols->count; i++)
        if (symbols->functions[i].address != 0)
            symbols->by_address[symbols->known++] = i;
    qsort_r(symbols->by_address, symbols->known, sizeof *symbols->by_address, by_key, symbols);
    return true;
}

/* The function that begins at the symbol's address. */
static struct gnomon_function *at_symbol(const struct source *source, const struct gnomon_symbols *symbols,
                                         const GElf_Sym *symbol) {
    return symbols_begins(symbols, overlay_of(source, symbol), (uint32_t)symbol->st_value);
}

static bool is_function(const GElf_Sym *symbol) {
    return GELF_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF;
}

/* Is the symbol a label of assembly code? Assembly often gives a function only a name, and no type. */
static bool is_label(const struct source *source, const struct gnomon_symbols *symbols, const GElf_Sym *symbol) {
    if (GELF_ST_TYPE(symbol->st_info) != STT_NOTYPE || GELF_ST_BIND(symbol->st_info) == STB_LOCAL ||
        symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= SHN_LORESERVE)
        return false;
    const struct symbols_section *section =
        symbols_section(symbols, overlay_of(source, symbol), (uint32_t)symbol->st_value);
    return section && section->code;
}

typedef bool symbol_kind(const struct source *source, const struct gnomon_symbols *symbols, const GElf_Sym *symbol);

static bool is_other_function(const struct source *source, const struct gnomon_symbols *symbols,
                              const GElf_Sym *symbol) {
    return is_function(symbol) && !at_symbol(source, symbols, symbol);
}

/* Is it a label outside of all other functions? A label within a function is part of that function. */
static bool is_other_label(const struct source *source, const struct gnomon_symbols *symbols, const GElf_Sym *symbol) {
    return is_label(source, symbols, symbol) &&
           !symbols_holds(symbols, overlay_of(source, symbol), (uint32_t)symbol->st_value);
}

/* Adds functions without a number after those with one: other ways to measure report addresses
 * (docs/guide/firmware.md). */
static bool add_others(const struct source *source, struct gnomon_symbols *symbols, symbol_kind *kind, bool label) {
    size_t others = 0;
    GElf_Sym symbol;
    const char *name;
    for (size_t i = 0; i < source->symbol_count; i++)
        others += get_symbol(source, i, &symbol, &name) && kind(source, symbols, &symbol);
    struct gnomon_function *functions = realloc(symbols->functions, (symbols->count + others + 1) * sizeof *functions);
    if (!functions)
        return false;
    symbols->functions = functions;
    size_t count = symbols->count;
    for (size_t i = 0; i < source->symbol_count; i++)
        if (get_symbol(source, i, &symbol, &name) && kind(source, symbols, &symbol))
            functions[count++] = (struct gnomon_function){
                .address = (uint32_t)symbol.st_value, .overlay = overlay_of(source, &symbol), .label = label};
    symbols->count = count;
    return sort_addresses(symbols);
}

/* ---- Where functions end ---- */

/* Sets the ends of functions by their symbols. If a function has several symbols, the largest one counts. */
static void read_sizes(const struct source *source, struct gnomon_symbols *symbols) {
    GElf_Sym symbol;
    const char *name;
    for (size_t i = 0; i < source->symbol_count; i++) {
        if (!get_symbol(source, i, &symbol, &name) || !is_function(&symbol))
            continue;
        symbols->named++;
        struct gnomon_function *function = at_symbol(source, symbols, &symbol);
        uint64_t end = symbol.st_value + symbol.st_size;
        if (function && end > function->end && end <= UINT32_MAX)
            function->end = (uint32_t)end;
    }
}

/* The end of a function whose symbol has no size: the next function, or the end of its section. */
static uint32_t end_of(const struct gnomon_symbols *symbols, const struct gnomon_function *function) {
    const struct symbols_section *section = symbols_section(symbols, function->overlay, function->address);
    size_t after = symbols_after(symbols, symbols_key(function->overlay, function->address));
    const struct gnomon_function *next = after < symbols->known ? symbols_place(symbols, after) : NULL;
    if (!section)
        return function->address;
    return next && next->overlay == function->overlay && next->address < section->end ? next->address : section->end;
}

/* False: out of memory. */
static bool measure_reach(struct gnomon_symbols *symbols) {
    free(symbols->reach);
    symbols->reach = calloc(symbols->known ? symbols->known : 1, sizeof *symbols->reach);
    for (size_t i = 0; symbols->reach && i < symbols->known; i++) {
        const struct gnomon_function *function = symbols_place(symbols, i);
        bool first = i == 0 || symbols_place(symbols, i - 1)->overlay != function->overlay;
        symbols->reach[i] = first || symbols->reach[i - 1] < function->end ? function->end : symbols->reach[i - 1];
    }
    return symbols->reach;
}

static bool add_all(const struct source *source, struct gnomon_symbols *symbols) {
    if (!sort_addresses(symbols) || !add_others(source, symbols, is_other_function, false))
        return false;
    read_sizes(source, symbols);
    if (!measure_reach(symbols) || !add_others(source, symbols, is_other_label, true))
        return false;
    for (size_t i = 0; i < symbols->known; i++) {
        struct gnomon_function *function = symbols_place(symbols, i);
        if (function->end <= function->address)
            function->end = end_of(symbols, function);
    }
    return measure_reach(symbols);
}

/* ---- Names and lines ---- */

/* False: out of memory. */
static bool set_name(struct gnomon_function *function) {
    char text[16];
    snprintf(text, sizeof text, "[0x%08x]", function->address);
    if (!function->symbol && !set(&function->symbol, text))
        return false;
    char *name = gnomon_demangle(function->symbol);
    if (!name)
        return set(&function->name, function->symbol);
    free((char *)function->name);
    function->name = name;
    return true;
}

/* Sets the names. If several symbols have one address, the last in the table counts: global symbols come after local
 * ones. Local symbols come after the name of their file, which is all that is known without debug information. */
static bool read_names(const struct source *source, struct gnomon_symbols *symbols) {
    const char *file = NULL, *name;
    GElf_Sym symbol;
    for (size_t i = 0; i < source->symbol_count; i++) {
        if (!get_symbol(source, i, &symbol, &name))
            continue;
        if (GELF_ST_TYPE(symbol.st_info) == STT_FILE)
            file = name;
        struct gnomon_function *function = at_symbol(source, symbols, &symbol);
        if (!function || !(is_function(&symbol) || (function->label && is_label(source, symbols, &symbol))))
            continue;
        if (!set(&function->symbol, name))
            return false;
        if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL && file && function->line == 0 && !set(&function->file, file))
            return false;
    }
    for (size_t i = 0; i < symbols->known; i++) {
        struct gnomon_function *function = &symbols->functions[symbols->by_address[i]];
        if (!set_name(function))
            return false;
    }
    return true;
}

struct placing {
    const struct gnomon_symbols *symbols;
    bool failed;
};

static void place(void *context, uint32_t address, const struct gnomon_line *line) {
    struct placing *placing = context;
    const struct gnomon_symbols *symbols = placing->symbols;
    struct gnomon_function *function = symbols_holds(symbols, 0, address);
    /* In GCC's debug information, functions with patchable entries begin after these entries. */
    if (!function || (function->address != address && function < symbols->functions + symbols->total))
        return;
    placing->failed |= !set(&function->file, line->file);
    function->line = line->line;
}

/* Sets files and lines. Functions without their own description (assembly) get the line of their first instruction. */
static bool read_lines(const struct source *source, struct gnomon_symbols *symbols) {
    struct gnomon_lines *lines = gnomon_lines_open(source->elf);
    if (!lines)
        return true;
    struct placing placing = {symbols, false};
    gnomon_lines_functions(lines, place, &placing);
    for (size_t i = 0; i < symbols->known; i++) {
        struct gnomon_function *function = &symbols->functions[symbols->by_address[i]];
        struct gnomon_line line;
        if (function->line == 0 && gnomon_lines_find(lines, function->address, &line))
            place(&placing, function->address, &line);
    }
    gnomon_lines_close(lines);
    return !placing.failed;
}

/* ---- Life ---- */

static enum gnomon_status read_all(struct source *source, struct gnomon_symbols *symbols, bool any,
                                   struct gnomon_error *error) {
    enum gnomon_status status = open_elf(source, error);
    if (status)
        return status;
    GElf_Ehdr header;
    if (gelf_getehdr(source->elf, &header)) {
        symbols->entry = (uint32_t)header.e_entry;
        symbols->is_module = header.e_type == ET_DYN;
    }
    if (!find_sections(source, symbols))
        return gnomon_fail_memory(error);
    read_build_id(source, symbols);
    status = read_maps(source, symbols, !any, error);
    if (status)
        return status;
    if (!add_all(source, symbols) || !read_names(source, symbols) || !read_lines(source, symbols))
        return gnomon_fail_memory(error);
    return GNOMON_OK;
}

static enum gnomon_status load(struct gnomon_symbols **result, const char *path, bool any, struct gnomon_error *error) {
    *result = NULL;
    struct gnomon_symbols *symbols = calloc(1, sizeof *symbols);
    if (!symbols || !(symbols->path = strdup(path))) {
        gnomon_symbols_free(symbols);
        return gnomon_fail_memory(error);
    }
    struct source source = {.path = path, .fd = -1};
    enum gnomon_status status = read_all(&source, symbols, any, error);
    if (source.elf)
        elf_end(source.elf);
    if (source.fd >= 0)
        close(source.fd);
    if (status) {
        gnomon_symbols_free(symbols);
        return status;
    }
    *result = symbols;
    return GNOMON_OK;
}

enum gnomon_status gnomon_symbols_load(struct gnomon_symbols **result, const char *path, struct gnomon_error *error) {
    return load(result, path, false, error);
}

enum gnomon_status gnomon_symbols_load_any(struct gnomon_symbols **result, const char *path,
                                           struct gnomon_error *error) {
    return load(result, path, true, error);
}

void gnomon_symbols_free(struct gnomon_symbols *symbols) {
    if (!symbols)
        return;
    for (size_t i = 0; symbols->functions && i < symbols->count; i++) {
        free((char *)symbols->functions[i].name);
        free((char *)symbols->functions[i].symbol);
        free((char *)symbols->functions[i].file);
    }
    free(symbols->functions);
    free(symbols->by_address);
    free(symbols->reach);
    free(symbols->sections);
    free(symbols->watched);
    free(symbols->path);
    free(symbols);
}
