/* SPDX-License-Identifier: Apache-2.0 */
/* Messages for libusb's errors, with advice for the user. */
#ifndef GNOMON_LIB_USB_ERROR_H
#define GNOMON_LIB_USB_ERROR_H

#include "lib/util/error.h"

/* `code`: of enum libusb_error; `address`: the device; `doing`: what was tried, as in "bulk in". */
enum gnomon_status gnomon_usb_fail(struct gnomon_error *error, int code, const char *address, const char *doing);

#endif
