/* SPDX-License-Identifier: Apache-2.0 */
/* POSIX file calls on files in memory. Files that the host placed are used without a copy until the program writes to
 * them. Files that the program writes are on the heap and grow by doubling. At exit the host gets all files that were
 * written. */
#include <gnomon.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

enum { FIRST_FD = 3, MOST_OPEN = 32 };

static struct file *files;
static struct open_file open_files[MOST_OPEN];
static struct gnomon_param_file *published; /* room for all written files, so that exit cannot fail */
static size_t published_room;
static size_t file_count;
mode_t __gnomon_files_mask;

int __gnomon_files_fail(int error) {
    errno = error;
    return -1;
}

const char *__gnomon_files_plain(const char *name) {
    const size_t length = sizeof GNOMON_CWD - 1;
    if (name[0] == '/' && strncmp(name, GNOMON_CWD, length) == 0 && (name[length] == '/' || !name[length]))
        name += name[length] ? length + 1 : length;
    while (name[0] == '.' && name[1] == '/') {
        name += 2;
        while (*name == '/')
            name++;
    }
    return name;
}

static bool is_named(const char *name, const char *plain) {
    return strcmp(__gnomon_files_plain(name), plain) == 0;
}

void __gnomon_files_changed(struct file *file) {
    file->written = true;
    file->stamped = false;
    file->changed = gnomon_cycles();
}

struct file *__gnomon_files_add(const char *name) {
    if (file_count == published_room) {
        const size_t room = published_room ? 2 * published_room : 8;
        struct gnomon_param_file *more = realloc(published, room * sizeof *more);
        if (!more)
            return NULL;
        published = more;
        published_room = room;
    }
    struct file *file = calloc(1, sizeof *file);
    char *copy = file ? strdup(*name == '/' ? __gnomon_files_plain(name) : name) : NULL;
    if (!copy) {
        free(file);
        return NULL;
    }
    file->name = copy;
    file->mode = 0644;
    file->next = files;
    files = file;
    file->number = ++file_count;
    return file;
}

static const struct gnomon_param_file *input(const struct gnomon_param *param, uint32_t index) {
    return param && index < param->in_count ? (const struct gnomon_param_file *)(uintptr_t)param->in_files + index
                                            : NULL;
}

static struct file *find_input(const char *name) {
    const struct gnomon_param *param = __gnomon_param();
    const struct gnomon_param_file *in;
    const char *plain = __gnomon_files_plain(name);
    for (uint32_t i = 0; (in = input(param, i)); i++) {
        if (!is_named((const char *)(uintptr_t)in->name, plain))
            continue;
        if (in->flags & GNOMON_PARAM_ABSENT)
            break;
        struct file *file = __gnomon_files_add(name);
        if (file) {
            file->data = (unsigned char *)(uintptr_t)in->data;
            file->size = in->size;
        }
        return file;
    }
    errno = ENOENT;
    return NULL;
}

/* The existing entry of that name; otherwise the removed entry; otherwise NULL. */
static struct file *find_entry(const char *name) {
    struct file *found = NULL;
    const char *plain = __gnomon_files_plain(name);
    for (struct file *file = files; file && !(found && !found->removed); file = file->next)
        if (is_named(file->name, plain))
            found = file;
    return found;
}

/* A removed entry stays in the list, so that the host's file of that name does not come back. */
struct file *__gnomon_files_find(const char *name) {
    struct file *file = find_entry(name);
    if (file)
        return file->removed ? NULL : file;
    return *__gnomon_files_plain(name) ? find_input(name) : NULL;
}

bool __gnomon_files_each(bool (*see)(const char *plain, bool directory, void *to), void *to) {
    for (const struct file *file = files; file; file = file->next)
        if (!file->removed && !see(__gnomon_files_plain(file->name), file->directory, to))
            return false;
    const struct gnomon_param *param = __gnomon_param();
    const struct gnomon_param_file *in;
    for (uint32_t i = 0; (in = input(param, i)); i++) {
        const char *name = (const char *)(uintptr_t)in->name;
        if (!(in->flags & GNOMON_PARAM_ABSENT) && !find_entry(name) && !see(__gnomon_files_plain(name), false, to))
            return false;
    }
    return true;
}

const void *__gnomon_file_data(const char *name, size_t *size) {
    const struct file *file = __gnomon_files_find(name);
    if (!file || file->directory)
        return NULL;
    *size = file->size;
    return file->data ? (const void *)file->data : "";
}

bool __gnomon_files_reserve(struct file *file, size_t size) {
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

int __gnomon_files_resize(struct file *file, size_t size) {
    if (size > file->size) {
        if (!__gnomon_files_reserve(file, size))
            return __gnomon_files_fail(ENOSPC);
        memset(file->data + file->size, 0, size - file->size);
    }
    file->size = size;
    __gnomon_files_changed(file);
    return 0;
}

/* A removed file that is not open needs no memory. */
static void release(struct file *file) {
    if (!file->removed || file->opened)
        return;
    if (file->capacity)
        free(file->data);
    file->data = NULL;
    file->size = file->capacity = 0;
}

void __gnomon_files_remove(struct file *file) {
    file->removed = true;
    release(file);
}

struct open_file *__gnomon_files_lookup(int fd) {
    if (fd < FIRST_FD || fd >= FIRST_FD + MOST_OPEN || !open_files[fd - FIRST_FD].file)
        return NULL;
    return &open_files[fd - FIRST_FD];
}

/* A file that begins empty does not need the host's file of that name. Not looking for the host's file also makes runs
 * equal to the cycle, whether or not an earlier run has left its output. */
static bool begins_empty(int flags) {
    return (flags & O_CREAT) && (flags & O_TRUNC) && !(flags & O_EXCL) && (flags & O_ACCMODE) != O_RDONLY;
}

/* Uses the entry of a removed file again if no descriptor has that file open. */
static struct file *create(const char *name, mode_t mode) {
    struct file *file = find_entry(name);
    if (!file || file->opened)
        file = __gnomon_files_add(name);
    if (!file) {
        errno = ENOSPC;
        return NULL;
    }
    file->removed = file->directory = false;
    file->mode = mode & 0777 & ~__gnomon_files_mask;
    __gnomon_files_changed(file);
    return file;
}

static struct file *open_or_create(const char *name, int flags, mode_t mode) {
    struct file *file = begins_empty(flags) ? find_entry(name) : __gnomon_files_find(name);
    if (file && file->removed)
        file = NULL;
    if (file ? file->directory : !begins_empty(flags) && __gnomon_files_is_directory(name)) {
        errno = flags & O_CREAT && flags & O_EXCL ? EEXIST : EISDIR;
        return NULL;
    }
    if (file && (flags & O_CREAT) && (flags & O_EXCL)) {
        errno = EEXIST;
        return NULL;
    }
    if (!file && (flags & O_CREAT) && *name)
        return create(name, mode);
    if (!file)
        errno = ENOENT;
    return file;
}

int open(const char *name, int flags, ...) {
    int slot = 0;
    while (slot < MOST_OPEN && open_files[slot].file)
        slot++;
    if (slot == MOST_OPEN)
        return __gnomon_files_fail(EMFILE);
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list list;
        va_start(list, flags);
        mode = va_arg(list, mode_t);
        va_end(list);
    }
    struct file *file = open_or_create(name, flags, mode);
    if (!file)
        return -1;
    if ((flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY)
        __gnomon_files_resize(file, 0);
    open_files[slot] = (struct open_file){.file = file, .flags = flags};
    file->opened++;
    return FIRST_FD + slot;
}

int close(int fd) {
    if (fd >= 0 && fd < FIRST_FD)
        return 0;
    struct open_file *open_file = __gnomon_files_lookup(fd);
    if (!open_file)
        return __gnomon_files_fail(EBADF);
    open_file->file->opened--;
    release(open_file->file);
    open_file->file = NULL;
    return 0;
}

ssize_t read(int fd, void *data, size_t size) {
    if (fd == STDIN_FILENO)
        return (ssize_t)__gnomon_console_read(data, size);
    struct open_file *open_file = __gnomon_files_lookup(fd);
    if (!open_file || (open_file->flags & O_ACCMODE) == O_WRONLY)
        return __gnomon_files_fail(EBADF);
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
    struct open_file *open_file = __gnomon_files_lookup(fd);
    if (!open_file || (open_file->flags & O_ACCMODE) == O_RDONLY)
        return __gnomon_files_fail(EBADF);
    struct file *file = open_file->file;
    if (open_file->flags & O_APPEND)
        open_file->position = file->size;
    const size_t end = open_file->position + size;
    if (end < size || !__gnomon_files_reserve(file, end > file->size ? end : file->size))
        return __gnomon_files_fail(ENOSPC);
    if (open_file->position > file->size)
        memset(file->data + file->size, 0, open_file->position - file->size);
    memcpy(file->data + open_file->position, data, size);
    open_file->position = end;
    if (end > file->size)
        file->size = end;
    __gnomon_files_changed(file);
    return (ssize_t)size;
}

off_t lseek(int fd, off_t offset, int whence) {
    struct open_file *open_file = __gnomon_files_lookup(fd);
    if (!open_file)
        return __gnomon_files_fail(fd >= 0 && fd < FIRST_FD ? ESPIPE : EBADF);
    off_t from = 0;
    if (whence == SEEK_CUR)
        from = (off_t)open_file->position;
    else if (whence == SEEK_END)
        from = (off_t)open_file->file->size;
    else if (whence != SEEK_SET)
        return __gnomon_files_fail(EINVAL);
    if (from + offset < 0)
        return __gnomon_files_fail(EINVAL);
    open_file->position = (size_t)(from + offset);
    return from + offset;
}

void __gnomon_files_publish(void) {
    struct gnomon_param *param = __gnomon_param();
    if (!param)
        return;
    uint32_t count = 0;
    for (const struct file *file = files; file; file = file->next)
        if (file->written && !file->removed && !file->directory)
            published[count++] = (struct gnomon_param_file){
                .name = (uint32_t)(uintptr_t)file->name,
                .data = (uint32_t)(uintptr_t)(file->size ? file->data : (unsigned char *)published),
                .size = (uint32_t)file->size,
            };
    param->out_files = (uint32_t)(uintptr_t)published;
    param->out_count = count;
}
