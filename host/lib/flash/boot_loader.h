/* SPDX-License-Identifier: Apache-2.0 */
/* USB boards that can get a bitstream without a programmer: devices that can restart into their loader on request, and
 * loaders. */
#ifndef GNOMON_LIB_BOOT_LOADER_H
#define GNOMON_LIB_BOOT_LOADER_H

#include <stdbool.h>

#include "lib/flash/bitstream.h"
#include "lib/flash/dfu.h"

/* The USB identity of a board's loader. */
struct gnomon_loader {
    const char *board, *title;
    uint16_t vendor, product;
    enum gnomon_fpga fpga;
    bool dfu; /* it speaks DFU; else the protocol of tinyprog */
};

/* The last entry has a board of NULL. */
extern const struct gnomon_loader gnomon_loaders[];
const struct gnomon_loader *gnomon_loader_of_board(const char *board);

enum gnomon_flash_kind {
    GNOMON_FLASH_GNOMON,   /* a Gnomon without a DFU interface: it may support the vendor request */
    GNOMON_FLASH_RUNTIME,  /* a Gnomon with a DFU interface */
    GNOMON_FLASH_DFU,      /* a loader that speaks DFU */
    GNOMON_FLASH_TINYPROG, /* a loader that speaks the protocol of tinyprog */
};

/* A device that is present. */
struct gnomon_flash_device {
    enum gnomon_flash_kind kind;
    char address[128]; /* usb:VID:PID[:SERIAL] */
    unsigned bus, device;
    uint16_t vendor, product;
    const struct gnomon_loader *loader; /* NULL: a Gnomon, or a loader that is not in the table */
    struct gnomon_dfu_interface dfu;
};

#define GNOMON_FLASH_DEVICES 32
struct gnomon_flash_list {
    struct gnomon_flash_device devices[GNOMON_FLASH_DEVICES];
    size_t count;
};

/* Lists all such devices (`address` NULL or "usb"), or only those of usb:VID:PID[:SERIAL]. */
enum gnomon_status gnomon_flash_scan(const char *address, struct gnomon_flash_list *list, struct gnomon_error *error);
/* Restarts a Gnomon into its loader. */
enum gnomon_status gnomon_flash_detach(const struct gnomon_flash_device *device, struct gnomon_error *error);
/* Waits until a device appears that is not in `before`: a loader, or, if `gnomon`, a Gnomon. */
enum gnomon_status gnomon_flash_wait(const struct gnomon_flash_list *before, bool gnomon, unsigned seconds,
                                     struct gnomon_flash_device *found, struct gnomon_error *error);
/* Checks whether the bitstream fits this loader. What the file does not say is not checked. */
enum gnomon_status gnomon_flash_check(const struct gnomon_loader *loader, const char *path,
                                      const struct gnomon_bitstream *bitstream, struct gnomon_error *error);

struct gnomon_flash_options {
    unsigned alternate, patience; /* patience: seconds for one block */
    void (*progress)(void *context, size_t done, size_t size);
    void *context;
};
enum gnomon_status gnomon_flash_write(const struct gnomon_flash_device *device,
                                      const struct gnomon_bitstream *bitstream,
                                      const struct gnomon_flash_options *options, struct gnomon_error *error);

#endif
