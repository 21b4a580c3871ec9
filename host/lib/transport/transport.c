/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/transport/transport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gnomon/sim_time.h"

struct first_found {
    bool any;
    struct gnomon_found found;
};

static void keep_first(void *context, const struct gnomon_found *found) {
    struct first_found *first = context;
    if (!first->any)
        first->found = *found;
    first->any = true;
}

enum gnomon_status gnomon_transport_open(const char *address, const struct gnomon_transport_options *options,
                                         struct gnomon_transport **transport, struct gnomon_error *error) {
    *transport = NULL;
    if (!address) {
        struct first_found first = {0};
        struct gnomon_error ignored; /* without USB on this machine, a simulator can still be used */
        gnomon_libusb_list(keep_first, &first, &ignored);
        return first.any ? gnomon_libusb_open(first.found.address, transport, error)
                         : gnomon_sim_open("sim:full", options, transport, error);
    }
    if (!strcmp(address, "usb") || !strncmp(address, "usb:", 4))
        return gnomon_libusb_open(address, transport, error);
    if (!strncmp(address, "usbip:", 6))
        return gnomon_usbip_open(address, transport, error);
    if (!strncmp(address, "serial:", 7))
        return gnomon_serial_open(address, transport, error);
    if (!strncmp(address, "sim:", 4))
        return gnomon_sim_open(address, options, transport, error);
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%s\" is not a device address", address);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                         "write usb, usb:VID:PID[:SERIAL], usbip:HOST:PORT[/BUSID], serial:PORT[:BAUD] or "
                         "sim:CONFIG; see gnomon list");
}

/* Reads $GNOMON_TIMEOUT_SCALE: for tests, and for simulators on very slow machines. */
static void scale_from_environment(struct gnomon_transport *transport) {
    const char *text = getenv("GNOMON_TIMEOUT_SCALE");
    unsigned long scale = text ? strtoul(text, NULL, 10) : 0;
    if (scale >= 1 && scale <= 1000)
        transport->timeout_scale = (unsigned)scale;
}

void gnomon_transport_init(struct gnomon_transport *transport, const struct gnomon_transport_ops *ops,
                           const char *address, unsigned scale) {
    transport->ops = ops;
    transport->timeout_scale = scale;
    scale_from_environment(transport);
    snprintf(transport->address, sizeof transport->address, "%s", address);
}

void gnomon_transport_close(struct gnomon_transport *transport) {
    if (transport)
        transport->ops->close(transport);
}

enum gnomon_status gnomon_transport_out(struct gnomon_transport *transport, uint8_t endpoint, const void *data,
                                        size_t size, unsigned timeout, struct gnomon_error *error) {
    size_t done = 0;
    enum gnomon_status status = transport->ops->bulk(transport, endpoint, (uint8_t *)data, size, &done,
                                                     timeout * transport->timeout_scale, error);
    if (status == GNOMON_OK && done != size)
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s took %zu of %zu bytes", transport->address, done, size);
    return status;
}

enum gnomon_status gnomon_transport_in(struct gnomon_transport *transport, uint8_t endpoint, void *data, size_t size,
                                       size_t *got, unsigned timeout, struct gnomon_error *error) {
    return transport->ops->bulk(transport, endpoint, data, size, got, timeout * transport->timeout_scale, error);
}

enum gnomon_status gnomon_transport_start(struct gnomon_transport *transport, const struct gnomon_stream *streams,
                                          size_t count, struct gnomon_error *error) {
    enum gnomon_status status = transport->ops->start(transport, streams, count, error);
    transport->streaming = status == GNOMON_OK;
    return status;
}

enum gnomon_status gnomon_transport_process(struct gnomon_transport *transport, unsigned timeout,
                                            struct gnomon_error *error) {
    return transport->ops->process(transport, timeout, error);
}

enum gnomon_status gnomon_transport_stop(struct gnomon_transport *transport, struct gnomon_error *error) {
    if (!transport->streaming)
        return GNOMON_OK;
    transport->streaming = false;
    return transport->ops->stop(transport, error);
}

#define SIM_TIMEOUT 2000 /* ms of wall clock, before the scale */

static enum gnomon_status sim_request(struct gnomon_transport *transport, const struct gnomon_setup *setup,
                                      uint8_t *data, size_t *got, struct gnomon_error *error) {
    if (!transport->sim_time)
        return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no simulated time", transport->address);
    return transport->ops->control(transport, setup, data, got, SIM_TIMEOUT * transport->timeout_scale, error);
}

enum gnomon_status gnomon_transport_sim_cycles(struct gnomon_transport *transport, uint64_t *cycles,
                                               struct gnomon_error *error) {
    uint8_t data[8] = {0};
    const struct gnomon_setup setup = {
        .request_type = 0xC0, .request = GNOMON_SIM_REQUEST_CYCLES, .length = sizeof data};
    size_t got;
    enum gnomon_status status = sim_request(transport, &setup, data, &got, error);
    *cycles = 0;
    for (int i = 7; i >= 0; i--)
        *cycles = *cycles << 8 | data[i];
    return status;
}

enum gnomon_status gnomon_transport_sim_limit(struct gnomon_transport *transport, uint64_t cycles,
                                              struct gnomon_error *error) {
    const uint64_t units = cycles / GNOMON_SIM_LIMIT_CYCLES + (cycles % GNOMON_SIM_LIMIT_CYCLES != 0);
    const uint32_t limit = units > UINT32_MAX ? UINT32_MAX : (uint32_t)units;
    const struct gnomon_setup setup = {.request_type = 0x40,
                                       .request = GNOMON_SIM_REQUEST_LIMIT,
                                       .value = (uint16_t)limit,
                                       .index = (uint16_t)(limit >> 16)};
    size_t got;
    return sim_request(transport, &setup, NULL, &got, error);
}
