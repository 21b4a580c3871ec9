/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/transport/serial_port.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "lib/util/clock.h"

#define WRITE_PATIENCE 2000 /* ms until a port that accepts no bytes is given up */
#define MOST_OFF 40         /* the driver's rate may differ by 1/40 */

static enum gnomon_status in_use(const char *path, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_BUSY, "%s is in use by another program", path);
    return gnomon_remedy(error, GNOMON_ERR_BUSY, "end the other gnomon or terminal program; fuser %s shows it", path);
}

static enum gnomon_status not_opened(const char *path, struct gnomon_error *error) {
    switch (errno) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "there is no serial port %s", path);
        return gnomon_remedy(
            error, GNOMON_ERR_NOT_FOUND,
            "plug the board in; ls /dev/ttyUSB* shows the ports; an iCEBreaker's is the second of its two");
    case EACCES:
    case EPERM:
        gnomon_fail(error, GNOMON_ERR_PERMISSION, "no permission for %s", path);
        return gnomon_remedy(error, GNOMON_ERR_PERMISSION,
                             "join the group of serial ports: sudo adduser $USER dialout, then log in again");
    case EBUSY:
        return in_use(path, error);
    default:
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot open %s", path);
    }
}

/* FTDI's driver waits 16 ms before it delivers less than a whole packet; with this flag 1 ms. Other drivers may not
 * support the flag, and do not need it. */
static void ask_for_low_latency(int fd) {
    struct serial_struct serial;
    if (ioctl(fd, TIOCGSERIAL, &serial))
        return;
    serial.flags |= ASYNC_LOW_LATENCY;
    ioctl(fd, TIOCSSERIAL, &serial);
}

static enum gnomon_status configure(int fd, const char *path, unsigned baud, struct gnomon_error *error) {
    struct termios2 mode;
    if (ioctl(fd, TCGETS2, &mode)) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s is not a serial port", path);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "write serial:/dev/ttyUSB1 or the like");
    }
    mode.c_iflag = IGNBRK | IGNPAR;
    mode.c_oflag = 0;
    mode.c_lflag = 0;
    mode.c_cflag = CS8 | CREAD | CLOCAL | BOTHER | BOTHER << IBSHIFT;
    mode.c_ispeed = mode.c_ospeed = baud;
    mode.c_cc[VMIN] = 1;
    mode.c_cc[VTIME] = 0;
    if (ioctl(fd, TCSETS2, &mode) || ioctl(fd, TCGETS2, &mode))
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot set %s to %u baud", path, baud);
    unsigned off = mode.c_ospeed > baud ? mode.c_ospeed - baud : baud - mode.c_ospeed;
    if (off > baud / MOST_OFF) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s cannot do %u baud, but %u", path, baud, (unsigned)mode.c_ospeed);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                             "build the bitstream for a rate that the bridge has, and name it: "
                             "serial:%s:BAUD",
                             path);
    }
    ask_for_low_latency(fd);
    ioctl(fd, TCFLSH, TCIOFLUSH);
    return GNOMON_OK;
}

struct port {
    int fd;
};

static int port_of(void *context) {
    return ((const struct port *)context)->fd;
}

static const char *port_send(void *context, const uint8_t *data, size_t size) {
    while (size) {
        ssize_t sent = write(port_of(context), data, size);
        if (sent > 0) {
            data += sent;
            size -= (size_t)sent;
        } else if (sent < 0 && errno == EAGAIN) {
            struct pollfd wait = {.fd = port_of(context), .events = POLLOUT};
            if (poll(&wait, 1, WRITE_PATIENCE) == 0)
                return "the port takes no bytes";
        } else if (sent < 0 && errno != EINTR) {
            return errno == EIO || errno == ENXIO || errno == ENODEV ? "it was unplugged" : strerror(errno);
        }
    }
    return NULL;
}

static uint64_t port_now(void *context) {
    (void)context;
    return gnomon_now_us();
}

static const char *port_receive(void *context, uint8_t *data, size_t size, uint64_t end, size_t *got,
                                bool *interrupted) {
    uint64_t now = port_now(context);
    struct pollfd wait = {.fd = port_of(context), .events = POLLIN};
    *got = 0;
    int ready = poll(&wait, 1, now < end ? (int)((end - now + 999) / 1000) : 0);
    if (ready < 0 && errno == EINTR)
        *interrupted = true;
    if (ready <= 0)
        return NULL;
    ssize_t size_read = read(port_of(context), data, size);
    if (size_read == 0 || (size_read < 0 && errno != EAGAIN && errno != EINTR))
        return "it was unplugged";
    *got = size_read > 0 ? (size_t)size_read : 0;
    return NULL;
}

static void port_close(void *context) {
    close(port_of(context));
    free(context);
}

enum gnomon_status serial_port_open(const char *path, unsigned baud, struct serial_io *io, struct gnomon_error *error) {
    int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return not_opened(path, error);
    enum gnomon_status status = GNOMON_OK;
    struct port *port = malloc(sizeof *port);
    if (!port)
        status = gnomon_fail_memory(error);
    /* Also takes the lock, because the terminal's exclusive mode does not apply to root. */
    if (!status && flock(fd, LOCK_EX | LOCK_NB))
        status = in_use(path, error);
    if (!status)
        status = configure(fd, path, baud, error);
    if (!status && ioctl(fd, TIOCEXCL))
        status = gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot have %s alone", path);
    if (status) {
        close(fd);
        free(port);
        return status;
    }
    port->fd = fd;
    *io = (struct serial_io){
        .context = port, .send = port_send, .receive = port_receive, .now = port_now, .close = port_close};
    return GNOMON_OK;
}
