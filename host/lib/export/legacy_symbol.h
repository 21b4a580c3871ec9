/* SPDX-License-Identifier: Apache-2.0 */
/* The symbols in front of a profile of gperftools, for google-pprof. */
#ifndef GNOMON_LIB_EXPORT_LEGACY_SYMBOL_H
#define GNOMON_LIB_EXPORT_LEGACY_SYMBOL_H

#include "lib/export/export.h"

/* Functions of modules and overlays can have the same address, and traps have none: the upper half of the word makes
 * each different, and no word 0. */
uint64_t legacy_place(uint32_t index, uint32_t address);
/* Writes what the reader prints as warnings, and the beginning of the symbols. */
void legacy_begin_symbols(const struct gnomon_export *export, FILE *stream);
void legacy_put_symbol(FILE *stream, uint64_t place, const char *label);

#endif
