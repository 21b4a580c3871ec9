/* SPDX-License-Identifier: Apache-2.0 */
/* Boards on USB that can be given a bitstream without a programmer: devices that restart into their loader when asked,
 * and loaders. */
#ifndef GNOMON_LIB_LOADER_H
#define GNOMON_LIB_LOADER_H

#include <stdbool.h>

#include "bitstream.h"
#include "dfu.h"

/* A board's loader, as it shows itself on USB. */
struct gnomon_loader {
    const char *board, *title;
    uint16_t vendor, product;
    enum gnomon_fpga fpga;
    bool dfu; /* else it speaks the protocol of tinyprog */
};

/* Ends with a board of NULL. */
extern const struct gnomon_loader gnomon_loaders[];
const struct gnomon_loader *gnomon_loader_of_board(const char *board);

enum gnomon_flash_kind {
    GNOMON_FLASH_GNOMON,   /* a Gnomon without a DFU interface: it may know the vendor request */
    GNOMON_FLASH_RUNTIME,  /* a Gnomon with one */
    GNOMON_FLASH_DFU,      /* a loader that speaks DFU */
    GNOMON_FLASH_TINYPROG, /* one that tinyprog speaks to */
};

/* A device that is there. */
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

/* All of them; `address` NULL or "usb", or usb:VID:PID[:SERIAL] to have only these. */
enum gnomon_status gnomon_flash_scan(const char *address, struct gnomon_flash_list *list, struct gnomon_error *error);
/* Sends a Gnomon into its loader. */
enum gnomon_status gnomon_flash_detach(const struct gnomon_flash_device *device, struct gnomon_error *error);
/* Waits until something appears that is not in `before`: a loader, or (`gnomon`) a Gnomon. */
enum gnomon_status gnomon_flash_wait(const struct gnomon_flash_list *before, bool gnomon, unsigned seconds,
                                     struct gnomon_flash_device *found, struct gnomon_error *error);
/* May this bitstream go to this loader, as far as can be told? */
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
