/* SPDX-License-Identifier: Apache-2.0 */
/* The console input of a program: a file of this machine, a pipe or a terminal. The program gets a file in blocks. It
 * gets all other input one line at a time, because the next line may be the answer to the program's output for this
 * one. How and how fast the lines are written makes no difference, so that runs with the same input are the same. All
 * input is kept for repeated runs. */
#ifndef GNOMON_LIB_INPUT_H
#define GNOMON_LIB_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

/* All fields 0: the input is at its end. */
struct gnomon_input {
    int fd;
    bool open;     /* `fd` is still read; the caller closes it */
    bool terminal; /* a terminal, which gives lines, or single keys if it is set so */
    bool whole;    /* a regular file: all of its data is available */
    uint8_t *data; /* all data read so far */
    size_t size, capacity;
    size_t taken; /* bytes that the current run has taken */
};

void gnomon_input_open(struct gnomon_input *input, int fd);
void gnomon_input_free(struct gnomon_input *input);
/* Makes the next run begin at the first byte again. */
void gnomon_input_rewind(struct gnomon_input *input);
/* Takes the next bytes, at most `size`; unless the input is a file, at most to the end of a line. *count 0: the input
 * is at its end. It waits at most `timeout` ms or until a signal comes; then *ready is false. The bytes are valid until
 * the next call. */
enum gnomon_status gnomon_input_take(struct gnomon_input *input, size_t size, unsigned timeout, bool *ready,
                                     const uint8_t **data, size_t *count, struct gnomon_error *error);

#endif
