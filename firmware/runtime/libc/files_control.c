/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on open files that move no data. There is only one process, and no storage except memory, so sync has nothing
 * to do. */
#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "files.h"

static int fail(int error) {
    return __gnomon_files_fail(error);
}

static bool is_console(int fd) {
    return fd >= STDIN_FILENO && fd <= STDERR_FILENO;
}

static bool is_open(int fd) {
    return is_console(fd) || __gnomon_files_lookup(fd);
}

int fcntl(int fd, int command, ...) {
    struct open_file *open_file = __gnomon_files_lookup(fd);
    if (!is_open(fd))
        return fail(EBADF);
    va_list list;
    va_start(list, command);
    int result = 0;
    switch (command) {
    case F_GETFD:
    case F_SETFD: /* there is no exec */
    case F_SETLK:
    case F_SETLKW: /* no other process can hold a lock */
        break;
    case F_GETLK:
        va_arg(list, struct flock *)->l_type = F_UNLCK;
        break;
    case F_GETFL:
        result = open_file ? open_file->flags & ~(O_CREAT | O_EXCL | O_TRUNC) : O_RDWR;
        break;
    case F_SETFL:
        if (open_file)
            open_file->flags = (open_file->flags & ~O_APPEND) | (va_arg(list, int) & O_APPEND);
        break;
    default:
        result = fail(EINVAL);
    }
    va_end(list);
    return result;
}

int ioctl(int fd, unsigned long request, ...) {
    (void)request;
    return fail(is_open(fd) ? ENOTTY : EBADF);
}

int ftruncate(int fd, off_t length) {
    const struct open_file *open_file = __gnomon_files_lookup(fd);
    if (!open_file)
        return fail(is_console(fd) ? EINVAL : EBADF);
    if (length < 0 || (open_file->flags & O_ACCMODE) == O_RDONLY)
        return fail(EINVAL);
    return __gnomon_files_resize(open_file->file, (size_t)length);
}

int truncate(const char *name, off_t length) {
    struct file *file = __gnomon_files_find(name);
    if (!file || file->directory)
        return fail(__gnomon_files_is_directory(name) ? EISDIR : ENOENT);
    return length < 0 ? fail(EINVAL) : __gnomon_files_resize(file, (size_t)length);
}

int fsync(int fd) {
    return is_open(fd) ? 0 : fail(EBADF);
}

int fdatasync(int fd) {
    return fsync(fd);
}
