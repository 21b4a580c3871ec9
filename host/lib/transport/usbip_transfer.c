/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers over a USB/IP connection: submits them, matches answers by sequence number, and unlinks transfers. */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "lib/transport/usbip.h"
#include "lib/transport/usbip_wire.h"
#include "lib/util/clock.h"

#define UNLINK_TIMEOUT 10000 /* ms until a server that does not answer an unlink is given up */

enum gnomon_status usbip_break(struct usbip *usbip, struct gnomon_error *error, const char *format, ...) {
    char why[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    gnomon_fail(&usbip->broken, GNOMON_ERR_DISCONNECTED, "the connection to %s is lost: %s", usbip->base.address, why);
    gnomon_remedy(&usbip->broken, GNOMON_ERR_DISCONNECTED,
                  "check that the network is up and the server still runs; gnomon list shows the devices");
    if (usbip->post_mortem)
        usbip->post_mortem(usbip, &usbip->broken);
    if (error)
        *error = usbip->broken;
    return GNOMON_ERR_DISCONNECTED;
}

static enum gnomon_status check_usable(const struct usbip *usbip, struct gnomon_error *error) {
    if (usbip->broken.status && error)
        *error = usbip->broken;
    return usbip->broken.status;
}

enum gnomon_status usbip_send(struct usbip *usbip, const void *data, size_t size, struct gnomon_error *error) {
    const uint8_t *from = data;
    while (size) {
        ssize_t sent = send(usbip->socket, from, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return usbip_break(usbip, error, "%s", strerror(errno));
        from += sent;
        size -= (size_t)sent;
    }
    return GNOMON_OK;
}

/* Waits for bytes and appends them to the receive buffer. *more is false after a time-out or a signal. */
static enum gnomon_status fill(struct usbip *usbip, unsigned timeout, bool *more, struct gnomon_error *error) {
    *more = false;
    struct pollfd wait = {.fd = usbip->socket, .events = POLLIN};
    int ready = poll(&wait, 1, timeout ? (int)timeout : -1);
    if (ready < 0 && errno != EINTR)
        return usbip_break(usbip, error, "%s", strerror(errno));
    if (ready <= 0)
        return GNOMON_OK;
    if (usbip->taken) {
        memmove(usbip->receive, usbip->receive + usbip->taken, usbip->received - usbip->taken);
        usbip->received -= usbip->taken;
        usbip->taken = 0;
    }
    ssize_t got = recv(usbip->socket, usbip->receive + usbip->received, USBIP_RECEIVE_BYTES - usbip->received, 0);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return GNOMON_OK;
    if (got < 0)
        return usbip_break(usbip, error, "%s", strerror(errno));
    if (got == 0)
        return usbip_break(usbip, error, "the other side closed the connection");
    usbip->received += (size_t)got;
    *more = true;
    return GNOMON_OK;
}

enum gnomon_status usbip_receive_exactly(struct usbip *usbip, void *data, size_t size, unsigned timeout,
                                         struct gnomon_error *error) {
    uint8_t *to = data;
    uint64_t end = gnomon_now_ms() + timeout;
    for (;;) {
        size_t there = usbip->received - usbip->taken, part = there < size ? there : size;
        memcpy(to, usbip->receive + usbip->taken, part);
        usbip->taken += part;
        to += part;
        size -= part;
        if (!size)
            return GNOMON_OK;
        uint64_t now = gnomon_now_ms();
        if (now >= end) {
            usbip_break(usbip, error, "no answer within %u s", timeout / 1000);
            return GNOMON_ERR_DISCONNECTED;
        }
        bool more;
        enum gnomon_status status = fill(usbip, (unsigned)(end - now), &more, error);
        if (status)
            return status;
    }
}

static void put_header(struct usbip *usbip, uint8_t header[USBIP_HEADER_BYTES], const struct usbip_transfer *transfer,
                       const struct gnomon_setup *setup) {
    bool in = transfer->endpoint & 0x80;
    memset(header, 0, USBIP_HEADER_BYTES);
    put_be32(header + USBIP_COMMAND, USBIP_CMD_SUBMIT);
    put_be32(header + USBIP_SEQNUM, transfer->seqnum);
    put_be32(header + USBIP_DEVID, usbip->devid);
    put_be32(header + USBIP_DIRECTION, in ? USBIP_DIR_IN : USBIP_DIR_OUT);
    put_be32(header + USBIP_EP, transfer->endpoint & 0x0F);
    put_be32(header + USBIP_LENGTH, (uint32_t)transfer->size);
    if (!setup)
        return;
    uint8_t *bytes = header + USBIP_SETUP; /* little endian, as on the bus */
    const uint16_t words[3] = {setup->value, setup->index, setup->length};
    bytes[0] = setup->request_type;
    bytes[1] = setup->request;
    for (int i = 0; i < 3; i++) {
        bytes[2 + 2 * i] = (uint8_t)words[i];
        bytes[3 + 2 * i] = (uint8_t)(words[i] >> 8);
    }
}

/* Puts a transfer into the table, with a new sequence number. */
static bool enlist(struct usbip *usbip, struct usbip_transfer *transfer) {
    for (size_t i = 0; i < USBIP_MAX_TRANSFERS; i++) {
        if (usbip->transfers[i])
            continue;
        usbip->transfers[i] = transfer;
        usbip->seqnum = usbip->seqnum == INT32_MAX ? 1 : usbip->seqnum + 1; /* upper half: for unlinks */
        transfer->seqnum = usbip->seqnum;
        transfer->done = transfer->unlinked = false;
        transfer->actual = 0;
        return true;
    }
    return false;
}

static struct usbip_transfer *delist(struct usbip *usbip, uint32_t seqnum) {
    for (size_t i = 0; i < USBIP_MAX_TRANSFERS; i++) {
        struct usbip_transfer *transfer = usbip->transfers[i];
        if (transfer && transfer->seqnum == seqnum) {
            usbip->transfers[i] = NULL;
            return transfer;
        }
    }
    return NULL;
}

static struct usbip_transfer *find(const struct usbip *usbip, uint32_t seqnum) {
    for (size_t i = 0; i < USBIP_MAX_TRANSFERS; i++)
        if (usbip->transfers[i] && usbip->transfers[i]->seqnum == seqnum)
            return usbip->transfers[i];
    return NULL;
}

static enum gnomon_status submit(struct usbip *usbip, struct usbip_transfer *transfer, const struct gnomon_setup *setup,
                                 struct gnomon_error *error) {
    uint8_t header[USBIP_HEADER_BYTES];
    if (!enlist(usbip, transfer))
        return gnomon_fail(error, GNOMON_ERR_BUSY, "too many transfers on %s at once", usbip->base.address);
    put_header(usbip, header, transfer, setup);
    bool has_data = !(transfer->endpoint & 0x80) && transfer->size;
    if (!has_data)
        return usbip_send(usbip, header, sizeof header, error);
    uint8_t *message = malloc(sizeof header + transfer->size);
    if (!message) {
        delist(usbip, transfer->seqnum);
        return gnomon_fail_memory(error);
    }
    memcpy(message, header, sizeof header);
    memcpy(message + sizeof header, transfer->buffer, transfer->size);
    enum gnomon_status status = usbip_send(usbip, message, sizeof header + transfer->size, error);
    free(message);
    return status;
}

static enum gnomon_status transfer_error(struct usbip *usbip, const struct usbip_transfer *transfer,
                                         struct gnomon_error *error) {
    const char *address = usbip->base.address;
    switch (transfer->status) {
    case USBIP_EPIPE:
        return gnomon_fail(error, GNOMON_ERR_STALL, "%s refused a transfer on endpoint 0x%02x (stall)", address,
                           transfer->endpoint);
    case USBIP_ENODEV:
    case USBIP_ESHUTDOWN:
        return usbip_break(usbip, error, "the device was unplugged");
    default:
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "a transfer on endpoint 0x%02x of %s failed (USB/IP status %d)",
                           transfer->endpoint, address, (int)transfer->status);
    }
}

/* Handles the return of a stream's transfer: delivers its data and queues the transfer again. */
static enum gnomon_status stream_done(struct usbip *usbip, struct usbip_transfer *transfer,
                                      struct gnomon_error *error) {
    if (transfer->actual)
        transfer->stream->data(transfer->stream->context, transfer->buffer, transfer->actual);
    if (usbip->stopping)
        return GNOMON_OK;
    if (transfer->status != USBIP_OK)
        return transfer_error(usbip, transfer, error);
    return submit(usbip, transfer, NULL, error);
}

/* Takes one RET_SUBMIT or RET_UNLINK whose payload is complete in the buffer. */
static enum gnomon_status take_answer(struct usbip *usbip, const uint8_t *header, struct usbip_transfer *transfer,
                                      size_t payload, struct gnomon_error *error) {
    if (get_be32(header + USBIP_COMMAND) == USBIP_RET_UNLINK) {
        /* Status 0: the transfer had ended before; its own answer has come or will come. */
        if (!transfer || (int32_t)get_be32(header + USBIP_STATUS) == USBIP_OK)
            return GNOMON_OK;
        transfer->status = USBIP_ECONNRESET;
    } else {
        transfer->status = (int32_t)get_be32(header + USBIP_STATUS);
        transfer->actual = get_be32(header + USBIP_ACTUAL);
        if (payload)
            memcpy(transfer->buffer, header + USBIP_HEADER_BYTES, payload);
    }
    delist(usbip, transfer->seqnum);
    transfer->done = true;
    return transfer->stream ? stream_done(usbip, transfer, error) : GNOMON_OK;
}

/* The transfer that an answer belongs to; for an unlink, the transfer to unlink. */
static struct usbip_transfer *answered(const struct usbip *usbip, const uint8_t *header) {
    uint32_t seqnum = get_be32(header + USBIP_SEQNUM);
    if (get_be32(header + USBIP_COMMAND) == USBIP_RET_SUBMIT)
        return find(usbip, seqnum);
    for (size_t i = 0; i < USBIP_MAX_TRANSFERS; i++)
        if (usbip->transfers[i] && usbip->transfers[i]->unlinked && usbip->transfers[i]->seqnum + (1u << 31) == seqnum)
            return usbip->transfers[i];
    return NULL;
}

/* Takes the complete answers in the receive buffer. The buffer holds every payload: transfers are at most half its
 * size, and an answer that claims more data than requested is refused. */
static enum gnomon_status take_answers(struct usbip *usbip, struct gnomon_error *error) {
    while (usbip->received - usbip->taken >= USBIP_HEADER_BYTES) {
        const uint8_t *header = usbip->receive + usbip->taken;
        uint32_t command = get_be32(header + USBIP_COMMAND);
        if (command != USBIP_RET_SUBMIT && command != USBIP_RET_UNLINK)
            return usbip_break(usbip, error, "it sent something that is not USB/IP");
        struct usbip_transfer *transfer = answered(usbip, header);
        size_t payload = 0;
        if (command == USBIP_RET_SUBMIT) {
            if (!transfer)
                return usbip_break(usbip, error, "it answered a transfer that was never asked for");
            if (get_be32(header + USBIP_ACTUAL) > transfer->size)
                return usbip_break(usbip, error, "it claims more bytes than were asked for");
            payload = transfer->endpoint & 0x80 ? get_be32(header + USBIP_ACTUAL) : 0;
        }
        if (usbip->received - usbip->taken < USBIP_HEADER_BYTES + payload)
            return GNOMON_OK;
        usbip->taken += USBIP_HEADER_BYTES + payload;
        enum gnomon_status status = take_answer(usbip, header, transfer, payload, error);
        if (status)
            return status;
    }
    return GNOMON_OK;
}

static enum gnomon_status usbip_process(struct gnomon_transport *transport, unsigned timeout,
                                        struct gnomon_error *error) {
    struct usbip *usbip = (struct usbip *)transport;
    enum gnomon_status status = check_usable(usbip, error);
    bool more;
    if (!status)
        status = fill(usbip, timeout, &more, error);
    return status ? status : take_answers(usbip, error);
}

/* Requests the end of a transfer. The answer is RET_SUBMIT if the transfer was complete, else RET_UNLINK. */
static enum gnomon_status send_unlink(struct usbip *usbip, struct usbip_transfer *transfer,
                                      struct gnomon_error *error) {
    uint8_t header[USBIP_HEADER_BYTES] = {0};
    put_be32(header + USBIP_COMMAND, USBIP_CMD_UNLINK);
    put_be32(header + USBIP_SEQNUM, transfer->seqnum + (1u << 31)); /* see enlist */
    put_be32(header + USBIP_DEVID, usbip->devid);
    put_be32(header + USBIP_UNLINK_SEQNUM, transfer->seqnum);
    transfer->unlinked = true;
    return usbip_send(usbip, header, sizeof header, error);
}

/* Waits until the transfer is done; unlinks it after the time-out. Afterwards the transfer is not in the table, unless
 * the connection broke; then the table is not used any more. */
static enum gnomon_status await(struct usbip *usbip, struct usbip_transfer *transfer, unsigned timeout,
                                struct gnomon_error *error) {
    uint64_t end = gnomon_now_ms() + timeout;
    enum gnomon_status status = GNOMON_OK;
    while (!transfer->done && !status) {
        uint64_t now = gnomon_now_ms();
        if (now < end) {
            status = usbip_process(&usbip->base, (unsigned)(end - now), error);
        } else if (transfer->unlinked) {
            status = usbip_break(usbip, error, "it does not answer any more");
        } else {
            status = send_unlink(usbip, transfer, error);
            end = now + UNLINK_TIMEOUT;
        }
    }
    if (!transfer->done)
        delist(usbip, transfer->seqnum);
    return status;
}

static enum gnomon_status transfer_sync(struct usbip *usbip, struct usbip_transfer *transfer,
                                        const struct gnomon_setup *setup, unsigned timeout,
                                        struct gnomon_error *error) {
    enum gnomon_status status = check_usable(usbip, error);
    if (!status)
        status = submit(usbip, transfer, setup, error);
    if (!status)
        status = await(usbip, transfer, timeout ? timeout : UINT32_MAX, error);
    if (status) {
        delist(usbip, transfer->seqnum);
        return status;
    }
    if (transfer->status == USBIP_ECONNRESET || transfer->status == USBIP_ENOENT)
        return gnomon_fail(error, GNOMON_ERR_TIMEOUT, "%s did not answer on endpoint 0x%02x within %u s",
                           usbip->base.address, transfer->endpoint, timeout / 1000);
    return transfer->status == USBIP_OK ? GNOMON_OK : transfer_error(usbip, transfer, error);
}

static enum gnomon_status usbip_bulk(struct gnomon_transport *transport, uint8_t endpoint, uint8_t *data, size_t size,
                                     size_t *done, unsigned timeout, struct gnomon_error *error) {
    struct usbip_transfer transfer = {.endpoint = endpoint, .buffer = data, .size = size};
    if ((endpoint & 0x80) && size > USBIP_RECEIVE_BYTES / 2)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "a transfer of %zu bytes is too large", size);
    enum gnomon_status status = transfer_sync((struct usbip *)transport, &transfer, NULL, timeout, error);
    *done = transfer.actual;
    return status;
}

static enum gnomon_status usbip_control(struct gnomon_transport *transport, const struct gnomon_setup *setup,
                                        uint8_t *data, size_t *got, unsigned timeout, struct gnomon_error *error) {
    struct usbip_transfer transfer = {.endpoint = setup->request_type & 0x80, .buffer = data, .size = setup->length};
    enum gnomon_status status = transfer_sync((struct usbip *)transport, &transfer, setup, timeout, error);
    *got = transfer.actual;
    return status;
}

/* Sends all transfers of all streams in one message, so that a lockstep server gets them at once. */
static enum gnomon_status send_streams(struct usbip *usbip, struct gnomon_error *error) {
    size_t count = usbip->stream_transfer_count;
    uint8_t *message = malloc(count * USBIP_HEADER_BYTES);
    if (!message)
        return gnomon_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        enlist(usbip, &usbip->stream_transfers[i]);
        put_header(usbip, message + i * USBIP_HEADER_BYTES, &usbip->stream_transfers[i], NULL);
    }
    enum gnomon_status status = usbip_send(usbip, message, count * USBIP_HEADER_BYTES, error);
    free(message);
    return status;
}

static enum gnomon_status usbip_start(struct gnomon_transport *transport, const struct gnomon_stream *streams,
                                      size_t count, struct gnomon_error *error) {
    struct usbip *usbip = (struct usbip *)transport;
    size_t transfers = 0, bytes = 0;
    for (size_t i = 0; i < count; i++) {
        transfers += streams[i].transfers;
        bytes += streams[i].transfers * streams[i].size;
    }
    if (count > sizeof usbip->streams / sizeof *usbip->streams || transfers > USBIP_MAX_TRANSFERS - 4)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "too many streams");
    usbip->stream_transfers = calloc(1, transfers * sizeof *usbip->stream_transfers + bytes);
    if (!usbip->stream_transfers)
        return gnomon_fail_memory(error);
    memcpy(usbip->streams, streams, count * sizeof *streams);
    usbip->stream_count = count;
    usbip->stream_transfer_count = transfers;
    usbip->stopping = false;
    struct usbip_transfer *transfer = usbip->stream_transfers;
    uint8_t *buffer = (uint8_t *)(transfer + transfers);
    for (size_t i = 0; i < count; i++)
        for (unsigned n = 0; n < streams[i].transfers; n++, transfer++, buffer += streams[i].size)
            *transfer = (struct usbip_transfer){.endpoint = streams[i].endpoint,
                                                .buffer = buffer,
                                                .size = streams[i].size,
                                                .stream = &usbip->streams[i]};
    return send_streams(usbip, error);
}

static bool any_outstanding(const struct usbip *usbip) {
    for (size_t i = 0; i < USBIP_MAX_TRANSFERS; i++)
        if (usbip->transfers[i] && usbip->transfers[i]->stream)
            return true;
    return false;
}

/* Unlinks the last queued transfer first. Otherwise a later transfer could get data that belongs to an earlier one,
 * already unlinked. */
static enum gnomon_status unlink_streams(struct usbip *usbip, struct gnomon_error *error) {
    for (uint32_t below = UINT32_MAX;;) {
        struct usbip_transfer *last = NULL;
        for (size_t i = 0; i < USBIP_MAX_TRANSFERS; i++) {
            struct usbip_transfer *transfer = usbip->transfers[i];
            if (transfer && transfer->stream && transfer->seqnum < below && (!last || transfer->seqnum > last->seqnum))
                last = transfer;
        }
        if (!last)
            return GNOMON_OK;
        below = last->seqnum;
        enum gnomon_status status = send_unlink(usbip, last, error);
        if (status)
            return status;
    }
}

static enum gnomon_status usbip_stop(struct gnomon_transport *transport, struct gnomon_error *error) {
    struct usbip *usbip = (struct usbip *)transport;
    usbip->stopping = true;
    enum gnomon_status status = check_usable(usbip, error);
    if (!status)
        status = unlink_streams(usbip, error);
    uint64_t end = gnomon_now_ms() + UNLINK_TIMEOUT;
    while (!status && any_outstanding(usbip)) {
        uint64_t now = gnomon_now_ms();
        status = now < end ? usbip_process(transport, (unsigned)(end - now), error)
                           : usbip_break(usbip, error, "it does not answer any more");
    }
    for (size_t i = 0; i < usbip->stream_transfer_count; i++)
        delist(usbip, usbip->stream_transfers[i].seqnum);
    free(usbip->stream_transfers);
    usbip->stream_transfers = NULL;
    usbip->stream_transfer_count = 0;
    return status;
}

static void usbip_close(struct gnomon_transport *transport) {
    struct usbip *usbip = (struct usbip *)transport;
    if (transport->streaming)
        usbip_stop(transport, NULL);
    usbip_free(usbip);
}

const struct gnomon_transport_ops usbip_ops = {
    .control = usbip_control,
    .bulk = usbip_bulk,
    .start = usbip_start,
    .process = usbip_process,
    .stop = usbip_stop,
    .close = usbip_close,
};
