/* SPDX-License-Identifier: Apache-2.0 */
/* A range of addresses as a user writes it: START-END, or the name of a function or variable. */
#ifndef GNOMON_LIB_ADDRESS_RANGE_H
#define GNOMON_LIB_ADDRESS_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/util/error.h"

struct gnomon_address_range {
    uint32_t start, end; /* `end`: the first address after the range */
};

enum gnomon_address_range_kind { GNOMON_ADDRESS_RANGE_FUNCTION, GNOMON_ADDRESS_RANGE_VARIABLE };

/* Reads "0x1000-0x1010". True for every text of that form, whether or not anything lies in the range. */
bool gnomon_address_range_parse(const char *text, struct gnomon_address_range *range);

/* Finds a function or variable by its name in the symbol table of the ELF file `path`, with its size there: parts that
 * the compiler moved elsewhere are not included. GNOMON_ERR_NOT_FOUND: the name is not there, or has no size;
 * GNOMON_ERR_ARGUMENT: the name is there several times. */
enum gnomon_status gnomon_address_range_find(const char *path, const char *name, enum gnomon_address_range_kind kind,
                                             struct gnomon_address_range *range, struct gnomon_error *error);

#endif
