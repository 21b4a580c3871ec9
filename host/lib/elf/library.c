/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/library.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

static bool take_symbols(struct gnomon_name_set *functions, Elf *elf, Elf_Scn *section, const GElf_Shdr *header) {
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym symbol;
    for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        const unsigned type = GELF_ST_TYPE(symbol.st_info), binding = GELF_ST_BIND(symbol.st_info),
                       seen = GELF_ST_VISIBILITY(symbol.st_other);
        const bool global = binding == STB_GLOBAL || binding == STB_WEAK;
        if (name && type == STT_FUNC && global && symbol.st_shndx != SHN_UNDEF && seen != STV_HIDDEN &&
            seen != STV_INTERNAL && !gnomon_name_set_add(functions, name))
            return false;
    }
    return true;
}

static bool take_object(struct gnomon_name_set *functions, Elf *elf) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB &&
            !take_symbols(functions, elf, section, &header))
            return false;
    }
    return true;
}

/* *objects counts the object files. False: out of memory. */
static bool take_members(struct gnomon_name_set *functions, Elf *archive, int fd, size_t *objects) {
    bool good = true;
    Elf *member;
    for (Elf_Cmd command = ELF_C_READ; good && (member = elf_begin(fd, command, archive));
         command = elf_next(member), elf_end(member))
        if (elf_kind(member) == ELF_K_ELF) {
            ++*objects;
            good = take_object(functions, member);
        }
    return good;
}

enum gnomon_status gnomon_library_functions(struct gnomon_name_set *functions, const char *path,
                                            struct gnomon_error *error) {
    size_t objects = 0;
    elf_version(EV_CURRENT);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot open %s", path);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    bool good = true;
    if (elf && elf_kind(elf) == ELF_K_AR)
        good = take_members(functions, elf, fd, &objects);
    else if (elf && elf_kind(elf) == ELF_K_ELF) {
        objects = 1;
        good = take_object(functions, elf);
    }
    if (elf)
        elf_end(elf);
    close(fd);
    if (!good)
        return gnomon_fail_memory(error);
    if (objects)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is no library, and no object file", path);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "give the archive (libz.a) or the object files of the library");
}
