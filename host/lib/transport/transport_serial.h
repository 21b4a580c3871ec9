/* SPDX-License-Identifier: Apache-2.0 */
/* The transport for a board on a UART link, over any carrier of bytes. */
#ifndef GNOMON_LIB_TRANSPORT_SERIAL_H
#define GNOMON_LIB_TRANSPORT_SERIAL_H

#include "lib/transport/serial_link.h"

/* Resets the board at the other end of `io` and checks that it is a Gnomon. The transport closes `io`; after a failure
 * it is closed already. */
enum gnomon_status gnomon_serial_over(const struct serial_io *io, const char *address,
                                      struct gnomon_transport **transport, struct gnomon_error *error);
/* Frames that were sent again since the transport was opened. */
uint64_t gnomon_serial_repeats(const struct gnomon_transport *transport);

#endif
