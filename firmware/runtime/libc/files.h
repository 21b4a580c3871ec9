/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the file calls share. Files are known by name. A folder is a common beginning of names, or was made
 * by mkdir. The working directory is GNOMON_CWD and does not change: "a", "./a" and GNOMON_CWD "/a" are the same
 * file. */
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
    size_t capacity;  /* 0: `data` belongs to the host's file and must not change */
    uint64_t changed; /* time of the last change in cycles */
    time_t stamp;     /* time set by utime; valid if `stamped` */
    mode_t mode;      /* permissions; without effect */
    unsigned number;  /* st_ino */
    unsigned opened;  /* number of descriptors that refer to the file */
    bool written, removed, directory, stamped;
};

struct open_file {
    struct file *file;
    size_t position;
    int flags;
};

/* The value set by umask. */
extern mode_t __gnomon_files_mask;

/* Sets errno and returns -1. */
int __gnomon_files_fail(int error);

/* Returns NULL if there is no file of that name (there may be a folder). A file of the host is added to the list at the
 * first call for it. */
struct file *__gnomon_files_find(const char *name);

/* Adds an entry of that name. NULL: no memory. */
struct file *__gnomon_files_add(const char *name);

/* Returns NULL if `fd` is not open, or is the console. */
struct open_file *__gnomon_files_lookup(int fd);

/* Makes room for `size` bytes; the content is then the program's own copy. False: no memory. */
bool __gnomon_files_reserve(struct file *file, size_t size);

/* Cuts the file or extends it with zeros, like ftruncate. */
int __gnomon_files_resize(struct file *file, size_t size);

void __gnomon_files_remove(struct file *file);
void __gnomon_files_changed(struct file *file);

/* The name relative to the working directory; "" is the working directory itself. */
const char *__gnomon_files_plain(const char *name);

/* Calls `see` with the plain name of each file and folder until `see` returns false. Returns true if `see` never did. A
 * name may come twice. */
bool __gnomon_files_each(bool (*see)(const char *plain, bool directory, void *to), void *to);

bool __gnomon_files_is_directory(const char *name);

#endif
