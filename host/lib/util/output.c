/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/util/file.h"

#define BUFFER_BYTES 65536
#define ENDING ".tmp"

/* The stream's own errors do not say what failed, so its writes come here. */
static ssize_t write_bytes(void *context, const char *data, size_t size) {
    const struct gnomon_output_part *part = context;
    struct gnomon_output *output = part->output;
    for (size_t done = 0; done < size && !output->reason;) {
        output->stopped |= output->stop && output->stop();
        const ssize_t wrote = output->stopped ? -1 : write(part->fd, data + done, size - done);
        if (wrote > 0)
            done += (size_t)wrote;
        else if (output->stopped || errno != EINTR)
            output->reason = output->stopped ? EINTR : errno;
    }
    if (output->reason)
        return 0; /* makes the stream fail */
    output->written += size;
    return (ssize_t)size;
}

/* ---- Names ---- */

static char *path_in(const char *directory, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

/* "PATH.tmp"; a name that would be too long is cut before the ending. */
static char *temporary_of(const char *path) {
    const char *name = gnomon_basename(path);
    const size_t most = NAME_MAX - strlen(ENDING), length = strlen(name);
    char *temporary = NULL;
    const int kept = (int)(name - path + (ptrdiff_t)(length < most || length > NAME_MAX ? length : most));
    return asprintf(&temporary, "%.*s%s", kept, path, ENDING) < 0 ? NULL : temporary;
}

static bool is_named(const char *const *names, const char *name) {
    for (; *names; names++)
        if (!strcmp(*names, name))
            return true;
    return !strcmp(name, ".") || !strcmp(name, "..");
}

/* No directory, or one without other files than ours: it may be replaced. Otherwise errno says what it is. */
static bool may_replace(const char *path, const char *const *names) {
    DIR *directory = opendir(path);
    const struct dirent *entry;
    bool others = false;
    if (!directory)
        return errno == ENOENT;
    while ((entry = readdir(directory)))
        others |= !is_named(names, entry->d_name);
    closedir(directory);
    errno = ENOTEMPTY;
    return !others;
}

/* Removes a directory with our files only. */
static void remove_directory(const char *path, const char *const *names) {
    for (; *names; names++) {
        char *file = path_in(path, *names);
        if (file)
            unlink(file);
        free(file);
    }
    rmdir(path);
}

/* ---- Opening ---- */

static void release(struct gnomon_output *output) {
    for (size_t i = 0; i < GNOMON_OUTPUT_FILES; i++) {
        if (output->streams[i] && fclose(output->streams[i]) && !output->reason)
            output->reason = errno;
        if (output->parts[i].fd > STDOUT_FILENO && close(output->parts[i].fd) && !output->reason)
            output->reason = errno;
        output->streams[i] = NULL;
        output->parts[i].fd = -1;
    }
}

static void discard(struct gnomon_output *output) {
    if (output->temporary && output->names)
        remove_directory(output->temporary, output->names);
    else if (output->temporary)
        unlink(output->temporary);
}

static void free_paths(struct gnomon_output *output) {
    free(output->path);
    free(output->temporary);
    output->path = output->temporary = NULL;
}

/* `path` NULL: out of memory. */
static bool open_part(struct gnomon_output *output, unsigned index, const char *path) {
    struct gnomon_output_part *part = &output->parts[index];
    if (path && part->fd < 0)
        part->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (part->fd >= 0)
        output->streams[index] = fopencookie(part, "w", (cookie_io_functions_t){.write = write_bytes});
    if (!output->streams[index])
        return false;
    setvbuf(output->streams[index], NULL, _IOFBF, BUFFER_BYTES);
    return true;
}

static bool open_file(struct gnomon_output *output, const char *path, bool standard) {
    struct stat about;
    const bool regular = !standard && (stat(path, &about) || S_ISREG(about.st_mode));
    output->path = strdup(standard ? "standard output" : path);
    if (!output->path || (regular && !(output->temporary = temporary_of(path))))
        return false;
    output->parts[0].fd = standard ? STDOUT_FILENO : -1;
    return open_part(output, 0, regular ? output->temporary : path);
}

/* A directory that an earlier run has left half-written is in the way, and is removed. */
static bool open_directory(struct gnomon_output *output, const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (!(output->path = strndup(path, length)) || !may_replace(output->path, output->names))
        return false;
    char *temporary = temporary_of(output->path);
    if (!temporary || !may_replace(temporary, output->names)) {
        free(temporary);
        return false;
    }
    output->temporary = temporary;
    remove_directory(temporary, output->names);
    bool good = mkdir(temporary, 0777) == 0;
    for (unsigned i = 0; good && output->names[i]; i++) {
        char *file = path_in(temporary, output->names[i]);
        good = open_part(output, i, file);
        free(file);
    }
    return good;
}

enum gnomon_status gnomon_output_open(struct gnomon_output *output, const char *path, const char *const *names,
                                      bool (*stop)(void), struct gnomon_error *error) {
    const bool standard = !strcmp(path, "-");
    *output = (struct gnomon_output){.names = names, .stop = stop};
    for (size_t i = 0; i < GNOMON_OUTPUT_FILES; i++)
        output->parts[i] = (struct gnomon_output_part){.output = output, .fd = -1};
    if (names ? open_directory(output, path) : open_file(output, path, standard))
        return GNOMON_OK;
    const int reason = errno;
    release(output);
    discard(output);
    free_paths(output);
    if (names && reason == ENOTEMPTY)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT,
                           "cannot write %s: the directory, or %s%s, has files that no export has written", path, path,
                           ENDING);
    errno = reason;
    return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write %s", path);
}

/* ---- Closing ---- */

/* An earlier directory and the new one change places, so that there is always a whole one. */
static bool take_name(struct gnomon_output *output) {
    if (!output->names || access(output->path, F_OK))
        return rename(output->temporary, output->path) == 0;
    if (renameat2(AT_FDCWD, output->temporary, AT_FDCWD, output->path, RENAME_EXCHANGE))
        return false;
    discard(output);
    return true;
}

enum gnomon_status gnomon_output_close(struct gnomon_output *output, bool keep, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    release(output);
    if (keep && !output->reason && output->temporary && !take_name(output))
        output->reason = errno;
    errno = output->reason;
    if (keep && output->stopped)
        status = gnomon_fail(error, GNOMON_ERR_INTERRUPTED, "interrupted: %s is not written", output->path);
    else if (keep && output->reason)
        status = gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write %s", output->path);
    if (!keep || status)
        discard(output);
    free_paths(output);
    return status;
}
