/* SPDX-License-Identifier: Apache-2.0 */
/* USB/IP client: addresses, connection, device list and import. */
#include "lib/transport/usbip.h"

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

#include "lib/transport/usbip_wire.h"

#define ANSWER_TIMEOUT 10000 /* ms for the answers before the first transfer */
#define CONNECT_TIMEOUT 5000
#define TIMEOUT_SCALE 20 /* the server may be a simulator on a busy machine */
#define MAX_DEVICES 256
/* A broken network link is noticed after this number of seconds, even if there is nothing to send. */
#define LINK_PATIENCE 20
#define PROBE_EVERY 5

/* connect() with a time-out, on a socket that is blocking afterwards. */
static int connect_within(int fd, const struct addrinfo *to) {
    struct timeval limit = {.tv_sec = CONNECT_TIMEOUT / 1000};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    int result = connect(fd, to->ai_addr, to->ai_addrlen);
    limit.tv_sec = 0;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    return result;
}

/* A device may be silent for hours while a program runs: only the other kernel can tell that it is still there. */
static void watch_link(int fd) {
    int on = 1, every = PROBE_EVERY, count = LINK_PATIENCE / PROBE_EVERY - 1;
    unsigned patience = LINK_PATIENCE * 1000;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &every, sizeof every);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static int connect_any(const char *host, const char *port, const char **reason) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    int wrong = getaddrinfo(host, port, &hints, &found), fd = -1;
    if (wrong) {
        *reason = gai_strerror(wrong);
        return -1;
    }
    for (struct addrinfo *at = found; at && fd < 0; at = at->ai_next) {
        fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
        if (fd >= 0 && connect_within(fd, at)) {
            bool late = errno == EINPROGRESS || errno == EAGAIN; /* the forms of a SO_SNDTIMEO time-out */
            *reason = strerror(late ? ETIMEDOUT : errno);
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(found);
    if (fd >= 0)
        watch_link(fd);
    return fd;
}

enum gnomon_status usbip_connect(struct usbip **usbip, const char *host, const char *port, const char *address,
                                 struct gnomon_error *error) {
    const char *reason = "unknown host";
    int fd = connect_any(host, port, &reason);
    if (fd < 0) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "cannot reach %s: %s", address, reason);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                             "check that the machine is up and runs a USB/IP server; sim:full needs no server");
    }
    *usbip = calloc(1, sizeof **usbip);
    if (!*usbip) {
        close(fd);
        return gnomon_fail_memory(error);
    }
    (*usbip)->socket = fd;
    gnomon_transport_init(&(*usbip)->base, &usbip_ops, address, TIMEOUT_SCALE);
    return GNOMON_OK;
}

void usbip_free(struct usbip *usbip) {
    if (!usbip)
        return;
    close(usbip->socket);
    if (usbip->release)
        usbip->release(usbip);
    free(usbip->stream_transfers);
    free(usbip);
}

/* Sends a request of eight bytes plus `size` bytes, and reads the head of its answer. */
static enum gnomon_status operation(struct usbip *usbip, uint16_t request, const void *more, size_t size,
                                    uint16_t expected, uint32_t *op_status, struct gnomon_error *error) {
    uint8_t message[USBIP_OP_BYTES + USBIP_BUSID_BYTES] = {0}, answer[USBIP_OP_BYTES];
    put_be16(message, USBIP_VERSION);
    put_be16(message + 2, request);
    if (size)
        memcpy(message + USBIP_OP_BYTES, more, size);
    enum gnomon_status status = usbip_send(usbip, message, USBIP_OP_BYTES + size, error);
    if (!status)
        status = usbip_receive_exactly(usbip, answer, sizeof answer, ANSWER_TIMEOUT, error);
    if (status)
        return status;
    if (get_be16(answer + 2) != expected)
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s is not a USB/IP server", usbip->base.address);
    if (get_be16(answer) != USBIP_VERSION)
        return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s speaks USB/IP version %x.%x.%x, not 1.1.1",
                           usbip->base.address, get_be16(answer) >> 8, get_be16(answer) >> 4 & 0xF,
                           get_be16(answer) & 0xF);
    *op_status = get_be32(answer + 4);
    return GNOMON_OK;
}

enum gnomon_status usbip_import(struct usbip *usbip, const char *busid, struct gnomon_error *error) {
    uint8_t name[USBIP_BUSID_BYTES] = {0}, device[USBIP_DEVICE_BYTES];
    snprintf((char *)name, sizeof name, "%s", busid);
    uint32_t refused = 0;
    enum gnomon_status status =
        operation(usbip, USBIP_OP_REQ_IMPORT, name, sizeof name, USBIP_OP_REP_IMPORT, &refused, error);
    if (status)
        return status;
    if (refused) {
        gnomon_fail(error, GNOMON_ERR_BUSY, "%s does not give its device %s away (status %u)", usbip->base.address,
                    busid, refused);
        return gnomon_remedy(
            error, GNOMON_ERR_BUSY,
            "check that no other program uses it and that the server exports it; gnomon list shows the devices");
    }
    status = usbip_receive_exactly(usbip, device, sizeof device, ANSWER_TIMEOUT, error);
    if (status)
        return status;
    usbip->devid = get_be32(device + USBIP_DEVICE_BUSNUM) << 16 | get_be32(device + USBIP_DEVICE_DEVNUM);
    return gnomon_usb_identify(&usbip->base, true, error);
}

struct listed {
    char busid[USBIP_BUSID_BYTES + 1];
    uint16_t vendor, product;
    bool gnomon;
};

/* Reads one device of a list with its interfaces. */
static enum gnomon_status read_listed(struct usbip *usbip, struct listed *listed, struct gnomon_error *error) {
    uint8_t device[USBIP_DEVICE_BYTES], interface[USBIP_INTERFACE_BYTES];
    enum gnomon_status status = usbip_receive_exactly(usbip, device, sizeof device, ANSWER_TIMEOUT, error);
    if (status)
        return status;
    memset(listed, 0, sizeof *listed);
    memcpy(listed->busid, device + USBIP_DEVICE_BUSID, USBIP_BUSID_BYTES);
    listed->vendor = get_be16(device + USBIP_DEVICE_VENDOR);
    listed->product = get_be16(device + USBIP_DEVICE_PRODUCT);
    for (unsigned i = 0; i < device[USBIP_DEVICE_INTERFACES] && !status; i++) {
        status = usbip_receive_exactly(usbip, interface, sizeof interface, ANSWER_TIMEOUT, error);
        listed->gnomon |= !status && interface[0] == GNOMON_USB_CLASS && interface[1] == GNOMON_USB_SUBCLASS &&
                          interface[2] == GNOMON_USB_PROTOCOL;
    }
    return status;
}

static enum gnomon_status each_device(struct usbip *usbip, void (*call)(void *, const struct listed *), void *context,
                                      struct gnomon_error *error) {
    uint32_t refused = 0;
    uint8_t word[4];
    enum gnomon_status status = operation(usbip, USBIP_OP_REQ_DEVLIST, NULL, 0, USBIP_OP_REP_DEVLIST, &refused, error);
    if (!status)
        status = usbip_receive_exactly(usbip, word, sizeof word, ANSWER_TIMEOUT, error);
    uint32_t count = status ? 0 : get_be32(word);
    if (!status && (refused || count > MAX_DEVICES))
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s has no usable device list", usbip->base.address);
    for (uint32_t i = 0; i < count && !status; i++) {
        struct listed listed;
        status = read_listed(usbip, &listed, error);
        if (!status)
            call(context, &listed);
    }
    return status;
}

struct only_gnomon {
    unsigned count;
    char busid[USBIP_BUSID_BYTES + 1];
};

static void keep_gnomon(void *context, const struct listed *listed) {
    struct only_gnomon *only = context;
    if (listed->gnomon && !only->count++)
        memcpy(only->busid, listed->busid, sizeof only->busid);
}

/* Finds the bus ID of the only Gnomon of a server. The server closes the connection after its list. */
static enum gnomon_status find_only(const char *host, const char *port, const char *address, struct only_gnomon *only,
                                    struct gnomon_error *error) {
    struct usbip *usbip = NULL;
    enum gnomon_status status = usbip_connect(&usbip, host, port, address, error);
    if (!status)
        status = each_device(usbip, keep_gnomon, only, error);
    usbip_free(usbip);
    if (status)
        return status;
    if (!only->count)
        return gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s exports no Gnomon", address);
    if (only->count > 1) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s exports %u Gnomons", address, only->count);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "name one by its bus id: %s/%s", address, only->busid);
    }
    return GNOMON_OK;
}

/* Splits usbip:HOST:PORT[/BUSID]; HOST may be an IPv6 address in brackets. */
static bool split_address(const char *address, char host[256], char port[8], char busid[USBIP_BUSID_BYTES + 1]) {
    const char *from = address + strlen("usbip:"), *bracket = *from == '[' ? strchr(from, ']') : NULL;
    const char *colon = strchr(bracket ? bracket : from, ':'), *slash = colon ? strchr(colon, '/') : NULL;
    if (!colon || (bracket && colon != bracket + 1))
        return false;
    size_t host_size = bracket ? (size_t)(bracket - from) - 1 : (size_t)(colon - from);
    size_t port_size = slash ? (size_t)(slash - colon) - 1 : strlen(colon + 1);
    if (!host_size || host_size > 255 || !port_size || port_size > 5 || strspn(colon + 1, "0123456789") != port_size)
        return false;
    memcpy(host, from + (bracket != NULL), host_size);
    host[host_size] = '\0';
    memcpy(port, colon + 1, port_size);
    port[port_size] = '\0';
    size_t busid_size = slash ? strlen(slash + 1) : 0;
    if (busid_size >= USBIP_BUSID_BYTES || (slash && !busid_size))
        return false;
    memcpy(busid, slash ? slash + 1 : "", busid_size);
    busid[busid_size] = '\0';
    return strtoul(port, NULL, 10) - 1 < 65535;
}

enum gnomon_status gnomon_usbip_open(const char *address, struct gnomon_transport **transport,
                                     struct gnomon_error *error) {
    char host[256], port[8];
    struct only_gnomon only = {0};
    if (!split_address(address, host, port, only.busid)) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%s\" is not a USB/IP address", address);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "write usbip:HOST:PORT[/BUSID], as in usbip:localhost:%d/1-1",
                             GNOMON_USBIP_PORT);
    }
    enum gnomon_status status = only.busid[0] ? GNOMON_OK : find_only(host, port, address, &only, error);
    struct usbip *usbip = NULL;
    if (!status)
        status = usbip_connect(&usbip, host, port, address, error);
    if (!status)
        status = usbip_import(usbip, only.busid, error);
    if (status) {
        usbip_free(usbip);
        return status;
    }
    *transport = &usbip->base;
    return GNOMON_OK;
}

struct list_call {
    gnomon_found_callback *callback;
    void *context;
    const char *host;
    uint16_t port;
};

static void report_listed(void *context, const struct listed *listed) {
    const struct list_call *call = context;
    struct gnomon_found found;
    if (!listed->gnomon)
        return;
    snprintf(found.address, sizeof found.address, "usbip:%s:%u/%.32s", call->host, (unsigned)call->port, listed->busid);
    snprintf(found.about, sizeof found.about, "USB device %04x:%04x exported by a USB/IP server", listed->vendor,
             listed->product);
    call->callback(call->context, &found);
}

enum gnomon_status gnomon_usbip_list(const char *host, uint16_t port, gnomon_found_callback *callback, void *context,
                                     struct gnomon_error *error) {
    char address[288], port_text[8];
    snprintf(port_text, sizeof port_text, "%u", (unsigned)port);
    snprintf(address, sizeof address, "usbip:%.255s:%s", host, port_text);
    struct usbip *usbip = NULL;
    struct list_call call = {callback, context, host, port};
    enum gnomon_status status = usbip_connect(&usbip, host, port_text, address, error);
    if (!status)
        status = each_device(usbip, report_listed, &call, error);
    usbip_free(usbip);
    return status;
}
