/* SPDX-License-Identifier: Apache-2.0 */
/* A file, or a directory of files, that appears only when it is whole: it is written as "PATH.tmp" and then renamed. */
#ifndef GNOMON_LIB_OUTPUT_H
#define GNOMON_LIB_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/util/error.h"

#define GNOMON_OUTPUT_FILES 8 /* in a directory, at most */

struct gnomon_output {
    FILE *streams[GNOMON_OUTPUT_FILES]; /* of a file: the first one; of a directory: in the order of `names` */
    const char *const *names;           /* of the files of a directory; the last is NULL. NULL: it is one file */
    char *path, *temporary; /* owned; `temporary` NULL: PATH is written directly, because it is no regular file */
    struct gnomon_output_part {
        struct gnomon_output *output;
        int fd;
    } parts[GNOMON_OUTPUT_FILES];
    bool (*stop)(void); /* may be NULL; true ends the writing with GNOMON_ERR_INTERRUPTED */
    int reason;         /* errno of the first failure; 0: none */
    bool stopped;
    uint64_t written; /* bytes */
};

/* `path` "-" is standard output. With `names`, it is a directory with these files; an earlier one is replaced if it has
 * no others. Do not move the structure until it is closed. */
enum gnomon_status gnomon_output_open(struct gnomon_output *output, const char *path, const char *const *names,
                                      bool (*stop)(void), struct gnomon_error *error);
/* Ends the file or directory. With `keep`, and if nothing failed, it takes its name; otherwise an earlier one of that
 * name stays. */
enum gnomon_status gnomon_output_close(struct gnomon_output *output, bool keep, struct gnomon_error *error);

#endif
