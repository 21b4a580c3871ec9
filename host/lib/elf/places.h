/* SPDX-License-Identifier: Apache-2.0 */
/* Names of addresses: variables and functions of a program, and the device's registers. */
#ifndef GNOMON_LIB_PLACES_H
#define GNOMON_LIB_PLACES_H

#include <stdint.h>

#include "lib/util/error.h"

struct gnomon_places;

/* Reads the symbol table of the ELF file. */
enum gnomon_status gnomon_places_load(struct gnomon_places **places, const char *path, struct gnomon_error *error);
void gnomon_places_free(struct gnomon_places *places); /* may be NULL */

/* The variable, function or register (BLOCK.REGISTER) that holds `address`, and the offset in it; NULL: none is known.
 * `places` may be NULL: then only registers are known. */
const char *gnomon_places_at(const struct gnomon_places *places, uint32_t address, uint32_t *offset);

#endif
