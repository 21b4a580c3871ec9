/* SPDX-License-Identifier: Apache-2.0 */
/* Connections of the USB/IP server: the list, importing, and the loop around all of it. One thread does everything. */
#include "lib/transport/usbip_server.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/transport/usbip_server_internal.h"
#include "lib/util/array.h"
#include "lib/util/clock.h"

#define LOOK_MS 100       /* between two looks whether to stop */
#define PATIENCE_MS 10000 /* for a client to say what it wants */
#define MOST_POLLED 64
#define READ_BYTES ((size_t)64 << 10)
#define SPEED_FULL 2
enum { GRANTED, NOT_THERE, IN_USE }; /* statuses of operations */

/* ---- Guests ---- */

void guest_send(struct guest *guest, const void *data, size_t size) {
    if (guest->over)
        return;
    if (!gnomon_array_room(&guest->out, &guest->out_room, guest->out_bytes + size, 1)) {
        guest->over = true;
        return;
    }
    memcpy(guest->out + guest->out_bytes, data, size);
    guest->out_bytes += size;
}

static void flush(struct guest *guest) {
    const ssize_t sent = send(guest->socket, guest->out, guest->out_bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
        guest->over |= errno != EAGAIN && errno != EINTR;
        return;
    }
    guest->out_bytes -= (size_t)sent;
    memmove(guest->out, guest->out + sent, guest->out_bytes);
}

static void accept_guest(struct host *host) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    const int yes = 1,
              socket = accept4(host->settings->listener.socket, (struct sockaddr *)&address, &size, SOCK_CLOEXEC);
    struct guest *guest = NULL;
    if (socket < 0)
        return;
    for (size_t i = 0; i < GUESTS && !guest; i++)
        if (host->guests[i].socket < 0)
            guest = &host->guests[i];
    if (!guest) {
        close(socket);
        return;
    }
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes); /* a machine that is gone gives the board back */
    *guest = (struct guest){.socket = socket, .since = gnomon_now_ms()};
    if (getnameinfo((struct sockaddr *)&address, size, guest->address, sizeof guest->address, NULL, 0, NI_NUMERICHOST))
        strcpy(guest->address, "?");
}

static void close_guest(struct host *host, struct guest *guest) {
    close(guest->socket);
    free(guest->in);
    free(guest->out);
    if (host->user == guest) {
        host->user = NULL;
        if (host->settings->taken)
            host->settings->taken(host->settings->context, guest->address, false);
    }
    *guest = (struct guest){.socket = -1};
}

/* ---- Operations ---- */

static void answer(struct guest *guest, uint16_t code, uint32_t status) {
    uint8_t head[USBIP_OP_BYTES] = {0};
    put_be16(head, USBIP_VERSION);
    put_be16(head + 2, code);
    put_be32(head + 4, status);
    guest_send(guest, head, sizeof head);
}

static void answer_list(const struct host *host, struct guest *guest) {
    uint8_t count[4];
    put_be32(count, 1);
    answer(guest, USBIP_OP_REP_DEVLIST, GRANTED);
    guest_send(guest, count, sizeof count);
    guest_send(guest, host->device, sizeof host->device);
    guest_send(guest, host->interface, sizeof host->interface);
    flush(guest);
    guest->over = true; /* as other servers do */
}

static void answer_import(struct host *host, struct guest *guest, const uint8_t *busid) {
    const bool named = !memcmp(busid, host->device + USBIP_DEVICE_BUSID, USBIP_BUSID_BYTES);
    if (!named || host->user) {
        answer(guest, USBIP_OP_REP_IMPORT, named ? IN_USE : NOT_THERE);
        flush(guest);
        guest->over = true;
        return;
    }
    answer(guest, USBIP_OP_REP_IMPORT, GRANTED);
    guest_send(guest, host->device, sizeof host->device);
    guest->has_board = true;
    host->user = guest;
    if (host->settings->taken)
        host->settings->taken(host->settings->context, guest->address, true);
}

/* Takes the operation, if it is whole. Returns how many bytes it had. */
static size_t take_operation(struct host *host, struct guest *guest) {
    if (guest->in_bytes < USBIP_OP_BYTES)
        return 0;
    const uint16_t code = get_be16(guest->in + 2);
    if (get_be16(guest->in) != USBIP_VERSION || (code != USBIP_OP_REQ_DEVLIST && code != USBIP_OP_REQ_IMPORT)) {
        guest->over = true;
        return 0;
    }
    if (code == USBIP_OP_REQ_DEVLIST) {
        answer_list(host, guest);
        return USBIP_OP_BYTES;
    }
    if (guest->in_bytes < USBIP_OP_BYTES + USBIP_BUSID_BYTES)
        return 0;
    answer_import(host, guest, guest->in + USBIP_OP_BYTES);
    return USBIP_OP_BYTES + USBIP_BUSID_BYTES;
}

static void read_guest(struct host *host, struct guest *guest) {
    if (!gnomon_array_room(&guest->in, &guest->in_room, guest->in_bytes + READ_BYTES, 1)) {
        guest->over = true;
        return;
    }
    const ssize_t got = recv(guest->socket, guest->in + guest->in_bytes, READ_BYTES, MSG_DONTWAIT);
    if (got <= 0) {
        guest->over |= got == 0 || (errno != EAGAIN && errno != EINTR);
        return;
    }
    guest->in_bytes += (size_t)got;
    size_t taken = guest->has_board ? 0 : take_operation(host, guest);
    guest->in_bytes -= taken;
    memmove(guest->in, guest->in + taken, guest->in_bytes);
    taken = guest->has_board ? urbs_take(host, guest) : 0;
    guest->in_bytes -= taken;
    memmove(guest->in, guest->in + taken, guest->in_bytes);
}

/* ---- The device ---- */

static void describe_interface(struct host *host, libusb_device *device) {
    struct libusb_config_descriptor *config;
    if (libusb_get_active_config_descriptor(device, &config))
        return;
    if (config->bNumInterfaces && config->interface[0].num_altsetting) {
        const struct libusb_interface_descriptor *first = &config->interface[0].altsetting[0];
        host->interface[0] = first->bInterfaceClass;
        host->interface[1] = first->bInterfaceSubClass;
        host->interface[2] = first->bInterfaceProtocol;
    }
    host->device[USBIP_DEVICE_INTERFACES - 2] = config->bConfigurationValue;
    libusb_free_config_descriptor(config);
}

/* As the operations tell it: path, bus id, numbers, speed, ids, classes, counts. */
static enum gnomon_status describe(struct host *host, struct gnomon_error *error) {
    enum {
        SPEED = USBIP_DEVICE_DEVNUM + 4,
        RELEASE = USBIP_DEVICE_PRODUCT + 2,
        CLASS,
        CONFIGURATIONS = USBIP_DEVICE_INTERFACES - 1
    };
    libusb_device *device = libusb_get_device(host->usb.handle);
    struct libusb_device_descriptor descriptor;
    const int result = libusb_get_device_descriptor(device, &descriptor);
    if (result)
        return gnomon_fail(error, GNOMON_ERR_SYSTEM, "%s: %s", host->settings->transport->address,
                           libusb_strerror(result));
    const unsigned bus = libusb_get_bus_number(device), number = libusb_get_device_address(device);
    snprintf((char *)host->device, USBIP_DEVICE_BUSID, "/gnomon/%u-%u", bus, number);
    snprintf((char *)host->device + USBIP_DEVICE_BUSID, USBIP_BUSID_BYTES, "%u-%u", bus, number);
    put_be32(host->device + USBIP_DEVICE_BUSNUM, bus);
    put_be32(host->device + USBIP_DEVICE_DEVNUM, number);
    put_be32(host->device + SPEED, SPEED_FULL);
    put_be16(host->device + USBIP_DEVICE_VENDOR, descriptor.idVendor);
    put_be16(host->device + USBIP_DEVICE_PRODUCT, descriptor.idProduct);
    put_be16(host->device + RELEASE, descriptor.bcdDevice);
    host->device[RELEASE + 2] = descriptor.bDeviceClass;
    host->device[RELEASE + 3] = descriptor.bDeviceSubClass;
    host->device[RELEASE + 4] = descriptor.bDeviceProtocol;
    host->device[CONFIGURATIONS] = descriptor.bNumConfigurations;
    host->device[USBIP_DEVICE_INTERFACES] = 1;
    describe_interface(host, device);
    return GNOMON_OK;
}

/* ---- The loop ---- */

/* Waits until a client or the board has something, at most LOOK_MS. */
static void await(struct host *host) {
    struct pollfd files[MOST_POLLED] = {{.fd = host->settings->listener.socket, .events = POLLIN}};
    nfds_t count = 1;
    for (size_t i = 0; i < GUESTS; i++)
        files[count++] = (struct pollfd){.fd = host->guests[i].over ? -1 : host->guests[i].socket,
                                         .events = (short)(POLLIN | (host->guests[i].out_bytes ? POLLOUT : 0))};
    const struct libusb_pollfd **of_usb = libusb_get_pollfds(host->usb.context);
    for (size_t i = 0; of_usb && of_usb[i] && count < MOST_POLLED; i++)
        files[count++] = (struct pollfd){.fd = of_usb[i]->fd, .events = of_usb[i]->events};
    libusb_free_pollfds(of_usb);
    if (poll(files, count, LOOK_MS) <= 0)
        return;
    if (files[0].revents)
        accept_guest(host);
    for (size_t i = 0; i < GUESTS; i++)
        if (files[1 + i].revents && host->guests[i].socket == files[1 + i].fd)
            read_guest(host, &host->guests[i]);
}

static void look_after(struct host *host, struct guest *guest) {
    if (guest->socket < 0)
        return;
    if (guest->out_bytes)
        flush(guest);
    guest->over |= !guest->has_board && gnomon_now_ms() - guest->since > PATIENCE_MS;
    if (!guest->over)
        return;
    if (guest->has_board && host->urbs)
        urbs_cancel(host); /* it is closed when the transfers are back */
    else
        close_guest(host, guest);
}

static void work(struct host *host) {
    struct timeval no_time = {0};
    await(host);
    libusb_handle_events_timeout_completed(host->usb.context, &no_time, NULL);
    for (size_t i = 0; i < GUESTS; i++)
        look_after(host, &host->guests[i]);
}

static bool any_guest(const struct host *host) {
    for (size_t i = 0; i < GUESTS; i++)
        if (host->guests[i].socket >= 0)
            return true;
    return false;
}

enum gnomon_status gnomon_usbip_serve(const struct gnomon_usbip_server *server, struct gnomon_error *error) {
    struct host host = {.settings = server};
    for (size_t i = 0; i < GUESTS; i++)
        host.guests[i].socket = -1;
    if (!gnomon_libusb_access(server->transport, &host.usb)) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s is not attached to this machine by USB",
                    server->transport->address);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                             "name a board on USB: -d usb; a simulated board can be started as a server by itself "
                             "(docs/guide/sim.md)");
    }
    enum gnomon_status status = describe(&host, error);
    while (!status && !host.lost && !server->stop(server->context))
        work(&host);
    for (size_t i = 0; i < GUESTS; i++)
        host.guests[i].over = true;
    for (const uint64_t since = gnomon_now_ms(); any_guest(&host) && gnomon_now_ms() - since < PATIENCE_MS;)
        work(&host);
    if (status || !host.lost)
        return status;
    gnomon_fail(error, GNOMON_ERR_DISCONNECTED, "the connection to %s is lost: it was unplugged or restarted",
                server->transport->address);
    return gnomon_remedy(error, GNOMON_ERR_DISCONNECTED, "plug it in again, and start gnomon serve again");
}
