/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of trace files. Their content is not trusted. */
#include "lib/trace/gnt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "gnomon/trace.h"
#include "lib/trace/gnt_internal.h"

#define BATCH (512 * GNOMON_FRAME_BYTES)

enum { RECORDS, INSTRUCTIONS, LOCKS, HEAP, SAMPLES, GNT_SECTIONS }; /* as `sections` lists them */

struct gnomon_gnt_reader {
    FILE *file;
    char *path;
    json_t *header, *sections[GNT_SECTIONS], *trailer;
    uint8_t buffer[BATCH];
    size_t at, filled;
    bool at_end;
    uint64_t frames;
    uint32_t crc; /* of the frames so far */
    unsigned flaws;
    uint64_t missing; /* bytes, a lower bound; with TRUNCATED */
};

static uint32_t word(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static enum gnomon_status short_header(const struct gnomon_gnt_reader *reader, struct gnomon_error *error) {
    if (ferror(reader->file))
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot read %s", reader->path);
    gnomon_fail(error, GNOMON_ERR_FORMAT, "%s ends within its header", reader->path);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "the file was cut off; copy it again, or record again");
}

static enum gnomon_status read_magic(struct gnomon_gnt_reader *reader, uint32_t *length, struct gnomon_error *error) {
    uint8_t start[GNT_MAGIC_BYTES + 4];
    size_t got = fread(start, 1, sizeof start, reader->file);
    if (got >= 4 && memcmp(start, GNT_MAGIC, 4) != 0) {
        gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is not a Gnomon trace", reader->path);
        return gnomon_remedy(error, GNOMON_ERR_FORMAT, "gnomon record writes one");
    }
    if (got == 0 && !ferror(reader->file)) {
        gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is empty", reader->path);
        return gnomon_remedy(error, GNOMON_ERR_FORMAT, "copy it again, or record again");
    }
    if (got < sizeof start)
        return short_header(reader, error);
    if (memcmp(start, GNT_MAGIC, GNT_MAGIC_BYTES - 2) != 0) {
        gnomon_fail(error, GNOMON_ERR_FORMAT, "%s was changed by a text conversion or is damaged", reader->path);
        return gnomon_remedy(error, GNOMON_ERR_FORMAT, "copy it again in binary mode, or record again");
    }
    if (memcmp(start, GNT_MAGIC, GNT_MAGIC_BYTES) != 0) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s is of version %u.%u of the format, this gnomon reads 2.0",
                    reader->path, start[GNT_MAGIC_BYTES - 2], start[GNT_MAGIC_BYTES - 1]);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "use the gnomon that recorded it");
    }
    *length = word(start + GNT_MAGIC_BYTES);
    return GNOMON_OK;
}

static enum gnomon_status damaged_header(const struct gnomon_gnt_reader *reader, const char *how,
                                         struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_FORMAT, "the header of %s is damaged: %s", reader->path, how);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "copy the file again, or record again");
}

static enum gnomon_status parse_header(struct gnomon_gnt_reader *reader, const char *text, uint32_t length,
                                       uint32_t crc, struct gnomon_error *error) {
    if (crc32(0, (const Bytef *)text, length) != crc)
        return damaged_header(reader, "its checksum is wrong", error);
    json_error_t reason;
    reader->header = json_loadb(text, length, JSON_REJECT_DUPLICATES, &reason);
    if (!json_is_object(reader->header))
        return damaged_header(reader, reader->header ? "it is no JSON object" : reason.text, error);
    return GNOMON_OK;
}

static enum gnomon_status read_header(struct gnomon_gnt_reader *reader, struct gnomon_error *error) {
    uint32_t length = 0;
    enum gnomon_status status = read_magic(reader, &length, error);
    if (status)
        return status;
    if (length > GNOMON_GNT_MAX_HEADER)
        return damaged_header(reader, "its length is absurd", error);
    char *text = malloc((size_t)length + 1);
    if (!text)
        return gnomon_fail_memory(error);
    uint8_t crc[4];
    if (fread(text, 1, length, reader->file) != length || fread(crc, 1, sizeof crc, reader->file) != sizeof crc)
        status = short_header(reader, error);
    else
        status = parse_header(reader, text, length, word(crc), error);
    free(text);
    return status;
}

static enum gnomon_status open_file(struct gnomon_gnt_reader *reader, struct gnomon_error *error) {
    reader->file = fopen(reader->path, "rbe");
    struct stat about;
    if (reader->file && fstat(fileno(reader->file), &about) == 0 && S_ISDIR(about.st_mode))
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s is a directory", reader->path);
    if (reader->file)
        return GNOMON_OK;
    enum gnomon_status status = errno == ENOENT ? GNOMON_ERR_NOT_FOUND : GNOMON_ERR_SYSTEM;
    gnomon_fail_errno(error, status, "cannot open %s", reader->path);
    if (status == GNOMON_ERR_NOT_FOUND)
        gnomon_remedy(error, status, "gnomon record writes a trace; give another file with -i");
    return status;
}

enum gnomon_status gnomon_gnt_open(struct gnomon_gnt_reader **result, const char *path, struct gnomon_error *error) {
    *result = NULL;
    struct gnomon_gnt_reader *reader = calloc(1, sizeof *reader);
    if (!reader || !(reader->path = strdup(path))) {
        free(reader);
        return gnomon_fail_memory(error);
    }
    enum gnomon_status status = open_file(reader, error);
    if (!status)
        status = read_header(reader, error);
    if (status) {
        gnomon_gnt_close(reader);
        return status;
    }
    reader->crc = (uint32_t)crc32(0, NULL, 0);
    *result = reader;
    return GNOMON_OK;
}

/* Fills the buffer with at least `wanted` bytes, or with all bytes that are left. */
static bool fill(struct gnomon_gnt_reader *reader, size_t wanted) {
    if (reader->filled - reader->at >= wanted)
        return true;
    memmove(reader->buffer, reader->buffer + reader->at, reader->filled - reader->at);
    reader->filled -= reader->at;
    reader->at = 0;
    reader->filled += fread(reader->buffer + reader->filled, 1, BATCH - reader->filled, reader->file);
    return !ferror(reader->file);
}

/* Notes that the file ends with `got` bytes of a part that has at least `wanted` bytes. */
static void truncate_at(struct gnomon_gnt_reader *reader, uint64_t wanted, uint64_t got) {
    reader->flaws |= GNOMON_GNT_TRUNCATED;
    reader->missing = wanted - got;
}

static void check_trailer(struct gnomon_gnt_reader *reader, uint32_t frames_crc) {
    const json_t *frames = json_object_get(reader->trailer, "frames");
    if (frames_crc != reader->crc || !json_is_integer(frames) || (uint64_t)json_integer_value(frames) != reader->frames)
        reader->flaws |= GNOMON_GNT_BAD_FRAMES;
    if (fgetc(reader->file) != EOF || reader->at != reader->filled)
        reader->flaws |= GNOMON_GNT_TRAILING;
}

/* Reads the trailer. The buffer's next bytes are its magic. */
static void read_trailer(struct gnomon_gnt_reader *reader) {
    size_t left = reader->filled - reader->at;
    const uint8_t *start = reader->buffer + reader->at + GNT_MAGIC_BYTES;
    if (left < GNT_MAGIC_BYTES + 4) {
        truncate_at(reader, GNT_MAGIC_BYTES + 4, left);
        return;
    }
    uint32_t length = word(start);
    if (length > GNT_MAX_TRAILER) {
        reader->flaws |= GNOMON_GNT_BAD_TRAILER;
        return;
    }
    if (left < GNT_MAGIC_BYTES + 4 + length + 8) {
        truncate_at(reader, GNT_MAGIC_BYTES + 4 + length + 8, left);
        return;
    }
    const uint8_t *text = start + 4, *sums = text + length;
    if (crc32(0, text, length) == word(sums + 4))
        reader->trailer = json_loadb((const char *)text, length, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(reader->trailer)) {
        reader->flaws |= GNOMON_GNT_BAD_TRAILER;
        return;
    }
    reader->at += GNT_MAGIC_BYTES + 4 + length + 8;
    check_trailer(reader, word(sums));
}

/* Takes bytes from the buffer, then from the file. False: the file ends too early. */
static bool take(struct gnomon_gnt_reader *reader, void *bytes, size_t size) {
    size_t left = reader->filled - reader->at, part = size < left ? size : left;
    memcpy(bytes, reader->buffer + reader->at, part);
    reader->at += part;
    size_t got = part + fread((uint8_t *)bytes + part, 1, size - part, reader->file);
    if (got < size)
        truncate_at(reader, size, got);
    return got == size;
}

/* The sections that may be between the last frame and the trailer, in this order: JSON with a checksum. */
static const struct section {
    const char *magic;
    uint32_t most;
    unsigned flaw;
} sections[] = {
    {GNT_RECORDS_MAGIC, GNT_MAX_RECORDS, GNOMON_GNT_BAD_RECORDS},
    {GNT_INSTRUCTIONS_MAGIC, GNT_MAX_INSTRUCTIONS, GNOMON_GNT_BAD_INSTRUCTIONS},
    {GNT_LOCKS_MAGIC, GNT_MAX_LOCKS, GNOMON_GNT_BAD_LOCKS},
    {GNT_HEAP_MAGIC, GNT_MAX_HEAP, GNOMON_GNT_BAD_HEAP},
    {GNT_SAMPLES_MAGIC, GNT_MAX_SAMPLES, GNOMON_GNT_BAD_SAMPLES},
};

/* Takes the text and the checksum of a section. */
static void take_section(struct gnomon_gnt_reader *reader, size_t which, char *text, uint32_t length) {
    uint8_t crc[4];
    if (!take(reader, text, length) || !take(reader, crc, sizeof crc))
        return;
    if (crc32(0, (const Bytef *)text, length) == word(crc))
        reader->sections[which] = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(reader->sections[which]))
        reader->flaws |= sections[which].flaw;
}

/* Reads a section. The buffer's next bytes are its magic. After a damaged section nothing else is read. */
static enum gnomon_status read_section(struct gnomon_gnt_reader *reader, size_t which, struct gnomon_error *error) {
    uint8_t start[GNT_MAGIC_BYTES + 4];
    bool whole = take(reader, start, sizeof start);
    uint32_t length = whole ? word(start + GNT_MAGIC_BYTES) : 0;
    if (length > sections[which].most) {
        reader->flaws |= sections[which].flaw;
        return GNOMON_OK;
    }
    char *text = malloc((size_t)length + 1);
    if (!text)
        return gnomon_fail_memory(error);
    if (whole)
        take_section(reader, which, text, length);
    free(text);
    return GNOMON_OK;
}

static bool begins_with(const struct gnomon_gnt_reader *reader, const char *magic) {
    return reader->filled - reader->at >= GNT_MAGIC_BYTES &&
           memcmp(reader->buffer + reader->at, magic, GNT_MAGIC_BYTES) == 0;
}

/* Handles a rest that is shorter than a frame. If it is very short, it is not known what it begins. */
static void truncate_in_part(struct gnomon_gnt_reader *reader) {
    size_t left = reader->filled - reader->at;
    truncate_at(reader, left < GNT_MAGIC_BYTES ? GNT_MAGIC_BYTES + 4 : GNOMON_FRAME_BYTES, left);
}

static void end(struct gnomon_gnt_reader *reader, bool trailer) {
    reader->at_end = true;
    if (trailer)
        read_trailer(reader);
    else if (reader->filled != reader->at)
        truncate_in_part(reader);
    if (!reader->trailer)
        reader->flaws |= GNOMON_GNT_NO_TRAILER;
}

/* Reads the sections. *any: there was one. After a damaged section the reader is at the end of the file. */
static enum gnomon_status read_sections(struct gnomon_gnt_reader *reader, bool *any, struct gnomon_error *error) {
    *any = false;
    for (size_t i = 0; i < GNT_SECTIONS; i++) {
        if (reader->sections[i] || !begins_with(reader, sections[i].magic))
            continue;
        *any = true;
        enum gnomon_status status = read_section(reader, i, error);
        if (status || !reader->sections[i]) {
            reader->at_end = true;
            return status;
        }
        if (!fill(reader, GNT_MAX_TAIL))
            return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot read %s", reader->path);
    }
    return GNOMON_OK;
}

enum gnomon_status gnomon_gnt_next(struct gnomon_gnt_reader *reader, const uint8_t **frame,
                                   struct gnomon_error *error) {
    *frame = NULL;
    if (reader->at_end)
        return GNOMON_OK;
    if (!fill(reader, GNT_MAX_TAIL))
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot read %s", reader->path);
    bool after; /* after the last frame */
    enum gnomon_status status = read_sections(reader, &after, error);
    if (status || reader->at_end)
        return status;
    bool trailer = begins_with(reader, GNT_TRAILER_MAGIC);
    if (trailer || after || reader->filled - reader->at < GNOMON_FRAME_BYTES) {
        end(reader, trailer);
        return GNOMON_OK;
    }
    const uint8_t *next = reader->buffer + reader->at;
    reader->at += GNOMON_FRAME_BYTES;
    reader->frames++;
    reader->crc = (uint32_t)crc32(reader->crc, next, GNOMON_FRAME_BYTES);
    *frame = next;
    return GNOMON_OK;
}

/* ---- The sections only ---- */

/* The number of frames that a trailer at the file's end tells, which begins at *at. UINT64_MAX: there is no whole one.
 */
static uint64_t frames_told(FILE *file, off_t *at) {
    uint8_t tail[GNT_MAX_TAIL];
    off_t end;
    if (fseeko(file, 0, SEEK_END) || (end = ftello(file)) < (off_t)sizeof tail ||
        fseeko(file, end - (off_t)sizeof tail, SEEK_SET) || fread(tail, 1, sizeof tail, file) != sizeof tail)
        return UINT64_MAX;
    for (size_t place = sizeof tail - GNT_MAGIC_BYTES - 4 - 8; place > 0; place--) {
        const uint8_t *text = tail + place + GNT_MAGIC_BYTES + 4;
        const size_t length = sizeof tail - 8 - (size_t)(text - tail);
        if (memcmp(tail + place, GNT_TRAILER_MAGIC, GNT_MAGIC_BYTES) != 0 || word(text - 4) != length ||
            crc32(0, text, (uInt)length) != word(text + length + 4))
            continue;
        json_t *trailer = json_loadb((const char *)text, length, JSON_REJECT_DUPLICATES, NULL);
        const uint64_t frames = gnomon_gnt_count(trailer, "frames");
        json_decref(trailer);
        *at = end - (off_t)(sizeof tail - place);
        return frames;
    }
    return UINT64_MAX;
}

static bool seek(struct gnomon_gnt_reader *reader, off_t to) {
    reader->at = reader->filled = 0;
    return !fseeko(reader->file, to, SEEK_SET) && fill(reader, GNT_MAX_TAIL);
}

void gnomon_gnt_skip_frames(struct gnomon_gnt_reader *reader) {
    const off_t first = ftello(reader->file);
    off_t trailer = 0;
    const uint64_t frames = frames_told(reader->file, &trailer);
    bool good = trailer >= first && frames <= (uint64_t)(trailer - first) / GNOMON_FRAME_BYTES &&
                seek(reader, first + (off_t)(frames * GNOMON_FRAME_BYTES));
    bool begins = good && begins_with(reader, GNT_TRAILER_MAGIC);
    for (size_t i = 0; good && i < GNT_SECTIONS; i++)
        begins |= begins_with(reader, sections[i].magic);
    if (!begins)
        seek(reader, first);
}

const json_t *gnomon_gnt_header(const struct gnomon_gnt_reader *reader) {
    return reader->header;
}

unsigned gnomon_gnt_flaws(const struct gnomon_gnt_reader *reader) {
    return reader->flaws;
}

uint64_t gnomon_gnt_missing(const struct gnomon_gnt_reader *reader) {
    return reader->missing;
}

const json_t *gnomon_gnt_trailer(const struct gnomon_gnt_reader *reader) {
    return reader->trailer;
}

uint64_t gnomon_gnt_count(const json_t *object, const char *key) {
    json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

const json_t *gnomon_gnt_records(const struct gnomon_gnt_reader *reader) {
    return reader->sections[RECORDS];
}

const json_t *gnomon_gnt_instructions(const struct gnomon_gnt_reader *reader) {
    return reader->sections[INSTRUCTIONS];
}

const json_t *gnomon_gnt_locks(const struct gnomon_gnt_reader *reader) {
    return reader->sections[LOCKS];
}

const json_t *gnomon_gnt_heap(const struct gnomon_gnt_reader *reader) {
    return reader->sections[HEAP];
}

const json_t *gnomon_gnt_samples(const struct gnomon_gnt_reader *reader) {
    return reader->sections[SAMPLES];
}

uint64_t gnomon_gnt_frames(const struct gnomon_gnt_reader *reader) {
    return reader->frames;
}

void gnomon_gnt_close(struct gnomon_gnt_reader *reader) {
    if (!reader)
        return;
    if (reader->file)
        fclose(reader->file);
    json_decref(reader->header);
    for (size_t i = 0; i < GNT_SECTIONS; i++)
        json_decref(reader->sections[i]);
    json_decref(reader->trailer);
    free(reader->path);
    free(reader);
}
