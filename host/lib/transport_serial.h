/* SPDX-License-Identifier: Apache-2.0 */
/* The transport over anything that carries bytes to a board's asynchronous line. */
#ifndef GNOMON_LIB_TRANSPORT_SERIAL_H
#define GNOMON_LIB_TRANSPORT_SERIAL_H

#include "serial_link.h"

/* Resets the board behind `io` and sees that it is a Gnomon. Closes `io`, at once if it fails. */
enum gnomon_status gnomon_serial_over(const struct serial_io *io, const char *address,
                                      struct gnomon_transport **transport, struct gnomon_error *error);
/* Frames that were sent again since it was opened. */
uint64_t gnomon_serial_repeats(const struct gnomon_transport *transport);

#endif
