/* SPDX-License-Identifier: Apache-2.0 */
/* The trace file (*.gnt): header, frames as received, trailer. See docs/reference/trace-format.md, "The file". */
#ifndef GNOMON_LIB_GNT_H
#define GNOMON_LIB_GNT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

#define GNOMON_GNT_MAX_HEADER (1u << 20)
#define GNOMON_GNT_CLOCK "clock" /* key of the header: the event that time counts; without it cycles */

/* What the recorder knows at the end of a recording. */
struct gnomon_gnt_trailer {
    bool complete;            /* the END packet was received */
    const char *reason;       /* why recording ended: a name of gnomon_run_end_name, or an error's name; never NULL */
    const char *crash;        /* why the program crashed; NULL: it did not */
    int exit_status;          /* of the program; -1 = it did not end */
    uint32_t unseen_switches; /* switches of threads without a message */
    bool other_hart;          /* hart 1 ran, too */
    uint64_t moved_threads;   /* threads that ran on both harts */
    uint32_t watch_missed, watch_overrun; /* calls that the device could not watch; how often it was too slow */
    const json_t *clock;                  /* the host's time of cycles; NULL: it was not measured */
    const json_t *tags;                   /* what tags did not count; NULL: the recording has no tags */
};

/* Writes a temporary file "PATH.tmp" beside PATH. gnomon_gnt_writer_close renames it to PATH, so that an earlier file
 * survives any failure. If PATH exists and is no regular file (/dev/null, a pipe), it is written directly. */
struct gnomon_gnt_writer;

/* `header` is only read (device, clock_hz, elf, command; see the document). *writer is NULL after a failure. */
enum gnomon_status gnomon_gnt_writer_open(struct gnomon_gnt_writer **writer, const char *path, const json_t *header,
                                          struct gnomon_error *error);

/* Whole frames: `size` is a multiple of GNOMON_FRAME_BYTES. After a failure (a full disk) only abort makes sense. */
enum gnomon_status gnomon_gnt_writer_frames(struct gnomon_gnt_writer *writer, const void *frames, size_t size,
                                            struct gnomon_error *error);

/* Writes the device's records after the last frame; see docs/reference/trace-format.md. At most once. */
enum gnomon_status gnomon_gnt_writer_records(struct gnomon_gnt_writer *writer, const json_t *records,
                                             struct gnomon_error *error);

/* Writes the cycles of instructions after the records. At most once. */
enum gnomon_status gnomon_gnt_writer_instructions(struct gnomon_gnt_writer *writer, const json_t *instructions,
                                                  struct gnomon_error *error);

/* Writes the names of threads and locks after the cycles of instructions. At most once. */
enum gnomon_status gnomon_gnt_writer_locks(struct gnomon_gnt_writer *writer, const json_t *locks,
                                           struct gnomon_error *error);

/* Writes what points to the heap after the names of threads and locks. At most once. */
enum gnomon_status gnomon_gnt_writer_heap(struct gnomon_gnt_writer *writer, const json_t *heap,
                                          struct gnomon_error *error);

/* Writes the samples after what points to the heap. At most once. */
enum gnomon_status gnomon_gnt_writer_samples(struct gnomon_gnt_writer *writer, const json_t *samples,
                                             struct gnomon_error *error);

/* Bytes written so far, header included. */
uint64_t gnomon_gnt_writer_size(const struct gnomon_gnt_writer *writer);

/* Writes the trailer, flushes to disk and renames. Frees the writer in any case; after a failure the temporary file is
 * gone. */
enum gnomon_status gnomon_gnt_writer_close(struct gnomon_gnt_writer *writer, const struct gnomon_gnt_trailer *trailer,
                                           struct gnomon_error *error);

/* Removes the temporary file and frees the writer, which may be NULL. */
void gnomon_gnt_writer_abort(struct gnomon_gnt_writer *writer);

/* Flaws of a file that can still be read. */
enum gnomon_gnt_flaw {
    GNOMON_GNT_TRUNCATED = 1,         /* ends within a frame or within the trailer */
    GNOMON_GNT_NO_TRAILER = 2,        /* the recorder was killed, or the end is missing */
    GNOMON_GNT_BAD_TRAILER = 4,       /* the trailer's own checksum or content is wrong */
    GNOMON_GNT_BAD_FRAMES = 8,        /* the frames are not those that the recorder wrote: checksum or number differ */
    GNOMON_GNT_TRAILING = 16,         /* there are bytes after the trailer */
    GNOMON_GNT_BAD_RECORDS = 32,      /* the records' checksum or form is wrong */
    GNOMON_GNT_BAD_INSTRUCTIONS = 64, /* the checksum or form of the instructions' cycles is wrong */
    GNOMON_GNT_BAD_LOCKS = 128,       /* the checksum or form of the names of threads and locks is wrong */
    GNOMON_GNT_BAD_HEAP = 256,        /* the checksum or form of the heap's memory is wrong */
    GNOMON_GNT_BAD_SAMPLES = 512,     /* the checksum or form of the samples is wrong */
};

struct gnomon_gnt_reader;

/* Reads and checks the header. *reader is NULL after a failure. */
enum gnomon_status gnomon_gnt_open(struct gnomon_gnt_reader **reader, const char *path, struct gnomon_error *error);

/* Borrowed; lives as long as the reader. An object. */
const json_t *gnomon_gnt_header(const struct gnomon_gnt_reader *reader);

/* *frame points at the next frame until the next call; NULL at the end. Only a failed read is an error: flaws of the
 * file are in gnomon_gnt_flaws. */
enum gnomon_status gnomon_gnt_next(struct gnomon_gnt_reader *reader, const uint8_t **frame, struct gnomon_error *error);

/* For readers of what comes after the frames: moves there at once, if the file's end says where it is; otherwise the
 * frames come as usual. Only after opening, and of a file in which one can seek. The frames are then not checked: there
 * seem to be flaws. */
void gnomon_gnt_skip_frames(struct gnomon_gnt_reader *reader);

/* Valid after the end was reached: the flaws found (enum gnomon_gnt_flaw), and the trailer, NULL if there is none. */
unsigned gnomon_gnt_flaws(const struct gnomon_gnt_reader *reader);
const json_t *gnomon_gnt_trailer(const struct gnomon_gnt_reader *reader);

/* Valid after the end was reached: the number of missing bytes, a lower bound; 0 if it is not known. */
uint64_t gnomon_gnt_missing(const struct gnomon_gnt_reader *reader);

/* Reads a count of the header, trailer or records; 0 if it is not there. */
uint64_t gnomon_gnt_count(const json_t *object, const char *key);
/* The device's records, an object; NULL if there are none. Valid after the end was reached. */
const json_t *gnomon_gnt_records(const struct gnomon_gnt_reader *reader);
/* The cycles of instructions, an object; NULL if there are none. Valid after the end was reached. */
const json_t *gnomon_gnt_instructions(const struct gnomon_gnt_reader *reader);
/* The names of threads and locks, an object; NULL if there are none. Valid after the end was reached. */
const json_t *gnomon_gnt_locks(const struct gnomon_gnt_reader *reader);
/* What points to the heap, an object; NULL if there is none. Valid after the end was reached. */
const json_t *gnomon_gnt_heap(const struct gnomon_gnt_reader *reader);

/* The samples, an object; NULL if there are none. Valid after the end was reached. */
const json_t *gnomon_gnt_samples(const struct gnomon_gnt_reader *reader);

/* Frames read so far. */
uint64_t gnomon_gnt_frames(const struct gnomon_gnt_reader *reader);

/* May be NULL. */
void gnomon_gnt_close(struct gnomon_gnt_reader *reader);

#endif
