/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a serial port of this machine. It is in a separate file because the kernel's terminal headers, which custom
 * rates need, and the headers of the C library exclude each other. */
#ifndef GNOMON_LIB_SERIAL_PORT_H
#define GNOMON_LIB_SERIAL_PORT_H

#include "lib/transport/serial_link.h"

/* Opens the port for this process alone: raw, 8N1, at rate `baud`, with the driver's shortest latency. *fd is
 * non-blocking. */
enum gnomon_status serial_port_open(const char *path, unsigned baud, struct serial_io *io, struct gnomon_error *error);

#endif
