/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether a program fits a device, and loads it. */
#ifndef GNOMON_LIB_LOAD_IMAGE_H
#define GNOMON_LIB_LOAD_IMAGE_H

#include "lib/device/board.h"
#include "lib/elf/image.h"

/* Does the board have all extensions that the program was compiled for? Programs without attributes pass. */
enum gnomon_status gnomon_image_runs(const struct gnomon_image *image, const struct gnomon_board *board,
                                     struct gnomon_error *error);

/* True if none of the program's code names a register or CSR that lean models leave out. Only the file's sections are
 * checked. */
bool gnomon_image_suits_lean(const struct gnomon_image *image);

/* Are all segments in the board's memories, both at their load addresses and at their run addresses? *end is the first
 * address after those in main memory. */
enum gnomon_status gnomon_image_fits(const struct gnomon_image *image, const struct gnomon_board *board, uint32_t *end,
                                     struct gnomon_error *error);
/* Writes the bytes of the segments; the start-up code clears memory that must be 0. `progress` is for flash memory
 * (gnomon_flash_memory_write). */
enum gnomon_status gnomon_image_load(const struct gnomon_image *image, const struct gnomon_board *board,
                                     struct gnomon_device *device,
                                     void (*progress)(void *context, const char *doing, size_t done, size_t size),
                                     void *context, struct gnomon_error *error);

#endif
