/* SPDX-License-Identifier: Apache-2.0 */
/* A serial port of this machine, ready for bytes. Apart from the rest because the kernel's terminal headers, which
 * custom rates need, and the C library's exclude each other. */
#ifndef GNOMON_LIB_SERIAL_PORT_H
#define GNOMON_LIB_SERIAL_PORT_H

#include "serial_link.h"

/* Opens the port for this process alone, raw, 8N1, at that rate, with the driver's shortest latency; *fd does not
 * block. */
enum gnomon_status serial_port_open(const char *path, unsigned baud, struct serial_io *io, struct gnomon_error *error);

#endif
