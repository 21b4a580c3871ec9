/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GNOMON_RUNTIME_STREAMS_H
#define GNOMON_RUNTIME_STREAMS_H

#include <stdio-bufio.h>
#include <stdio.h>

/* A stream on a file. picolibc keeps no list of its open streams; these are in a list, so that open streams are flushed
 * at exit. */
struct gnomon_stream {
    struct __file_bufio file; /* first: picolibc frees it by that address */
    struct gnomon_stream *next;
    char buffer[BUFSIZ];
};

/* Linked only with programs that open streams; in other programs its address is NULL. */
extern struct gnomon_stream *__gnomon_streams __attribute__((weak));

#endif
