/* SPDX-License-Identifier: Apache-2.0 */
#include "serve.h"

#include <stddef.h>
#include <string.h>

#include "gnomon/param.h"
#include "gnomon/registers.h"

enum { REQUEST_WORDS = sizeof(struct gnomon_param_request) / 4, MOST_NAME = 256 };

static enum gnomon_status bad_request(const struct gnomon_board *board, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_FORMAT, "the program on %s asks for a file in a way that makes no sense",
                board->address);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "does the program write beyond its memory?");
}

static enum gnomon_status read_name(struct gnomon_device *device, const struct gnomon_board *board, uint32_t address,
                                    char name[MOST_NAME], struct gnomon_error *error) {
    if (!gnomon_board_holds(board, address, 1))
        return bad_request(board, error);
    uint64_t room = (uint64_t)board->ram_base + board->ram_bytes - address;
    size_t size = room < MOST_NAME ? (size_t)room : MOST_NAME;
    enum gnomon_status status = gnomon_device_read_bytes(device, address, name, size, error);
    return status || memchr(name, '\0', size) ? status : bad_request(board, error);
}

static const struct gnomon_file *find(const struct gnomon_files *offers, const char *name) {
    for (size_t i = 0; offers && i < offers->count; i++)
        if (!strcmp(offers->files[i].name, name))
            return &offers->files[i];
    return NULL;
}

/* Whole words: the rest of the last one must not be touched. */
static enum gnomon_status write_data(struct gnomon_device *device, uint32_t address, const uint8_t *data, size_t size,
                                     struct gnomon_error *error) {
    size_t whole = size / 4 * 4;
    uint8_t last[4];
    enum gnomon_status status = whole ? gnomon_device_write_bytes(device, address, data, whole, error) : GNOMON_OK;
    if (status || whole == size)
        return status;
    status = gnomon_device_read_bytes(device, address + (uint32_t)whole, last, sizeof last, error);
    memcpy(last, data + whole, size - whole);
    return status ? status : gnomon_device_write_bytes(device, address + (uint32_t)whole, last, sizeof last, error);
}

/* Request: name, data, size, result. */
static enum gnomon_status answer(struct gnomon_device *device, const struct gnomon_board *board, uint32_t at,
                                 const struct gnomon_files *offers, struct gnomon_error *error) {
    uint32_t words[REQUEST_WORDS], result = GNOMON_PARAM_NO_FILE;
    char name[MOST_NAME];
    if (at % 4 || !gnomon_board_holds(board, at, sizeof words))
        return bad_request(board, error);
    enum gnomon_status status = gnomon_device_read(device, at, words, REQUEST_WORDS, error);
    if (!status)
        status = read_name(device, board, words[0], name, error);
    const struct gnomon_file *file = status ? NULL : find(offers, name);
    if (file) {
        size_t size = file->size < words[2] ? file->size : words[2];
        if (size && (words[1] % 4 || !gnomon_board_holds(board, words[1], size)))
            return bad_request(board, error);
        status = write_data(device, words[1], file->data, size, error);
        result = (uint32_t)file->size;
    }
    return status
               ? status
               : gnomon_device_set(device, at + (uint32_t)offsetof(struct gnomon_param_request, result), result, error);
}

enum gnomon_status gnomon_serve(struct gnomon_device *device, const struct gnomon_board *board, uint32_t param,
                                const struct gnomon_files *offers, bool *served, struct gnomon_error *error) {
    const uint32_t place = param + (uint32_t)offsetof(struct gnomon_param, request);
    uint32_t at = 0;
    *served = false;
    enum gnomon_status status = gnomon_device_get(device, place, &at, error);
    if (status || !at)
        return status;
    status = answer(device, board, at, offers, error);
    if (!status)
        status = gnomon_device_set(device, place, 0, error);
    if (!status)
        status = gnomon_device_set(device, GNOMON_SYSCTL_CONTROL, 0, error);
    if (!status)
        status = gnomon_device_set(device, GNOMON_SYSCTL_CONTROL, GNOMON_SYSCTL_CONTROL_RESUME, error);
    *served = !status;
    return status;
}
