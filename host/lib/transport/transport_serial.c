/* SPDX-License-Identifier: Apache-2.0 */
/* serial:PORT[:BAUD]: a board on a UART link of a USB bridge. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/transport/serial_port.h"
#include "lib/transport/transport_serial.h"

#define TIMEOUT_SCALE 5
#define DEFAULT_BAUD 3000000 /* SERIAL_DIVIDER of gnomon_soc at 12 MHz */
#define LEAST_BAUD 9600
#define MOST_BAUD 12000000
#define RESET_TIMEOUT 1000 /* ms, scaled */
#define ENDPOINTS 3

enum { SET_CONFIGURATION = 9, SET_INTERFACE = 11, CLEAR_FEATURE = 1 };

struct serial {
    struct gnomon_transport base;
    struct serial_link link;
    uint8_t out_toggle, reply_toggle;
    struct gnomon_stream streams[ENDPOINTS]; /* by endpoint number; `data` is NULL if there is no stream */
    unsigned stream_mask;
    bool delivered; /* data was delivered to a stream */
    /* A trace packet that came together with another one and did not fit into the transfer. */
    uint8_t kept[GNOMON_USB_PACKET];
    size_t kept_size;
};

static uint64_t now_ms(const struct serial *serial) {
    return serial->link.io.now(serial->link.io.context) / 1000;
}

static enum gnomon_status too_late(const struct serial *serial, uint8_t endpoint, unsigned timeout,
                                   struct gnomon_error *error) {
    return gnomon_fail(error, GNOMON_ERR_TIMEOUT, "%s did not answer on endpoint 0x%02x within %u s",
                       serial->base.address, endpoint, timeout / 1000);
}

static enum gnomon_status refused(const struct serial *serial, uint8_t endpoint, const struct serial_frame *answer,
                                  struct gnomon_error *error) {
    if (answer->pid == SERIAL_STALL)
        return gnomon_fail(error, GNOMON_ERR_STALL, "%s refused a transfer on endpoint 0x%02x (stall)",
                           serial->base.address, endpoint);
    return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s sent an invalid answer on endpoint 0x%02x (packet 0x%x)",
                       serial->base.address, endpoint, answer->pid);
}

static bool is_data(const struct serial_frame *frame) {
    return frame->pid == SERIAL_DATA0 || frame->pid == SERIAL_DATA1;
}

/* Is this the next packet of an endpoint with a toggle? A packet that came before is acknowledged again and dropped. */
static bool is_fresh(const struct serial_frame *frame, uint8_t *toggle) {
    if ((frame->pid == SERIAL_DATA1) != *toggle)
        return false;
    *toggle ^= 1;
    return true;
}

/* ---- endpoint 0 */

static enum gnomon_status control_exchange(struct serial *serial, struct serial_frame *frame, uint64_t end,
                                           struct serial_frame *answer, struct gnomon_error *error) {
    do {
        struct serial_answer answers;
        enum gnomon_status status = serial_link_exchange(&serial->link, frame, &answers, error);
        if (status)
            return status;
        *answer = answers.frames[0];
    } while (answer->pid == SERIAL_NAK && now_ms(serial) < end);
    if (answer->pid == SERIAL_NAK)
        return too_late(serial, 0, 2000, error);
    bool good = frame->pid == SERIAL_IN ? is_data(answer) : answer->pid == SERIAL_ACK;
    if (good && frame->pid == SERIAL_IN)
        serial_link_acknowledge(&serial->link, 0, 1);
    return good ? GNOMON_OK : refused(serial, 0, answer, error);
}

static enum gnomon_status control_in(struct serial *serial, uint8_t *data, size_t size, size_t *got, uint64_t end,
                                     struct gnomon_error *error) {
    uint8_t toggle = 1;
    for (bool last = false; !last;) {
        struct serial_frame frame = {.pid = SERIAL_IN}, answer;
        enum gnomon_status status = control_exchange(serial, &frame, end, &answer, error);
        if (status)
            return status;
        if (!is_fresh(&answer, &toggle)) {
            if (now_ms(serial) >= end)
                return too_late(serial, 0, 2000, error);
            continue;
        }
        if (answer.size > size - *got)
            return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s sent more than it was asked for", serial->base.address);
        memcpy(data + *got, answer.data, answer.size);
        *got += answer.size;
        last = answer.size < GNOMON_USB_PACKET || *got == size;
    }
    return GNOMON_OK;
}

static enum gnomon_status control_out(struct serial *serial, const uint8_t *data, size_t size, size_t *done,
                                      uint64_t end, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (unsigned packet = 1; !status && *done < size; packet++) {
        struct serial_frame frame = {.pid = SERIAL_OUT, .flags = packet & 1}, answer;
        size_t part = size - *done < GNOMON_USB_PACKET ? size - *done : GNOMON_USB_PACKET;
        frame.size = (uint8_t)part;
        memcpy(frame.data, data + *done, part);
        status = control_exchange(serial, &frame, end, &answer, error);
        *done += part;
    }
    return status;
}

/* Resets an endpoint's toggle when a request does. */
static void note_toggles(struct serial *serial, const struct gnomon_setup *setup) {
    if (setup->request_type == 0x02 && setup->request == CLEAR_FEATURE) {
        if (setup->index == GNOMON_EP_COMMAND)
            serial->out_toggle = 0;
        if (setup->index == GNOMON_EP_REPLY)
            serial->reply_toggle = 0;
    }
    if ((setup->request_type == 0x00 && setup->request == SET_CONFIGURATION) ||
        (setup->request_type == 0x01 && setup->request == SET_INTERFACE))
        serial->out_toggle = serial->reply_toggle = 0;
}

static enum gnomon_status serial_control(struct gnomon_transport *transport, const struct gnomon_setup *setup,
                                         uint8_t *data, size_t *got, unsigned timeout, struct gnomon_error *error) {
    struct serial *serial = (struct serial *)transport;
    uint64_t end = now_ms(serial) + timeout;
    struct serial_frame frame = {.pid = SERIAL_SETUP, .size = 8}, answer;
    const uint8_t bytes[8] = {setup->request_type,    setup->request,
                              (uint8_t)setup->value,  (uint8_t)(setup->value >> 8),
                              (uint8_t)setup->index,  (uint8_t)(setup->index >> 8),
                              (uint8_t)setup->length, (uint8_t)(setup->length >> 8)};
    memcpy(frame.data, bytes, sizeof bytes);
    *got = 0;
    enum gnomon_status status = control_exchange(serial, &frame, end, &answer, error);
    bool in = setup->request_type & 0x80 && setup->length;
    if (!status && in)
        status = control_in(serial, data, setup->length, got, end, error);
    else if (!status)
        status = control_out(serial, data, setup->length, got, end, error);
    if (status)
        return status;
    struct serial_frame confirm = {.pid = in ? SERIAL_OUT : SERIAL_IN, .flags = in};
    status = control_exchange(serial, &confirm, end, &answer, error);
    if (!status)
        note_toggles(serial, setup);
    return status;
}

/* ---- bulk */

/* Sends one token, gives new data to `sink`, acknowledges it, and returns the number of packets. */
static enum gnomon_status poll_endpoint(struct serial *serial, uint8_t number,
                                        void (*sink)(struct serial *serial, const struct serial_frame *frame,
                                                     void *context),
                                        void *context, unsigned *packets, struct gnomon_error *error) {
    struct serial_frame frame = {.pid = SERIAL_IN, .endpoint = number};
    struct serial_answer answer;
    *packets = 0;
    enum gnomon_status status = serial_link_exchange(&serial->link, &frame, &answer, error);
    if (status || answer.frames[0].pid == SERIAL_NAK)
        return status;
    unsigned good = 0;
    uint8_t endpoint = answer.frames[0].endpoint;
    bool asked = number == SERIAL_EITHER ? endpoint == 1 || endpoint == 2 : endpoint == number;
    while (asked && good < answer.count && is_data(&answer.frames[good]) && answer.frames[good].endpoint == endpoint)
        good++;
    if (!good)
        return refused(serial, (uint8_t)(0x80 | number), &answer.frames[0], error);
    serial_link_acknowledge(&serial->link, endpoint, good);
    for (unsigned i = 0; i < good; i++)
        if (endpoint == (GNOMON_EP_TRACE & 3) || is_fresh(&answer.frames[i], &serial->reply_toggle)) {
            sink(serial, &answer.frames[i], context);
            ++*packets;
        }
    return GNOMON_OK;
}

static void to_stream(struct serial *serial, const struct serial_frame *frame, void *context) {
    (void)context;
    const struct gnomon_stream *stream = &serial->streams[frame->endpoint];
    if (frame->size)
        stream->data(stream->context, frame->data, frame->size);
    serial->delivered = true;
}

static uint8_t streamed(const struct serial *serial) {
    bool replies = serial->stream_mask & 1u << (GNOMON_EP_REPLY & 3),
         trace = serial->stream_mask & 1u << (GNOMON_EP_TRACE & 3);
    return replies && trace ? SERIAL_EITHER : replies ? GNOMON_EP_REPLY & 3 : GNOMON_EP_TRACE & 3;
}

static enum gnomon_status poll_streams(struct serial *serial, struct gnomon_error *error) {
    unsigned packets;
    return poll_endpoint(serial, streamed(serial), to_stream, NULL, &packets, error);
}

struct in_transfer {
    uint8_t *data;
    size_t size, got;
    bool ended; /* by a short packet */
};

static void to_transfer(struct serial *serial, const struct serial_frame *frame, void *context) {
    struct in_transfer *transfer = context;
    if (transfer->got == transfer->size || transfer->ended) {
        memcpy(serial->kept, frame->data, frame->size);
        serial->kept_size = frame->size;
        return;
    }
    memcpy(transfer->data + transfer->got, frame->data, frame->size);
    transfer->got += frame->size;
    transfer->ended = frame->size < GNOMON_USB_PACKET;
}

static enum gnomon_status bulk_in(struct serial *serial, uint8_t endpoint, uint8_t *data, size_t size, size_t *done,
                                  unsigned timeout, struct gnomon_error *error) {
    struct in_transfer transfer = {.data = data, .size = size};
    uint64_t end = now_ms(serial) + timeout;
    enum gnomon_status status = GNOMON_OK;
    if (size % GNOMON_USB_PACKET)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "a transfer of %zu bytes is not one of whole packets", size);
    if (endpoint == GNOMON_EP_TRACE && serial->kept_size && size) {
        memcpy(data, serial->kept, serial->kept_size);
        transfer.got = serial->kept_size;
        transfer.ended = serial->kept_size < GNOMON_USB_PACKET;
        serial->kept_size = 0;
    }
    while (!status && transfer.got < size && !transfer.ended) {
        unsigned packets;
        status = poll_endpoint(serial, endpoint & 3, to_transfer, &transfer, &packets, error);
        if (!status && !packets && timeout && now_ms(serial) >= end)
            status = too_late(serial, endpoint, timeout, error);
    }
    *done = transfer.got;
    return status;
}

static enum gnomon_status bulk_out(struct serial *serial, uint8_t endpoint, const uint8_t *data, size_t size,
                                   size_t *done, unsigned timeout, struct gnomon_error *error) {
    uint64_t end = now_ms(serial) + timeout;
    *done = 0;
    while (*done < size) {
        struct serial_frame frame = {.pid = SERIAL_OUT, .endpoint = endpoint & 3, .flags = serial->out_toggle};
        struct serial_answer answer;
        frame.size = (uint8_t)(size - *done < GNOMON_USB_PACKET ? size - *done : GNOMON_USB_PACKET);
        memcpy(frame.data, data + *done, frame.size);
        enum gnomon_status status = serial_link_exchange(&serial->link, &frame, &answer, error);
        if (!status && answer.frames[0].pid == SERIAL_ACK) {
            *done += frame.size;
            serial->out_toggle ^= 1;
            continue;
        }
        if (!status && answer.frames[0].pid != SERIAL_NAK)
            status = refused(serial, endpoint, &answer.frames[0], error);
        if (!status && timeout && now_ms(serial) >= end)
            status = too_late(serial, endpoint, timeout, error);
        /* The board may be waiting until its data for the host is read. */
        if (!status && serial->stream_mask)
            status = poll_streams(serial, error);
        if (status)
            return status;
    }
    return GNOMON_OK;
}

static enum gnomon_status serial_bulk(struct gnomon_transport *transport, uint8_t endpoint, uint8_t *data, size_t size,
                                      size_t *done, unsigned timeout, struct gnomon_error *error) {
    struct serial *serial = (struct serial *)transport;
    return endpoint & 0x80 ? bulk_in(serial, endpoint, data, size, done, timeout, error)
                           : bulk_out(serial, endpoint, data, size, done, timeout, error);
}

/* ---- streams: the line carries one token at a time, so queued transfers are only a request */

static enum gnomon_status serial_start(struct gnomon_transport *transport, const struct gnomon_stream *streams,
                                       size_t count, struct gnomon_error *error) {
    struct serial *serial = (struct serial *)transport;
    serial->stream_mask = 0;
    for (size_t i = 0; i < count; i++) {
        if (streams[i].endpoint != GNOMON_EP_REPLY && streams[i].endpoint != GNOMON_EP_TRACE)
            return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "endpoint 0x%02x cannot stream", streams[i].endpoint);
        serial->streams[streams[i].endpoint & 3] = streams[i];
        serial->stream_mask |= 1u << (streams[i].endpoint & 3);
    }
    if (serial->stream_mask & 1u << (GNOMON_EP_TRACE & 3) && serial->kept_size) {
        const struct gnomon_stream *trace = &serial->streams[GNOMON_EP_TRACE & 3];
        trace->data(trace->context, serial->kept, serial->kept_size);
        serial->kept_size = 0;
    }
    return GNOMON_OK;
}

static enum gnomon_status serial_process(struct gnomon_transport *transport, unsigned timeout,
                                         struct gnomon_error *error) {
    struct serial *serial = (struct serial *)transport;
    uint64_t end = now_ms(serial) + timeout;
    enum gnomon_status status = GNOMON_OK;
    serial->delivered = false;
    serial->link.interrupted = false;
    if (!serial->stream_mask)
        return GNOMON_OK;
    do
        status = poll_streams(serial, error);
    while (!status && !serial->delivered && !serial->link.interrupted && (!timeout || now_ms(serial) < end));
    return status;
}

static enum gnomon_status serial_stop(struct gnomon_transport *transport, struct gnomon_error *error) {
    struct serial *serial = (struct serial *)transport;
    (void)error;
    serial->stream_mask = 0;
    serial_link_flush(&serial->link);
    return GNOMON_OK;
}

static void serial_close(struct gnomon_transport *transport) {
    struct serial *serial = (struct serial *)transport;
    serial_link_flush(&serial->link);
    serial->link.io.close(serial->link.io.context);
    free(serial);
}

static const struct gnomon_transport_ops serial_ops = {
    .control = serial_control,
    .bulk = serial_bulk,
    .start = serial_start,
    .process = serial_process,
    .stop = serial_stop,
    .close = serial_close,
};

/* ---- opening */

/* Splits serial:PORT[:BAUD]. */
static bool parse_address(const char *address, char path[288], unsigned *baud) {
    snprintf(path, 288, "%s", address + strlen("serial:"));
    *baud = DEFAULT_BAUD;
    char *colon = strrchr(path, ':');
    if (colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1)) {
        unsigned long value = strtoul(colon + 1, NULL, 10);
        if (value < LEAST_BAUD || value > MOST_BAUD)
            return false;
        *baud = (unsigned)value;
        *colon = '\0';
    }
    return path[0] != '\0';
}

uint64_t gnomon_serial_repeats(const struct gnomon_transport *transport) {
    return ((const struct serial *)transport)->link.repeats;
}

enum gnomon_status gnomon_serial_over(const struct serial_io *io, const char *address,
                                      struct gnomon_transport **transport, struct gnomon_error *error) {
    struct serial *serial = calloc(1, sizeof *serial);
    if (!serial) {
        io->close(io->context);
        return gnomon_fail_memory(error);
    }
    gnomon_transport_init(&serial->base, &serial_ops, address, TIMEOUT_SCALE);
    serial->link.io = *io;
    serial->link.address = serial->base.address;
    serial->link.scale = serial->base.timeout_scale;
    enum gnomon_status status = serial_link_reset(&serial->link, RESET_TIMEOUT * serial->base.timeout_scale, error);
    if (!status)
        status = gnomon_usb_identify(&serial->base, true, error);
    if (status)
        serial_close(&serial->base);
    else
        *transport = &serial->base;
    return status;
}

enum gnomon_status gnomon_serial_open(const char *address, struct gnomon_transport **transport,
                                      struct gnomon_error *error) {
    char path[288];
    unsigned baud;
    if (!parse_address(address, path, &baud)) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%s\" is not the address of a serial port", address);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                             "write serial:PORT or serial:PORT:BAUD, as in serial:/dev/ttyUSB1:%d; %d to %d baud",
                             DEFAULT_BAUD, LEAST_BAUD, MOST_BAUD);
    }
    struct serial_io io;
    enum gnomon_status status = serial_port_open(path, baud, &io, error);
    if (!status)
        status = gnomon_serial_over(&io, address, transport, error);
    if (status == GNOMON_ERR_NOT_FOUND && error && !error->remedy[0])
        return gnomon_remedy(
            error, status,
            "check the port (of the two ports of an iCEBreaker it is the second), that a bitstream with the "
            "serial line is loaded, and that its rate is %u baud; serial:PORT:BAUD sets another rate",
            baud);
    return status;
}
