/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/serve.h"

#include <stddef.h>
#include <string.h>

#include "gnomon/param.h"
#include "gnomon/registers.h"

enum { REQUEST_WORDS = sizeof(struct gnomon_param_request) / 4, MOST_NAME = 256, CONSOLE_DESCRIPTORS = 3 };

static enum gnomon_status bad_request(const struct gnomon_board *board, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_FORMAT, "the program on %s makes an invalid request for a file or input",
                board->address);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "check whether the program writes beyond its memory");
}

static enum gnomon_status read_name(struct gnomon_device *device, const struct gnomon_board *board, uint32_t address,
                                    char name[MOST_NAME], struct gnomon_error *error) {
    uint64_t room = gnomon_board_readable(board, address);
    if (!room)
        return bad_request(board, error);
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

/* Writes whole words. The other bytes of the last word are read first, because they must not change. */
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

/* Writes `size` bytes of data, marks the request as answered, clears it, and lets the hart continue. */
static enum gnomon_status go_on(struct gnomon_device *device, uint32_t param, uint32_t request, uint32_t result,
                                uint32_t address, const uint8_t *data, size_t size, struct gnomon_error *error) {
    const struct gnomon_setting settings[] = {
        {request + (uint32_t)offsetof(struct gnomon_param_request, result), result},
        {param + (uint32_t)offsetof(struct gnomon_param, request), 0},
        {GNOMON_SYSCTL_CONTROL, 0},
        {GNOMON_SYSCTL_CONTROL, GNOMON_SYSCTL_CONTROL_RESUME},
    };
    return gnomon_device_batch(device, address, data, size, settings, sizeof settings / sizeof *settings, error);
}

/* Words of a request. */
enum { NAME, DATA, SIZE };

static enum gnomon_status hand_over(struct gnomon_device *device, const struct gnomon_board *board,
                                    const uint32_t words[REQUEST_WORDS], const struct gnomon_files *offers,
                                    uint32_t *result, struct gnomon_error *error) {
    *result = GNOMON_PARAM_NO_FILE;
    char name[MOST_NAME];
    enum gnomon_status status = read_name(device, board, words[NAME], name, error);
    const struct gnomon_file *file = status ? NULL : find(offers, name);
    if (file) {
        size_t size = file->size < words[SIZE] ? file->size : words[SIZE];
        if (size && (words[DATA] % 4 || !gnomon_board_holds(board, words[DATA], size)))
            return bad_request(board, error);
        status = write_data(device, words[DATA], file->data, size, error);
        *result = (uint32_t)file->size;
    }
    return status;
}

static enum gnomon_status begin_reading(const struct gnomon_board *board, uint32_t at,
                                        const uint32_t words[REQUEST_WORDS], struct gnomon_reading *reading,
                                        struct gnomon_error *error) {
    if (words[DATA] % 4 || !gnomon_board_holds(board, words[DATA], ((uint64_t)words[SIZE] + 3) & ~(uint64_t)3))
        return bad_request(board, error);
    const uint32_t size = words[SIZE] < GNOMON_DEVICE_BATCH ? words[SIZE] : GNOMON_DEVICE_BATCH;
    *reading = (struct gnomon_reading){.request = at, .data = words[DATA], .size = size};
    return GNOMON_OK;
}

enum gnomon_status gnomon_serve(struct gnomon_device *device, const struct gnomon_board *board, uint32_t param,
                                const struct gnomon_files *offers, unsigned terminals, enum gnomon_served *served,
                                struct gnomon_reading *reading, struct gnomon_error *error) {
    uint32_t at = 0, result = 0, words[REQUEST_WORDS];
    *served = GNOMON_SERVED_NOT;
    enum gnomon_status status =
        gnomon_device_get(device, param + (uint32_t)offsetof(struct gnomon_param, request), &at, error);
    if (status || !at)
        return status;
    if (at % 4 || !gnomon_board_holds(board, at, sizeof words))
        return bad_request(board, error);
    status = gnomon_device_read(device, at, words, REQUEST_WORDS, error);
    if (status)
        return status;
    *served = words[NAME] || !words[SIZE] ? GNOMON_SERVED : GNOMON_SERVED_READING;
    if (*served == GNOMON_SERVED_READING)
        return begin_reading(board, at, words, reading, error);
    if (!words[NAME] && !words[SIZE] && words[DATA] == GNOMON_PARAM_LOOK) {
        *served = GNOMON_SERVED_LOOK;
        *reading = (struct gnomon_reading){.request = at};
        return GNOMON_OK;
    }
    if (words[NAME])
        status = hand_over(device, board, words, offers, &result, error);
    else if (words[DATA] < CONSOLE_DESCRIPTORS)
        result = terminals >> words[DATA] & 1;
    else
        status = bad_request(board, error);
    return status ? status : go_on(device, param, at, result, 0, NULL, 0, error);
}

enum gnomon_status gnomon_serve_input(struct gnomon_device *device, uint32_t param, struct gnomon_reading *reading,
                                      const uint8_t *data, size_t size, struct gnomon_error *error) {
    const uint32_t request = reading->request;
    reading->request = 0;
    return go_on(device, param, request, (uint32_t)size, reading->data, data, size, error);
}
