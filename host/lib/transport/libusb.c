/* SPDX-License-Identifier: Apache-2.0 */
/* USB boards at this machine, through libusb-1.0. */
#include <errno.h>
#include <libusb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/transport/libusb_access.h"
#include "lib/transport/transport.h"
#include "lib/transport/usb_error.h"

#define TIMEOUT_SCALE 5
#define STOP_TIMEOUT_S 5 /* seconds until cancelled transfers that do not return are given up */

struct usb;

/* A queued transfer of a stream. Only its own callback frees it. */
struct slot {
    struct usb *usb;
    struct libusb_transfer *transfer;
    const struct gnomon_stream *stream;
    uint8_t buffer[];
};

struct usb {
    struct gnomon_transport base;
    libusb_context *context;
    libusb_device_handle *handle;
    unsigned bus, device;
    bool claimed, stopping;
    struct gnomon_stream streams[4];
    struct slot *slots[256];    /* NULL if freed */
    unsigned outstanding;       /* slots that libusb has */
    struct gnomon_error failed; /* what ended a stream */
};

static enum gnomon_status usb_error(const struct usb *usb, int code, const char *doing, struct gnomon_error *error) {
    char address[sizeof usb->base.address + 32];
    if (code == LIBUSB_ERROR_ACCESS && usb->device) /* if there are several such devices: which one */
        snprintf(address, sizeof address, "%s (bus %u, device %u)", usb->base.address, usb->bus, usb->device);
    else
        snprintf(address, sizeof address, "%s", usb->base.address);
    return gnomon_usb_fail(error, code, address, doing);
}

static enum gnomon_status usb_control(struct gnomon_transport *transport, const struct gnomon_setup *setup,
                                      uint8_t *data, size_t *got, unsigned timeout, struct gnomon_error *error) {
    struct usb *usb = (struct usb *)transport;
    int result = libusb_control_transfer(usb->handle, setup->request_type, setup->request, setup->value, setup->index,
                                         data, setup->length, timeout);
    *got = result > 0 ? (size_t)result : 0;
    return result < 0 ? usb_error(usb, result, "control request", error) : GNOMON_OK;
}

static enum gnomon_status usb_bulk(struct gnomon_transport *transport, uint8_t endpoint, uint8_t *data, size_t size,
                                   size_t *done, unsigned timeout, struct gnomon_error *error) {
    struct usb *usb = (struct usb *)transport;
    int moved = 0, result = libusb_bulk_transfer(usb->handle, endpoint, data, (int)size, &moved, timeout);
    *done = moved > 0 ? (size_t)moved : 0;
    return result < 0 ? usb_error(usb, result, endpoint & 0x80 ? "bulk in" : "bulk out", error) : GNOMON_OK;
}

static void free_slot(struct slot *slot) {
    struct usb *usb = slot->usb;
    for (size_t i = 0; i < sizeof usb->slots / sizeof *usb->slots; i++)
        if (usb->slots[i] == slot)
            usb->slots[i] = NULL;
    libusb_free_transfer(slot->transfer);
    free(slot);
}

static int code_of(enum libusb_transfer_status status) {
    switch (status) {
    case LIBUSB_TRANSFER_NO_DEVICE:
        return LIBUSB_ERROR_NO_DEVICE;
    case LIBUSB_TRANSFER_STALL:
        return LIBUSB_ERROR_PIPE;
    case LIBUSB_TRANSFER_OVERFLOW:
        return LIBUSB_ERROR_OVERFLOW;
    case LIBUSB_TRANSFER_TIMED_OUT:
        return LIBUSB_ERROR_TIMEOUT;
    default:
        return LIBUSB_ERROR_IO;
    }
}

static void LIBUSB_CALL on_transfer(struct libusb_transfer *transfer) {
    struct slot *slot = transfer->user_data;
    struct usb *usb = slot->usb;
    usb->outstanding--;
    if (transfer->actual_length > 0)
        slot->stream->data(slot->stream->context, slot->buffer, (size_t)transfer->actual_length);
    if (!usb->stopping && transfer->status == LIBUSB_TRANSFER_COMPLETED) {
        int result = libusb_submit_transfer(transfer);
        if (result == 0) {
            usb->outstanding++;
            return;
        }
        usb_error(usb, result, "bulk in", &usb->failed);
    } else if (!usb->stopping && !usb->failed.status) {
        usb_error(usb, code_of(transfer->status), "bulk in", &usb->failed);
    }
    free_slot(slot);
}

static enum gnomon_status add_slot(struct usb *usb, size_t index, const struct gnomon_stream *stream,
                                   struct gnomon_error *error) {
    struct slot *slot = calloc(1, sizeof *slot + stream->size);
    struct libusb_transfer *transfer = slot ? libusb_alloc_transfer(0) : NULL;
    if (!transfer) {
        free(slot);
        return gnomon_fail_memory(error);
    }
    slot->usb = usb;
    slot->stream = stream;
    slot->transfer = transfer;
    libusb_fill_bulk_transfer(transfer, usb->handle, stream->endpoint, slot->buffer, (int)stream->size, on_transfer,
                              slot, 0);
    usb->slots[index] = slot;
    int result = libusb_submit_transfer(transfer);
    if (result == 0) {
        usb->outstanding++;
        return GNOMON_OK;
    }
    free_slot(slot);
    return usb_error(usb, result, "bulk in", error);
}

static enum gnomon_status usb_stop(struct gnomon_transport *transport, struct gnomon_error *error) {
    struct usb *usb = (struct usb *)transport;
    usb->stopping = true;
    for (size_t i = sizeof usb->slots / sizeof *usb->slots; i-- > 0;) /* cancel the last queued first */
        if (usb->slots[i])
            libusb_cancel_transfer(usb->slots[i]->transfer);
    time_t end = time(NULL) + STOP_TIMEOUT_S;
    while (usb->outstanding && time(NULL) <= end) {
        struct timeval wait = {.tv_sec = 1};
        libusb_handle_events_timeout_completed(usb->context, &wait, NULL);
    }
    if (usb->outstanding)
        return gnomon_fail(error, GNOMON_ERR_TIMEOUT, "%u transfers of %s do not end", usb->outstanding,
                           usb->base.address);
    return GNOMON_OK;
}

static enum gnomon_status usb_start(struct gnomon_transport *transport, const struct gnomon_stream *streams,
                                    size_t count, struct gnomon_error *error) {
    struct usb *usb = (struct usb *)transport;
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += streams[i].transfers;
    if (count > sizeof usb->streams / sizeof *usb->streams || total > sizeof usb->slots / sizeof *usb->slots)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "too many streams");
    memcpy(usb->streams, streams, count * sizeof *streams);
    usb->stopping = false;
    usb->failed.status = GNOMON_OK;
    enum gnomon_status status = GNOMON_OK;
    size_t index = 0;
    for (size_t i = 0; i < count; i++)
        for (unsigned n = 0; n < streams[i].transfers && !status; n++)
            status = add_slot(usb, index++, &usb->streams[i], error);
    if (status)
        usb_stop(transport, NULL);
    return status;
}

static enum gnomon_status usb_process(struct gnomon_transport *transport, unsigned timeout,
                                      struct gnomon_error *error) {
    struct usb *usb = (struct usb *)transport;
    struct timeval wait = {.tv_sec = timeout ? timeout / 1000 : 3600, .tv_usec = timeout % 1000 * 1000};
    int result = libusb_handle_events_timeout_completed(usb->context, &wait, NULL);
    if (result < 0 && result != LIBUSB_ERROR_INTERRUPTED)
        return usb_error(usb, result, "waiting", error);
    if (usb->failed.status && error)
        *error = usb->failed;
    return usb->failed.status;
}

static void usb_close(struct gnomon_transport *transport) {
    struct usb *usb = (struct usb *)transport;
    if (transport->streaming)
        usb_stop(transport, NULL);
    if (usb->claimed)
        libusb_release_interface(usb->handle, 0);
    if (usb->handle)
        libusb_close(usb->handle);
    if (usb->context)
        libusb_exit(usb->context);
    if (!usb->outstanding) /* otherwise libusb may still write to the slots */
        free(usb);
}

static const struct gnomon_transport_ops usb_ops = {
    .control = usb_control,
    .bulk = usb_bulk,
    .start = usb_start,
    .process = usb_process,
    .stop = usb_stop,
    .close = usb_close,
};

bool gnomon_libusb_access(const struct gnomon_transport *transport, struct gnomon_libusb_access *access) {
    const struct usb *usb = (const struct usb *)transport;
    if (transport->ops != &usb_ops)
        return false;
    *access = (struct gnomon_libusb_access){usb->context, usb->handle};
    return true;
}

/* What an address selects. */
struct wanted {
    bool any; /* "usb": any device with our interface */
    unsigned vendor, product;
    const char *serial;
};

static bool parse_address(const char *address, struct wanted *wanted) {
    *wanted = (struct wanted){.any = !strcmp(address, "usb")};
    if (wanted->any)
        return true;
    int used = 0;
    if (sscanf(address, "usb:%4x:%4x%n", &wanted->vendor, &wanted->product, &used) != 2)
        return false;
    if (address[used] == ':' && address[used + 1])
        wanted->serial = address + used + 1;
    return address[used] == '\0' || wanted->serial;
}

bool gnomon_libusb_is_gnomon(struct libusb_device *device) {
    struct libusb_config_descriptor *config;
    if (libusb_get_config_descriptor(device, 0, &config))
        return false;
    bool found = false;
    for (int i = 0; i < config->bNumInterfaces; i++)
        for (int n = 0; n < config->interface[i].num_altsetting; n++) {
            const struct libusb_interface_descriptor *at = &config->interface[i].altsetting[n];
            found |= at->bInterfaceClass == GNOMON_USB_CLASS && at->bInterfaceSubClass == GNOMON_USB_SUBCLASS &&
                     at->bInterfaceProtocol == GNOMON_USB_PROTOCOL;
        }
    libusb_free_config_descriptor(config);
    return found;
}

/* Reads an ASCII string descriptor; "" if there is none. */
static void get_string(libusb_device_handle *handle, uint8_t index, char text[64]) {
    text[0] = '\0';
    if (index && libusb_get_string_descriptor_ascii(handle, index, (unsigned char *)text, 63) < 0)
        text[0] = '\0';
}

static bool matches(libusb_device *device, const struct wanted *wanted) {
    struct libusb_device_descriptor descriptor;
    if (libusb_get_device_descriptor(device, &descriptor))
        return false;
    return wanted->any ? gnomon_libusb_is_gnomon(device)
                       : descriptor.idVendor == wanted->vendor && descriptor.idProduct == wanted->product;
}

/* Opens the device if it has the wanted serial number. Otherwise *result does not change. */
static bool try_open(struct usb *usb, libusb_device *device, const char *serial, int *result) {
    usb->bus = libusb_get_bus_number(device);
    usb->device = libusb_get_device_address(device);
    libusb_device_handle *handle;
    *result = libusb_open(device, &handle);
    if (*result)
        return false;
    struct libusb_device_descriptor descriptor;
    char text[64] = "";
    if (serial && libusb_get_device_descriptor(device, &descriptor) == 0)
        get_string(handle, descriptor.iSerialNumber, text);
    if (serial && strcmp(serial, text) != 0) {
        libusb_close(handle);
        *result = LIBUSB_ERROR_NOT_FOUND;
        return false;
    }
    usb->handle = handle;
    return true;
}

static enum gnomon_status find_and_open(struct usb *usb, const struct wanted *wanted, struct gnomon_error *error) {
    libusb_device **devices;
    ssize_t count = libusb_get_device_list(usb->context, &devices);
    if (count < 0)
        return usb_error(usb, (int)count, "looking for devices", error);
    int result = LIBUSB_ERROR_NOT_FOUND;
    for (ssize_t i = 0; i < count; i++)
        if (matches(devices[i], wanted) && try_open(usb, devices[i], wanted->serial, &result))
            break;
    libusb_free_device_list(devices, 1);
    if (usb->handle)
        return GNOMON_OK;
    if (result != LIBUSB_ERROR_NOT_FOUND)
        return usb_error(usb, result, "opening it", error);
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "there is no %s on this machine", usb->base.address);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "plug it in; gnomon list shows the devices");
}

static enum gnomon_status claim(struct usb *usb, struct gnomon_error *error) {
    int configuration = 0, result = libusb_get_configuration(usb->handle, &configuration);
    if (result == 0 && configuration != 1)
        result = libusb_set_configuration(usb->handle, 1);
    if (result == 0)
        result = libusb_claim_interface(usb->handle, 0);
    usb->claimed = result == 0;
    return result ? usb_error(usb, result, "claiming it", error) : GNOMON_OK;
}

enum gnomon_status gnomon_libusb_open(const char *address, struct gnomon_transport **transport,
                                      struct gnomon_error *error) {
    struct wanted wanted;
    if (!parse_address(address, &wanted)) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%s\" is not a USB address", address);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                             "write usb, usb:VID:PID or usb:VID:PID:SERIAL, as in usb:%04x:%04x", GNOMON_USB_VENDOR,
                             GNOMON_USB_PRODUCT);
    }
    struct usb *usb = calloc(1, sizeof *usb);
    if (!usb)
        return gnomon_fail_memory(error);
    gnomon_transport_init(&usb->base, &usb_ops, address, TIMEOUT_SCALE);
    int result = libusb_init(&usb->context);
    enum gnomon_status status = result ? usb_error(usb, result, "starting libusb", error) : GNOMON_OK;
    if (!status)
        status = find_and_open(usb, &wanted, error);
    if (!status)
        status = claim(usb, error);
    if (!status)
        status = gnomon_usb_identify(&usb->base, false, error);
    if (status) {
        usb_close(&usb->base);
        return status;
    }
    *transport = &usb->base;
    return GNOMON_OK;
}

static void describe(libusb_device *device, struct gnomon_found *found) {
    struct libusb_device_descriptor descriptor;
    libusb_device_handle *handle;
    char product[64] = "", serial[64] = "";
    if (libusb_get_device_descriptor(device, &descriptor))
        return;
    int result = libusb_open(device, &handle);
    if (result == 0) {
        get_string(handle, descriptor.iProduct, product);
        get_string(handle, descriptor.iSerialNumber, serial);
        libusb_close(handle);
    }
    snprintf(found->address, sizeof found->address, "usb:%04x:%04x%s%s", descriptor.idVendor, descriptor.idProduct,
             serial[0] ? ":" : "", serial);
    snprintf(found->about, sizeof found->about, "%s, bus %u, device %u%s", product[0] ? product : "Gnomon",
             libusb_get_bus_number(device), libusb_get_device_address(device),
             result == LIBUSB_ERROR_ACCESS ? ", no permission (sudo gnomon install-udev)" : "");
}

enum gnomon_status gnomon_libusb_list(gnomon_found_callback *callback, void *context, struct gnomon_error *error) {
    libusb_context *usb;
    int result = libusb_init(&usb);
    if (result)
        return gnomon_fail(error, GNOMON_ERR_SYSTEM, "cannot use USB: %s", libusb_strerror(result));
    libusb_device **devices;
    ssize_t count = libusb_get_device_list(usb, &devices);
    for (ssize_t i = 0; i < count; i++) {
        struct gnomon_found found = {0};
        if (!gnomon_libusb_is_gnomon(devices[i]))
            continue;
        describe(devices[i], &found);
        callback(context, &found);
    }
    if (count >= 0)
        libusb_free_device_list(devices, 1);
    libusb_exit(usb);
    return GNOMON_OK;
}
