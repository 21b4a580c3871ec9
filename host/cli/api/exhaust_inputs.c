/* SPDX-License-Identifier: Apache-2.0 */
/* What the functions are called with: the files of a folder, or bytes that are made. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/api/exhaust.h"
#include "lib/util/file.h"

static const size_t sizes[] = {0, 16, 256, 4096};

#define SIZES (sizeof sizes / sizeof *sizes)

/* Takes ownership of `name` and `path`. */
static enum gnomon_status add_input(struct exhaust *exhaust, char *name, char *path, uint64_t size,
                                    struct gnomon_error *error) {
    struct exhaust_input *inputs = realloc(exhaust->inputs, (exhaust->input_count + 1) * sizeof *inputs);
    if (inputs) {
        exhaust->inputs = inputs;
        inputs[exhaust->input_count++] = (struct exhaust_input){.name = name, .path = path, .size = size};
    } else {
        free(name);
        free(path);
    }
    return inputs && name ? GNOMON_OK : gnomon_fail_memory(error);
}

/* Bytes that are the same each time. */
static enum gnomon_status make_input(struct exhaust *exhaust, size_t size, struct gnomon_error *error) {
    uint8_t bytes[4096];
    uint32_t state = 2463534242;
    char *path = NULL, *made = NULL;
    for (size_t i = 0; i < size; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        bytes[i] = (uint8_t)(state >> 24);
    }
    if (asprintf(&made, "%s/random-%zu", exhaust->folder, size) < 0)
        return gnomon_fail_memory(error);
    enum gnomon_status status = gnomon_write_file(made, bytes, size, error);
    path = status ? NULL : realpath(made, NULL);
    free(made);
    return status ? status : add_input(exhaust, strdup(size ? "random" : "empty"), path, size, error);
}

static int is_visible(const struct dirent *entry) {
    return *entry->d_name != '.';
}

static enum gnomon_status add_file(struct exhaust *exhaust, const char *folder, const char *name,
                                   struct gnomon_error *error) {
    struct stat about;
    char *path = NULL, *whole = NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return gnomon_fail_memory(error);
    enum gnomon_status status = GNOMON_OK;
    if (stat(path, &about) != 0 || !(whole = realpath(path, NULL)))
        status = gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot open %s", path);
    else if (S_ISREG(about.st_mode))
        status = add_input(exhaust, strdup(name), whole, (uint64_t)about.st_size, error);
    else
        free(whole);
    free(path);
    return status;
}

static enum gnomon_status list_files(struct exhaust *exhaust, const char *folder, struct gnomon_error *error) {
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_visible, alphasort);
    enum gnomon_status status =
        count < 0 ? gnomon_fail_errno(error, GNOMON_ERR_NOT_FOUND, "cannot read the folder %s", folder) : GNOMON_OK;
    for (int i = 0; i < count; i++) {
        if (!status)
            status = add_file(exhaust, folder, entries[i]->d_name, error);
        free(entries[i]);
    }
    free(entries);
    if (!status && exhaust->input_count < 2)
        status = gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "there is no file in the folder %s", folder);
    return status;
}

enum gnomon_status exhaust_find_inputs(struct exhaust *exhaust, struct gnomon_error *error) {
    const struct api_values *values = exhaust->context->values;
    enum gnomon_status status = add_input(exhaust, strdup("no input"), NULL, 0, error);
    if (values->inputs)
        return status ? status : list_files(exhaust, values->inputs, error);
    for (size_t i = 0; i < SIZES && !status; i++)
        status = make_input(exhaust, sizes[i], error);
    return status;
}
