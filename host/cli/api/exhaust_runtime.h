/* SPDX-License-Identifier: Apache-2.0 */
/* The fixed part of the program that `gnomon api exhaust` makes, compiled for the target. The calls of the library's
 * functions follow it. Arguments of the program: FUNCTION VALUES [FILE]; VALUES are numbers with commas between them,
 * FILE is the input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the program ends; host/cli/api/exhaust.h has the same numbers. */
enum { EXHAUST_DONE = 71, EXHAUST_SCRIBBLED = 72, EXHAUST_UNABLE = 73 };

enum { EXHAUST_GUARD = 64, EXHAUST_FILL = 0xA5, EXHAUST_BLOCKS = 64, EXHAUST_MORE = 4096 };

/* Memory that is given to a function, between two guards. */
struct exhaust_block {
    unsigned char *whole;
    size_t size, fixed; /* the first `fixed` bytes are the input, and stay */
    const char *name;
};

static struct exhaust_block exhaust_blocks[EXHAUST_BLOCKS];
static unsigned exhaust_block_count;
static unsigned char *exhaust_bytes; /* the input */
static size_t exhaust_size;

static void exhaust_unable(const char *what, const char *thing) {
    printf("cannot %s %s\n", what, thing);
    exit(EXHAUST_UNABLE);
}

/* `size` bytes of zeros. */
static void *exhaust_memory(const char *name, size_t size) {
    unsigned char *whole = exhaust_block_count < EXHAUST_BLOCKS ? malloc(size + 2 * EXHAUST_GUARD) : NULL;
    if (!whole)
        exhaust_unable("get memory for", name);
    exhaust_blocks[exhaust_block_count++] = (struct exhaust_block){whole, size, 0, name};
    memset(whole, EXHAUST_FILL, EXHAUST_GUARD);
    memset(whole + EXHAUST_GUARD, 0, size);
    memset(whole + EXHAUST_GUARD + size, EXHAUST_FILL, EXHAUST_GUARD);
    return whole + EXHAUST_GUARD;
}

/* The input, and a byte 0. */
static void *exhaust_input(const char *name) {
    void *bytes = exhaust_memory(name, exhaust_size + 1);
    if (exhaust_size)
        memcpy(bytes, exhaust_bytes, exhaust_size);
    exhaust_blocks[exhaust_block_count - 1].fixed = exhaust_size + 1;
    return bytes;
}

static size_t exhaust_room(void) {
    return 2 * exhaust_size + EXHAUST_MORE;
}

/* The input, which may be changed, with room after it. */
static void *exhaust_output(const char *name) {
    void *bytes = exhaust_memory(name, exhaust_room());
    if (exhaust_size)
        memcpy(bytes, exhaust_bytes, exhaust_size);
    return bytes;
}

/* An integer of `size` bytes. */
static void *exhaust_number(const char *name, size_t size, unsigned long long value) {
    return memcpy(exhaust_memory(name, size), &value, size);
}

static int exhaust_filled(const unsigned char *guard) {
    for (size_t i = 0; i < EXHAUST_GUARD; i++)
        if (guard[i] != EXHAUST_FILL)
            return 0;
    return 1;
}

/* What was written where nothing is to be written; NULL: nothing. */
static const char *exhaust_damage(const struct exhaust_block *block) {
    const unsigned char *bytes = block->whole + EXHAUST_GUARD;
    if (!exhaust_filled(block->whole))
        return "before";
    if (!exhaust_filled(bytes + block->size))
        return "after";
    if (block->fixed &&
        ((block->fixed > 1 && memcmp(bytes, exhaust_bytes, block->fixed - 1) != 0) || bytes[block->fixed - 1] != 0))
        return "to";
    return NULL;
}

static void exhaust_check(void) {
    for (unsigned i = 0; i < exhaust_block_count; i++) {
        const struct exhaust_block *block = &exhaust_blocks[i];
        const char *where = exhaust_damage(block);
        if (where) {
            printf("wrote %s the %u bytes of %s\n", where, (unsigned)(block->fixed ? block->fixed : block->size),
                   block->name);
            exit(EXHAUST_SCRIBBLED);
        }
        free(block->whole);
    }
    exhaust_block_count = 0;
}

static void exhaust_read(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        exhaust_unable("open", path);
    exhaust_size = (size_t)ftell(file);
    rewind(file);
    exhaust_bytes = malloc(exhaust_size + 1);
    if (!exhaust_bytes)
        exhaust_unable("get memory for", path);
    if (fread(exhaust_bytes, 1, exhaust_size, file) != exhaust_size)
        exhaust_unable("read", path);
    fclose(file);
}

struct exhaust_function {
    const char *name;
    void (*call)(long value);
};
extern const struct exhaust_function exhaust_functions[]; /* the last has no name */

int main(int argc, char **argv) {
    const struct exhaust_function *function = exhaust_functions;
    const char *name = argc > 2 ? argv[1] : "";
    while (function->name && strcmp(function->name, name) != 0)
        function++;
    if (!function->name)
        exhaust_unable("find", name);
    if (argc > 3)
        exhaust_read(argv[3]);
    for (char *at = argv[2]; *at;) {
        const long value = strtol(at, &at, 10);
        function->call(value);
        exhaust_check();
        at += *at == ',';
    }
    return EXHAUST_DONE;
}
