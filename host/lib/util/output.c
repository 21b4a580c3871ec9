/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES 65536

/* The stream's own errors do not say what failed, so its writes come here. */
static ssize_t write_bytes(void *context, const char *data, size_t size) {
    struct gnomon_output *output = context;
    for (size_t done = 0; done < size && !output->reason;) {
        output->stopped |= output->stop && output->stop();
        const ssize_t wrote = output->stopped ? -1 : write(output->fd, data + done, size - done);
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

static void release(struct gnomon_output *output) {
    free(output->path);
    free(output->temporary);
    output->path = output->temporary = NULL;
    output->stream = NULL;
    output->fd = -1;
}

static enum gnomon_status fail_open(struct gnomon_output *output, const char *path, struct gnomon_error *error) {
    const int reason = errno;
    if (output->fd > STDOUT_FILENO)
        close(output->fd);
    release(output);
    errno = reason;
    return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write %s", path);
}

enum gnomon_status gnomon_output_open(struct gnomon_output *output, const char *path, bool (*stop)(void),
                                      struct gnomon_error *error) {
    struct stat about;
    const bool standard = !strcmp(path, "-");
    const bool regular = !standard && (stat(path, &about) || S_ISREG(about.st_mode));
    *output = (struct gnomon_output){.fd = standard ? STDOUT_FILENO : -1, .stop = stop};
    output->path = strdup(standard ? "standard output" : path);
    if (!output->path || (regular && asprintf(&output->temporary, "%s.tmp", path) < 0)) {
        output->temporary = NULL;
        return fail_open(output, path, error);
    }
    if (!standard)
        output->fd = open(regular ? output->temporary : path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output->fd >= 0)
        output->stream = fopencookie(output, "w", (cookie_io_functions_t){.write = write_bytes});
    if (!output->stream)
        return fail_open(output, path, error);
    setvbuf(output->stream, NULL, _IOFBF, BUFFER_BYTES);
    return GNOMON_OK;
}

enum gnomon_status gnomon_output_close(struct gnomon_output *output, bool keep, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    if (fclose(output->stream) && !output->reason)
        output->reason = errno;
    if (output->fd > STDOUT_FILENO && close(output->fd) && !output->reason)
        output->reason = errno;
    if (keep && !output->reason && output->temporary && rename(output->temporary, output->path))
        output->reason = errno;
    errno = output->reason;
    if (keep && output->stopped)
        status = gnomon_fail(error, GNOMON_ERR_INTERRUPTED, "interrupted: %s is not written", output->path);
    else if (keep && output->reason)
        status = gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write %s", output->path);
    if (output->temporary && (!keep || status))
        unlink(output->temporary);
    release(output);
    return status;
}
