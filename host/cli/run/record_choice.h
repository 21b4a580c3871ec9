/* SPDX-License-Identifier: Apache-2.0 */
/* Whether gnomon record takes the device's function records or every event. */
#ifndef GNOMON_CLI_RECORD_CHOICE_H
#define GNOMON_CLI_RECORD_CHOICE_H

#include "cli/cli.h"
#include "lib/device/board.h"
#include "lib/elf/symbols.h"

/* True: records. Chooses what loses nothing and follows every call, unless the user asks for records or events. Prints
 * why. `symbols` NULL: the program's functions cannot be read, and their number counts as 0. `watched`: number of
 * watched functions. */
bool record_takes_records(const struct cli_context *context, const struct gnomon_board *board,
                          const struct gnomon_symbols *symbols, size_t watched, bool records, bool events);

#endif
