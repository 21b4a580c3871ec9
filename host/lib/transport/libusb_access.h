/* SPDX-License-Identifier: Apache-2.0 */
/* What libusb knows of a transport, for the USB/IP server, which passes on transfers as they come. */
#ifndef GNOMON_LIB_LIBUSB_ACCESS_H
#define GNOMON_LIB_LIBUSB_ACCESS_H

#include <libusb.h>

#include "lib/transport/transport.h"

struct gnomon_libusb_access {
    libusb_context *context;
    libusb_device_handle *handle;
};

/* False: it is a transport of another kind. The results live as long as the transport. */
bool gnomon_libusb_access(const struct gnomon_transport *transport, struct gnomon_libusb_access *access);

#endif
