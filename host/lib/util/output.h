/* SPDX-License-Identifier: Apache-2.0 */
/* A file that appears only when it is whole: it is written as "PATH.tmp" and then renamed. */
#ifndef GNOMON_LIB_OUTPUT_H
#define GNOMON_LIB_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/util/error.h"

struct gnomon_output {
    FILE *stream;
    char *path, *temporary; /* owned; `temporary` NULL: PATH is written directly, because it is no regular file */
    int fd;
    bool (*stop)(void); /* may be NULL; true ends the writing with GNOMON_ERR_INTERRUPTED */
    int reason;         /* errno of the first failure; 0: none */
    bool stopped;
    uint64_t written; /* bytes */
};

/* `path` "-" is standard output. Do not move the structure until it is closed. */
enum gnomon_status gnomon_output_open(struct gnomon_output *output, const char *path, bool (*stop)(void),
                                      struct gnomon_error *error);
/* Ends the file. With `keep`, and if nothing failed, it takes its name; otherwise an earlier file of that name stays.
 */
enum gnomon_status gnomon_output_close(struct gnomon_output *output, bool keep, struct gnomon_error *error);

#endif
