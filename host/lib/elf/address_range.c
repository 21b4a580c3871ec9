/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/address_range.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/elf/demangle.h"

static bool parse_address(const char *text, char **end, uint32_t *address) {
    unsigned long long value = strtoull(text, end, 0);
    *address = (uint32_t)value;
    return *end != text && *text >= '0' && *text <= '9' && value <= UINT32_MAX;
}

bool gnomon_address_range_parse(const char *text, struct gnomon_address_range *range) {
    char *end;
    return parse_address(text, &end, &range->start) && *end == '-' && parse_address(end + 1, &end, &range->end) &&
           !*end;
}

/* The search and its result. A thing with several names or symbols counts once. */
struct search {
    const char *name;
    int type;
    size_t count;
    struct gnomon_address_range first;
};

/* Is `name` the symbol, or its readable form? */
static bool is_called(const char *symbol, const char *name) {
    if (!strcmp(symbol, name))
        return true;
    char *readable = gnomon_demangle(symbol);
    bool same = readable && !strcmp(readable, name);
    free(readable);
    return same;
}

static void look_at(struct search *search, const GElf_Sym *symbol, const char *name) {
    if (GELF_ST_TYPE(symbol->st_info) != search->type || symbol->st_shndx == SHN_UNDEF || !name ||
        !is_called(name, search->name))
        return;
    struct gnomon_address_range found = {(uint32_t)symbol->st_value, (uint32_t)(symbol->st_value + symbol->st_size)};
    if (search->count > 0 && found.start == search->first.start && found.end == search->first.end)
        return;
    if (search->count++ == 0)
        search->first = found;
}

static void search_elf(struct search *search, Elf *elf) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        GElf_Sym symbol;
        for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++)
            if (gelf_getsym(data, (int)i, &symbol))
                look_at(search, &symbol, elf_strptr(elf, header.sh_link, symbol.st_name));
    }
}

enum gnomon_status gnomon_address_range_find(const char *path, const char *name, enum gnomon_address_range_kind kind,
                                             struct gnomon_address_range *range, struct gnomon_error *error) {
    const char *what = kind == GNOMON_ADDRESS_RANGE_FUNCTION ? "function" : "variable";
    struct search search = {.name = name, .type = kind == GNOMON_ADDRESS_RANGE_FUNCTION ? STT_FUNC : STT_OBJECT};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot open %s", path);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    if (elf)
        search_elf(&search, elf);
    elf_end(elf);
    close(file);
    *range = search.first;
    if (search.count == 0) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no %s %s", path, what, name);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "take a %s's name from its symbol table, or START-END", what);
    }
    if (search.count > 1) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s has %zu %ss %s", path, search.count, what, name);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "say which by its addresses, 0x%x-0x%x for the first",
                             (unsigned)search.first.start, (unsigned)search.first.end);
    }
    if (range->start < range->end)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s does not say how long the %s %s is", path, what, name);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "say where it ends, 0x%x-END", (unsigned)range->start);
}
