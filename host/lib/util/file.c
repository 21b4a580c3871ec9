/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/util/array.h"

#define MOST_FILE ((off_t)1 << 30)

static enum gnomon_status read_all(int fd, const char *path, uint8_t *data, size_t size, struct gnomon_error *error) {
    while (size) {
        ssize_t got = read(fd, data, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot read %s", path);
        if (got == 0)
            return gnomon_fail(error, GNOMON_ERR_SYSTEM, "%s became shorter while it was read", path);
        data += got;
        size -= (size_t)got;
    }
    return GNOMON_OK;
}

const char *gnomon_basename(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

enum gnomon_status gnomon_read_file(const char *path, uint8_t **data, size_t *size, struct gnomon_error *error) {
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about)) {
        enum gnomon_status missing = errno == ENOENT ? GNOMON_ERR_NOT_FOUND : GNOMON_ERR_SYSTEM;
        gnomon_fail_errno(error, missing, "cannot open %s", path);
        if (fd >= 0)
            close(fd);
        return missing;
    }
    enum gnomon_status status = GNOMON_OK;
    *data = NULL;
    if (!S_ISREG(about.st_mode))
        status = gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is not a regular file", path);
    else if (about.st_size > MOST_FILE)
        status = gnomon_fail(error, GNOMON_ERR_TOO_BIG, "%s is larger than 1 GiB", path);
    else if (!(*data = malloc((size_t)about.st_size + 1)))
        status = gnomon_fail_memory(error);
    else
        status = read_all(fd, path, *data, (size_t)about.st_size, error);
    *size = (size_t)about.st_size;
    close(fd);
    if (status) {
        free(*data);
        *data = NULL;
    }
    return status;
}

/* Reads to the end. *data stays the caller's. */
static enum gnomon_status read_open(FILE *file, const char *path, uint8_t **data, size_t *size,
                                    struct gnomon_error *error) {
    size_t room = 0;
    for (*size = 0; !feof(file); *size += fread(*data + *size, 1, room - *size, file)) {
        if (*size > (size_t)MOST_FILE)
            return gnomon_fail(error, GNOMON_ERR_TOO_BIG, "%s is larger than 1 GiB", path);
        if (ferror(file))
            return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot read %s", path);
        if (!gnomon_array_room(data, &room, *size + 4096, 1))
            return gnomon_fail_memory(error);
    }
    return GNOMON_OK;
}

enum gnomon_status gnomon_read_stream(const char *path, uint8_t **data, size_t *size, struct gnomon_error *error) {
    FILE *file = fopen(path, "rbe");
    *data = NULL;
    if (!file)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot open %s", path);
    const enum gnomon_status status = read_open(file, path, data, size, error);
    fclose(file);
    if (status) {
        free(*data);
        *data = NULL;
    }
    return status;
}

static bool write_all(int fd, const uint8_t *data, size_t size) {
    while (size) {
        ssize_t done = write(fd, data, size);
        if (done < 0 && errno != EINTR)
            return false;
        data += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

/* `own`: only this user can read it, and it is on the disk before it has its name. */
static enum gnomon_status write_file(const char *path, const void *data, size_t size, bool own,
                                     struct gnomon_error *error) {
    char temporary[4096];
    if (snprintf(temporary, sizeof temporary, "%s.tmp", path) >= (int)sizeof temporary)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the name %s is too long", path);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | (own ? O_NOFOLLOW : 0), own ? 0600 : 0666);
    bool good = fd >= 0 && (!own || fchmod(fd, 0600) == 0) && write_all(fd, data, size) && (!own || fsync(fd) == 0);
    int reason = errno;
    if (fd >= 0 && close(fd) && good) {
        reason = errno;
        good = false;
    }
    if (good && rename(temporary, path)) {
        reason = errno;
        good = false;
    }
    if (good)
        return GNOMON_OK;
    if (fd >= 0)
        unlink(temporary);
    errno = reason;
    return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write %s", path);
}

enum gnomon_status gnomon_write_file(const char *path, const void *data, size_t size, struct gnomon_error *error) {
    return write_file(path, data, size, false, error);
}

enum gnomon_status gnomon_write_own_file(const char *path, const void *data, size_t size, struct gnomon_error *error) {
    return write_file(path, data, size, true, error);
}
