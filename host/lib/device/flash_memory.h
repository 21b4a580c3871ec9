/* SPDX-License-Identifier: Apache-2.0 */
/* A board's SPI flash as memory for programs: compares, erases and programs it through the device's registers
 * (docs/internals/flash.md). */
#ifndef GNOMON_LIB_FLASH_MEMORY_H
#define GNOMON_LIB_FLASH_MEMORY_H

#include "lib/device/board.h"

struct gnomon_flash_part {
    uint32_t address, size;
    const uint8_t *data;
};

/* Makes the flash hold these parts, and checks that it does. It writes only sectors of 4 KiB that differ; what else is
 * in them is erased. Every part lies in the flash memory for programs (gnomon_board_flash_holds), and the hart is
 * stopped. `progress` gets what is done, and how much of it; NULL: nothing. */
enum gnomon_status gnomon_flash_memory_write(struct gnomon_device *device, const struct gnomon_board *board,
                                             const struct gnomon_flash_part *parts, size_t count,
                                             void (*progress)(void *context, const char *doing, size_t done,
                                                              size_t size),
                                             void *context, struct gnomon_error *error);

#endif
