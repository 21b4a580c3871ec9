/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/isa.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define TAG_FILE 1 /* attributes of the whole file */
#define TAG_ARCH 5

/* ---- Attributes (RISC-V ELF psABI) ---- */

struct bytes {
    const uint8_t *at;
    size_t size;
};

static uint64_t uleb128(struct bytes *bytes) {
    uint64_t value = 0;
    for (unsigned shift = 0; bytes->size > 0; shift += 7) {
        uint8_t byte = *bytes->at++;
        bytes->size--;
        if (shift < 63)
            value |= (uint64_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80))
            break;
    }
    return value;
}

/* The string at this position, which must end within the bytes; NULL: it does not. */
static const char *string(struct bytes *bytes) {
    const char *text = (const char *)bytes->at;
    size_t length = strnlen(text, bytes->size);
    if (length == bytes->size) {
        bytes->size = 0;
        return NULL;
    }
    bytes->at += length + 1;
    bytes->size -= length + 1;
    return text;
}

/* A part that begins with its length. The length counts from `before` bytes before this position and includes itself.
 */
static struct bytes part(struct bytes *bytes, size_t before) {
    struct bytes none = {bytes->at, 0};
    if (bytes->size < 4) {
        bytes->size = 0;
        return none;
    }
    uint32_t length = (uint32_t)bytes->at[0] | (uint32_t)bytes->at[1] << 8 | (uint32_t)bytes->at[2] << 16 |
                      (uint32_t)bytes->at[3] << 24;
    if (length < before + 4 || length - before > bytes->size) {
        bytes->size = 0;
        return none;
    }
    struct bytes inside = {bytes->at + 4, length - before - 4};
    bytes->at += length - before;
    bytes->size -= length - before;
    return inside;
}

/* Reads the attributes of the file. Even tags have numbers, odd tags have strings. */
static void read_file(char isa[GNOMON_ARCH_BYTES], struct bytes attributes) {
    while (attributes.size > 0) {
        uint64_t tag = uleb128(&attributes);
        if (tag % 2 == 0) {
            uleb128(&attributes);
            continue;
        }
        const char *text = string(&attributes);
        if (tag == TAG_ARCH && text && strlen(text) < GNOMON_ARCH_BYTES)
            strcpy(isa, text);
    }
}

void gnomon_isa_read(char isa[GNOMON_ARCH_BYTES], const uint8_t *section, size_t size) {
    struct bytes all = {section, size};
    isa[0] = '\0';
    if (size == 0 || *section != 'A')
        return;
    all.at++;
    all.size--;
    while (all.size > 0) {
        struct bytes vendor = part(&all, 0);
        const char *name = string(&vendor);
        while (name && !strcmp(name, "riscv") && vendor.size > 0) {
            const uint8_t *before = vendor.at;
            uint64_t tag = uleb128(&vendor);
            struct bytes inside = part(&vendor, (size_t)(vendor.at - before));
            if (tag == TAG_FILE)
                read_file(isa, inside);
        }
    }
}

/* ---- Extensions ---- */

/* Length of a version: digits, "p", digits ("2p1"), or only digits. */
static size_t version_length(const char *text) {
    size_t length = strspn(text, "0123456789");
    if (length > 0 && text[length] == 'p' && isdigit((unsigned char)text[length + 1]))
        length += 1 + strspn(text + length + 1, "0123456789");
    return length;
}

/* Takes the next extension from *isa, without its version; false: there is none. An extension is one letter, except
 * those that begin with s, x or z; "_" separates these. */
static bool next_extension(const char **isa, char name[GNOMON_EXTENSION_BYTES]) {
    while (**isa == '_')
        (*isa)++;
    const char *start = *isa;
    if (!*start)
        return false;
    size_t length = 1;
    if (strchr("sxz", *start)) {
        size_t whole = strcspn(start, "_");
        while (length < whole && length + version_length(start + length) != whole)
            length++;
        *isa += whole;
    } else {
        *isa += 1 + version_length(start + 1);
    }
    snprintf(name, GNOMON_EXTENSION_BYTES, "%.*s", (int)length, start);
    return true;
}

/* The text after "rv32" or "rv64". */
static const char *extensions(const char *isa) {
    return strncmp(isa, "rv", 2) == 0 ? isa + 2 + strspn(isa + 2, "0123456789") : isa;
}

static bool lists(const char *isa, const char *name) {
    char one[GNOMON_EXTENSION_BYTES];
    for (const char *at = extensions(isa); next_extension(&at, one);)
        if (!strcmp(one, name))
            return true;
    return false;
}

/* Extensions that are contained in others. */
static const struct {
    const char *part, *whole;
} contained[] = {
    {"e", "i"},   {"zmmul", "m"}, {"zaamo", "a"},      {"zalrsc", "a"},
    {"zca", "c"}, {"b", "zbs"},   {"zicntr", "zicsr"}, {"zihpm", "zicsr"},
};

bool gnomon_isa_has(const char *has, const char *wants, char lacking[GNOMON_EXTENSION_BYTES]) {
    for (const char *at = extensions(wants); next_extension(&at, lacking);) {
        bool there = lists(has, lacking);
        for (size_t i = 0; i < sizeof contained / sizeof *contained && !there; i++)
            there = !strcmp(contained[i].part, lacking) && lists(has, contained[i].whole);
        if (!there)
            return false;
    }
    return true;
}
