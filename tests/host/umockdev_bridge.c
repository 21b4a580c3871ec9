/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program with a USB/IP server's device on its USB bus: the real libusb of an unmodified program uses umockdev's
 * /dev/bus/usb, whose ioctls this bridge translates to USB/IP. Needs neither a kernel module nor root.
 *
 * With --again a device that leaves (the server ends the connection, or the program resets it) is unplugged, and the
 * server's next device is plugged in under the next number, until the server has none.
 *
 * usage: umockdev-wrapper umockdev_bridge [--again] PORT COMMAND [ARG...] */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/usbdevice_fs.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <umockdev.h>
#include <unistd.h>

#include "lib/transport/usbip_wire.h"

#define FIRST_NUMBER 2 /* of the first device on the bus; 1 is the root hub */
#define MOST_DEVICES 16
#define MOST_URBS 512
#define SETUP_BYTES 8

struct urb {
    uint32_t seqnum; /* 0: free */
    bool done, discarded;
    uint32_t order; /* of completion */
    int status;
    size_t actual;
    UMockdevIoctlData *data, *buffer;
};

/* A device that is or was on the bus. */
struct device {
    struct urb urbs[MOST_URBS];
    uint32_t seqnum, completions, devid;
    int server, fifo;
    bool gone;
    char path[64], node[32]; /* in /sys and in /dev */
};

/* Handlers run in a thread of umockdev; answers arrive in a thread of this program. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct device devices[MOST_DEVICES];
static UMockdevTestbed *bed;
static unsigned port;
static bool again, closing;

static void die(const char *what) {
    fprintf(stderr, "umockdev_bridge: %s: %s\n", what, strerror(errno));
    exit(125);
}

static void send_all(struct device *device, const void *data, size_t size) {
    const uint8_t *from = data;
    while (size) {
        ssize_t sent = send(device->server, from, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            device->gone = true;
            return;
        }
        from += sent;
        size -= (size_t)sent;
    }
}

static bool receive_all(const struct device *device, void *data, size_t size) {
    uint8_t *to = data;
    while (size) {
        ssize_t got = recv(device->server, to, size, 0);
        if (got <= 0)
            return false;
        to += got;
        size -= (size_t)got;
    }
    return true;
}

/* ---- The device node is a FIFO: writable, as usbfs reports it, if and only if a URB can be reaped ---- */

static void set_ready(const struct device *device, bool ready) {
    char block[65536];
    if (ready)
        while (read(device->fifo, block, sizeof block) > 0)
            ;
    else
        while (write(device->fifo, block, 4096) > 0)
            ;
}

static void make_fifo(struct device *device) {
    char path[512], *root = umockdev_testbed_get_root_dir(bed);
    snprintf(path, sizeof path, "%s/dev/%s", root, device->node);
    g_free(root);
    if (unlink(path) || mkfifo(path, 0666) || (device->fifo = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)) < 0)
        die(path);
    fcntl(device->fifo, F_SETPIPE_SZ, 4096);
    set_ready(device, false);
}

static struct urb *first_done(struct device *device) {
    struct urb *urbs = device->urbs;
    struct urb *first = NULL;
    for (int i = 0; i < MOST_URBS; i++)
        if (urbs[i].seqnum && urbs[i].done && (!first || urbs[i].order < first->order))
            first = &urbs[i];
    return first;
}

static void finish(struct device *device, struct urb *urb, int status, size_t actual) {
    urb->status = status;
    urb->actual = actual;
    urb->done = true;
    urb->order = ++device->completions;
    set_ready(device, true);
}

/* ---- usbfs ---- */

static struct urb *find(struct device *device, uint32_t wanted) {
    struct urb *urbs = device->urbs;
    for (int i = 0; i < MOST_URBS; i++)
        if (urbs[i].seqnum == wanted)
            return &urbs[i];
    return NULL;
}

static int submit(struct device *device, UMockdevIoctlData *argument) {
    struct urb *urb = find(device, 0);
    if (!urb || device->gone)
        return device->gone ? ENODEV : ENOMEM;
    urb->data = umockdev_ioctl_data_resolve(argument, 0, sizeof(struct usbdevfs_urb), NULL);
    const struct usbdevfs_urb *asked = (struct usbdevfs_urb *)(void *)urb->data->data;
    urb->buffer = umockdev_ioctl_data_resolve(urb->data, offsetof(struct usbdevfs_urb, buffer),
                                              (size_t)asked->buffer_length, NULL);
    bool control = asked->type == USBDEVFS_URB_TYPE_CONTROL;
    bool in = control ? urb->buffer->data[0] & 0x80 : asked->endpoint & 0x80;
    size_t skip = control ? SETUP_BYTES : 0, size = (size_t)asked->buffer_length - skip;
    uint8_t header[USBIP_HEADER_BYTES] = {0};
    urb->seqnum = ++device->seqnum;
    urb->done = urb->discarded = false;
    put_be32(header + USBIP_COMMAND, USBIP_CMD_SUBMIT);
    put_be32(header + USBIP_SEQNUM, urb->seqnum);
    put_be32(header + USBIP_DEVID, device->devid);
    put_be32(header + USBIP_DIRECTION, in ? USBIP_DIR_IN : USBIP_DIR_OUT);
    put_be32(header + USBIP_EP, asked->endpoint & 0x0F);
    put_be32(header + USBIP_LENGTH, (uint32_t)size);
    if (control)
        memcpy(header + USBIP_SETUP, urb->buffer->data, SETUP_BYTES);
    send_all(device, header, sizeof header);
    if (!in)
        send_all(device, urb->buffer->data + skip, size);
    return 0;
}

static int discard(struct device *device, UMockdevIoctlData *argument) {
    gulong address = *(gulong *)(void *)argument->data;
    for (int i = 0; i < MOST_URBS; i++) {
        struct urb *urb = &device->urbs[i];
        if (!urb->seqnum || urb->done || urb->data->client_addr != address)
            continue;
        uint8_t header[USBIP_HEADER_BYTES] = {0};
        put_be32(header + USBIP_COMMAND, USBIP_CMD_UNLINK);
        put_be32(header + USBIP_SEQNUM, urb->seqnum + (1u << 31));
        put_be32(header + USBIP_DEVID, device->devid);
        put_be32(header + USBIP_UNLINK_SEQNUM, urb->seqnum);
        urb->discarded = true;
        send_all(device, header, sizeof header);
        return 0;
    }
    return EINVAL;
}

/* Returns a completed URB: completing the ioctl writes the URB and its buffer to the client. */
static int reap(struct device *device, UMockdevIoctlClient *client, UMockdevIoctlData *argument) {
    struct urb *urb = first_done(device);
    if (!urb)
        return device->gone ? ENODEV : EAGAIN;
    struct usbdevfs_urb *answer = (struct usbdevfs_urb *)(void *)urb->data->data;
    answer->status = urb->status;
    answer->actual_length = (int)urb->actual;
    UMockdevIoctlData *pointer = umockdev_ioctl_data_resolve(argument, 0, sizeof(gpointer), NULL);
    umockdev_ioctl_data_set_ptr(pointer, 0, urb->data);
    umockdev_ioctl_client_complete(client, 0, 0);
    g_object_unref(pointer);
    g_object_unref(urb->buffer);
    g_object_unref(urb->data);
    memset(urb, 0, sizeof *urb);
    if (!first_done(device))
        set_ready(device, device->gone);
    return 0;
}

static gboolean on_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, void *context) {
    (void)handler;
    struct device *device = context;
    UMockdevIoctlData *argument = umockdev_ioctl_client_get_arg(client);
    int wrong = 0;
    bool completed = false;
    pthread_mutex_lock(&lock);
    switch (umockdev_ioctl_client_get_request(client)) {
    case USBDEVFS_GET_CAPABILITIES: {
        UMockdevIoctlData *word = umockdev_ioctl_data_resolve(argument, 0, sizeof(guint32), NULL);
        *(guint32 *)(void *)word->data =
            USBDEVFS_CAP_NO_PACKET_SIZE_LIM | USBDEVFS_CAP_REAP_AFTER_DISCONNECT | USBDEVFS_CAP_ZERO_PACKET;
        umockdev_ioctl_client_complete(client, 0, 0);
        g_object_unref(word);
        completed = true;
        break;
    }
    case USBDEVFS_SUBMITURB:
        wrong = submit(device, argument);
        break;
    case USBDEVFS_DISCARDURB:
        wrong = discard(device, argument);
        break;
    case USBDEVFS_REAPURB:
    case USBDEVFS_REAPURBNDELAY:
        wrong = reap(device, client, argument);
        completed = !wrong;
        break;
    case USBDEVFS_IOCTL: /* detaching a driver: no driver is attached */
    case USBDEVFS_GETDRIVER:
        wrong = ENODATA;
        break;
    case USBDEVFS_CLAIMINTERFACE:
    case USBDEVFS_RELEASEINTERFACE:
    case USBDEVFS_SETCONFIGURATION:
    case USBDEVFS_SETINTERFACE:
    case USBDEVFS_CLEAR_HALT:
        break;
    case USBDEVFS_RESET: /* after the reset the device is the one that the server then has */
        if (again)
            shutdown(device->server, SHUT_RDWR);
        else
            wrong = ENOTTY;
        break;
    default:
        wrong = ENOTTY;
        break;
    }
    if (!completed)
        umockdev_ioctl_client_complete(client, wrong ? -1 : 0, wrong);
    pthread_mutex_unlock(&lock);
    return TRUE;
}

/* ---- Answers of the server ---- */

static bool take_answer(struct device *device) {
    uint8_t header[USBIP_HEADER_BYTES];
    static uint8_t data[1 << 20];
    if (!receive_all(device, header, sizeof header))
        return false;
    bool unlinked = get_be32(header + USBIP_COMMAND) == USBIP_RET_UNLINK;
    uint32_t number = get_be32(header + USBIP_SEQNUM) & INT32_MAX, actual = get_be32(header + USBIP_ACTUAL);
    int status = (int)get_be32(header + USBIP_STATUS);
    pthread_mutex_lock(&lock);
    struct urb *urb = find(device, number);
    bool known = urb && !urb->done, in = false;
    const struct usbdevfs_urb *asked = known ? (struct usbdevfs_urb *)(void *)urb->data->data : NULL;
    bool control = known && asked->type == USBDEVFS_URB_TYPE_CONTROL;
    size_t skip = control ? SETUP_BYTES : 0, room = known ? (size_t)asked->buffer_length - skip : 0;
    if (known)
        in = control ? urb->buffer->data[0] & 0x80 : asked->endpoint & 0x80;
    pthread_mutex_unlock(&lock);
    if (!unlinked && in && (actual > sizeof data || !receive_all(device, data, actual)))
        return false;
    pthread_mutex_lock(&lock);
    if (known && !unlinked) {
        if (in && actual > room) { /* a host controller cuts off a babbling device */
            actual = (uint32_t)room;
            status = -EOVERFLOW;
        }
        if (in)
            memcpy(urb->buffer->data + skip, data, actual);
        finish(device, urb, urb->discarded && actual == 0 ? -ENOENT : status, actual);
    } else if (known && status) {
        finish(device, urb, -ENOENT, 0);
    }
    pthread_mutex_unlock(&lock);
    return true;
}

/* Removes the node only after the program got the end of its transfers: an ioctl in progress on a removed node never
 * returns. */
static void unplug(struct device *device) {
    char path[96];
    snprintf(path, sizeof path, "/sys%s", device->path);
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&lock);
        bool reaped = !first_done(device);
        pthread_mutex_unlock(&lock);
        usleep(10000);
        if (reaped)
            break;
    }
    umockdev_testbed_remove_device(bed, path);
}

static void leave(struct device *device) {
    pthread_mutex_lock(&lock);
    device->gone = true;
    for (int i = 0; i < MOST_URBS; i++)
        if (device->urbs[i].seqnum && !device->urbs[i].done)
            finish(device, &device->urbs[i], -ESHUTDOWN, 0);
    set_ready(device, true);
    pthread_mutex_unlock(&lock);
    if (again)
        unplug(device);
}

/* ---- Set-up ---- */

/* Returns false if the server has no device (any more). */
static bool import(struct device *device) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
    uint8_t request[USBIP_OP_BYTES + USBIP_BUSID_BYTES] = {0}, reply[USBIP_OP_BYTES + USBIP_DEVICE_BYTES];
    int on = 1;
    device->server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(device->server, (struct sockaddr *)&address, sizeof address))
        return false;
    setsockopt(device->server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    put_be16(request, USBIP_VERSION);
    put_be16(request + 2, USBIP_OP_REQ_IMPORT);
    memcpy(request + USBIP_OP_BYTES, "1-1", 4);
    send_all(device, request, sizeof request);
    if (!receive_all(device, reply, sizeof reply) || get_be32(reply + 4))
        return false;
    const uint8_t *found = reply + USBIP_OP_BYTES;
    device->devid = get_be32(found + USBIP_DEVICE_BUSNUM) << 16 | get_be32(found + USBIP_DEVICE_DEVNUM);
    return true;
}

/* Reads the descriptors with GET_DESCRIPTOR: a kernel reads them when a device is plugged in. */
static size_t get_descriptor(struct device *device, uint8_t type, uint8_t *to, uint16_t size) {
    uint8_t header[USBIP_HEADER_BYTES] = {0};
    const uint8_t setup[SETUP_BYTES] = {0x80, 6, 0, type, 0, 0, (uint8_t)size, (uint8_t)(size >> 8)};
    put_be32(header + USBIP_COMMAND, USBIP_CMD_SUBMIT);
    put_be32(header + USBIP_SEQNUM, ++device->seqnum);
    put_be32(header + USBIP_DEVID, device->devid);
    put_be32(header + USBIP_DIRECTION, USBIP_DIR_IN);
    put_be32(header + USBIP_LENGTH, size);
    memcpy(header + USBIP_SETUP, setup, sizeof setup);
    send_all(device, header, sizeof header);
    if (!receive_all(device, header, sizeof header) || get_be32(header + USBIP_STATUS) ||
        get_be32(header + USBIP_ACTUAL) > size || !receive_all(device, to, get_be32(header + USBIP_ACTUAL)))
        die("descriptors");
    return get_be32(header + USBIP_ACTUAL);
}

static void add_device(const char *path, const char *node, unsigned number, const uint8_t *descriptors, size_t size) {
    char text[2048], hex[1024];
    for (size_t i = 0; i < size && i < sizeof hex / 2 - 1; i++)
        snprintf(hex + 2 * i, 3, "%02X", descriptors[i]);
    snprintf(text, sizeof text,
             "P: %s\nN: %s\nE: SUBSYSTEM=usb\nE: DRIVER=usb\nE: DEVTYPE=usb_device\nE: BUSNUM=001\nE: DEVNUM=%03u\n"
             "E: DEVNAME=/dev/%s\nA: busnum=1\\n\nA: devnum=%u\\n\nA: bConfigurationValue=1\\n\nA: speed=12\\n\n"
             "H: descriptors=%s\n",
             path, node, number, node, number, hex);
    GError *error = NULL;
    if (!umockdev_testbed_add_from_string(bed, text, &error)) {
        fprintf(stderr, "umockdev_bridge: %s\n", error->message);
        exit(125);
    }
}

/* Plugs in the server's device. */
static bool plug_in(struct device *device, unsigned number) {
    uint8_t descriptors[512];
    if (!import(device))
        return false;
    size_t size = get_descriptor(device, 1, descriptors, 18);
    size += get_descriptor(device, 2, descriptors + size, 255);
    snprintf(device->path, sizeof device->path, "/devices/pci0000:00/usb1/1-%u", number - 1);
    snprintf(device->node, sizeof device->node, "bus/usb/001/%03u", number);
    char node[48];
    snprintf(node, sizeof node, "/dev/%s", device->node);
    UMockdevIoctlBase *handler = umockdev_ioctl_base_new();
    g_signal_connect(handler, "handle-ioctl", G_CALLBACK(on_ioctl), device);
    GError *error = NULL;
    if (!umockdev_testbed_attach_ioctl(bed, node, handler, &error)) {
        fprintf(stderr, "umockdev_bridge: %s\n", error->message);
        exit(125);
    }
    add_device(device->path, device->node, number, descriptors, size);
    make_fifo(device);
    return true;
}

/* Takes the answers of the first device, which is plugged in, and with --again of its successors. */
static void *take_answers(void *context) {
    for (unsigned i = 0;; i++) {
        while (take_answer(&devices[i]))
            ;
        leave(&devices[i]);
        if (!again || closing || i + 1 == MOST_DEVICES || !plug_in(&devices[i + 1], FIRST_NUMBER + i + 1))
            return context;
    }
}

int main(int argc, char **argv) {
    again = argc > 1 && !strcmp(argv[1], "--again");
    argv += again;
    if (argc - again < 3) {
        fprintf(stderr, "usage: umockdev-wrapper umockdev_bridge [--again] PORT COMMAND [ARG...]\n");
        return 2;
    }
    static const uint8_t hub[] = {18, 1, 0, 2,    9, 0, 0, 64, 0x6B, 0x1D, 2, 0, 0, 1, 0, 0, 0,    1, 9, 2, 25, 0,
                                  1,  1, 0, 0xE0, 0, 9, 4, 0,  0,    1,    9, 0, 0, 0, 7, 5, 0x81, 3, 4, 0, 12};
    port = (unsigned)atoi(argv[1]);
    bed = umockdev_testbed_new();
    add_device("/devices/pci0000:00/usb1", "bus/usb/001/001", 1, hub, sizeof hub);
    if (!plug_in(&devices[0], FIRST_NUMBER))
        die("import");

    pthread_t reader;
    if (pthread_create(&reader, NULL, take_answers, NULL))
        die("thread");
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], &argv[2]);
        die(argv[2]);
    }
    int status = 0;
    waitpid(child, &status, 0);
    closing = true;
    for (int i = 0; i < MOST_DEVICES && devices[i].fifo; i++)
        shutdown(devices[i].server, SHUT_RDWR);
    pthread_join(reader, NULL);
    g_object_unref(bed);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
