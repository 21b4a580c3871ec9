/* SPDX-License-Identifier: Apache-2.0 */
/* What picolibc's <dirent.h> needs from the system. */
#ifndef GNOMON_SYS_DIRENT_H
#define GNOMON_SYS_DIRENT_H

#include <sys/types.h>

#define MAXNAMLEN 255

#define DT_UNKNOWN 0
#define DT_DIR 4
#define DT_REG 8

struct dirent {
    ino_t d_ino;
    unsigned char d_type;
    char d_name[MAXNAMLEN + 1];
};

typedef struct gnomon_directory DIR;

#endif
