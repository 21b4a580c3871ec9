/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzes the reader and the planner of .gnomon.tags with damaged sections, and the parser of WHAT with damaged words.
 * Built with the sanitizers.
 *
 * usage: fuzz_section COUNT SEED ELF SECTION... (SECTION: the bytes of the section of a program with the same build id
 * as ELF, for names and lines) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/elf/image.h"
#include "lib/tag/tag_section.h"
#include "lib/util/file.h"

#define MOST_BYTES 4096

static uint64_t state;
static unsigned good, refused;

static void die(const char *what) {
    fprintf(stderr, "fuzz_section: %s\n", what);
    exit(1);
}

static uint64_t draw(uint64_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return below ? (state >> 11) % below : 0;
}

/* Checks the properties on which all users of the list rely. */
static void check(const struct gnomon_tag_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        const struct gnomon_tag_target *target = &list->specs[i].target;
        for (size_t n = 0; n < target->count; n++)
            if (target->ranges[n].start >= target->ranges[n].end ||
                (n > 0 && target->ranges[n].start <= target->ranges[n - 1].end))
                die("ranges out of order");
        if (!target->what || target->data == (list->specs[i].mode & 1))
            die("a target that makes no sense");
    }
}

/* Damages bits, bytes, whole words or the end; mostly keeps the build id at the start. */
static size_t damage(uint8_t *bytes, size_t size, size_t from) {
    static const uint32_t liked[] = {0, 1, 2, 31, 32, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF};
    for (uint64_t count = 1 + draw(4); count > 0; count--) {
        size_t at = draw(16) && size > from ? from + draw(size - from) : draw(size);
        switch (draw(5)) {
        case 0:
            bytes[at] ^= (uint8_t)(1u << draw(8));
            break;
        case 1:
            bytes[at] = (uint8_t)draw(256);
            break;
        case 2:
            size = draw(8) ? size : at + 1;
            break;
        default:
            for (size_t i = 0, word = liked[draw(sizeof liked / sizeof *liked)]; i < 4 && at / 4 * 4 + i < size; i++)
                bytes[at / 4 * 4 + i] = (uint8_t)(word >> 8 * i);
        }
    }
    return size;
}

static void judge(enum gnomon_status status, const struct gnomon_error *error) {
    good += status == GNOMON_OK;
    refused += status != GNOMON_OK;
    if (status == GNOMON_ERR_MEMORY || (status && (error->status != status || !error->what[0])))
        die("a refusal without a word");
}

static void plan(const struct gnomon_tag_list *list) {
    const struct gnomon_tag_sizes sizes = {
        .bytes = 1u << 18, .blocks = 4, .timers = 4, .steps = 4, .per_address_bytes = 8192};
    struct gnomon_tag_plan made;
    struct gnomon_error error = {0};
    uint64_t bytes = 0;
    for (size_t i = 0; i < list->count; i++)
        for (size_t n = 0; n < list->specs[i].target.count; n++)
            bytes += list->specs[i].target.ranges[n].end - list->specs[i].target.ranges[n].start;
    if (bytes > 1u << 20) /* much memory, and no new case */
        return;
    enum gnomon_status status = gnomon_tag_plan_make(&made, list, &sizes, "a device", &error);
    if (status && !error.what[0])
        die("a plan that fails without a word");
    for (size_t i = 1; i < made.word_count; i++)
        if (made.words[i].address <= made.words[i - 1].address)
            die("words out of order");
    gnomon_tag_plan_free(&made);
}

static void try_section(const uint8_t *bytes, size_t size, const char *build_id) {
    struct gnomon_tag_list list = {0};
    struct gnomon_error error = {0};
    uint8_t *copy = malloc(size ? size : 1); /* exactly that size, so that the sanitizer sees reads beyond it */
    if (!copy)
        die("out of memory");
    memcpy(copy, bytes, size);
    enum gnomon_status status = gnomon_tag_section_parse(&list, copy, size, build_id, "a program", &error);
    judge(status, &error);
    if (!status)
        check(&list);
    if (!status)
        plan(&list);
    gnomon_tag_list_free(&list);
    free(copy);
}

static void try_words(const struct gnomon_tag_program *program) {
    static const char *const begin[] = {
        "twice",      "points[1].values[2]:read,each", "tagged.c:20-26:start=0", "0x10000000-0x10000020",
        "tail@entry", "tagged.c:letters:write",        "hint=3:toggle=1",        "calls.0"};
    static const char liked[] = "[].:@,=-0x19/ \n%";
    char text[64];
    snprintf(text, sizeof text, "%s", begin[draw(sizeof begin / sizeof *begin)]);
    for (uint64_t count = draw(4); count > 0; count--) {
        size_t length = strlen(text), at = draw(length + 1);
        if (draw(3) == 0 && at < length)
            memmove(text + at, text + at + 1, length - at);
        else if (length + 2 < sizeof text)
            memmove(text + at + 1, text + at, length - at + 1), text[at] = liked[draw(sizeof liked - 1)];
    }
    struct gnomon_tag_list list = {0};
    struct gnomon_error error = {0};
    enum gnomon_status status = gnomon_tag_list_add(&list, program, text, &error);
    judge(status, &error);
    if (!status)
        check(&list);
    if (!status)
        plan(&list);
    gnomon_tag_list_free(&list);
}

int main(int argc, char **argv) {
    struct gnomon_tag_program program;
    struct gnomon_image *image;
    struct gnomon_error error;
    if (argc < 5)
        die("usage: fuzz_section COUNT SEED ELF SECTION...");
    uint64_t count = strtoull(argv[1], NULL, 0);
    state = strtoull(argv[2], NULL, 0) * UINT64_C(0x9E3779B97F4A7C15) | 1;
    if (gnomon_tag_program_open(&program, argv[3], &error) || gnomon_image_open(argv[3], &image, &error))
        die(error.what);
    for (int i = 4; i < argc; i++) {
        uint8_t *bytes, copy[MOST_BYTES];
        size_t size;
        if (gnomon_read_file(argv[i], &bytes, &size, &error) || size > sizeof copy || size < 32)
            die(argv[i]);
        /* the build id of the section */
        char id[41];
        for (size_t n = 0; n < 20; n++)
            snprintf(id + 2 * n, 3, "%02x", bytes[12 + n]);
        try_section(bytes, size, id);
        if (good != (unsigned)i - 3)
            die("a whole section is refused");
        for (size_t cut = 0; cut < size; cut++)
            try_section(bytes, cut, id);
        if (good != (unsigned)i - 3)
            die("a section that was cut is taken");
        unsigned before = good;
        for (uint64_t n = 0; n < count; n++) {
            memcpy(copy, bytes, size);
            try_section(copy, damage(copy, size, 32), id);
        }
        printf("%s: %u of %u damaged sections made sense\n", argv[i], good - before, (unsigned)count);
        good = (unsigned)i - 3;
        free(bytes);
    }
    good = refused = 0;
    for (uint64_t n = 0; n < count / 4; n++)
        try_words(&program);
    printf("%u words were understood, %u refused\n", good, refused);
    gnomon_image_close(image);
    gnomon_tag_program_close(&program);
    return good == 0 || refused == 0;
}
