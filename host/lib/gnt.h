/* SPDX-License-Identifier: Apache-2.0 */
/* The trace file (*.gnt): header, frames as received, trailer. See docs/trace-format.md, "The file". */
#ifndef GNOMON_LIB_GNT_H
#define GNOMON_LIB_GNT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#define GNOMON_GNT_MAX_HEADER (1u << 20)

/* What the recorder knows when it is done. */
struct gnomon_gnt_trailer {
    bool complete;            /* the END record was received */
    const char *reason;       /* why recording ended: as gnomon_run_end_name has it, or an error's name; never NULL */
    const char *crash;        /* what the program died of; NULL: it did not */
    int exit_status;          /* of the program; -1 = it did not end */
    uint32_t unseen_switches; /* of threads, that no message told of */
    uint32_t watch_missed, watch_overrun; /* calls that the device could not watch, and how often it was too slow */
};

/* Writes a temporary file "PATH.tmp" beside the target; close renames it to PATH, so that an earlier file survives any
 * failure. Where PATH exists and is no regular file (/dev/null, a pipe), it is written directly. */
struct gnomon_gnt_writer;

/* `header` is only read (device, clock_hz, elf, command; see the document). *writer is NULL after a failure. */
enum gnomon_status gnomon_gnt_writer_open(struct gnomon_gnt_writer **writer, const char *path, const json_t *header,
                                          struct gnomon_error *error);

/* Whole frames: `size` is a multiple of GNOMON_FRAME_BYTES. After a failure (a full disk) only abort makes sense. */
enum gnomon_status gnomon_gnt_writer_frames(struct gnomon_gnt_writer *writer, const void *frames, size_t size,
                                            struct gnomon_error *error);

/* What the device kept in its records, behind the last frame; see docs/trace-format.md. At most once. */
enum gnomon_status gnomon_gnt_writer_records(struct gnomon_gnt_writer *writer, const json_t *records,
                                             struct gnomon_error *error);

/* What each instruction cost, behind the records. At most once. */
enum gnomon_status gnomon_gnt_writer_instructions(struct gnomon_gnt_writer *writer, const json_t *instructions,
                                                  struct gnomon_error *error);

/* Bytes written so far, header included. */
uint64_t gnomon_gnt_writer_size(const struct gnomon_gnt_writer *writer);

/* Trailer, flush to disk, rename. Frees the writer in any case; after a failure the temporary file is gone. */
enum gnomon_status gnomon_gnt_writer_close(struct gnomon_gnt_writer *writer, const struct gnomon_gnt_trailer *trailer,
                                           struct gnomon_error *error);

/* Removes the temporary file and frees the writer, which may be NULL. */
void gnomon_gnt_writer_abort(struct gnomon_gnt_writer *writer);

/* What is wrong with a file that can be read nevertheless. */
enum gnomon_gnt_flaw {
    GNOMON_GNT_TRUNCATED = 1,         /* ends within a frame or within the trailer */
    GNOMON_GNT_NO_TRAILER = 2,        /* the recorder was killed, or the end is missing */
    GNOMON_GNT_BAD_TRAILER = 4,       /* the trailer's own checksum or content is wrong */
    GNOMON_GNT_BAD_FRAMES = 8,        /* the frames are not those that the recorder wrote: checksum or number differ */
    GNOMON_GNT_TRAILING = 16,         /* there are bytes behind the trailer */
    GNOMON_GNT_BAD_RECORDS = 32,      /* the records' checksum or form is wrong */
    GNOMON_GNT_BAD_INSTRUCTIONS = 64, /* likewise those of the cycles of instructions */
};

struct gnomon_gnt_reader;

/* Reads and checks the header. *reader is NULL after a failure. */
enum gnomon_status gnomon_gnt_open(struct gnomon_gnt_reader **reader, const char *path, struct gnomon_error *error);

/* Borrowed; lives as long as the reader. An object. */
const json_t *gnomon_gnt_header(const struct gnomon_gnt_reader *reader);

/* *frame points at the next frame until the next call; NULL at the end. Only a failed read is an error: flaws of the
 * file are in gnomon_gnt_flaws. */
enum gnomon_status gnomon_gnt_next(struct gnomon_gnt_reader *reader, const uint8_t **frame, struct gnomon_error *error);

/* After the end was reached: flaws found (enum gnomon_gnt_flaw), and the trailer, NULL where there is none. */
unsigned gnomon_gnt_flaws(const struct gnomon_gnt_reader *reader);
const json_t *gnomon_gnt_trailer(const struct gnomon_gnt_reader *reader);

/* After the end was reached: bytes that are missing at least, 0 where that cannot be told. */
uint64_t gnomon_gnt_missing(const struct gnomon_gnt_reader *reader);

/* A count in one of these; 0 where there is none. */
uint64_t gnomon_gnt_count(const json_t *object, const char *key);
/* Likewise the device's records, an object. */
const json_t *gnomon_gnt_records(const struct gnomon_gnt_reader *reader);
/* And what instructions cost. */
const json_t *gnomon_gnt_instructions(const struct gnomon_gnt_reader *reader);

/* Frames read so far. */
uint64_t gnomon_gnt_frames(const struct gnomon_gnt_reader *reader);

/* May be NULL. */
void gnomon_gnt_close(struct gnomon_gnt_reader *reader);

#endif
