/* SPDX-License-Identifier: Apache-2.0 */
/* Writer of trace files. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "gnomon/trace.h"
#include "lib/trace/gnt.h"
#include "lib/trace/gnt_internal.h"
#include "lib/util/json_text.h"

struct gnomon_gnt_writer {
    int fd;
    char *path;      /* the target, with links resolved */
    char *temporary; /* NULL: the target is written directly */
    uint64_t size;
    uint64_t frames;
    uint32_t crc; /* of the frames */
};

static void put_word(uint8_t *bytes, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

static enum gnomon_status write_failed(const struct gnomon_gnt_writer *writer, struct gnomon_error *error) {
    int reason = errno;
    gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write %s", writer->path);
    if (reason == ENOSPC || reason == EDQUOT)
        gnomon_remedy(error, GNOMON_ERR_SYSTEM, "make room, or write elsewhere with -o; an earlier file is unchanged");
    return GNOMON_ERR_SYSTEM;
}

static enum gnomon_status put(struct gnomon_gnt_writer *writer, const void *data, size_t size,
                              struct gnomon_error *error) {
    const uint8_t *bytes = data;
    while (size > 0) {
        ssize_t done = write(writer->fd, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return write_failed(writer, error);
        bytes += done;
        size -= (size_t)done;
        writer->size += (size_t)done;
    }
    return GNOMON_OK;
}

/* Writes JSON text with its length before it and its checksum after it. In the trailer, the checksum of the frames
 * comes between text and checksum. */
static enum gnomon_status put_json(struct gnomon_gnt_writer *writer, const char *magic, const json_t *json,
                                   const uint32_t *frames_crc, size_t limit, struct gnomon_error *error) {
    char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
    if (!text)
        return gnomon_fail_memory(error);
    size_t length = strlen(text), sums_size = 0;
    uint8_t start[GNT_MAGIC_BYTES + 4], sums[8];
    memcpy(start, magic, GNT_MAGIC_BYTES);
    put_word(start + GNT_MAGIC_BYTES, (uint32_t)length);
    if (frames_crc) {
        put_word(sums, *frames_crc);
        sums_size = 4;
    }
    put_word(sums + sums_size, (uint32_t)crc32(0, (const Bytef *)text, (uInt)length));
    enum gnomon_status status = GNOMON_OK;
    if (length > limit)
        status = gnomon_fail(error, GNOMON_ERR_TOO_BIG, "what describes the recording of %s takes %zu bytes, %zu fit",
                             writer->path, length, limit);
    if (!status)
        status = put(writer, start, sizeof start, error);
    if (!status)
        status = put(writer, text, length, error);
    if (!status)
        status = put(writer, sums, sums_size + 4, error);
    free(text);
    return status;
}

static char *with_suffix(const char *path, const char *suffix) {
    size_t size = strlen(path) + strlen(suffix) + 1;
    char *text = malloc(size);
    if (text) {
        strcpy(text, path);
        strcat(text, suffix);
    }
    return text;
}

/* Opens the temporary file. Two recorders must not write the same file; the file of a killed recorder is reused. */
static enum gnomon_status open_temporary(struct gnomon_gnt_writer *writer, struct gnomon_error *error) {
    writer->temporary = with_suffix(writer->path, ".tmp");
    if (!writer->temporary)
        return gnomon_fail_memory(error);
    writer->fd = open(writer->temporary, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (writer->fd < 0) {
        gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot create %s", writer->temporary);
        free(writer->temporary);
        writer->temporary = NULL;
        return gnomon_remedy(error, GNOMON_ERR_SYSTEM, "name a file in a folder that you may write to with -o");
    }
    if (flock(writer->fd, LOCK_EX | LOCK_NB) == 0 && ftruncate(writer->fd, 0) == 0)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_BUSY, "another gnomon is recording to %s", writer->path);
    free(writer->temporary); /* the file belongs to another recorder: do not remove it */
    writer->temporary = NULL;
    return gnomon_remedy(error, GNOMON_ERR_BUSY, "name another file with -o");
}

static enum gnomon_status open_target(struct gnomon_gnt_writer *writer, const char *path, struct gnomon_error *error) {
    struct stat about;
    bool exists = stat(path, &about) == 0;
    writer->path = exists ? realpath(path, NULL) : strdup(path);
    if (!writer->path)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write %s", path);
    if (exists && S_ISDIR(about.st_mode))
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s is a directory", path);
    if (!exists || S_ISREG(about.st_mode))
        return open_temporary(writer, error);
    writer->fd = open(writer->path, O_WRONLY | O_CLOEXEC);
    return writer->fd < 0 ? write_failed(writer, error) : GNOMON_OK;
}

enum gnomon_status gnomon_gnt_writer_open(struct gnomon_gnt_writer **result, const char *path, const json_t *header,
                                          struct gnomon_error *error) {
    *result = NULL;
    struct gnomon_gnt_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return gnomon_fail_memory(error);
    writer->fd = -1;
    writer->crc = (uint32_t)crc32(0, NULL, 0);
    enum gnomon_status status = open_target(writer, path, error);
    if (!status)
        status = put_json(writer, GNT_MAGIC, header, NULL, GNOMON_GNT_MAX_HEADER, error);
    if (status) {
        gnomon_gnt_writer_abort(writer);
        return status;
    }
    *result = writer;
    return GNOMON_OK;
}

enum gnomon_status gnomon_gnt_writer_frames(struct gnomon_gnt_writer *writer, const void *frames, size_t size,
                                            struct gnomon_error *error) {
    if (size % GNOMON_FRAME_BYTES != 0)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%zu bytes are not a number of whole frames", size);
    writer->crc = (uint32_t)crc32_z(writer->crc, frames, size);
    writer->frames += size / GNOMON_FRAME_BYTES;
    return put(writer, frames, size, error);
}

enum gnomon_status gnomon_gnt_writer_records(struct gnomon_gnt_writer *writer, const json_t *records,
                                             struct gnomon_error *error) {
    return put_json(writer, GNT_RECORDS_MAGIC, records, NULL, GNT_MAX_RECORDS, error);
}

enum gnomon_status gnomon_gnt_writer_instructions(struct gnomon_gnt_writer *writer, const json_t *instructions,
                                                  struct gnomon_error *error) {
    return put_json(writer, GNT_INSTRUCTIONS_MAGIC, instructions, NULL, GNT_MAX_INSTRUCTIONS, error);
}

enum gnomon_status gnomon_gnt_writer_locks(struct gnomon_gnt_writer *writer, const json_t *locks,
                                           struct gnomon_error *error) {
    return put_json(writer, GNT_LOCKS_MAGIC, locks, NULL, GNT_MAX_LOCKS, error);
}

enum gnomon_status gnomon_gnt_writer_heap(struct gnomon_gnt_writer *writer, const json_t *heap,
                                          struct gnomon_error *error) {
    return put_json(writer, GNT_HEAP_MAGIC, heap, NULL, GNT_MAX_HEAP, error);
}

enum gnomon_status gnomon_gnt_writer_samples(struct gnomon_gnt_writer *writer, const json_t *samples,
                                             struct gnomon_error *error) {
    return put_json(writer, GNT_SAMPLES_MAGIC, samples, NULL, GNT_MAX_SAMPLES, error);
}

uint64_t gnomon_gnt_writer_size(const struct gnomon_gnt_writer *writer) {
    return writer->size;
}

static enum gnomon_status put_trailer(struct gnomon_gnt_writer *writer, const struct gnomon_gnt_trailer *trailer,
                                      struct gnomon_error *error) {
    json_t *json = json_pack("{s:I, s:b, s:s, s:i}", "frames", (json_int_t)writer->frames, "complete",
                             trailer->complete, "reason", trailer->reason, "exit_status", trailer->exit_status);
    if (!json)
        return gnomon_fail_memory(error);
    if (trailer->crash)
        json_object_set_new(json, "crash", gnomon_json_text(trailer->crash));
    if (trailer->tags)
        json_object_set(json, "tags", (json_t *)trailer->tags);
    if (trailer->clock)
        json_object_set(json, "clock", (json_t *)trailer->clock);
    if (trailer->unseen_switches)
        json_object_set_new(json, "unseen_switches", json_integer(trailer->unseen_switches));
    if (trailer->other_hart)
        json_object_set_new(json, "other_hart", json_true());
    if (trailer->moved_threads)
        json_object_set_new(json, "moved_threads", json_integer((json_int_t)trailer->moved_threads));
    if (trailer->watch_missed || trailer->watch_overrun) {
        json_object_set_new(json, "watch_missed", json_integer(trailer->watch_missed));
        json_object_set_new(json, "watch_overrun", json_integer(trailer->watch_overrun));
    }
    enum gnomon_status status = put_json(writer, GNT_TRAILER_MAGIC, json, &writer->crc, GNT_MAX_TRAILER, error);
    json_decref(json);
    return status;
}

/* Writes the data to the disk before the file is renamed. Devices and pipes do not support fsync. */
static enum gnomon_status settle(struct gnomon_gnt_writer *writer, struct gnomon_error *error) {
    if (writer->temporary && fsync(writer->fd) != 0)
        return write_failed(writer, error);
    if (writer->temporary && rename(writer->temporary, writer->path) != 0)
        return write_failed(writer, error);
    free(writer->temporary);
    writer->temporary = NULL;
    int fd = writer->fd;
    writer->fd = -1;
    return close(fd) == 0 ? GNOMON_OK : write_failed(writer, error);
}

enum gnomon_status gnomon_gnt_writer_close(struct gnomon_gnt_writer *writer, const struct gnomon_gnt_trailer *trailer,
                                           struct gnomon_error *error) {
    enum gnomon_status status = put_trailer(writer, trailer, error);
    if (!status)
        status = settle(writer, error);
    gnomon_gnt_writer_abort(writer);
    return status;
}

void gnomon_gnt_writer_abort(struct gnomon_gnt_writer *writer) {
    if (!writer)
        return;
    if (writer->temporary)
        unlink(writer->temporary);
    if (writer->fd >= 0)
        close(writer->fd);
    free(writer->temporary);
    free(writer->path);
    free(writer);
}
