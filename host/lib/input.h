/* SPDX-License-Identifier: Apache-2.0 */
/* What a program reads from its console: a file of this machine, a pipe or a terminal. The program gets it line by
 * line, whoever writes it and how fast, so that runs with the same input are the same; all is kept, for runs that
 * repeat. */
#ifndef GNOMON_LIB_INPUT_H
#define GNOMON_LIB_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* All zero: at its end. */
struct gnomon_input {
    int fd;
    bool open;     /* `fd` is to be read; it is the caller's to close */
    bool terminal; /* which gives lines itself, or single keys if it is set so */
    uint8_t *data; /* all that was read */
    size_t size, capacity;
    size_t taken; /* by the run that goes on */
};

void gnomon_input_open(struct gnomon_input *input, int fd);
void gnomon_input_free(struct gnomon_input *input);
/* The next run begins at the first byte again. */
void gnomon_input_rewind(struct gnomon_input *input);
/* The next bytes, to the end of a line, at most `size`; none of them (*count 0): the input is at its end. Waits for
 * them no longer than `timeout` ms or until a signal comes: then *ready is false. The bytes stay where they are until
 * the next call. */
enum gnomon_status gnomon_input_take(struct gnomon_input *input, size_t size, unsigned timeout, bool *ready,
                                     const uint8_t **data, size_t *count, struct gnomon_error *error);

#endif
