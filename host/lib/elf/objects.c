/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/objects.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/elf/demangle.h"
#include "lib/util/array.h"

static bool add(struct gnomon_objects *objects, size_t *room, const GElf_Sym *symbol, const char *name) {
    char *copy = gnomon_demangle(name);
    if (!copy)
        copy = strdup(name);
    if (!copy || !gnomon_array_room(&objects->list, room, objects->count + 1, sizeof *objects->list)) {
        free(copy);
        return false;
    }
    objects->list[objects->count++] =
        (struct gnomon_object){(uint32_t)symbol->st_value, (uint32_t)symbol->st_size, copy};
    return true;
}

/* A variable, or a name without a type as linker scripts and assembly make it. */
static bool is_object(const GElf_Sym *symbol) {
    unsigned type = GELF_ST_TYPE(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < SHN_LORESERVE &&
           (type == STT_OBJECT || (type == STT_NOTYPE && GELF_ST_BIND(symbol->st_info) != STB_LOCAL));
}

static bool take_symbols(struct gnomon_objects *objects, Elf *elf, Elf_Scn *section) {
    GElf_Shdr header;
    Elf_Data *data = elf_getdata(section, NULL);
    size_t room = objects->count;
    if (!data || !gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize)
        return true;
    for (size_t i = 0; i < header.sh_size / header.sh_entsize; i++) {
        GElf_Sym symbol;
        const char *name = gelf_getsym(data, (int)i, &symbol) ? elf_strptr(elf, header.sh_link, symbol.st_name) : NULL;
        if (name && *name && is_object(&symbol) && !add(objects, &room, &symbol, name))
            return false;
    }
    return true;
}

static int by_address(const void *a, const void *b) {
    const struct gnomon_object *left = a, *right = b;
    if (left->address != right->address)
        return left->address < right->address ? -1 : 1;
    return strcmp(left->name, right->name);
}

bool gnomon_objects_load(struct gnomon_objects *objects, const char *path) {
    *objects = (struct gnomon_objects){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return true;
    bool good = true;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    if (elf && elf_kind(elf) == ELF_K_ELF)
        for (Elf_Scn *section = NULL; good && (section = elf_nextscn(elf, section));)
            good = take_symbols(objects, elf, section);
    elf_end(elf);
    close(fd);
    if (objects->count)
        qsort(objects->list, objects->count, sizeof *objects->list, by_address);
    return good;
}

void gnomon_objects_free(struct gnomon_objects *objects) {
    for (size_t i = 0; i < objects->count; i++)
        free(objects->list[i].name);
    free(objects->list);
    *objects = (struct gnomon_objects){0};
}

bool gnomon_objects_named(const struct gnomon_objects *objects, const char *name, uint32_t *address) {
    for (size_t i = 0; i < objects->count; i++)
        if (!strcmp(objects->list[i].name, name)) {
            *address = objects->list[i].address;
            return true;
        }
    return false;
}

const struct gnomon_object *gnomon_objects_at(const struct gnomon_objects *objects, uint32_t address) {
    const struct gnomon_object *best = NULL;
    for (size_t i = 0; i < objects->count && objects->list[i].address <= address; i++) {
        const struct gnomon_object *object = &objects->list[i];
        bool holds = address - object->address < object->size || (!object->size && object->address == address);
        if (holds && (!best || !best->size || (object->size && object->size <= best->size)))
            best = object;
    }
    return best;
}
