/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon cc --gnomon-profile: the functions that an earlier run called most get the numbers that one store reaches. */
#ifndef GNOMON_CLI_CC_ORDER_H
#define GNOMON_CLI_CC_ORDER_H

#include "lib/util/error.h"

/* Reads a recording (.gnt) or the output of `gnomon report --json`, and writes part of a linker script. *script is a
 * path that programs started by this process can open; the caller frees it. */
enum gnomon_status cc_order(const char *profile, char **script, struct gnomon_error *error);

#endif
