/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/input.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BYTES 4096

void gnomon_input_open(struct gnomon_input *input, int fd) {
    struct stat about;
    const bool file = fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
    *input = (struct gnomon_input){.fd = fd, .open = true, .terminal = isatty(fd), .whole = file};
}

void gnomon_input_free(struct gnomon_input *input) {
    free(input->data);
    *input = (struct gnomon_input){0};
}

void gnomon_input_rewind(struct gnomon_input *input) {
    input->taken = 0;
}

/* The number of bytes that can be given to the program now; *ready: give them without waiting for more. */
static size_t at_hand(const struct gnomon_input *input, size_t size, bool *ready) {
    const size_t there = input->size - input->taken, most = there < size ? there : size;
    const uint8_t *begin = input->data + input->taken, *line = most && !input->whole ? memchr(begin, '\n', most) : NULL;
    *ready = line || there >= size || !input->open || (input->terminal && there > 0);
    return line ? (size_t)(line - begin) + 1 : most;
}

static enum gnomon_status read_more(struct gnomon_input *input, struct gnomon_error *error) {
    if (input->capacity - input->size < READ_BYTES) {
        const size_t capacity = 2 * input->capacity + READ_BYTES;
        uint8_t *data = realloc(input->data, capacity);
        if (!data)
            return gnomon_fail_memory(error);
        input->data = data;
        input->capacity = capacity;
    }
    const ssize_t got = read(input->fd, input->data + input->size, READ_BYTES);
    if (got > 0)
        input->size += (size_t)got;
    else if (got == 0 || errno == EBADF || errno == EIO) /* Ctrl-D, or a terminal that is gone: ends for good */
        input->open = false;
    else if (errno != EINTR && errno != EAGAIN)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot read the program's input");
    return GNOMON_OK;
}

enum gnomon_status gnomon_input_take(struct gnomon_input *input, size_t size, unsigned timeout, bool *ready,
                                     const uint8_t **data, size_t *count, struct gnomon_error *error) {
    struct pollfd wait = {.fd = input->fd, .events = POLLIN};
    enum gnomon_status status = GNOMON_OK;
    *count = at_hand(input, size, ready);
    while (!*ready && !status && poll(&wait, 1, (int)timeout) > 0) {
        status = read_more(input, error);
        *count = at_hand(input, size, ready);
    }
    *data = input->data + input->taken;
    if (*ready)
        input->taken += *count;
    return status;
}
