/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/flash/dfu.h"

#include <string.h>
#include <time.h>

#include "lib/transport/usb_error.h"
#include "lib/util/clock.h"

#define REQUEST_TIMEOUT 5000
#define TO_INTERFACE 0x21 /* class request, from the host */
#define FROM_INTERFACE 0xA1
#define FUNCTIONAL_DESCRIPTOR 0x21
#define LEAST_TRANSFER 8
#define MOST_TRANSFER 4096 /* largest control transfer of Linux's usbfs */
#define MOST_DETACH_WAIT 1000
#define RECOVERY_STEPS 8

enum request { DETACH = 0, DOWNLOAD = 1, GET_STATUS = 3, CLEAR_STATUS = 4, ABORT = 6 };

enum state {
    APP_IDLE,
    APP_DETACH,
    IDLE,
    DOWNLOAD_SYNC,
    DOWNLOAD_BUSY,
    DOWNLOAD_IDLE,
    MANIFEST_SYNC,
    MANIFEST,
    MANIFEST_WAIT_RESET,
    UPLOAD_IDLE,
    ERROR,
    STATES
};

static const char *const state_names[STATES] = {"appIDLE",          "appDETACH",   "dfuIDLE",
                                                "dfuDNLOAD-SYNC",   "dfuDNBUSY",   "dfuDNLOAD-IDLE",
                                                "dfuMANIFEST-SYNC", "dfuMANIFEST", "dfuMANIFEST-WAIT-RESET",
                                                "dfuUPLOAD-IDLE",   "dfuERROR"};

/* By bStatus: the name in the specification, and its meaning for the user. */
static const struct {
    const char *name, *remedy;
} troubles[] = {
    {"OK", "try again"},
    {"errTARGET: the file is not for this device",
     "check that the bitstream is for this board; gnomon flash --list shows boards"},
    {"errFILE: the file fails a test of the loader's", "check that the bitstream is for this board, or build it again"},
    {"errWRITE: the flash cannot be written", "switch its write protection off; otherwise it may be worn out"},
    {"errERASE: the flash cannot be erased", "switch its write protection off; otherwise it may be worn out"},
    {"errCHECK_ERASED: the flash is not empty after it was erased", "try again; else the flash may be worn out"},
    {"errPROG: the flash was not written", "try again; else the flash may be worn out"},
    {"errVERIFY: what was written reads back otherwise", "try again; else the flash may be worn out"},
    {"errADDRESS: that is outside of the flash", "check that the bitstream is for this board, and check --alt"},
    {"errNOTDONE: the file is incomplete", "build it again"},
    {"errFIRMWARE: what is there cannot run", "write a bitstream that can"},
    {"errVENDOR: the maker's own error", "unplug the board, plug it in, try again"},
    {"errUSBR: an unexpected bus reset", "try another cable or port"},
    {"errPOR: an unexpected power-on reset", "try another cable or port"},
    {"errUNKNOWN", "unplug the board, plug it in, try again"},
    {"errSTALLEDPKT: an unexpected request", "unplug the board, plug it in, try again"},
};

struct status {
    uint8_t trouble, state;
    unsigned wait; /* ms until the next request */
};

static void sleep_ms(unsigned ms) {
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    nanosleep(&time, NULL);
}

/* ---- Descriptors ---- */

static void read_functional(const uint8_t *extra, int size, struct gnomon_dfu_interface *interface) {
    for (int at = 0; at + 2 <= size && extra[at] >= 2 && extra[at] <= size - at; at += extra[at]) {
        const uint8_t *item = extra + at;
        if (item[1] != FUNCTIONAL_DESCRIPTOR || item[0] < 7)
            continue;
        interface->described = true;
        interface->attributes = item[2];
        interface->detach_timeout = (uint16_t)(item[3] | item[4] << 8);
        interface->transfer_size = (uint16_t)(item[5] | item[6] << 8);
        interface->release = item[0] >= 9 ? (uint16_t)(item[7] | item[8] << 8) : 0x0100;
    }
}

static bool find_in(const struct libusb_config_descriptor *config, struct gnomon_dfu_interface *interface) {
    memset(interface, 0, sizeof *interface);
    for (int i = 0; i < config->bNumInterfaces; i++)
        for (int n = 0; n < config->interface[i].num_altsetting; n++) {
            const struct libusb_interface_descriptor *at = &config->interface[i].altsetting[n];
            if (at->bInterfaceClass != GNOMON_DFU_CLASS || at->bInterfaceSubClass != GNOMON_DFU_SUBCLASS)
                continue;
            interface->number = at->bInterfaceNumber;
            interface->protocol = at->bInterfaceProtocol;
            interface->alternates++;
            read_functional(at->extra, at->extra_length, interface); /* usually after the last alternate setting */
        }
    if (interface->alternates && !interface->described)
        read_functional(config->extra, config->extra_length, interface);
    return interface->alternates;
}

bool gnomon_dfu_find(libusb_device *device, struct gnomon_dfu_interface *interface) {
    struct libusb_config_descriptor *config;
    if (libusb_get_config_descriptor(device, 0, &config))
        return false;
    bool found = find_in(config, interface);
    libusb_free_config_descriptor(config);
    return found;
}

/* ---- Requests ---- */

static int request(const struct gnomon_dfu *dfu, enum request code, uint16_t value, uint8_t *data, uint16_t size) {
    uint8_t type = code == GET_STATUS ? FROM_INTERFACE : TO_INTERFACE;
    return libusb_control_transfer(dfu->handle, type, (uint8_t)code, value, dfu->interface.number, data, size,
                                   REQUEST_TIMEOUT);
}

static enum gnomon_status nonsense(const struct gnomon_dfu *dfu, const char *what, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_PROTOCOL, "the loader %s does not keep to DFU 1.1: %s", dfu->address, what);
    return gnomon_remedy(error, GNOMON_ERR_PROTOCOL, "unplug the board, plug it in, try again");
}

static enum gnomon_status get_status(const struct gnomon_dfu *dfu, struct status *status, struct gnomon_error *error) {
    uint8_t data[6] = {0};
    int got = request(dfu, GET_STATUS, 0, data, sizeof data);
    if (got < 0)
        return gnomon_usb_fail(error, got, dfu->address, "asking the loader how it is");
    if (got != sizeof data)
        return nonsense(dfu, "its status is cut short", error);
    status->trouble = data[0];
    status->state = data[4];
    status->wait = (unsigned)(data[1] | data[2] << 8 | data[3] << 16);
    return data[4] < STATES ? GNOMON_OK : nonsense(dfu, "it is in an unknown state", error);
}

static enum gnomon_status in_trouble(const struct gnomon_dfu *dfu, uint8_t trouble, size_t written,
                                     struct gnomon_error *error) {
    if (trouble >= sizeof troubles / sizeof *troubles)
        return nonsense(dfu, "it has an unknown error", error);
    gnomon_fail(error, GNOMON_ERR_PROTOCOL, "the loader %s gave up after %zu bytes: %s", dfu->address, written,
                troubles[trouble].name);
    return gnomon_remedy(error, GNOMON_ERR_PROTOCOL, "%s", troubles[trouble].remedy);
}

/* Brings the loader to dfuIDLE from the state in which an earlier program left it. */
static enum gnomon_status become_idle(const struct gnomon_dfu *dfu, struct gnomon_error *error) {
    struct status status = {0};
    for (int step = 0; step < RECOVERY_STEPS; step++) {
        enum gnomon_status failed = get_status(dfu, &status, error);
        if (failed)
            return failed;
        if (status.state == IDLE)
            return GNOMON_OK;
        if (status.state <= APP_DETACH)
            return nonsense(dfu, "it says that it is no loader", error);
        int result = request(dfu, status.state == ERROR ? CLEAR_STATUS : ABORT, 0, NULL, 0);
        if (result < 0 && result != LIBUSB_ERROR_PIPE)
            return gnomon_usb_fail(error, result, dfu->address, "bringing the loader back");
    }
    gnomon_fail(error, GNOMON_ERR_PROTOCOL, "the loader %s stays in %s", dfu->address, state_names[status.state]);
    return gnomon_remedy(error, GNOMON_ERR_PROTOCOL, "unplug the board, plug it in, try again");
}

/* Polls until the loader is in none of the two `busy` states, with the pauses that the loader asks for. */
static enum gnomon_status wait_while(const struct gnomon_dfu *dfu, unsigned busy, size_t written, struct status *status,
                                     struct gnomon_error *error) {
    uint64_t end = gnomon_now_ms() + dfu->patience;
    for (;;) {
        enum gnomon_status failed = get_status(dfu, status, error);
        if (failed)
            return failed;
        if (status->state == ERROR || status->trouble)
            return in_trouble(dfu, status->trouble, written, error);
        if (!(busy >> status->state & 1))
            return GNOMON_OK;
        if (gnomon_now_ms() + status->wait > end) {
            gnomon_fail(error, GNOMON_ERR_TIMEOUT, "the loader %s is still in %s after %zu bytes", dfu->address,
                        state_names[status->state], written);
            return gnomon_remedy(error, GNOMON_ERR_TIMEOUT,
                                 "unplug the board, plug it in, try again; a slow flash may need --wait 60");
        }
        sleep_ms(status->wait ? status->wait : 1);
    }
}

static enum gnomon_status send_block(const struct gnomon_dfu *dfu, uint16_t number, const uint8_t *data, size_t size,
                                     size_t written, struct gnomon_error *error) {
    int result = request(dfu, DOWNLOAD, number, (uint8_t *)data, (uint16_t)size);
    struct status status = {0};
    if (result == LIBUSB_ERROR_PIPE && get_status(dfu, &status, NULL) == GNOMON_OK && status.state == ERROR)
        return in_trouble(dfu, status.trouble, written, error);
    if (result < 0)
        return gnomon_usb_fail(error, result, dfu->address, "sending a block to the loader");
    return (size_t)result == size ? GNOMON_OK : nonsense(dfu, "it took part of a block", error);
}

/* Finishes with the empty block. Then the loader starts the new data, by itself or at the next reset. It may leave the
 * bus at any time. */
static enum gnomon_status finish(const struct gnomon_dfu *dfu, uint16_t number, size_t size,
                                 struct gnomon_error *error) {
    enum gnomon_status failed = send_block(dfu, number, NULL, 0, size, error);
    if (failed)
        return failed;
    struct status status = {0};
    struct gnomon_error why;
    failed = wait_while(dfu, 1u << MANIFEST_SYNC | 1u << MANIFEST, size, &status, &why);
    if (failed == GNOMON_ERR_PROTOCOL || failed == GNOMON_ERR_TIMEOUT) {
        if (error)
            *error = why;
        return failed;
    }
    if (!failed && status.state == DOWNLOAD_IDLE)
        return nonsense(dfu, "it does not take the end of the file for one", error);
    if (!failed && status.state == IDLE && (dfu->interface.attributes & GNOMON_DFU_WILL_DETACH))
        request(dfu, DETACH, 0, NULL, 0);
    libusb_reset_device(dfu->handle);
    return GNOMON_OK;
}

static size_t block_bytes(const struct gnomon_dfu_interface *interface) {
    size_t size = interface->transfer_size;
    return size > MOST_TRANSFER ? MOST_TRANSFER : size;
}

enum gnomon_status gnomon_dfu_download(const struct gnomon_dfu *dfu, const uint8_t *data, size_t size,
                                       struct gnomon_error *error) {
    size_t block = block_bytes(&dfu->interface);
    if (!dfu->interface.described || block < LEAST_TRANSFER)
        return nonsense(dfu, "its functional descriptor is missing or impossible", error);
    if (!(dfu->interface.attributes & GNOMON_DFU_CAN_DOWNLOAD))
        return nonsense(dfu, "it says that it cannot be written", error);
    enum gnomon_status failed = become_idle(dfu, error);
    uint16_t number = 0;
    for (size_t at = 0; at < size && !failed; at += block, number++) {
        size_t part = size - at < block ? size - at : block;
        struct status status = {0};
        failed = send_block(dfu, number, data + at, part, at, error);
        if (!failed)
            failed = wait_while(dfu, 1u << DOWNLOAD_SYNC | 1u << DOWNLOAD_BUSY, at, &status, error);
        if (!failed && status.state != DOWNLOAD_IDLE)
            failed = nonsense(dfu, "it left the download", error);
        if (!failed && dfu->progress)
            dfu->progress(dfu->context, at + part, size);
    }
    return failed ? failed : finish(dfu, number, size, error);
}

/* A device that does not leave by itself leaves at the bus reset that follows. It may leave before it answers. */
enum gnomon_status gnomon_dfu_detach(const struct gnomon_dfu *dfu, struct gnomon_error *error) {
    unsigned wait = dfu->interface.detach_timeout < MOST_DETACH_WAIT ? dfu->interface.detach_timeout : MOST_DETACH_WAIT;
    int result = request(dfu, DETACH, (uint16_t)wait, NULL, 0);
    if (result == LIBUSB_ERROR_PIPE) {
        gnomon_fail(error, GNOMON_ERR_STALL, "%s refuses to restart into its loader", dfu->address);
        return gnomon_remedy(error, GNOMON_ERR_STALL,
                             "start the loader by hand (hold the board's button while plugging it in), then try again");
    }
    if (result < 0 && result != LIBUSB_ERROR_NO_DEVICE && result != LIBUSB_ERROR_IO)
        return gnomon_usb_fail(error, result, dfu->address, "asking it to restart into its loader");
    if (result >= 0 && !(dfu->interface.attributes & GNOMON_DFU_WILL_DETACH))
        libusb_reset_device(dfu->handle);
    return GNOMON_OK;
}
