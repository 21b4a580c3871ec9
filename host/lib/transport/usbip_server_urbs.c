/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers of the USB/IP server: each is handed on to libusb, and its result to the client. */
#include <stdlib.h>
#include <string.h>

#include "lib/transport/usbip_server_internal.h"

/* Standard requests that change what libusb must know of. */
enum { CLEAR_FEATURE = 1, SET_ADDRESS = 5, SET_CONFIGURATION = 9, SET_INTERFACE = 11 };
enum { TO_DEVICE = 0x00, TO_INTERFACE = 0x01, TO_ENDPOINT = 0x02, CLASS_TO_INTERFACE = 0x21, VENDOR_OUT = 0x40 };
enum { DFU_DETACH = 0 };

static int32_t status_of(enum libusb_transfer_status status) {
    switch (status) {
    case LIBUSB_TRANSFER_COMPLETED:
        return USBIP_OK;
    case LIBUSB_TRANSFER_STALL:
        return USBIP_EPIPE;
    case LIBUSB_TRANSFER_NO_DEVICE:
        return USBIP_ENODEV;
    case LIBUSB_TRANSFER_CANCELLED:
        return USBIP_ECONNRESET;
    default:
        return USBIP_ESHUTDOWN;
    }
}

static void reply(struct guest *guest, uint32_t command, uint32_t seqnum, int32_t status, const uint8_t *data,
                  size_t actual, bool in) {
    uint8_t header[USBIP_HEADER_BYTES] = {0};
    put_be32(header + USBIP_COMMAND, command);
    put_be32(header + USBIP_SEQNUM, seqnum);
    put_be32(header + USBIP_STATUS, (uint32_t)status);
    put_be32(header + USBIP_ACTUAL, command == USBIP_RET_SUBMIT ? (uint32_t)actual : 0);
    guest_send(guest, header, sizeof header);
    if (in && actual)
        guest_send(guest, data, actual);
}

static void free_urb(struct urb *urb) {
    struct host *host = urb->host;
    for (struct urb **link = &host->urbs; *link; link = &(*link)->next)
        if (*link == urb) {
            *link = urb->next;
            break;
        }
    host->urb_count--;
    host->queued -= urb->bytes;
    free(urb->transfer->buffer);
    libusb_free_transfer(urb->transfer);
    free(urb);
}

/* Data that came before a transfer was cancelled is not lost: the transfer then counts as done. */
static void LIBUSB_CALL on_done(struct libusb_transfer *transfer) {
    struct urb *urb = transfer->user_data;
    struct host *host = urb->host;
    const bool control = transfer->type == LIBUSB_TRANSFER_TYPE_CONTROL;
    const size_t actual = transfer->actual_length > 0 ? (size_t)transfer->actual_length : 0;
    const uint8_t *data = transfer->buffer + (control ? LIBUSB_CONTROL_SETUP_SIZE : 0);
    int32_t status = status_of(transfer->status);
    host->lost |= transfer->status == LIBUSB_TRANSFER_NO_DEVICE;
    if (transfer->status == LIBUSB_TRANSFER_CANCELLED && actual)
        status = USBIP_OK;
    if (host->user && !host->user->over) {
        if (status != USBIP_ECONNRESET || !urb->unlink)
            reply(host->user, USBIP_RET_SUBMIT, urb->seqnum, status, data, actual, urb->in);
        if (urb->unlink)
            reply(host->user, USBIP_RET_UNLINK, urb->unlink, status == USBIP_ECONNRESET ? status : USBIP_OK, NULL, 0,
                  false);
    }
    free_urb(urb);
}

void urbs_cancel(struct host *host) {
    for (struct urb *urb = host->urbs; urb; urb = urb->next)
        libusb_cancel_transfer(urb->transfer);
}

static void unlink_urb(struct host *host, struct guest *guest, const uint8_t *header) {
    const uint32_t seqnum = get_be32(header + USBIP_SEQNUM), which = get_be32(header + USBIP_UNLINK_SEQNUM);
    for (struct urb *urb = host->urbs; urb; urb = urb->next)
        if (urb->seqnum == which && !urb->unlink) {
            urb->unlink = seqnum;
            libusb_cancel_transfer(urb->transfer);
            return;
        }
    reply(guest, USBIP_RET_UNLINK, seqnum, USBIP_OK, NULL, 0, false); /* it was done before */
}

/* ---- Requests that are not passed on ---- */

/* Would the board restart into its loader? It has a request of its own, and some boards have an interface of DFU. */
static bool asks_for_loader(const uint8_t *setup) {
    return (setup[0] == VENDOR_OUT && setup[1] == GNOMON_USB_REQUEST_BOOT) ||
           (setup[0] == CLASS_TO_INTERFACE && setup[1] == DFU_DETACH);
}

/* libusb has configured the device, and follows halted endpoints. *status: the answer. */
static bool answer_here(const struct host *host, const uint8_t *setup, int32_t *status) {
    const unsigned value = setup[2] | setup[3] << 8, index = setup[4] | setup[5] << 8;
    int configuration = 0, result = LIBUSB_ERROR_NOT_SUPPORTED;
    if (setup[0] == TO_DEVICE && setup[1] == SET_ADDRESS)
        result = 0;
    else if (setup[0] == TO_DEVICE && setup[1] == SET_CONFIGURATION)
        result = libusb_get_configuration(host->usb.handle, &configuration) || (unsigned)configuration != value;
    else if (setup[0] == TO_INTERFACE && setup[1] == SET_INTERFACE)
        result = libusb_set_interface_alt_setting(host->usb.handle, (int)index, (int)value);
    else if (setup[0] == TO_ENDPOINT && setup[1] == CLEAR_FEATURE && value == 0)
        result = libusb_clear_halt(host->usb.handle, (unsigned char)index);
    else if (!asks_for_loader(setup) || host->settings->allow_boot)
        return false;
    *status = result ? USBIP_EPIPE : USBIP_OK;
    return true;
}

/* ---- Submission ---- */

static bool submit(struct host *host, const uint8_t *header, const uint8_t *data) {
    const uint32_t length = get_be32(header + USBIP_LENGTH), endpoint = get_be32(header + USBIP_EP);
    const bool in = get_be32(header + USBIP_DIRECTION) == USBIP_DIR_IN, control = endpoint == 0;
    const size_t before = control ? LIBUSB_CONTROL_SETUP_SIZE : 0;
    struct urb *urb = calloc(1, sizeof *urb);
    uint8_t *buffer = calloc(1, before + length + 1);
    struct libusb_transfer *transfer = libusb_alloc_transfer(0);
    if (!urb || !buffer || !transfer) {
        free(urb);
        free(buffer);
        libusb_free_transfer(transfer);
        return false;
    }
    if (!in && length)
        memcpy(buffer + before, data, length);
    if (control) {
        memcpy(buffer, header + USBIP_SETUP, LIBUSB_CONTROL_SETUP_SIZE);
        buffer[6] = (uint8_t)length; /* what the message has room for */
        buffer[7] = (uint8_t)(length >> 8);
        libusb_fill_control_transfer(transfer, host->usb.handle, buffer, on_done, urb, 0);
    } else {
        libusb_fill_bulk_transfer(transfer, host->usb.handle, (uint8_t)(endpoint | (in ? LIBUSB_ENDPOINT_IN : 0)),
                                  buffer, (int)length, on_done, urb, 0);
    }
    *urb = (struct urb){.next = host->urbs,
                        .host = host,
                        .transfer = transfer,
                        .seqnum = get_be32(header + USBIP_SEQNUM),
                        .in = in,
                        .bytes = before + length};
    host->urbs = urb;
    host->urb_count++;
    host->queued += urb->bytes;
    if (libusb_submit_transfer(transfer) == 0)
        return true;
    free_urb(urb);
    return false;
}

static bool has_endpoint(uint32_t endpoint, bool in) {
    return endpoint == 0 || (in ? endpoint == (GNOMON_EP_REPLY & 0xF) || endpoint == (GNOMON_EP_TRACE & 0xF)
                                : endpoint == GNOMON_EP_COMMAND);
}

static void submit_urb(struct host *host, struct guest *guest, const uint8_t *header, const uint8_t *data) {
    const uint32_t seqnum = get_be32(header + USBIP_SEQNUM), endpoint = get_be32(header + USBIP_EP);
    const bool in = get_be32(header + USBIP_DIRECTION) == USBIP_DIR_IN;
    int32_t status = USBIP_EPIPE;
    if (!has_endpoint(endpoint, in) || (!endpoint && answer_here(host, header + USBIP_SETUP, &status)))
        reply(guest, USBIP_RET_SUBMIT, seqnum, status, NULL, 0, false);
    else if (host->lost || !submit(host, header, data))
        reply(guest, USBIP_RET_SUBMIT, seqnum, USBIP_ENODEV, NULL, 0, false);
}

/* A message's bytes after its header; a client that wants too much at one time is sent away. */
static bool measure(const struct host *host, const uint8_t *header, size_t *more) {
    const uint32_t command = get_be32(header + USBIP_COMMAND), length = get_be32(header + USBIP_LENGTH);
    const bool out = get_be32(header + USBIP_DIRECTION) == USBIP_DIR_OUT;
    *more = 0;
    if (command == USBIP_CMD_UNLINK)
        return true;
    if (command != USBIP_CMD_SUBMIT || length > MOST_TRANSFER || host->urb_count >= MOST_URBS ||
        length > MOST_QUEUED - host->queued || (get_be32(header + USBIP_EP) == 0 && length > UINT16_MAX))
        return false;
    *more = out ? length : 0;
    return true;
}

size_t urbs_take(struct host *host, struct guest *guest) {
    size_t at = 0, more;
    while (!guest->over && guest->in_bytes - at >= USBIP_HEADER_BYTES) {
        const uint8_t *header = guest->in + at;
        if (!measure(host, header, &more)) {
            guest->over = true;
            break;
        }
        if (guest->in_bytes - at - USBIP_HEADER_BYTES < more)
            break;
        if (get_be32(header + USBIP_COMMAND) == USBIP_CMD_UNLINK)
            unlink_urb(host, guest, header);
        else
            submit_urb(host, guest, header, header + USBIP_HEADER_BYTES);
        at += USBIP_HEADER_BYTES + more;
    }
    return at;
}
