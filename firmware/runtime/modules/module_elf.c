/* SPDX-License-Identifier: Apache-2.0 */
#include "module_elf.h"

#include <string.h>

#include <gnomon/module_tags.h>
#include <gnomon/trace.h>

#include "internal.h"

/* Tool Interface Standard (TIS) ELF specification 1.2, and the RISC-V ELF psABI. */
enum {
    HEADER_BYTES = 52,
    SEGMENT_BYTES = 32,
    SECTION_BYTES = 40,
    TYPE_DYN = 3,
    MACHINE_RISCV = 243,
    FLAG_FLOAT = 6, /* calling convention with floating-point registers */
    FLAG_RVE = 8,
    SEGMENT_LOAD = 1,
    SEGMENT_DYNAMIC = 2,
    SECTION_NOBITS = 8,
    MOST_ALIGN = 16,
    MOST_IMAGE = 1 << 28 /* largest possible memory */
};
enum {
    DT_HASH = 4,
    DT_STRTAB = 5,
    DT_SYMTAB = 6,
    DT_RELA = 7,
    DT_RELASZ = 8,
    DT_STRSZ = 10,
    DT_PLTRELSZ = 2,
    DT_JMPREL = 23,
    DT_INIT_ARRAY = 25,
    DT_FINI_ARRAY = 26,
    DT_INIT_ARRAYSZ = 27,
    DT_FINI_ARRAYSZ = 28,
    DT_KEPT = 29
};
extern char __tls_base[]; /* the first thread's data */

enum { R_NONE = 0, R_32 = 1, R_RELATIVE = 3, R_JUMP_SLOT = 5, R_TLS_TPREL32 = 10 };
enum { MODULE_MAGIC = 0x444F4D47, MODULE_VERSION = 1 };

struct elf_header {
    uint8_t ident[16];
    uint16_t type, machine;
    uint32_t version, entry, segments, sections, flags;
    uint16_t header_bytes, segment_bytes, segment_count, section_bytes, section_count, section_names;
};

struct elf_segment {
    uint32_t type, offset, address, physical, file_bytes, memory_bytes, flags, align;
};

struct elf_section {
    uint32_t name, type, flags, address, offset, bytes, link, info, align, entry_bytes;
};

_Static_assert(sizeof(struct elf_header) == HEADER_BYTES && sizeof(struct elf_segment) == SEGMENT_BYTES &&
                   sizeof(struct elf_section) == SECTION_BYTES,
               "as in the specification");

/* ---- The file ---- */

static bool within(uint32_t offset, uint32_t bytes, size_t size) {
    return offset <= size && bytes <= size - offset;
}

static const struct elf_header *header_of(const struct module_file *file) {
    return (const void *)file->bytes;
}

static const struct elf_segment *segments_of(const struct module_file *file) {
    return (const void *)(file->bytes + header_of(file)->segments);
}

static bool check_header(const struct module_file *file) {
    static const uint8_t ident[] = {0x7F, 'E', 'L', 'F', 1, 1, 1}; /* 32 bits, little endian */
    const struct elf_header *header = header_of(file);
    if ((uintptr_t)file->bytes % 4 != 0)
        return __gnomon_module_fail("the file does not lie at a multiple of 4", NULL);
    if (file->size < HEADER_BYTES || memcmp(header->ident, ident, 4) != 0)
        return __gnomon_module_fail("not an ELF file", NULL);
    if (memcmp(header->ident, ident, sizeof ident) != 0 || header->machine != MACHINE_RISCV)
        return __gnomon_module_fail("for another processor than 32-bit RISC-V", NULL);
    if (header->flags & FLAG_FLOAT)
        return __gnomon_module_fail("for a core with floating-point registers", NULL);
    if (header->flags & FLAG_RVE)
        return __gnomon_module_fail("for a core with 16 registers (RVE)", NULL);
    if (header->type != TYPE_DYN)
        return __gnomon_module_fail("not a module: link it with gnomon cc --gnomon-module", NULL);
    if (header->segment_bytes != SEGMENT_BYTES || header->section_bytes != SECTION_BYTES || header->segments % 4 != 0 ||
        header->sections % 4 != 0 || !within(header->segments, header->segment_count * SEGMENT_BYTES, file->size) ||
        !within(header->sections, header->section_count * SECTION_BYTES, file->size) ||
        header->section_names >= header->section_count)
        return __gnomon_module_fail("the file is damaged or cut off", NULL);
    return true;
}

static bool check_segments(struct module_file *file) {
    const struct elf_segment *segment = segments_of(file);
    for (unsigned i = 0; i < header_of(file)->segment_count; i++, segment++) {
        if (segment->type == SEGMENT_DYNAMIC) {
            file->dynamic = segment->address;
            file->dynamic_bytes = segment->memory_bytes;
        }
        if (segment->type != SEGMENT_LOAD)
            continue;
        const uint32_t end = segment->address + segment->memory_bytes;
        if (!within(segment->offset, segment->file_bytes, file->size) || segment->file_bytes > segment->memory_bytes ||
            end < segment->address || end > MOST_IMAGE || segment->align > MOST_ALIGN)
            return __gnomon_module_fail("the file is damaged or cut off", NULL);
        if (end > file->image_bytes)
            file->image_bytes = end;
    }
    if (file->image_bytes == 0 || file->dynamic % 4 != 0 ||
        !within(file->dynamic, file->dynamic_bytes, file->image_bytes))
        return __gnomon_module_fail("the file is damaged or cut off", NULL);
    return true;
}

/* A section that has content in the file, or NULL. */
static const struct elf_section *find_section(const struct module_file *file, const char *name) {
    const struct elf_section *sections = (const void *)(file->bytes + header_of(file)->sections);
    const struct elf_section *names = &sections[header_of(file)->section_names];
    const size_t length = strlen(name) + 1;
    if (!within(names->offset, names->bytes, file->size))
        return NULL;
    for (unsigned i = 0; i < header_of(file)->section_count; i++) {
        const struct elf_section *section = &sections[i];
        if (within(section->name, length, names->bytes) &&
            memcmp(file->bytes + names->offset + section->name, name, length) == 0 &&
            (section->type == SECTION_NOBITS || within(section->offset, section->bytes, file->size)))
            return section;
    }
    return NULL;
}

static bool check_module(struct module_file *file) {
    const struct elf_section *about = find_section(file, ".gnomon.module");
    const struct elf_section *slots = find_section(file, ".gnomon.slots");
    const struct elf_section *sites = find_section(file, ".gnomon.sites");
    const struct elf_section *note = find_section(file, ".note.gnu.build-id");
    uint32_t words[3];
    if (!about || about->bytes < sizeof words || about->type == SECTION_NOBITS)
        return __gnomon_module_fail("not a module: link it with gnomon cc --gnomon-module", NULL);
    memcpy(words, file->bytes + about->offset, sizeof words);
    if (words[0] != MODULE_MAGIC || words[1] != MODULE_VERSION)
        return __gnomon_module_fail("linked by another version of Gnomon", NULL);
    file->functions = words[2];
    if (file->functions != (slots ? slots->bytes : 0) || file->functions > GNOMON_MAX_FUNCTIONS)
        return __gnomon_module_fail("it does not have as many functions as it says", NULL);
    if (sites && (sites->type == SECTION_NOBITS || sites->bytes % sizeof(struct module_site) != 0))
        return __gnomon_module_fail("the file is damaged or cut off", NULL);
    file->sites = sites ? file->bytes + sites->offset : NULL;
    file->site_count = sites ? sites->bytes / sizeof(struct module_site) : 0;
    if (!note || note->type == SECTION_NOBITS || note->bytes < MODULE_KEY_BYTES)
        return __gnomon_module_fail("it has no build id: link it with gnomon cc --gnomon-module", NULL);
    memcpy(file->key, file->bytes + note->offset + note->bytes - MODULE_KEY_BYTES, MODULE_KEY_BYTES);
    return true;
}

static bool check_tags(struct module_file *file) {
    const struct elf_section *tags = find_section(file, GNOMON_MODULE_TAGS_SECTION);
    struct gnomon_module_tag tag = {0};
    if (!tags)
        return true;
    if (tags->type == SECTION_NOBITS || tags->bytes % sizeof tag != 0)
        return __gnomon_module_fail("the file is damaged or cut off", NULL);
    file->tags = file->bytes + tags->offset;
    file->tag_count = tags->bytes / sizeof tag;
    for (uint32_t i = 0; i < file->tag_count; i++) {
        memcpy(&tag, file->tags + i * sizeof tag, sizeof tag);
        if (tag.end != 0 && (tag.start >= tag.end || tag.end > file->image_bytes))
            return __gnomon_module_fail("the file is damaged or cut off", NULL);
    }
    return true;
}

/* ---- The core ---- */

static bool has_letter(char letter) {
    return letter >= 'a' && letter <= 'z' && (GNOMON_REG(GNOMON_SYSCTL_MISA) >> (letter - 'a') & 1);
}

/* Does this core have the extension ("i2p0", "zicsr2p0")? */
static bool has_extension(const char *name, size_t length) {
    static const char *const always[] = {"zicsr", "zifencei", "zmmul", NULL};
    size_t letters = 0;
    while (letters < length && (name[letters] < '0' || name[letters] > '9'))
        letters++;
    if (letters == 1)
        return has_letter(name[0]);
    for (const char *const *known = always; *known; known++)
        if (strlen(*known) == letters && memcmp(*known, name, letters) == 0)
            return true;
    return false;
}

static bool check_isa(const char *isa) {
    static char name[24];
    if (strncmp(isa, "rv32", 4) != 0)
        return __gnomon_module_fail("for another processor than 32-bit RISC-V", NULL);
    for (const char *at = isa + 4; *at;) {
        const size_t length = strcspn(at, "_");
        if (!has_extension(at, length)) {
            const size_t kept = length < sizeof name ? length : sizeof name - 1;
            memcpy(name, at, kept);
            name[kept] = 0;
            return __gnomon_module_fail("compiled for a core with an extension that this one does not have", name);
        }
        at += length + (at[length] == '_');
    }
    return true;
}

/* Tag 5 of the attributes is a string that says which extensions the code needs (psABI, "Attributes"). A file without
 * attributes passes. */
static bool check_core(const struct module_file *file) {
    enum { FORMAT_AND_LENGTH = 5, VENDOR_BYTES = 6, TAG_AND_LENGTH = 5, TAG_ARCH = 5, MOST_TAG = 127 };
    const struct elf_section *attributes = find_section(file, ".riscv.attributes");
    if (!attributes || attributes->type == SECTION_NOBITS)
        return true;
    const uint8_t *bytes = file->bytes + attributes->offset;
    uint32_t at = FORMAT_AND_LENGTH + VENDOR_BYTES + TAG_AND_LENGTH;
    while (at + 1 < attributes->bytes && bytes[at] <= MOST_TAG) {
        const bool is_text = bytes[at] % 2;
        const char *value = (const char *)bytes + at + 1;
        const uint32_t room = attributes->bytes - at - 1;
        if (is_text && !memchr(value, 0, room))
            break;
        if (bytes[at] == TAG_ARCH)
            return check_isa(value);
        uint32_t length = 0;
        if (is_text)
            length = strlen(value);
        else
            while (length < room - 1 && value[length] & 0x80)
                length++;
        at += length + 2;
    }
    return true;
}

bool __gnomon_module_check(struct module_file *file, const void *bytes, size_t size) {
    *file = (struct module_file){.bytes = bytes, .size = size};
    return check_header(file) && check_segments(file) && check_module(file) && check_tags(file) && check_core(file);
}

/* ---- The loaded image ---- */

/* Checks a table of the dynamic section: BYTES at ADDRESS, entries of `each` bytes. Stores its address in the pointer
 * at `table` and its number of entries in `count`. */
static bool take_table(const struct module_dynamic *dynamic, uint32_t address, uint32_t bytes, uint32_t each,
                       void *table, uint32_t *count) {
    const uint8_t *start = dynamic->image + address;
    if (!within(address, bytes, dynamic->image_bytes) || address % 4 != 0)
        return __gnomon_module_fail("the file is damaged or cut off", NULL);
    if (bytes)
        memcpy(table, &start, sizeof start);
    *count = bytes / each;
    return true;
}

static bool read_dynamic(const struct module_file *file, struct module_dynamic *dynamic) {
    uint32_t values[DT_KEPT] = {0};
    const uint32_t *pair = (const void *)(dynamic->image + file->dynamic);
    for (uint32_t left = file->dynamic_bytes / 8; left > 0 && pair[0]; left--, pair += 2)
        if (pair[0] < DT_KEPT)
            values[pair[0]] = pair[1];
    const uint32_t *hash = NULL; /* buckets, symbols, ... */
    uint32_t words = 0;
    bool good = take_table(dynamic, values[DT_HASH], 8, 4, &hash, &words);
    const uint32_t symbols = good ? hash[1] : 0;
    good = good && symbols <= dynamic->image_bytes / sizeof(struct elf_symbol);
    good = good && take_table(dynamic, values[DT_SYMTAB], symbols * sizeof(struct elf_symbol),
                              sizeof(struct elf_symbol), &dynamic->symbols, &dynamic->symbol_count);
    good = good && take_table(dynamic, values[DT_RELA], values[DT_RELASZ], sizeof(struct elf_relocation),
                              &dynamic->relocations[0], &dynamic->relocation_count[0]);
    good = good && take_table(dynamic, values[DT_JMPREL], values[DT_PLTRELSZ], sizeof(struct elf_relocation),
                              &dynamic->relocations[1], &dynamic->relocation_count[1]);
    good = good && take_table(dynamic, values[DT_INIT_ARRAY], values[DT_INIT_ARRAYSZ], 4, &dynamic->constructors,
                              &dynamic->constructor_count);
    good = good && take_table(dynamic, values[DT_FINI_ARRAY], values[DT_FINI_ARRAYSZ], 4, &dynamic->destructors,
                              &dynamic->destructor_count);
    dynamic->strings = (const char *)dynamic->image + values[DT_STRTAB];
    dynamic->string_bytes = values[DT_STRSZ];
    if (!good || !within(values[DT_STRTAB], values[DT_STRSZ], dynamic->image_bytes) || values[DT_STRSZ] == 0 ||
        dynamic->strings[values[DT_STRSZ] - 1] != 0)
        return __gnomon_module_fail("the file is damaged or cut off", NULL);
    return true;
}

bool __gnomon_module_place(const struct module_file *file, uint8_t *image, struct module_dynamic *dynamic) {
    const struct elf_segment *segment = segments_of(file);
    memset(image, 0, file->image_bytes);
    for (unsigned i = 0; i < header_of(file)->segment_count; i++, segment++)
        if (segment->type == SEGMENT_LOAD)
            memcpy(image + segment->address, file->bytes + segment->offset, segment->file_bytes);
    *dynamic = (struct module_dynamic){.image = image, .image_bytes = file->image_bytes};
    return read_dynamic(file, dynamic);
}

static const char *name_of(const struct module_dynamic *dynamic, const struct elf_symbol *symbol) {
    return symbol->name < dynamic->string_bytes ? dynamic->strings + symbol->name : "";
}

/* Finds the address of a symbol that a relocation names. */
static bool find_target(const struct module_dynamic *dynamic, uint32_t index, const void *(*resolve)(const char *name),
                        uint32_t *address) {
    enum { WEAK = 2 };
    *address = 0;
    if (index == 0)
        return true;
    if (index >= dynamic->symbol_count)
        return __gnomon_module_fail("the file is damaged or cut off", NULL);
    const struct elf_symbol *symbol = &dynamic->symbols[index];
    const char *name = name_of(dynamic, symbol);
    *address =
        symbol->section ? (uint32_t)(uintptr_t)dynamic->image + symbol->value : (uint32_t)(uintptr_t)resolve(name);
    if (*address == 0 && symbol->info >> 4 != WEAK)
        return __gnomon_module_fail("it needs what the program does not export (GNOMON_EXPORT)", name);
    return true;
}

static bool relocate(const struct module_dynamic *dynamic, const struct elf_relocation *relocation,
                     const void *(*resolve)(const char *name)) {
    const uint32_t image = (uint32_t)(uintptr_t)dynamic->image;
    uint32_t target;
    if (!within(relocation->offset, 4, dynamic->image_bytes) || relocation->offset % 4 != 0)
        return __gnomon_module_fail("the file is damaged or cut off", NULL);
    uint32_t *place = (uint32_t *)(void *)(dynamic->image + relocation->offset);
    if (!find_target(dynamic, relocation->info >> 8, resolve, &target))
        return false;
    switch (relocation->info & 0xFF) {
    case R_NONE:
        return true;
    case R_RELATIVE:
        *place = image + relocation->addend;
        return true;
    case R_32:
    case R_JUMP_SLOT:
        *place = target + relocation->addend;
        return true;
    case R_TLS_TPREL32:
        *place = target + relocation->addend - (uint32_t)(uintptr_t)__tls_base; /* not that of the thread that loads */
        return true;
    default:
        return __gnomon_module_fail("it has a relocation that a module cannot have: compile it with --gnomon-module",
                                    NULL);
    }
}

bool __gnomon_module_relocate(const struct module_dynamic *dynamic, const void *(*resolve)(const char *name)) {
    for (unsigned table = 0; table < 2; table++)
        for (uint32_t i = 0; i < dynamic->relocation_count[table]; i++)
            if (!relocate(dynamic, &dynamic->relocations[table][i], resolve))
                return false;
    return true;
}

/* ---- Hooks ---- */

enum { OPCODE = 0x7F, LUI = 0x37, ADDI = 0x13, STORE = 0x23 };

static uint32_t instruction_at(const uint8_t *at) {
    uint32_t word;
    memcpy(&word, at, sizeof word); /* the instruction may lie at an odd halfword */
    return word;
}

static void set_instruction(uint8_t *at, uint32_t word) {
    memcpy(at, &word, sizeof word);
}

static struct module_site site_of(const struct module_file *file, uint32_t index) {
    struct module_site site;
    memcpy(&site, file->sites + index * sizeof site, sizeof site);
    return site;
}

static bool is_wide(const uint8_t *hook) {
    return (instruction_at(hook) & OPCODE) == LUI;
}

/* Puts the low twelve bits of the slot's address into a store or addi. */
static bool set_low(uint8_t *at, uint32_t slot) {
    uint32_t word = instruction_at(at);
    switch (word & OPCODE) {
    case STORE:
        word = (word & 0x01FFF07Fu) | (slot & 0xFE0) << 20 | (slot & 0x1F) << 7;
        break;
    case ADDI:
        word = (word & 0x000FFFFFu) | slot << 20;
        break;
    default:
        return __gnomon_module_fail("its table of hooks is damaged", NULL);
    }
    set_instruction(at, word);
    return true;
}

static bool set_hook(uint8_t *hook, uint32_t slot) {
    if (!is_wide(hook))
        return set_low(hook, slot);
    set_instruction(hook, (instruction_at(hook) & 0xFFFu) | ((slot + 0x800) & 0xFFFFF000u));
    return set_low(hook + 4, slot);
}

bool __gnomon_module_is_near(const struct module_file *file) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < file->site_count; i++) {
        const struct elf_segment *segment = segments_of(file);
        const uint32_t at = site_of(file, i).at;
        for (unsigned n = header_of(file)->segment_count; n > 0; n--, segment++)
            if (segment->type == SEGMENT_LOAD && within(at - segment->address, sizeof word, segment->file_bytes)) {
                memcpy(&word, file->bytes + segment->offset + at - segment->address, sizeof word);
                if ((word & OPCODE) == STORE)
                    return true;
            }
    }
    return false;
}

bool __gnomon_module_number(const struct module_file *file, uint8_t *image, uint32_t base) {
    for (uint32_t i = 0; i < file->site_count; i++) {
        const struct module_site site = site_of(file, i);
        const uint32_t number = ~site.slot;
        if (number >= file->functions)
            return __gnomon_module_fail("it does not have as many functions as it says", NULL);
        const bool fits = within(site.at, 4, file->image_bytes) && site.at % 2 == 0;
        const bool wide = fits && is_wide(image + site.at);
        if (!fits || (wide ? !within(site.at, 8, file->image_bytes) : base + number >= NEAR_NUMBERS))
            return __gnomon_module_fail("its table of hooks is damaged", NULL);
        if (!set_hook(image + site.at, ~(base + number)))
            return false;
    }
    return true;
}

void *__gnomon_module_find(const struct module_dynamic *dynamic, const char *name) {
    for (uint32_t i = 1; i < dynamic->symbol_count; i++)
        if (dynamic->symbols[i].section && strcmp(name_of(dynamic, &dynamic->symbols[i]), name) == 0)
            return dynamic->image + dynamic->symbols[i].value;
    return NULL;
}
