/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/places.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gnomon/register_names.h"
#include "lib/elf/demangle.h"
#include "lib/util/array.h"

struct place {
    uint32_t start, end; /* `end`: the first address after it */
    char *name;
};

struct gnomon_places {
    struct place *places; /* by start, then the longest first */
    size_t count, capacity;
};

static bool add(struct gnomon_places *places, const GElf_Sym *symbol, const char *name) {
    int type = GELF_ST_TYPE(symbol->st_info);
    if ((type != STT_OBJECT && type != STT_FUNC) || symbol->st_shndx == SHN_UNDEF || !symbol->st_size || !name)
        return true;
    char *readable = gnomon_demangle(name);
    if (!readable)
        readable = strdup(name);
    if (!readable ||
        !gnomon_array_room(&places->places, &places->capacity, places->count + 1, sizeof *places->places)) {
        free(readable);
        return false;
    }
    places->places[places->count++] = (struct place){
        .start = (uint32_t)symbol->st_value, .end = (uint32_t)(symbol->st_value + symbol->st_size), .name = readable};
    return true;
}

static bool add_section(struct gnomon_places *places, Elf *elf, Elf_Scn *section, const GElf_Shdr *header) {
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym symbol;
    for (size_t i = 0; data && i < header->sh_size / header->sh_entsize; i++)
        if (gelf_getsym(data, (int)i, &symbol) &&
            !add(places, &symbol, elf_strptr(elf, header->sh_link, symbol.st_name)))
            return false;
    return true;
}

static bool add_all(struct gnomon_places *places, Elf *elf) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB && header.sh_entsize &&
            !add_section(places, elf, section, &header))
            return false;
    }
    return true;
}

static int compare(const void *a, const void *b) {
    const struct place *one = a, *other = b;
    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    if (one->end != other->end)
        return one->end > other->end ? -1 : 1;
    return strcmp(one->name, other->name);
}

enum gnomon_status gnomon_places_load(struct gnomon_places **places, const char *path, struct gnomon_error *error) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot open %s", path);
    *places = calloc(1, sizeof **places);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    bool good = *places && (!elf || add_all(*places, elf));
    elf_end(elf);
    close(file);
    if (!good) {
        gnomon_places_free(*places);
        *places = NULL;
        return gnomon_fail_memory(error);
    }
    if ((*places)->count)
        qsort((*places)->places, (*places)->count, sizeof *(*places)->places, compare);
    return GNOMON_OK;
}

void gnomon_places_free(struct gnomon_places *places) {
    if (!places)
        return;
    for (size_t i = 0; i < places->count; i++)
        free(places->places[i].name);
    free(places->places);
    free(places);
}

static const char *register_at(uint32_t address, uint32_t *offset) {
    *offset = 0;
    for (size_t i = 0; i < sizeof gnomon_register_names / sizeof *gnomon_register_names; i++)
        if (gnomon_register_names[i].address == (address & ~3u)) {
            *offset = address & 3;
            return gnomon_register_names[i].name;
        }
    for (size_t i = 0; i < sizeof gnomon_register_blocks / sizeof *gnomon_register_blocks; i++)
        if (address >> 12 == gnomon_register_blocks[i].address >> 12) {
            *offset = address & 0xFFF;
            return gnomon_register_blocks[i].name;
        }
    return NULL;
}

const char *gnomon_places_at(const struct gnomon_places *places, uint32_t address, uint32_t *offset) {
    size_t low = 0, high = places ? places->count : 0;
    while (low < high) { /* the first place that begins after the address */
        size_t middle = low + (high - low) / 2;
        if (places->places[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    /* A part of a larger thing may begin closer to the address, and end before it. */
    for (size_t i = low; i > 0 && low - i < 8; i--) {
        const struct place *place = &places->places[i - 1];
        if (address < place->end) {
            *offset = address - place->start;
            return place->name;
        }
    }
    return register_at(address, offset);
}
