/* SPDX-License-Identifier: Apache-2.0 */
/* Streams on files, kept in a list (streams.h). All functions that open a stream are in this file: if some came from
 * here and some from picolibc, names would be defined twice. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "streams.h"

struct gnomon_stream *__gnomon_streams;

/* Returns the flags for open, or -1. */
static int flags_of(const char *mode) {
    const bool both = strchr(mode, '+');
    const int exclusive = strchr(mode, 'x') ? O_EXCL : 0;
    switch (*mode) {
    case 'r':
        return both ? O_RDWR : O_RDONLY;
    case 'w':
        return (both ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC | exclusive;
    case 'a':
        return (both ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND | exclusive;
    default:
        errno = EINVAL;
        return -1;
    }
}

static int close_stream(FILE *file) {
    for (struct gnomon_stream **at = &__gnomon_streams; *at; at = &(*at)->next)
        if (&(*at)->file.xfile.cfile.file == file) {
            *at = (*at)->next;
            break;
        }
    return __bufio_close(file);
}

FILE *fdopen(int fd, const char *mode) {
    const int flags = flags_of(mode);
    struct gnomon_stream *stream = flags >= 0 ? calloc(1, sizeof *stream) : NULL;
    if (!stream)
        return NULL;
    const int access = flags & O_ACCMODE;
    const uint8_t directions = access == O_RDWR ? __SRD | __SWR : access == O_RDONLY ? __SRD : __SWR;
    stream->file = (struct __file_bufio)FDEV_SETUP_BUFIO(fd, stream->buffer, sizeof stream->buffer, read, write, lseek,
                                                         close, directions, 0);
    stream->file.xfile.cfile.close = close_stream;
    __bufio_lock_init(&stream->file.xfile.cfile.file);
    stream->next = __gnomon_streams;
    __gnomon_streams = stream;
    if (flags & O_APPEND)
        fseek(&stream->file.xfile.cfile.file, 0, SEEK_END);
    return &stream->file.xfile.cfile.file;
}

FILE *fopen(const char *name, const char *mode) {
    const int flags = flags_of(mode);
    const int fd = flags >= 0 ? open(name, flags, 0666) : -1;
    FILE *file = fd >= 0 ? fdopen(fd, mode) : NULL;
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

FILE *tmpfile(void) {
    char name[] = "/tmp/XXXXXX";
    const int fd = mkstemp(name);
    FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (fd >= 0) {
        unlink(name);
        if (!file)
            close(fd);
    }
    return file;
}

/* Runs after the program's own exit functions, which may still write. */
__attribute__((destructor(101))) static void flush_at_exit(void) {
    fflush(NULL);
}
