/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/collect/durable.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/util/file.h"

/* ---- Files ---- */

/* The folder that holds `path`, with room for the longest path. */
static void folder_of(char folder[PATH_MAX], const char *path) {
    const size_t length = (size_t)(gnomon_basename(path) - path);
    snprintf(folder, PATH_MAX, "%.*s", length ? (int)length : 1, length ? path : ".");
}

/* So that the names in it are on the disk. A file system that cannot do that needs nothing. */
static void keep_names(const char *path) {
    char folder[PATH_MAX];
    folder_of(folder, path);
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

enum gnomon_status gnomon_durable_write(const char *path, const void *data, size_t size, struct gnomon_error *error) {
    const enum gnomon_status status = gnomon_write_own_file(path, data, size, error);
    if (!status)
        keep_names(path);
    return status;
}

enum gnomon_status gnomon_durable_rename(const char *from, const char *to, struct gnomon_error *error) {
    if (rename(from, to))
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot rename %s", from);
    keep_names(to);
    return GNOMON_OK;
}

/* ---- Folders ---- */

enum gnomon_status gnomon_durable_folder(const char *path, struct gnomon_error *error) {
    char folder[PATH_MAX];
    if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the name %s is too long", path);
    for (char *at = folder + 1; *folder; at++) {
        const char was = *at;
        if (was && was != '/')
            continue;
        *at = '\0';
        if (mkdir(folder, 0700) && errno != EEXIST)
            return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot make the folder %s", folder);
        *at = was;
        if (!was)
            break;
    }
    return GNOMON_OK;
}

enum gnomon_status gnomon_durable_folder_of(const char *path, struct gnomon_error *error) {
    char folder[PATH_MAX];
    folder_of(folder, path);
    return gnomon_durable_folder(folder, error);
}

/* ---- Locks ---- */

int gnomon_durable_lock(const char *path, bool wait) {
    const int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    int failed;
    do
        failed = flock(fd, LOCK_EX | (wait ? 0 : LOCK_NB));
    while (failed && errno == EINTR);
    if (!failed)
        return fd;
    const int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}
