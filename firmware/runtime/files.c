/* SPDX-License-Identifier: Apache-2.0 */
/* POSIX file calls over files in memory: those that the host placed (used where they lie, read only until written to)
 * and those that the program writes (on the heap, growing by doubling). What was written is handed to the host at exit.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

enum { FIRST_FD = 3, MOST_OPEN = 32 };

struct file {
    struct file *next;
    char *name;
    unsigned char *data;
    size_t size;
    size_t capacity; /* 0: data is not ours to change */
    bool written;
};

struct open_file {
    struct file *file;
    size_t position;
    int flags;
};

static struct file *files;
static struct open_file open_files[MOST_OPEN];
static struct gnomon_param_file *published; /* room for all written files, so that exit cannot fail */
static size_t published_room;
static size_t file_count;

static int fail(int error) {
    errno = error;
    return -1;
}

static struct file *add_file(const char *name) {
    if (file_count == published_room) {
        const size_t room = published_room ? 2 * published_room : 8;
        struct gnomon_param_file *more = realloc(published, room * sizeof *more);
        if (!more)
            return NULL;
        published = more;
        published_room = room;
    }
    struct file *file = calloc(1, sizeof *file);
    char *copy = file ? strdup(name) : NULL;
    if (!copy) {
        free(file);
        return NULL;
    }
    file->name = copy;
    file->next = files;
    files = file;
    file_count++;
    return file;
}

static struct file *find_input(const char *name) {
    const struct gnomon_param *param = __gnomon_param();
    for (uint32_t i = 0; param && i < param->in_count; i++) {
        const struct gnomon_param_file *in = (const struct gnomon_param_file *)(uintptr_t)param->in_files + i;
        if (strcmp((const char *)(uintptr_t)in->name, name) != 0)
            continue;
        struct file *file = add_file(name);
        if (file) {
            file->data = (unsigned char *)(uintptr_t)in->data;
            file->size = in->size;
        }
        return file;
    }
    errno = ENOENT;
    return NULL;
}

/* Files are known by name; the host's are added when first asked for. Removed ones keep their place, without a name. */
static struct file *find_file(const char *name) {
    for (struct file *file = files; file; file = file->next)
        if (strcmp(file->name, name) == 0)
            return file;
    return find_input(name);
}

const void *__gnomon_file_data(const char *name, size_t *size) {
    const struct file *file = *name ? find_file(name) : NULL;
    if (!file)
        return NULL;
    *size = file->size;
    return file->data ? (const void *)file->data : "";
}

static bool reserve(struct file *file, size_t size) {
    if (size <= file->capacity)
        return true;
    size_t capacity = file->capacity ? 2 * file->capacity : 1024;
    if (capacity < size)
        capacity = size;
    unsigned char *data = realloc(file->capacity ? file->data : NULL, capacity);
    if (!data)
        return false;
    if (!file->capacity && file->size)
        memcpy(data, file->data, file->size);
    file->data = data;
    file->capacity = capacity;
    return true;
}

static struct open_file *lookup(int fd) {
    if (fd < FIRST_FD || fd >= FIRST_FD + MOST_OPEN || !open_files[fd - FIRST_FD].file)
        return NULL;
    return &open_files[fd - FIRST_FD];
}

static struct file *open_or_create(const char *name, int flags) {
    struct file *file = *name ? find_file(name) : NULL;
    if (file && (flags & O_CREAT) && (flags & O_EXCL)) {
        errno = EEXIST;
        return NULL;
    }
    if (!file && (flags & O_CREAT) && *name) {
        file = add_file(name);
        if (!file)
            errno = ENOSPC;
        else
            file->written = true;
    } else if (!file) {
        errno = ENOENT;
    }
    return file;
}

int open(const char *name, int flags, ...) {
    int slot = 0;
    while (slot < MOST_OPEN && open_files[slot].file)
        slot++;
    if (slot == MOST_OPEN)
        return fail(EMFILE);
    struct file *file = open_or_create(name, flags);
    if (!file)
        return -1;
    if ((flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY) {
        file->size = 0;
        file->written = true;
    }
    open_files[slot] = (struct open_file){.file = file, .flags = flags};
    return FIRST_FD + slot;
}

int close(int fd) {
    if (fd >= 0 && fd < FIRST_FD)
        return 0;
    struct open_file *open_file = lookup(fd);
    if (!open_file)
        return fail(EBADF);
    open_file->file = NULL;
    return 0;
}

ssize_t read(int fd, void *data, size_t size) {
    if (fd == STDIN_FILENO)
        return (ssize_t)__gnomon_console_read(data, size);
    struct open_file *open_file = lookup(fd);
    if (!open_file || (open_file->flags & O_ACCMODE) == O_WRONLY)
        return fail(EBADF);
    const struct file *file = open_file->file;
    if (open_file->position >= file->size)
        return 0;
    if (size > file->size - open_file->position)
        size = file->size - open_file->position;
    memcpy(data, file->data + open_file->position, size);
    open_file->position += size;
    return (ssize_t)size;
}

ssize_t write(int fd, const void *data, size_t size) {
    if (fd == STDOUT_FILENO || fd == STDERR_FILENO) {
        __gnomon_console_write(data, size);
        return (ssize_t)size;
    }
    struct open_file *open_file = lookup(fd);
    if (!open_file || (open_file->flags & O_ACCMODE) == O_RDONLY)
        return fail(EBADF);
    struct file *file = open_file->file;
    if (open_file->flags & O_APPEND)
        open_file->position = file->size;
    const size_t end = open_file->position + size;
    if (end < size || !reserve(file, end > file->size ? end : file->size))
        return fail(ENOSPC);
    if (open_file->position > file->size)
        memset(file->data + file->size, 0, open_file->position - file->size);
    memcpy(file->data + open_file->position, data, size);
    open_file->position = end;
    if (end > file->size)
        file->size = end;
    file->written = true;
    return (ssize_t)size;
}

off_t lseek(int fd, off_t offset, int whence) {
    struct open_file *open_file = lookup(fd);
    if (!open_file)
        return fail(fd >= 0 && fd < FIRST_FD ? ESPIPE : EBADF);
    off_t from = 0;
    if (whence == SEEK_CUR)
        from = (off_t)open_file->position;
    else if (whence == SEEK_END)
        from = (off_t)open_file->file->size;
    else if (whence != SEEK_SET)
        return fail(EINVAL);
    if (from + offset < 0)
        return fail(EINVAL);
    open_file->position = (size_t)(from + offset);
    return from + offset;
}

static void describe(const struct file *file, struct stat *status) {
    memset(status, 0, sizeof *status);
    status->st_mode = file ? S_IFREG | 0644 : S_IFCHR | 0620;
    status->st_nlink = 1;
    status->st_size = file ? (off_t)file->size : 0;
    status->st_blksize = 512;
}

int fstat(int fd, struct stat *status) {
    const struct open_file *open_file = lookup(fd);
    if (!open_file && (fd < 0 || fd >= FIRST_FD))
        return fail(EBADF);
    describe(open_file ? open_file->file : NULL, status);
    return 0;
}

int stat(const char *name, struct stat *status) {
    const struct file *file = *name ? find_file(name) : NULL;
    if (!file)
        return fail(ENOENT);
    describe(file, status);
    return 0;
}

int access(const char *name, int mode) {
    (void)mode;
    return *name && find_file(name) ? 0 : fail(ENOENT);
}

int isatty(int fd) {
    if (fd >= 0 && fd < FIRST_FD)
        return 1;
    errno = lookup(fd) ? ENOTTY : EBADF;
    return 0;
}

int unlink(const char *name) {
    struct file *file = *name ? find_file(name) : NULL;
    if (!file)
        return fail(ENOENT);
    file->name[0] = 0;
    return 0;
}

int rename(const char *from, const char *to) {
    struct file *file = *from ? find_file(from) : NULL;
    if (!file || !*to)
        return fail(ENOENT);
    if (strcmp(from, to) == 0)
        return 0;
    char *name = strdup(to);
    if (!name)
        return fail(ENOSPC);
    unlink(to);
    file->name = name;
    file->written = true;
    return 0;
}

void __gnomon_files_publish(void) {
    struct gnomon_param *param = __gnomon_param();
    if (!param)
        return;
    uint32_t count = 0;
    for (const struct file *file = files; file; file = file->next)
        if (file->written && file->name[0])
            published[count++] = (struct gnomon_param_file){
                .name = (uint32_t)(uintptr_t)file->name,
                .data = (uint32_t)(uintptr_t)(file->size ? file->data : (unsigned char *)published),
                .size = (uint32_t)file->size,
            };
    param->out_files = (uint32_t)(uintptr_t)published;
    param->out_count = count;
}
