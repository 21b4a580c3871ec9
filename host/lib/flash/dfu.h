/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side of DFU 1.1 (USB Device Firmware Upgrade): it restarts a device into its loader, and writes through a
 * loader. */
#ifndef GNOMON_LIB_DFU_H
#define GNOMON_LIB_DFU_H

#include <libusb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

#define GNOMON_DFU_CLASS 0xFE
#define GNOMON_DFU_SUBCLASS 0x01
#define GNOMON_DFU_RUNTIME 0x01 /* bInterfaceProtocol of a device that can restart into its loader */
#define GNOMON_DFU_LOADER 0x02  /* bInterfaceProtocol of the loader */

/* The data of a DFU interface from the descriptors. */
struct gnomon_dfu_interface {
    uint8_t number, alternates, protocol;
    bool described; /* there is a functional descriptor; else the fields below are 0 */
    uint8_t attributes;
    uint16_t detach_timeout, transfer_size, release;
};

enum gnomon_dfu_attribute {
    GNOMON_DFU_CAN_DOWNLOAD = 1,
    GNOMON_DFU_MANIFESTATION_TOLERANT = 4,
    GNOMON_DFU_WILL_DETACH = 8
};

/* The device's DFU interface; false: it has none. */
bool gnomon_dfu_find(libusb_device *device, struct gnomon_dfu_interface *interface);

struct gnomon_dfu {
    libusb_device_handle *handle;
    struct gnomon_dfu_interface interface; /* claimed by the caller */
    const char *address;                   /* for messages */
    unsigned patience;                     /* ms that the loader may need for one block */
    void (*progress)(void *context, size_t done, size_t size);
    void *context;
};

/* Asks the device to restart as its loader; it leaves the bus. */
enum gnomon_status gnomon_dfu_detach(const struct gnomon_dfu *dfu, struct gnomon_error *error);
/* Writes all data and makes the loader start it. A loader in the middle of a transfer is brought back to idle first. */
enum gnomon_status gnomon_dfu_download(const struct gnomon_dfu *dfu, const uint8_t *data, size_t size,
                                       struct gnomon_error *error);

#endif
