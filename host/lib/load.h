/* SPDX-License-Identifier: Apache-2.0 */
/* A program to load: an ELF file for RV32, checked before a device is touched. */
#ifndef GNOMON_LIB_LOAD_H
#define GNOMON_LIB_LOAD_H

#include "board.h"
#include "isa.h"

struct gnomon_segment {
    uint32_t address; /* where it is put */
    uint32_t runs_at; /* where the program will want it: elsewhere if it is an overlay */
    uint32_t size;    /* bytes in the file */
    uint32_t memory;  /* bytes in memory, from `address` */
    const uint8_t *data;
};

struct gnomon_image {
    char *path;
    uint8_t *file;
    size_t file_size;
    uint32_t entry;
    struct gnomon_segment *segments; /* of type PT_LOAD, not empty */
    size_t segment_count;
    char build_id[129];          /* in hexadecimal; "" without the note */
    char isa[GNOMON_ARCH_BYTES]; /* as its attributes have it (isa.h); "" where they do not say */
};

enum gnomon_status gnomon_image_open(const char *path, struct gnomon_image **image, struct gnomon_error *error);
void gnomon_image_close(struct gnomon_image *image);

/* Has the board all extensions that the program was compiled for? Programs without attributes are believed. */
enum gnomon_status gnomon_image_runs(const struct gnomon_image *image, const struct gnomon_board *board,
                                     struct gnomon_error *error);

/* True if no code of it names a register or CSR of what lean models leave out, as far as its sections tell. */
bool gnomon_image_suits_lean(const struct gnomon_image *image);

/* Do all segments lie in the board's memory, where they are put and where they run? *end is the first address after
 * them. */
enum gnomon_status gnomon_image_fits(const struct gnomon_image *image, const struct gnomon_board *board, uint32_t *end,
                                     struct gnomon_error *error);
/* Writes the segments' bytes; what is zero at start is the start-up code's to clear. */
enum gnomon_status gnomon_image_load(const struct gnomon_image *image, struct gnomon_device *device,
                                     struct gnomon_error *error);

/* A whole file in memory, also for input files. */
enum gnomon_status gnomon_read_file(const char *path, uint8_t **data, size_t *size, struct gnomon_error *error);
/* A whole file written beside its place and then moved there, so that an earlier one survives any failure. */
enum gnomon_status gnomon_write_file(const char *path, const void *data, size_t size, struct gnomon_error *error);

#endif
