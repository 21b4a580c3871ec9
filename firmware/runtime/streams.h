/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GNOMON_RUNTIME_STREAMS_H
#define GNOMON_RUNTIME_STREAMS_H

#include <stdio-bufio.h>
#include <stdio.h>

/* A stream on a file. picolibc's own keep no list of what is open; these do, so that what is left open is flushed. */
struct gnomon_stream {
    struct __file_bufio file; /* first: picolibc frees it by that address */
    struct gnomon_stream *next;
    char buffer[BUFSIZ];
};

/* Linked only with programs that open streams: else its address is NULL. */
extern struct gnomon_stream *__gnomon_streams __attribute__((weak));

#endif
