/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/transport/usb_error.h"

#include <libusb.h>
#include <stddef.h>
#include <stdio.h>

/* After `what` the message gives the attempted operation in parentheses. */
static const struct {
    int code;
    enum gnomon_status status;
    const char *what, *remedy;
} errors[] = {
    {LIBUSB_ERROR_ACCESS, GNOMON_ERR_PERMISSION, "no permission for %s",
     "install the udev rule, sudo gnomon install-udev, then unplug the board and plug it in again"},
    {LIBUSB_ERROR_NO_DEVICE, GNOMON_ERR_DISCONNECTED, "the connection to %s is lost: it was unplugged or restarted",
     "plug it in again; gnomon list shows what is there"},
    {LIBUSB_ERROR_NOT_FOUND, GNOMON_ERR_DISCONNECTED, "the connection to %s is lost: it was unplugged or restarted",
     "plug it in again; gnomon list shows what is there"},
    {LIBUSB_ERROR_BUSY, GNOMON_ERR_BUSY, "%s is in use by another program",
     "end the other gnomon, or the virtual machine or kernel driver that holds it (lsusb -t names drivers), or name "
     "another device"},
    {LIBUSB_ERROR_TIMEOUT, GNOMON_ERR_TIMEOUT, "%s did not answer in time",
     "unplug it and plug it in again; where it is only slow, set GNOMON_TIMEOUT_SCALE=50"},
    {LIBUSB_ERROR_PIPE, GNOMON_ERR_STALL, "%s refused a transfer: stall",
     "unplug it and plug it in again; if that does not help, flash a bitstream of this release"},
    {LIBUSB_ERROR_OVERFLOW, GNOMON_ERR_PROTOCOL, "%s sent more than it was asked for",
     "unplug it and plug it in again; if that does not help, flash a bitstream of this release"},
    {LIBUSB_ERROR_IO, GNOMON_ERR_SYSTEM, "%s: a transfer failed on the wire",
     "try another cable or port, without a hub between; dmesg may say more"},
    {LIBUSB_ERROR_NO_MEM, GNOMON_ERR_MEMORY, "no memory for transfers of %s",
     "end other programs that use USB, or allow more: echo 64 | sudo tee "
     "/sys/module/usbcore/parameters/usbfs_memory_mb"},
    {LIBUSB_ERROR_NOT_SUPPORTED, GNOMON_ERR_UNSUPPORTED, "this system has no way to %s",
     "on Windows, install the driver WinUSB for it with Zadig; elsewhere, check that this machine or "
     "container has access to USB"},
    {LIBUSB_ERROR_INVALID_PARAM, GNOMON_ERR_PROTOCOL, "%s does not have what a Gnomon has",
     "flash a bitstream of this release"},
};

enum gnomon_status gnomon_usb_fail(struct gnomon_error *error, int code, const char *address, const char *doing) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].code != code)
            continue;
        char what[512];
        snprintf(what, sizeof what, errors[i].what, address);
        gnomon_fail(error, errors[i].status, "%s (%s)", what, doing);
        return gnomon_remedy(error, errors[i].status, "%s", errors[i].remedy);
    }
    gnomon_fail(error, GNOMON_ERR_SYSTEM, "%s: %s (%s)", address, libusb_strerror(code), doing);
    return gnomon_remedy(error, GNOMON_ERR_SYSTEM, "unplug it and plug it in again; dmesg may say more");
}
