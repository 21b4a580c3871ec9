/* SPDX-License-Identifier: Apache-2.0 */
/* The folders in which the compiler ran, from the debug information of a program. */
#ifndef GNOMON_LIB_COMP_FOLDERS_H
#define GNOMON_LIB_COMP_FOLDERS_H

#include <stddef.h>

#include "lib/util/error.h"

struct gnomon_comp_folders {
    size_t count, room;
    char **paths; /* each once; owned */
};

/* None, if the file has no debug information. The caller frees `folders`, whatever the status is. */
enum gnomon_status gnomon_comp_folders_read(struct gnomon_comp_folders *folders, const char *path,
                                            struct gnomon_error *error);
void gnomon_comp_folders_free(struct gnomon_comp_folders *folders);

#endif
