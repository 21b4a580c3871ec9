/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/parameters.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gnomon/param.h"
#include "lib/run/load_image.h"
#include "lib/util/file.h"

#define LEAST_STACK 1024
#define MOST_OUTPUTS 4096

enum gnomon_status gnomon_files_add(struct gnomon_files *files, const char *name, const char *path,
                                    struct gnomon_error *error) {
    struct gnomon_file *more = realloc(files->files, (files->count + 1) * sizeof *more);
    if (!more)
        return gnomon_fail_memory(error);
    files->files = more;
    struct gnomon_file *file = &files->files[files->count];
    enum gnomon_status status = gnomon_read_file(path, &file->data, &file->size, error);
    if (status)
        return status;
    file->name = strdup(name);
    file->path = strdup(path);
    if (!file->name || !file->path) {
        free(file->name);
        free(file->path);
        free(file->data);
        return gnomon_fail_memory(error);
    }
    files->count++;
    return GNOMON_OK;
}

bool gnomon_files_has(const struct gnomon_files *files, const char *name) {
    for (size_t i = 0; i < files->count; i++)
        if (!strcmp(files->files[i].name, name))
            return true;
    return false;
}

void gnomon_files_free(struct gnomon_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        free(files->files[i].name);
        free(files->files[i].path);
        free(files->files[i].data);
    }
    free(files->files);
    *files = (struct gnomon_files){0};
}

/* The same code lays out the block twice: first to find its size, then with addresses and a buffer. */
struct layout {
    uint8_t *data; /* NULL in the first pass */
    uint32_t base;
    size_t used;
};

static uint32_t put(struct layout *layout, const void *bytes, size_t size, size_t align) {
    layout->used = (layout->used + align - 1) / align * align;
    uint32_t address = layout->base + (uint32_t)layout->used;
    if (layout->data && bytes && size)
        memcpy(layout->data + layout->used, bytes, size);
    layout->used += size;
    return address;
}

static void put_word(struct layout *layout, uint32_t address, size_t index, uint32_t value) {
    if (!layout->data)
        return;
    uint8_t *at = layout->data + (address - layout->base) + index * 4;
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Main memory from the program's end on: heap, files' data, gap, stack, block. */
struct places {
    uint32_t block, stack_end, files_end, files;
};

static size_t rounded(size_t size) {
    return (size + 15) & ~(size_t)15;
}

static size_t files_bytes(const struct gnomon_files *inputs) {
    size_t bytes = 0;
    for (size_t i = 0; i < inputs->count; i++)
        bytes += rounded(inputs->files[i].size);
    return bytes;
}

/* The data of the first input is at the end. The data of each other input is below that of the previous one. */
static uint32_t data_address(const struct places *places, const struct gnomon_files *inputs, size_t index) {
    uint32_t address = places->files_end;
    for (size_t i = 0; i <= index; i++)
        address -= (uint32_t)rounded(inputs->files[i].size);
    return address;
}

/* Fills the entry of a file in the table of inputs. */
static void put_file(struct layout *layout, uint32_t entry, uint32_t address, const char *name,
                     const struct places *places, const struct gnomon_files *inputs) {
    size_t index = 0;
    while (index < inputs->count && strcmp(inputs->files[index].name, name) != 0)
        index++;
    const bool there = index < inputs->count;
    put_word(layout, entry, 0, address);
    put_word(layout, entry, 1, there ? data_address(places, inputs, index) : 0);
    put_word(layout, entry, 2, there ? (uint32_t)inputs->files[index].size : 0);
    put_word(layout, entry, 3, there ? 0 : GNOMON_PARAM_ABSENT);
}

static bool is_argument(int argc, const char *const *argv, const char *name) {
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], name))
            return true;
    return false;
}

/* Lays out the block. The table has an entry for each argument, even if there is no such file, then one for each other
 * input. */
static void lay_out(struct layout *layout, const struct places *places, int argc, const char *const *argv,
                    const struct gnomon_files *inputs) {
    enum { WORDS = sizeof(struct gnomon_param) / 4 };
    size_t count = argc > 1 ? (size_t)argc - 1 : 0;
    for (size_t i = 0; i < inputs->count; i++)
        count += !is_argument(argc, argv, inputs->files[i].name);
    uint32_t head = put(layout, NULL, sizeof(struct gnomon_param), 16);
    uint32_t pointers = put(layout, NULL, ((size_t)argc + 1) * 4, 4);
    uint32_t entry = put(layout, NULL, count * sizeof(struct gnomon_param_file), 4);
    const uint32_t words[WORDS] = {
        GNOMON_PARAM_MAGIC, GNOMON_PARAM_VERSION, (uint32_t)argc, pointers, (uint32_t)count, entry, 0, 0, 0, 0,
        places->files,      places->stack_end};
    for (size_t i = 0; i < WORDS; i++)
        put_word(layout, head, i, words[i]);
    for (int i = 0; i < argc; i++) {
        const uint32_t name = put(layout, argv[i], strlen(argv[i]) + 1, 1);
        put_word(layout, pointers, (size_t)i, name);
        if (i == 0)
            continue;
        put_file(layout, entry, name, argv[i], places, inputs);
        entry += sizeof(struct gnomon_param_file);
    }
    for (size_t i = 0; i < inputs->count; i++) {
        const char *name = inputs->files[i].name;
        if (is_argument(argc, argv, name))
            continue;
        put_file(layout, entry, put(layout, name, strlen(name) + 1, 1), name, places, inputs);
        entry += sizeof(struct gnomon_param_file);
    }
    layout->used = (layout->used + 3) / 4 * 4;
}

/* The stack gets its usual size, or less if the files need the space. */
static struct places find_places(const struct gnomon_board *board, uint32_t end, size_t block, size_t files) {
    const uint32_t bytes = board->ram_bytes, top = board->ram_base + bytes;
    struct places places = {.block = (uint32_t)(top - block) & ~15u};
    const uint64_t room = places.block - end - files, gap = GNOMON_PARAM_GAP(bytes);
    const uint64_t stack = GNOMON_PARAM_STACK(bytes) < room ? GNOMON_PARAM_STACK(bytes) : room;
    places.stack_end = (uint32_t)(places.block - stack + 15) & ~15u;
    places.files_end = (uint32_t)(places.stack_end - (gap < room - stack ? gap : 0)) & ~15u;
    places.files = places.files_end - (uint32_t)files;
    return places;
}

static enum gnomon_status allocate(struct gnomon_param_block *block, size_t size, size_t files,
                                   struct gnomon_error *error) {
    block->data = calloc(1, size);
    block->files = calloc(1, files + 1);
    if (!block->data || !block->files) {
        gnomon_param_free(block);
        return gnomon_fail_memory(error);
    }
    block->size = size;
    block->files_size = files;
    return GNOMON_OK;
}

void gnomon_param_put_files(struct gnomon_param_block *block, const struct gnomon_files *inputs) {
    const struct places places = {.files_end = block->files_address + (uint32_t)block->files_size};
    for (size_t i = 0; i < inputs->count; i++)
        if (inputs->files[i].size)
            memcpy(block->files + (data_address(&places, inputs, i) - block->files_address), inputs->files[i].data,
                   inputs->files[i].size);
}

enum gnomon_status gnomon_param_build(const struct gnomon_board *board, uint32_t end, int argc, const char *const *argv,
                                      const struct gnomon_files *inputs, struct gnomon_param_block *block,
                                      struct gnomon_error *error) {
    struct layout layout = {0};
    struct places places = {0};
    const size_t files = files_bytes(inputs);
    lay_out(&layout, &places, argc, argv, inputs);
    const uint64_t needed = (uint64_t)layout.used + files + 64 + LEAST_STACK; /* 64: alignment to multiples of 16 */
    if (needed > (uint64_t)board->ram_base + board->ram_bytes - end) {
        gnomon_fail(error, GNOMON_ERR_TOO_BIG, "program, arguments and input files need %llu bytes, %s has %u",
                    (unsigned long long)(end - board->ram_base) + needed, board->address, (unsigned)board->ram_bytes);
        return gnomon_remedy(error, GNOMON_ERR_TOO_BIG, "give smaller files, or take a larger board (-d sim:full)");
    }
    enum gnomon_status status = allocate(block, layout.used, files, error);
    if (status)
        return status;
    places = find_places(board, (end + 15) & ~15u, block->size, files);
    block->address = places.block;
    block->files_address = places.files;
    gnomon_param_put_files(block, inputs);
    layout = (struct layout){.data = block->data, .base = block->address};
    lay_out(&layout, &places, argc, argv, inputs);
    return GNOMON_OK;
}

enum gnomon_status gnomon_param_load(const struct gnomon_param_block *block, struct gnomon_device *device,
                                     struct gnomon_error *error) {
    enum gnomon_status status = gnomon_device_write_bytes(device, block->address, block->data, block->size, error);
    return status ? status
                  : gnomon_device_write_bytes(device, block->files_address, block->files, block->files_size, error);
}

void gnomon_param_reserve(struct gnomon_param_block *block, uint32_t numbers) {
    struct layout layout = {.data = block->data, .base = block->address};
    put_word(&layout, block->address, offsetof(struct gnomon_param, numbers) / 4, numbers);
}

void gnomon_param_free(struct gnomon_param_block *block) {
    free(block->data);
    free(block->files);
    *block = (struct gnomon_param_block){0};
}

static enum gnomon_status bad_table(const struct gnomon_board *board, const char *what, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_FORMAT, "the list of files that the program left on %s is damaged: %s",
                board->address, what);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "check whether the program writes beyond its memory");
}

static enum gnomon_status read_output(struct gnomon_device *device, const struct gnomon_board *board,
                                      const uint32_t words[4], struct gnomon_output *output,
                                      struct gnomon_error *error) {
    uint32_t name = words[0];
    uint64_t room = gnomon_board_readable(board, name);
    if (!room || !gnomon_board_holds(board, words[1], words[2]))
        return bad_table(board, "a file lies outside of memory", error);
    size_t size = room < sizeof output->name ? (size_t)room : sizeof output->name;
    enum gnomon_status status = gnomon_device_read_bytes(device, name, output->name, size, error);
    if (status)
        return status;
    if (!memchr(output->name, '\0', size))
        return bad_table(board, "a name has no end", error);
    output->address = words[1];
    output->size = words[2];
    return GNOMON_OK;
}

enum gnomon_status gnomon_param_outputs(struct gnomon_device *device, const struct gnomon_board *board,
                                        uint32_t address, struct gnomon_output **outputs, size_t *count,
                                        struct gnomon_error *error) {
    uint32_t head[sizeof(struct gnomon_param) / 4], *table = NULL;
    *outputs = NULL;
    *count = 0;
    enum gnomon_status status = gnomon_device_read(device, address, head, sizeof head / sizeof *head, error);
    if (status)
        return status;
    uint32_t files = head[6], at = head[7];
    if (head[0] != GNOMON_PARAM_MAGIC)
        return bad_table(board, "its magic number is gone", error);
    if (!files)
        return GNOMON_OK;
    if (files > MOST_OUTPUTS || at % 4 ||
        !gnomon_board_holds(board, at, (uint64_t)files * sizeof(struct gnomon_param_file)))
        return bad_table(board, "it lies outside of memory", error);
    table = calloc((size_t)files * 4, sizeof *table);
    *outputs = calloc(files, sizeof **outputs);
    status =
        table && *outputs ? gnomon_device_read(device, at, table, (size_t)files * 4, error) : gnomon_fail_memory(error);
    for (uint32_t i = 0; i < files && !status; i++)
        status = read_output(device, board, &table[(size_t)i * 4], &(*outputs)[i], error);
    free(table);
    if (status) {
        free(*outputs);
        *outputs = NULL;
    } else {
        *count = files;
    }
    return status;
}

enum gnomon_status gnomon_param_fetch(struct gnomon_device *device, const struct gnomon_output *output,
                                      const char *path, struct gnomon_error *error) {
    uint8_t *data = malloc((size_t)output->size + 1);
    if (!data)
        return gnomon_fail_memory(error);
    enum gnomon_status status = gnomon_device_read_bytes(device, output->address, data, output->size, error);
    if (!status)
        status = gnomon_write_file(path, data, output->size, error);
    free(data);
    return status;
}
