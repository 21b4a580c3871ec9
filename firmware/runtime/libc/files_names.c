/* SPDX-License-Identifier: Apache-2.0 */
/* File calls that take names: existence, renaming, status. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "files.h"

static int fail(int error) {
    return __gnomon_files_fail(error);
}

/* ---- Status ---- */

static void describe(const struct file *file, bool directory, struct stat *status) {
    memset(status, 0, sizeof *status);
    status->st_mode = directory ? S_IFDIR | 0755 : file ? S_IFREG | file->mode : S_IFCHR | 0620;
    status->st_nlink = 1;
    status->st_blksize = 512;
    if (!file)
        return;
    status->st_ino = (ino_t)file->number;
    status->st_size = (off_t)file->size;
    status->st_blocks = (blkcnt_t)((file->size + 511) / 512);
    status->st_mtime = file->stamped ? file->stamp : (time_t)(file->changed / GNOMON_REG(GNOMON_SYSCTL_CLOCK_HZ));
    status->st_atime = status->st_ctime = status->st_mtime;
}

static bool is_console(int fd) {
    return fd >= STDIN_FILENO && fd <= STDERR_FILENO;
}

int fstat(int fd, struct stat *status) {
    const struct open_file *open_file = __gnomon_files_lookup(fd);
    if (!open_file && !is_console(fd))
        return fail(EBADF);
    describe(open_file ? open_file->file : NULL, false, status);
    return 0;
}

int stat(const char *name, struct stat *status) {
    const bool directory = __gnomon_files_is_directory(name);
    const struct file *file = __gnomon_files_find(name);
    if (!file && !directory)
        return fail(ENOENT);
    describe(file, directory, status);
    return 0;
}

int lstat(const char *name, struct stat *status) {
    return stat(name, status);
}

int access(const char *name, int mode) {
    (void)mode;
    return __gnomon_files_find(name) || __gnomon_files_is_directory(name) ? 0 : fail(ENOENT);
}

int isatty(int fd) {
    if (is_console(fd) && __gnomon_console_is_terminal(fd))
        return 1;
    errno = is_console(fd) || __gnomon_files_lookup(fd) ? ENOTTY : EBADF;
    return 0;
}

/* ---- Attributes that can be set: stored and reported, without effect ---- */

static int set_mode(struct file *file, mode_t mode) {
    file->mode = mode & 0777;
    return 0;
}

int chmod(const char *name, mode_t mode) {
    struct file *file = __gnomon_files_find(name);
    if (!file)
        return __gnomon_files_is_directory(name) ? 0 : fail(ENOENT);
    return set_mode(file, mode);
}

int fchmod(int fd, mode_t mode) {
    const struct open_file *open_file = __gnomon_files_lookup(fd);
    if (!open_file)
        return is_console(fd) ? 0 : fail(EBADF);
    return set_mode(open_file->file, mode);
}

mode_t umask(mode_t mask) {
    const mode_t before = __gnomon_files_mask;
    __gnomon_files_mask = mask & 0777;
    return before;
}

/* There is only user 0, so the owner cannot change. */
int chown(const char *name, uid_t owner, gid_t group) {
    if (access(name, F_OK) != 0)
        return -1;
    return (owner != 0 && owner != (uid_t)-1) || (group != 0 && group != (gid_t)-1) ? fail(EPERM) : 0;
}

int lchown(const char *name, uid_t owner, gid_t group) {
    return chown(name, owner, group);
}

int fchown(int fd, uid_t owner, gid_t group) {
    if (!__gnomon_files_lookup(fd) && !is_console(fd))
        return fail(EBADF);
    return (owner != 0 && owner != (uid_t)-1) || (group != 0 && group != (gid_t)-1) ? fail(EPERM) : 0;
}

static int set_time(const char *name, bool now, time_t modified) {
    struct file *file = __gnomon_files_find(name);
    if (!file)
        return __gnomon_files_is_directory(name) ? 0 : fail(ENOENT);
    file->stamped = true;
    file->stamp = now ? time(NULL) : modified;
    return 0;
}

int utime(const char *name, const struct utimbuf *times) {
    return set_time(name, !times, times ? times->modtime : 0);
}

int utimes(const char *name, const struct timeval times[2]) {
    return set_time(name, !times, times ? times[1].tv_sec : 0);
}

/* ---- Names ---- */

int unlink(const char *name) {
    struct file *file = __gnomon_files_find(name);
    if (!file)
        return fail(__gnomon_files_is_directory(name) ? EISDIR : ENOENT);
    if (file->directory)
        return fail(EISDIR);
    __gnomon_files_remove(file);
    return 0;
}

int rename(const char *from, const char *to) {
    struct file *file = __gnomon_files_find(from);
    if (!file || !*__gnomon_files_plain(to))
        return fail(__gnomon_files_is_directory(from) ? EPERM : ENOENT);
    if (file->directory || __gnomon_files_is_directory(to))
        return fail(file->directory ? EPERM : EISDIR);
    if (strcmp(__gnomon_files_plain(from), __gnomon_files_plain(to)) == 0)
        return 0;
    struct file *replaced = __gnomon_files_find(to), *renamed = __gnomon_files_add(to);
    if (!renamed)
        return fail(ENOSPC);
    if (replaced)
        __gnomon_files_remove(replaced);
    /* The entry gets the new name; descriptors that have it open keep it. The new entry records that the old name is
     * removed. */
    char *name = renamed->name;
    renamed->name = file->name;
    file->name = name;
    __gnomon_files_remove(renamed);
    file->written = true;
    return 0;
}

char *getcwd(char *buffer, size_t size) {
    if (!buffer)
        return strdup(GNOMON_CWD);
    if (size < sizeof GNOMON_CWD) {
        errno = ERANGE;
        return NULL;
    }
    return strcpy(buffer, GNOMON_CWD);
}

int chdir(const char *name) {
    const char *plain = __gnomon_files_plain(name);
    if (*name && (!*plain || strcmp(plain, ".") == 0))
        return 0;
    return fail(__gnomon_files_is_directory(name) ? EACCES : access(name, F_OK) == 0 ? ENOTDIR : ENOENT);
}

ssize_t readlink(const char *name, char *buffer, size_t size) {
    (void)buffer;
    (void)size;
    return fail(access(name, F_OK) == 0 ? EINVAL : ENOENT);
}

/* A file has only one name, so links fail. */
int symlink(const char *name, const char *link) {
    (void)name;
    (void)link;
    return fail(EPERM);
}

int link(const char *name, const char *other) {
    (void)name;
    (void)other;
    return fail(EPERM);
}
