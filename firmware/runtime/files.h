/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the file calls share. Files are known by name; folders are what names have in common, or what mkdir
 * made. The working directory is GNOMON_CWD and stays so: "a", "./a" and GNOMON_CWD "/a" are one file. */
#ifndef GNOMON_RUNTIME_FILES_H
#define GNOMON_RUNTIME_FILES_H

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "internal.h"

#define GNOMON_CWD "/gnomon"

struct file {
    struct file *next;
    char *name;
    unsigned char *data;
    size_t size;
    size_t capacity;  /* 0: data is not ours to change */
    uint64_t changed; /* in cycles */
    time_t stamp;     /* what utime gave, where `stamped` */
    mode_t mode;      /* permissions; nothing heeds them */
    unsigned number;  /* st_ino */
    unsigned opened;  /* descriptors that refer to it */
    bool written, removed, directory, stamped;
};

struct open_file {
    struct file *file;
    size_t position;
    int flags;
};

/* The bits of umask. */
extern mode_t __gnomon_files_mask;

/* Sets errno, returns -1. */
int __gnomon_files_fail(int error);

/* NULL: there is none of that name (a folder may be). The host's are added when first asked for. */
struct file *__gnomon_files_find(const char *name);

/* A new entry of that name; NULL: no memory. */
struct file *__gnomon_files_add(const char *name);

/* NULL: `fd` is not open, or the console. */
struct open_file *__gnomon_files_lookup(int fd);

/* Room for `size` bytes, and content of the program's own. False: no memory. */
bool __gnomon_files_reserve(struct file *file, size_t size);

/* Cuts or fills with zeros, as ftruncate. */
int __gnomon_files_resize(struct file *file, size_t size);

void __gnomon_files_remove(struct file *file);
void __gnomon_files_changed(struct file *file);

/* Without what names the working directory: "" is that itself. */
const char *__gnomon_files_plain(const char *name);

/* Calls `see` with the plain name of all that is there, until it returns false: returns whether it never did. A name
 * may come twice. */
bool __gnomon_files_each(bool (*see)(const char *plain, bool directory, void *to), void *to);

bool __gnomon_files_is_directory(const char *name);

#endif
