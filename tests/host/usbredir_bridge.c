/* SPDX-License-Identifier: Apache-2.0 */
/* Plugs the device of a USB/IP server into a virtual machine: a usbredir host on a Unix socket, for QEMU's usb-redir
 * device. The machine's own xHCI driver and USB stack then enumerate it. usage: usbredir_bridge PORT SOCKET   (prints
 * "ready" once it listens; ends when either side does) */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <usbredirparser.h>

#include "lib/transport/usbip_wire.h"

#define MOST_PENDING 1024
#define MOST_BYTES (1u << 20)
#define SETUP_BYTES 8
#define TO_DEVICE 0x00
#define TO_INTERFACE 0x01
#define SET_CONFIGURATION 9
#define SET_INTERFACE 11
#define ENDPOINTS 32 /* in usbredir's tables: OUT 0 to 15, then IN */

/* Linux's errno for a device that sends too much, as USB/IP carries it. */
#define USBIP_EOVERFLOW (-75)

enum kind { FREE, CONTROL, BULK, CONFIGURATION, ALTERNATE };

/* A packet of the guest that the server is processing. */
struct pending {
    enum kind kind;
    uint32_t seqnum;
    uint64_t id;
    bool in;
    union {
        struct usb_redir_control_packet_header control;
        struct usb_redir_bulk_packet_header bulk;
        struct usb_redir_configuration_status_header configuration;
        struct usb_redir_alt_setting_status_header alternate;
    } head;
};

static struct pending pending[MOST_PENDING];
static struct usbredirparser *guest;
static int guest_socket = -1, server = -1;
static uint32_t seqnum, devid;
static uint8_t device_descriptor[18], configuration[512];
static size_t configuration_bytes;

static void die(const char *what) {
    fprintf(stderr, "usbredir_bridge: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* ---- USB/IP ---- */

static void send_all(const void *data, size_t size) {
    const uint8_t *from = data;
    while (size) {
        ssize_t sent = send(server, from, size, MSG_NOSIGNAL);
        if (sent <= 0)
            die("the board went away");
        from += sent;
        size -= (size_t)sent;
    }
}

static bool receive_all(void *data, size_t size) {
    uint8_t *to = data;
    while (size) {
        ssize_t got = recv(server, to, size, 0);
        if (got <= 0)
            return false;
        to += got;
        size -= (size_t)got;
    }
    return true;
}

static void put_command(uint8_t header[USBIP_HEADER_BYTES], uint32_t command, uint32_t number) {
    memset(header, 0, USBIP_HEADER_BYTES);
    put_be32(header + USBIP_COMMAND, command);
    put_be32(header + USBIP_SEQNUM, number);
    put_be32(header + USBIP_DEVID, devid);
}

static void submit(uint32_t number, uint8_t endpoint, bool in, const uint8_t *setup, const void *data, uint32_t size) {
    uint8_t header[USBIP_HEADER_BYTES];
    put_command(header, USBIP_CMD_SUBMIT, number);
    put_be32(header + USBIP_DIRECTION, in ? USBIP_DIR_IN : USBIP_DIR_OUT);
    put_be32(header + USBIP_EP, endpoint & 0x0F);
    put_be32(header + USBIP_LENGTH, size);
    if (setup)
        memcpy(header + USBIP_SETUP, setup, SETUP_BYTES);
    send_all(header, sizeof header);
    if (!in)
        send_all(data, size);
}

static struct pending *enlist(enum kind kind, uint64_t id, bool in) {
    for (size_t i = 0; i < MOST_PENDING; i++)
        if (pending[i].kind == FREE) {
            pending[i] = (struct pending){.kind = kind, .seqnum = ++seqnum, .id = id, .in = in};
            return &pending[i];
        }
    errno = ENOBUFS;
    die("packets of the guest");
    return NULL;
}

/* ---- Requests of the guest ---- */

static void put_setup(uint8_t setup[SETUP_BYTES], uint8_t type, uint8_t request, uint16_t value, uint16_t index,
                      uint16_t length) {
    const uint8_t bytes[SETUP_BYTES] = {type,
                                        request,
                                        (uint8_t)value,
                                        (uint8_t)(value >> 8),
                                        (uint8_t)index,
                                        (uint8_t)(index >> 8),
                                        (uint8_t)length,
                                        (uint8_t)(length >> 8)};
    memcpy(setup, bytes, sizeof bytes);
}

static void on_control(void *context, uint64_t id, struct usb_redir_control_packet_header *head, uint8_t *data,
                       int size) {
    (void)context, (void)size;
    uint8_t setup[SETUP_BYTES];
    bool in = head->endpoint & 0x80;
    struct pending *entry = enlist(CONTROL, id, in);
    entry->head.control = *head;
    put_setup(setup, head->requesttype, head->request, head->value, head->index, head->length);
    submit(entry->seqnum, 0, in, setup, data, head->length);
    usbredirparser_free_packet_data(guest, data);
}

static uint32_t bulk_length(const struct usb_redir_bulk_packet_header *head) {
    return head->length | (uint32_t)head->length_high << 16;
}

static void on_bulk(void *context, uint64_t id, struct usb_redir_bulk_packet_header *head, uint8_t *data, int size) {
    (void)context;
    bool in = head->endpoint & 0x80;
    struct pending *entry = enlist(BULK, id, in);
    entry->head.bulk = *head;
    submit(entry->seqnum, head->endpoint, in, NULL, data, in ? bulk_length(head) : (uint32_t)size);
    usbredirparser_free_packet_data(guest, data);
}

static void on_set_configuration(void *context, uint64_t id, struct usb_redir_set_configuration_header *head) {
    (void)context;
    uint8_t setup[SETUP_BYTES];
    struct pending *entry = enlist(CONFIGURATION, id, false);
    entry->head.configuration.configuration = head->configuration;
    put_setup(setup, TO_DEVICE, SET_CONFIGURATION, head->configuration, 0, 0);
    submit(entry->seqnum, 0, false, setup, NULL, 0);
}

static void on_get_configuration(void *context, uint64_t id) {
    (void)context;
    struct usb_redir_configuration_status_header answer = {usb_redir_success, configuration[5]};
    usbredirparser_send_configuration_status(guest, id, &answer);
}

static void on_set_alternate(void *context, uint64_t id, struct usb_redir_set_alt_setting_header *head) {
    (void)context;
    uint8_t setup[SETUP_BYTES];
    struct pending *entry = enlist(ALTERNATE, id, false);
    entry->head.alternate = (struct usb_redir_alt_setting_status_header){0, head->interface, head->alt};
    put_setup(setup, TO_INTERFACE, SET_INTERFACE, head->alt, head->interface, 0);
    submit(entry->seqnum, 0, false, setup, NULL, 0);
}

static void on_get_alternate(void *context, uint64_t id, struct usb_redir_get_alt_setting_header *head) {
    (void)context;
    struct usb_redir_alt_setting_status_header answer = {usb_redir_success, head->interface, 0};
    usbredirparser_send_alt_setting_status(guest, id, &answer);
}

static void on_cancel(void *context, uint64_t id) {
    (void)context;
    uint8_t header[USBIP_HEADER_BYTES];
    for (size_t i = 0; i < MOST_PENDING; i++)
        if (pending[i].kind != FREE && pending[i].id == id) {
            put_command(header, USBIP_CMD_UNLINK, pending[i].seqnum + (1u << 31));
            put_be32(header + USBIP_UNLINK_SEQNUM, pending[i].seqnum);
            send_all(header, sizeof header);
        }
}

/* Ignores the guest's port reset: the server resets its own bus. */
static void on_reset(void *context) {
    (void)context;
}

static void on_log(void *context, int level, const char *text) {
    (void)context;
    if (level <= usbredirparser_warning)
        fprintf(stderr, "usbredir_bridge: %s\n", text);
}

/* ---- Answers ---- */

static uint8_t status_of(int32_t status) {
    switch (status) {
    case USBIP_OK:
        return usb_redir_success;
    case USBIP_EPIPE:
        return usb_redir_stall;
    case USBIP_ENOENT:
    case USBIP_ECONNRESET:
        return usb_redir_cancelled;
    case USBIP_EOVERFLOW:
        return usb_redir_babble;
    default:
        return usb_redir_ioerror;
    }
}

static void answer(struct pending *entry, int32_t status, uint8_t *data, uint32_t actual) {
    struct pending done = *entry;
    int size = done.in ? (int)actual : 0; /* an answer to OUT has a length, but no data */
    data = size ? data : NULL;
    entry->kind = FREE;
    switch (done.kind) {
    case CONTROL:
        done.head.control.status = status_of(status);
        done.head.control.length = (uint16_t)actual;
        usbredirparser_send_control_packet(guest, done.id, &done.head.control, data, size);
        break;
    case BULK:
        done.head.bulk.status = status_of(status);
        done.head.bulk.length = (uint16_t)actual;
        done.head.bulk.length_high = (uint16_t)(actual >> 16);
        usbredirparser_send_bulk_packet(guest, done.id, &done.head.bulk, data, size);
        break;
    case CONFIGURATION:
        done.head.configuration.status = status_of(status);
        usbredirparser_send_configuration_status(guest, done.id, &done.head.configuration);
        break;
    case ALTERNATE:
        done.head.alternate.status = status_of(status);
        usbredirparser_send_alt_setting_status(guest, done.id, &done.head.alternate);
        break;
    case FREE:
        break;
    }
}

static bool take_answer(void) {
    static uint8_t data[MOST_BYTES];
    uint8_t header[USBIP_HEADER_BYTES];
    if (!receive_all(header, sizeof header))
        return false;
    bool unlinked = get_be32(header + USBIP_COMMAND) == USBIP_RET_UNLINK;
    int32_t status = (int32_t)get_be32(header + USBIP_STATUS);
    uint32_t number = get_be32(header + USBIP_SEQNUM) & INT32_MAX, actual = get_be32(header + USBIP_ACTUAL);
    struct pending *entry = NULL;
    for (size_t i = 0; i < MOST_PENDING && !entry; i++)
        if (pending[i].kind != FREE && pending[i].seqnum == number)
            entry = &pending[i];
    if (unlinked) { /* with status 0 the transfer had an answer of its own */
        if (entry && status)
            answer(entry, status, NULL, 0);
        return true;
    }
    if (!entry || actual > sizeof data || (entry->in && !receive_all(data, actual)))
        return false;
    answer(entry, status, data, actual);
    return true;
}

/* ---- Start of both sides ---- */

static size_t get_descriptor(uint8_t type, uint8_t *to, uint16_t size) {
    uint8_t header[USBIP_HEADER_BYTES], setup[SETUP_BYTES];
    put_setup(setup, 0x80, 6, (uint16_t)(type << 8), 0, size);
    submit(++seqnum, 0, true, setup, NULL, size);
    uint32_t got;
    if (!receive_all(header, sizeof header) || get_be32(header + USBIP_STATUS) ||
        (got = get_be32(header + USBIP_ACTUAL)) > size || !receive_all(to, got))
        die("descriptors");
    return got;
}

static void import(unsigned port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
    uint8_t request[USBIP_OP_BYTES + USBIP_BUSID_BYTES] = {0}, reply[USBIP_OP_BYTES + USBIP_DEVICE_BYTES];
    int on = 1;
    server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(server, (struct sockaddr *)&address, sizeof address))
        die("connect");
    setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    put_be16(request, USBIP_VERSION);
    put_be16(request + 2, USBIP_OP_REQ_IMPORT);
    memcpy(request + USBIP_OP_BYTES, "1-1", 4);
    send_all(request, sizeof request);
    if (!receive_all(reply, sizeof reply) || get_be32(reply + 4))
        die("import");
    const uint8_t *found = reply + USBIP_OP_BYTES;
    devid = get_be32(found + USBIP_DEVICE_BUSNUM) << 16 | get_be32(found + USBIP_DEVICE_DEVNUM);
    if (get_descriptor(1, device_descriptor, sizeof device_descriptor) != sizeof device_descriptor)
        die("device descriptor");
    configuration_bytes = get_descriptor(2, configuration, sizeof configuration);
}

static void describe(struct usb_redir_interface_info_header *interfaces, struct usb_redir_ep_info_header *endpoints) {
    memset(interfaces, 0, sizeof *interfaces);
    memset(endpoints, 0, sizeof *endpoints);
    memset(endpoints->type, usb_redir_type_invalid, sizeof endpoints->type);
    endpoints->type[0] = endpoints->type[ENDPOINTS / 2] = usb_redir_type_control;
    endpoints->max_packet_size[0] = endpoints->max_packet_size[ENDPOINTS / 2] = device_descriptor[7];
    uint8_t number = 0;
    for (size_t at = 0; at + 2 <= configuration_bytes && configuration[at] >= 2; at += configuration[at]) {
        const uint8_t *item = configuration + at;
        if (item[1] == 4 && interfaces->interface_count < 32) {
            uint32_t i = interfaces->interface_count++;
            number = interfaces->interface[i] = item[2];
            interfaces->interface_class[i] = item[5];
            interfaces->interface_subclass[i] = item[6];
            interfaces->interface_protocol[i] = item[7];
        } else if (item[1] == 5) {
            unsigned i = (item[2] & 0x0Fu) | (item[2] & 0x80u) >> 3;
            endpoints->type[i] = item[3] & 3;
            endpoints->interval[i] = item[6];
            endpoints->interface[i] = number;
            endpoints->max_packet_size[i] = (uint16_t)(item[4] | item[5] << 8);
        }
    }
}

static void on_hello(void *context, struct usb_redir_hello_header *hello) {
    (void)context, (void)hello;
    struct usb_redir_interface_info_header interfaces;
    struct usb_redir_ep_info_header endpoints;
    const uint8_t *d = device_descriptor;
    struct usb_redir_device_connect_header connect = {.speed = usb_redir_speed_full,
                                                      .device_class = d[4],
                                                      .device_subclass = d[5],
                                                      .device_protocol = d[6],
                                                      .vendor_id = (uint16_t)(d[8] | d[9] << 8),
                                                      .product_id = (uint16_t)(d[10] | d[11] << 8),
                                                      .device_version_bcd = (uint16_t)(d[12] | d[13] << 8)};
    describe(&interfaces, &endpoints);
    usbredirparser_send_interface_info(guest, &interfaces);
    usbredirparser_send_ep_info(guest, &endpoints);
    usbredirparser_send_device_connect(guest, &connect);
}

static int from_guest(void *context, uint8_t *data, int count) {
    (void)context;
    ssize_t got = recv(guest_socket, data, (size_t)count, 0);
    return got > 0 ? (int)got : got < 0 && errno == EAGAIN ? 0 : -1;
}

static int to_guest(void *context, uint8_t *data, int count) {
    (void)context;
    ssize_t sent = send(guest_socket, data, (size_t)count, MSG_NOSIGNAL);
    return sent >= 0 ? (int)sent : errno == EAGAIN ? 0 : -1;
}

static void make_parser(void) {
    uint32_t caps[USB_REDIR_CAPS_SIZE] = {0};
    guest = usbredirparser_create();
    guest->log_func = on_log;
    guest->read_func = from_guest;
    guest->write_func = to_guest;
    guest->hello_func = on_hello;
    guest->reset_func = on_reset;
    guest->control_packet_func = on_control;
    guest->bulk_packet_func = on_bulk;
    guest->set_configuration_func = on_set_configuration;
    guest->get_configuration_func = on_get_configuration;
    guest->set_alt_setting_func = on_set_alternate;
    guest->get_alt_setting_func = on_get_alternate;
    guest->cancel_data_packet_func = on_cancel;
    usbredirparser_caps_set_cap(caps, usb_redir_cap_connect_device_version);
    usbredirparser_caps_set_cap(caps, usb_redir_cap_ep_info_max_packet_size);
    usbredirparser_caps_set_cap(caps, usb_redir_cap_64bits_ids);
    usbredirparser_caps_set_cap(caps, usb_redir_cap_32bits_bulk_length);
    usbredirparser_init(guest, "gnomon test", caps, USB_REDIR_CAPS_SIZE, usbredirparser_fl_usb_host);
}

static void await_guest(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    unlink(path);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1))
        die(path);
    puts("ready");
    fflush(stdout);
    guest_socket = accept(listener, NULL, NULL);
    if (guest_socket < 0 || fcntl(guest_socket, F_SETFL, O_NONBLOCK))
        die("guest");
    close(listener);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: usbredir_bridge PORT SOCKET\n");
        return 2;
    }
    import((unsigned)atoi(argv[1]));
    await_guest(argv[2]);
    make_parser();
    for (;;) {
        struct pollfd wait[2] = {{guest_socket, POLLIN, 0}, {server, POLLIN, 0}};
        if (usbredirparser_has_data_to_write(guest))
            wait[0].events |= POLLOUT;
        if (poll(wait, 2, -1) < 0 && errno != EINTR)
            die("poll");
        if ((wait[0].revents & (POLLIN | POLLHUP)) && usbredirparser_do_read(guest) < 0)
            return 0;
        if (wait[1].revents && !take_answer())
            return 0;
        if (usbredirparser_has_data_to_write(guest) && usbredirparser_do_write(guest) < 0)
            return 0;
    }
}
