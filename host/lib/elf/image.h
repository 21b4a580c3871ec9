/* SPDX-License-Identifier: Apache-2.0 */
/* A program to load: an ELF file for RV32, checked before a device is touched. */
#ifndef GNOMON_LIB_IMAGE_H
#define GNOMON_LIB_IMAGE_H

#include "lib/elf/isa.h"
#include "lib/util/error.h"

struct gnomon_segment {
    uint32_t address; /* where the loader puts it */
    uint32_t runs_at; /* where the program needs it at run time; differs from `address` for an overlay */
    uint32_t size;    /* bytes in the file */
    uint32_t memory;  /* bytes in memory, from `address` */
    const uint8_t *data;
    bool writable; /* at run time */
};

struct gnomon_image {
    char *path;
    uint8_t *file;
    size_t file_size;
    uint32_t entry;
    struct gnomon_segment *segments; /* of type PT_LOAD, not empty */
    size_t segment_count;
    char build_id[129];          /* in hexadecimal; "" if the file has no such note */
    char isa[GNOMON_ARCH_BYTES]; /* from the file's attributes (isa.h); "" if they do not say */
};

enum gnomon_status gnomon_image_open(const char *path, struct gnomon_image **image, struct gnomon_error *error);
void gnomon_image_close(struct gnomon_image *image);

#endif
