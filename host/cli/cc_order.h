/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon cc --gnomon-profile: the functions that a former run called most get the numbers that one store reaches. */
#ifndef GNOMON_CLI_CC_ORDER_H
#define GNOMON_CLI_CC_ORDER_H

#include "../lib/error.h"

/* Reads a recording (.gnt) or the output of `gnomon report --json` and writes a piece of linker script. *script is a
 * path that programs started from here can open; the caller frees it. */
enum gnomon_status cc_order(const char *profile, char **script, struct gnomon_error *error);

#endif
