/* SPDX-License-Identifier: Apache-2.0 */
/* What a program asks of the host while it runs (docs/usb-protocol.md, "Requests"). */
#ifndef GNOMON_LIB_SERVE_H
#define GNOMON_LIB_SERVE_H

#include "param.h"

/* The hart has halted. *served: because the program wanted a file; it has it, or knows that there is none, and goes on.
 * Nothing that the program says is trusted. `offers` may be NULL. */
enum gnomon_status gnomon_serve(struct gnomon_device *device, const struct gnomon_board *board, uint32_t param,
                                const struct gnomon_files *offers, bool *served, struct gnomon_error *error);

#endif
