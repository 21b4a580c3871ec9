/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program that finds the device of a USB/IP server on its USB: the real libusb of an unmodified program talks to
 * umockdev's /dev/bus/usb, whose ioctls become USB/IP here. No kernel module, no root.
 * usage: umockdev-wrapper umockdev_bridge PORT COMMAND [ARG...] */
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

#include "../../host/lib/usbip_wire.h"

#define NODE "/dev/bus/usb/001/002"
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

/* Handlers run in a thread of umockdev's, answers come in one of ours. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct urb urbs[MOST_URBS];
static uint32_t seqnum, completions, devid;
static int server = -1, fifo = -1;
static bool gone;

static void die(const char *what) {
    fprintf(stderr, "umockdev_bridge: %s: %s\n", what, strerror(errno));
    exit(125);
}

static void send_all(const void *data, size_t size) {
    const uint8_t *from = data;
    while (size) {
        ssize_t sent = send(server, from, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            gone = true;
            return;
        }
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

/* ---- The device node is a FIFO: writable, as usbfs says it, if and only if there is a URB to reap ---- */

static void set_ready(bool ready) {
    char block[65536];
    if (ready)
        while (read(fifo, block, sizeof block) > 0)
            ;
    else
        while (write(fifo, block, 4096) > 0)
            ;
}

static void make_fifo(const char *root) {
    char path[512];
    snprintf(path, sizeof path, "%s" NODE, root);
    if (unlink(path) || mkfifo(path, 0666) || (fifo = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)) < 0)
        die(path);
    fcntl(fifo, F_SETPIPE_SZ, 4096);
    set_ready(false);
}

static struct urb *first_done(void) {
    struct urb *first = NULL;
    for (int i = 0; i < MOST_URBS; i++)
        if (urbs[i].seqnum && urbs[i].done && (!first || urbs[i].order < first->order))
            first = &urbs[i];
    return first;
}

static void finish(struct urb *urb, int status, size_t actual) {
    urb->status = status;
    urb->actual = actual;
    urb->done = true;
    urb->order = ++completions;
    set_ready(true);
}

/* ---- usbfs ---- */

static struct urb *find(uint32_t wanted) {
    for (int i = 0; i < MOST_URBS; i++)
        if (urbs[i].seqnum == wanted)
            return &urbs[i];
    return NULL;
}

static int submit(UMockdevIoctlData *argument) {
    struct urb *urb = find(0);
    if (!urb || gone)
        return gone ? ENODEV : ENOMEM;
    urb->data = umockdev_ioctl_data_resolve(argument, 0, sizeof(struct usbdevfs_urb), NULL);
    const struct usbdevfs_urb *asked = (struct usbdevfs_urb *)(void *)urb->data->data;
    urb->buffer = umockdev_ioctl_data_resolve(urb->data, offsetof(struct usbdevfs_urb, buffer),
                                              (size_t)asked->buffer_length, NULL);
    bool control = asked->type == USBDEVFS_URB_TYPE_CONTROL;
    bool in = control ? urb->buffer->data[0] & 0x80 : asked->endpoint & 0x80;
    size_t skip = control ? SETUP_BYTES : 0, size = (size_t)asked->buffer_length - skip;
    uint8_t header[USBIP_HEADER_BYTES] = {0};
    urb->seqnum = ++seqnum;
    urb->done = urb->discarded = false;
    put_be32(header + USBIP_COMMAND, USBIP_CMD_SUBMIT);
    put_be32(header + USBIP_SEQNUM, urb->seqnum);
    put_be32(header + USBIP_DEVID, devid);
    put_be32(header + USBIP_DIRECTION, in ? USBIP_DIR_IN : USBIP_DIR_OUT);
    put_be32(header + USBIP_EP, asked->endpoint & 0x0F);
    put_be32(header + USBIP_LENGTH, (uint32_t)size);
    if (control)
        memcpy(header + USBIP_SETUP, urb->buffer->data, SETUP_BYTES);
    send_all(header, sizeof header);
    if (!in)
        send_all(urb->buffer->data + skip, size);
    return 0;
}

static int discard(UMockdevIoctlData *argument) {
    gulong address = *(gulong *)(void *)argument->data;
    for (int i = 0; i < MOST_URBS; i++) {
        struct urb *urb = &urbs[i];
        if (!urb->seqnum || urb->done || urb->data->client_addr != address)
            continue;
        uint8_t header[USBIP_HEADER_BYTES] = {0};
        put_be32(header + USBIP_COMMAND, USBIP_CMD_UNLINK);
        put_be32(header + USBIP_SEQNUM, urb->seqnum + (1u << 31));
        put_be32(header + USBIP_DEVID, devid);
        put_be32(header + USBIP_UNLINK_SEQNUM, urb->seqnum);
        urb->discarded = true;
        send_all(header, sizeof header);
        return 0;
    }
    return EINVAL;
}

/* Hands a completed URB back: completing the ioctl writes it and its buffer to the client. */
static int reap(UMockdevIoctlClient *client, UMockdevIoctlData *argument) {
    struct urb *urb = first_done();
    if (!urb)
        return gone ? ENODEV : EAGAIN;
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
    if (!first_done())
        set_ready(gone);
    return 0;
}

static gboolean on_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, void *context) {
    (void)handler, (void)context;
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
        wrong = submit(argument);
        break;
    case USBDEVFS_DISCARDURB:
        wrong = discard(argument);
        break;
    case USBDEVFS_REAPURB:
    case USBDEVFS_REAPURBNDELAY:
        wrong = reap(client, argument);
        completed = !wrong;
        break;
    case USBDEVFS_IOCTL: /* detaching a driver: there is none */
        wrong = ENODATA;
        break;
    case USBDEVFS_CLAIMINTERFACE:
    case USBDEVFS_RELEASEINTERFACE:
    case USBDEVFS_SETCONFIGURATION:
    case USBDEVFS_CLEAR_HALT:
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

static bool take_answer(void) {
    uint8_t header[USBIP_HEADER_BYTES];
    static uint8_t data[1 << 20];
    if (!receive_all(header, sizeof header))
        return false;
    bool unlinked = get_be32(header + USBIP_COMMAND) == USBIP_RET_UNLINK;
    uint32_t number = get_be32(header + USBIP_SEQNUM) & INT32_MAX, actual = get_be32(header + USBIP_ACTUAL);
    int status = (int)get_be32(header + USBIP_STATUS);
    pthread_mutex_lock(&lock);
    struct urb *urb = find(number);
    bool known = urb && !urb->done, in = false;
    const struct usbdevfs_urb *asked = known ? (struct usbdevfs_urb *)(void *)urb->data->data : NULL;
    bool control = known && asked->type == USBDEVFS_URB_TYPE_CONTROL;
    if (known)
        in = control ? urb->buffer->data[0] & 0x80 : asked->endpoint & 0x80;
    pthread_mutex_unlock(&lock);
    if (!unlinked && in && (actual > sizeof data || !receive_all(data, actual)))
        return false;
    pthread_mutex_lock(&lock);
    if (known && !unlinked) {
        if (in)
            memcpy(urb->buffer->data + (control ? SETUP_BYTES : 0), data, actual);
        finish(urb, urb->discarded && actual == 0 ? -ENOENT : status, actual);
    } else if (known && status) {
        finish(urb, -ENOENT, 0);
    }
    pthread_mutex_unlock(&lock);
    return true;
}

static void *take_answers(void *context) {
    while (take_answer())
        ;
    pthread_mutex_lock(&lock);
    gone = true;
    for (int i = 0; i < MOST_URBS; i++)
        if (urbs[i].seqnum && !urbs[i].done)
            finish(&urbs[i], -ESHUTDOWN, 0);
    set_ready(true);
    pthread_mutex_unlock(&lock);
    return context;
}

/* ---- Setting it up ---- */

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
    const uint8_t *device = reply + USBIP_OP_BYTES;
    devid = get_be32(device + USBIP_DEVICE_BUSNUM) << 16 | get_be32(device + USBIP_DEVICE_DEVNUM);
}

/* GET_DESCRIPTOR by hand: the kernel would have read them when the device was plugged in. */
static size_t get_descriptor(uint8_t type, uint8_t *to, uint16_t size) {
    uint8_t header[USBIP_HEADER_BYTES] = {0};
    const uint8_t setup[SETUP_BYTES] = {0x80, 6, 0, type, 0, 0, (uint8_t)size, (uint8_t)(size >> 8)};
    put_be32(header + USBIP_COMMAND, USBIP_CMD_SUBMIT);
    put_be32(header + USBIP_SEQNUM, ++seqnum);
    put_be32(header + USBIP_DEVID, devid);
    put_be32(header + USBIP_DIRECTION, USBIP_DIR_IN);
    put_be32(header + USBIP_LENGTH, size);
    memcpy(header + USBIP_SETUP, setup, sizeof setup);
    send_all(header, sizeof header);
    if (!receive_all(header, sizeof header) || get_be32(header + USBIP_STATUS) ||
        get_be32(header + USBIP_ACTUAL) > size || !receive_all(to, get_be32(header + USBIP_ACTUAL)))
        die("descriptors");
    return get_be32(header + USBIP_ACTUAL);
}

static void add_device(UMockdevTestbed *bed, const char *path, const char *node, const uint8_t *descriptors,
                       size_t size) {
    char text[2048], hex[1024];
    unsigned number = (unsigned)atoi(node + strlen("bus/usb/001/"));
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

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: umockdev-wrapper umockdev_bridge PORT COMMAND [ARG...]\n");
        return 2;
    }
    static const uint8_t hub[] = {18, 1, 0, 2,    9, 0, 0, 64, 0x6B, 0x1D, 2, 0, 0, 1, 0, 0, 0,    1, 9, 2, 25, 0,
                                  1,  1, 0, 0xE0, 0, 9, 4, 0,  0,    1,    9, 0, 0, 0, 7, 5, 0x81, 3, 4, 0, 12};
    uint8_t descriptors[512];
    import((unsigned)atoi(argv[1]));
    size_t size = get_descriptor(1, descriptors, 18);
    size += get_descriptor(2, descriptors + size, 255);

    UMockdevTestbed *bed = umockdev_testbed_new();
    UMockdevIoctlBase *handler = umockdev_ioctl_base_new();
    g_signal_connect(handler, "handle-ioctl", G_CALLBACK(on_ioctl), NULL);
    GError *error = NULL;
    if (!umockdev_testbed_attach_ioctl(bed, NODE, handler, &error)) {
        fprintf(stderr, "umockdev_bridge: %s\n", error->message);
        return 125;
    }
    add_device(bed, "/devices/pci0000:00/usb1", "bus/usb/001/001", hub, sizeof hub);
    add_device(bed, "/devices/pci0000:00/usb1/1-1", "bus/usb/001/002", descriptors, size);
    make_fifo(umockdev_testbed_get_root_dir(bed));

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
    g_object_unref(bed);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
