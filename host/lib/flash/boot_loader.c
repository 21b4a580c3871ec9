/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/flash/boot_loader.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "lib/transport/transport.h"
#include "lib/transport/usb_error.h"
#include "lib/util/clock.h"

#define DFUSE_RELEASE 0x011A /* ST's extension, which addresses memory differently */
#define LOOK_EVERY_MS 200
#define BOOT_TIMEOUT_MS 5000

const struct gnomon_loader gnomon_loaders[] = {
    {"fomu", "Fomu (foboot)", 0x1209, 0x5BF0, GNOMON_FPGA_UP5K, true},
    {"icebreaker-bitsy", "iCEBreaker-Bitsy (no2bootloader)", 0x1D50, 0x6146, GNOMON_FPGA_UP5K, true},
    {"orangecrab", "OrangeCrab", 0x1209, 0x5AF0, GNOMON_FPGA_ECP5_25, true},
    {"tinyfpga-bx", "TinyFPGA BX", 0x1D50, 0x6130, GNOMON_FPGA_ICE40_8K, false},
    {0},
};

const struct gnomon_loader *gnomon_loader_of_board(const char *board) {
    for (const struct gnomon_loader *loader = gnomon_loaders; loader->board; loader++)
        if (!strcmp(loader->board, board))
            return loader;
    return NULL;
}

static const struct gnomon_loader *loader_of(uint16_t vendor, uint16_t product) {
    for (const struct gnomon_loader *loader = gnomon_loaders; loader->board; loader++)
        if (loader->vendor == vendor && loader->product == product)
            return loader;
    return NULL;
}

/* ---- Finding devices ---- */

/* Reads the serial number; "" if the device has none, or cannot be opened. */
static void read_serial(libusb_device *device, uint8_t index, char text[64]) {
    libusb_device_handle *handle;
    text[0] = '\0';
    if (!index || libusb_open(device, &handle))
        return;
    int got = libusb_get_string_descriptor_ascii(handle, index, (unsigned char *)text, 63);
    text[got > 0 ? got : 0] = '\0';
    libusb_close(handle);
}

static bool classify(libusb_device *device, const struct libusb_device_descriptor *descriptor,
                     struct gnomon_flash_device *found) {
    memset(found, 0, sizeof *found);
    found->loader = loader_of(descriptor->idVendor, descriptor->idProduct);
    if (found->loader && !found->loader->dfu) {
        found->kind = GNOMON_FLASH_TINYPROG;
        return true;
    }
    bool has_dfu = gnomon_dfu_find(device, &found->dfu);
    if (has_dfu && found->dfu.protocol == GNOMON_DFU_LOADER) {
        found->kind = GNOMON_FLASH_DFU;
        return found->dfu.release != DFUSE_RELEASE || found->loader;
    }
    found->loader = NULL;
    found->kind = has_dfu && found->dfu.protocol == GNOMON_DFU_RUNTIME ? GNOMON_FLASH_RUNTIME : GNOMON_FLASH_GNOMON;
    return gnomon_libusb_is_gnomon(device);
}

static bool describe(libusb_device *device, struct gnomon_flash_device *found) {
    struct libusb_device_descriptor descriptor;
    if (libusb_get_device_descriptor(device, &descriptor) || !classify(device, &descriptor, found))
        return false;
    char serial[64];
    read_serial(device, descriptor.iSerialNumber, serial);
    found->vendor = descriptor.idVendor;
    found->product = descriptor.idProduct;
    found->bus = libusb_get_bus_number(device);
    found->device = libusb_get_device_address(device);
    snprintf(found->address, sizeof found->address, "usb:%04x:%04x%s%s", descriptor.idVendor, descriptor.idProduct,
             serial[0] ? ":" : "", serial);
    return true;
}

/* Does `found` match `address`? "usb:1209:0001" matches all devices with these IDs, a serial number only one of them.
 */
static bool wanted(const char *address, const char *found) {
    if (!address || !strcmp(address, "usb"))
        return true;
    size_t length = strlen(address);
    return !strncasecmp(address, found, length) && (found[length] == '\0' || found[length] == ':');
}

enum gnomon_status gnomon_flash_scan(const char *address, struct gnomon_flash_list *list, struct gnomon_error *error) {
    list->count = 0;
    if (address && strcmp(address, "usb") != 0 && strncmp(address, "usb:", 4) != 0) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s is no board on this machine's USB", address);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "write usb, usb:VID:PID or usb:VID:PID:SERIAL");
    }
    libusb_context *context;
    int result = libusb_init(&context);
    if (result)
        return gnomon_usb_fail(error, result, "use USB", "starting libusb");
    libusb_device **devices;
    ssize_t count = libusb_get_device_list(context, &devices);
    for (ssize_t i = 0; i < count && list->count < GNOMON_FLASH_DEVICES; i++)
        if (describe(devices[i], &list->devices[list->count]) && wanted(address, list->devices[list->count].address))
            list->count++;
    if (count >= 0)
        libusb_free_device_list(devices, 1);
    libusb_exit(context);
    return GNOMON_OK;
}

static bool is_in(const struct gnomon_flash_list *list, const struct gnomon_flash_device *device) {
    for (size_t i = 0; i < list->count; i++)
        if (list->devices[i].bus == device->bus && list->devices[i].device == device->device)
            return true;
    return false;
}

enum gnomon_status gnomon_flash_wait(const struct gnomon_flash_list *before, bool gnomon, unsigned seconds,
                                     struct gnomon_flash_device *found, struct gnomon_error *error) {
    const struct timespec pause = {.tv_nsec = LOOK_EVERY_MS * 1000000L};
    uint64_t end = gnomon_now_ms() + seconds * 1000ull;
    do {
        struct gnomon_flash_list now;
        enum gnomon_status status = gnomon_flash_scan(NULL, &now, error);
        if (status)
            return status;
        for (size_t i = 0; i < now.count; i++) {
            const struct gnomon_flash_device *at = &now.devices[i];
            if (is_in(before, at) || (at->kind <= GNOMON_FLASH_RUNTIME) != gnomon)
                continue;
            *found = *at;
            return GNOMON_OK;
        }
        nanosleep(&pause, NULL);
    } while (gnomon_now_ms() < end);
    gnomon_fail(error, GNOMON_ERR_TIMEOUT, "no %s appeared on USB within %u s", gnomon ? "Gnomon" : "loader", seconds);
    return gnomon_remedy(
        error, GNOMON_ERR_TIMEOUT,
        gnomon ? "unplug the board and plug it in; if no Gnomon appears then, check that the bitstream is a Gnomon"
               : "start the loader by hand (hold the board's button while plugging it in), then try "
                 "again; or use make flash BOARD=... with a programmer");
}

/* ---- Opening ---- */

/* An open device, with its DFU interface claimed. */
struct opened {
    libusb_context *context;
    libusb_device_handle *handle;
};

static int open_at(struct opened *opened, unsigned bus, unsigned number) {
    libusb_device **devices;
    ssize_t count = libusb_get_device_list(opened->context, &devices);
    int result = count < 0 ? (int)count : LIBUSB_ERROR_NO_DEVICE;
    for (ssize_t i = 0; i < count; i++)
        if (libusb_get_bus_number(devices[i]) == bus && libusb_get_device_address(devices[i]) == number)
            result = libusb_open(devices[i], &opened->handle);
    if (count >= 0)
        libusb_free_device_list(devices, 1);
    return result;
}

static void close_dfu(struct opened *opened) {
    if (opened->handle)
        libusb_close(opened->handle);
    if (opened->context)
        libusb_exit(opened->context);
}

static enum gnomon_status open_dfu(const struct gnomon_flash_device *device, struct opened *opened,
                                   struct gnomon_error *error) {
    memset(opened, 0, sizeof *opened);
    int result = libusb_init(&opened->context);
    if (!result)
        result = open_at(opened, device->bus, device->device);
    if (!result) {
        libusb_set_auto_detach_kernel_driver(opened->handle, 1);
        result = libusb_claim_interface(opened->handle, device->dfu.number);
    }
    if (!result)
        return GNOMON_OK;
    close_dfu(opened);
    return gnomon_usb_fail(error, result, device->address, "opening it");
}

/* ---- Restarting and writing ---- */

/* Sends the vendor request that a Gnomon without room for a DFU interface supports; all other devices refuse it. */
static enum gnomon_status ask_to_boot(const struct gnomon_dfu *dfu, struct gnomon_error *error) {
    int result = libusb_control_transfer(dfu->handle, 0x40, GNOMON_USB_REQUEST_BOOT, 0, 0, NULL, 0, BOOT_TIMEOUT_MS);
    if (result >= 0 || result == LIBUSB_ERROR_NO_DEVICE ||
        result == LIBUSB_ERROR_IO) /* the device may leave before it answers */
        return GNOMON_OK;
    if (result != LIBUSB_ERROR_PIPE)
        return gnomon_usb_fail(error, result, dfu->address, "asking it to restart into its loader");
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s cannot restart into a loader", dfu->address);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                         "start the loader by hand (hold the board's button while plugging it in), then try again; or "
                         "use make flash BOARD=... with a programmer");
}

enum gnomon_status gnomon_flash_detach(const struct gnomon_flash_device *device, struct gnomon_error *error) {
    struct opened opened;
    enum gnomon_status status = open_dfu(device, &opened, error);
    if (status)
        return status;
    struct gnomon_dfu dfu = {.handle = opened.handle, .interface = device->dfu, .address = device->address};
    status = device->kind == GNOMON_FLASH_RUNTIME ? gnomon_dfu_detach(&dfu, error) : ask_to_boot(&dfu, error);
    close_dfu(&opened);
    return status;
}

enum gnomon_status gnomon_flash_check(const struct gnomon_loader *loader, const char *path,
                                      const struct gnomon_bitstream *bitstream, struct gnomon_error *error) {
    bool vendor = bitstream->vendor == 0xFFFF || bitstream->vendor == loader->vendor;
    bool product = bitstream->product == 0xFFFF || bitstream->product == loader->product;
    if (bitstream->fpga == loader->fpga && vendor && product)
        return GNOMON_OK;
    if (bitstream->fpga == loader->fpga)
        gnomon_fail(error, GNOMON_ERR_MISMATCH, "%s is for the loader %04x:%04x, %s is %04x:%04x", path,
                    bitstream->vendor, bitstream->product, loader->title, loader->vendor, loader->product);
    else
        gnomon_fail(error, GNOMON_ERR_MISMATCH, "%s is for an %s, %s has an %s", path, bitstream->part, loader->title,
                    gnomon_fpga_name(loader->fpga));
    return gnomon_remedy(error, GNOMON_ERR_MISMATCH, "build the one for this board: make bitstream BOARD=%s",
                         loader->board);
}

enum gnomon_status gnomon_flash_write(const struct gnomon_flash_device *device,
                                      const struct gnomon_bitstream *bitstream,
                                      const struct gnomon_flash_options *options, struct gnomon_error *error) {
    if (options->alternate >= device->dfu.alternates) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the loader %s has no place %u: it has %u", device->address,
                    options->alternate, device->dfu.alternates);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "leave --alt out");
    }
    struct opened opened;
    enum gnomon_status status = open_dfu(device, &opened, error);
    if (status)
        return status;
    int result = device->dfu.alternates < 2
                     ? 0
                     : libusb_set_interface_alt_setting(opened.handle, device->dfu.number, (int)options->alternate);
    if (result)
        status = gnomon_usb_fail(error, result, device->address, "choosing where to write");
    struct gnomon_dfu dfu = {.handle = opened.handle,
                             .interface = device->dfu,
                             .address = device->address,
                             .patience = options->patience * 1000,
                             .progress = options->progress,
                             .context = options->context};
    if (!status)
        status = gnomon_dfu_download(&dfu, bitstream->data, bitstream->size, error);
    close_dfu(&opened);
    return status;
}
