/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzes the loader's checks of modules (firmware/runtime/modules/module_elf.c), compiled for this machine with
 * sanitizers: the loader may access only the file and the image. usage: fuzz COUNT SEED MODULE... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../firmware/runtime/modules/module_elf.h"
#include "gnomon/module_tags.h"

enum { MOST_CHANGES = 6, MOST_BYTES = 1 << 20 };

static uint64_t state;

static uint32_t draw(uint32_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 20) % below;
}

/* What the linker script of a program defines. */
char __tls_base[4];

static const char *last;

bool __gnomon_module_fail(const char *what, const char *which) {
    (void)which;
    last = what;
    return false;
}

static const void *resolve(const char *name) {
    return *name && *name != 1 ? name : NULL;
}

/* The entries of tags that the loader uses must be within the file, and what they tag within the image. */
static void check_tags(const struct module_file *file) {
    struct gnomon_module_tag tag;
    for (uint32_t i = 0; i < file->tag_count; i++) {
        memcpy(&tag, file->tags + i * sizeof tag, sizeof tag);
        if (tag.end != 0 && (tag.start >= tag.end || tag.end > file->image_bytes)) {
            fprintf(stderr, "fuzz: a tag beyond the image\n");
            exit(1);
        }
    }
}

/* Returns how many steps of the loader succeeded. */
static unsigned load(const uint8_t *bytes, size_t size) {
    struct module_file file;
    struct module_dynamic dynamic;
    if (!__gnomon_module_check(&file, bytes, size))
        return 0;
    (void)__gnomon_module_is_near(&file);
    check_tags(&file);
    if (file.image_bytes > MOST_BYTES)
        return 1;
    uint8_t *image = malloc(file.image_bytes); /* the sanitizer detects accesses beyond the image */
    unsigned came = 1;
    if (__gnomon_module_place(&file, image, &dynamic)) {
        came = 2;
        if (__gnomon_module_number(&file, image, draw(65536)) && __gnomon_module_relocate(&dynamic, resolve))
            came = 3;
        (void)__gnomon_module_find(&dynamic, "run");
    }
    free(image);
    return came;
}

static size_t damage(uint8_t *bytes, size_t size) {
    static const uint8_t values[] = {0, 1, 0x7F, 0x80, 0xFF};
    for (uint32_t changes = 1 + draw(MOST_CHANGES); changes > 0; changes--) {
        /* Half of the changes hit the headers. */
        size_t at = draw(2) ? draw((uint32_t)size) : draw(2) ? draw(400) : size - 1 - draw(1400);
        at = at < size ? at : size - 1;
        bytes[at] = draw(2) ? (uint8_t)draw(256) : values[draw(sizeof values)];
    }
    return draw(8) ? size : draw((uint32_t)size);
}

static uint8_t *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(MOST_BYTES);
    if (!file || !bytes || !(*size = fread(bytes, 1, MOST_BYTES, file))) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    fclose(file);
    return bytes;
}

int main(int argc, char **argv) {
    unsigned came[4] = {0}, count = argc > 3 ? (unsigned)atoi(argv[1]) : 0;
    state = argc > 3 ? strtoull(argv[2], NULL, 10) * 0x9E3779B97F4A7C15u + 1 : 1;
    for (int i = 3; i < argc; i++) {
        size_t size;
        uint8_t *whole = read_file(argv[i], &size);
        if (load(whole, size) < 2) {
            fprintf(stderr, "%s: %s\n", argv[i], last);
            return 1;
        }
        for (unsigned n = 0; n < count; n++) {
            uint8_t *bytes = malloc(size);
            memcpy(bytes, whole, size);
            const size_t left = damage(bytes, size);
            uint8_t *exact = malloc(left ? left : 1);
            memcpy(exact, bytes, left);
            came[load(exact, left)]++;
            free(exact);
            free(bytes);
        }
        free(whole);
    }
    printf("%u refused at once, %u taken for modules, %u placed, %u relocated\n", came[0], came[1], came[2], came[3]);
    return came[0] && came[2] && came[3] ? 0 : 1;
}
