/* SPDX-License-Identifier: Apache-2.0 */
/* The symbols in front of a profile of gperftools, for google-pprof. */
#ifndef GNOMON_LIB_EXPORT_LEGACY_SYMBOL_H
#define GNOMON_LIB_EXPORT_LEGACY_SYMBOL_H

#include "lib/export/export.h"

/* Functions of modules and overlays can have the same address, and traps have none: the upper half of the word makes
 * each different, and no word 0. */
uint64_t legacy_place(uint32_t index, uint32_t address);
/* The same for a reader that asks for symbols: an address, or a place that gnomon_export_remote_name knows. */
uint64_t legacy_remote_place(uint32_t id, const struct gnomon_name *name, bool caller);
/* Of what is no function of the profile. */
#define LEGACY_LOST_ID GNOMON_PROFILE_UNKNOWN
#define LEGACY_UNPROFILED_ID GNOMON_PROFILE_OTHERS
/* Writes what the reader prints as warnings. */
void legacy_put_warnings(const struct gnomon_export *export, FILE *stream);
/* The same, and the beginning of the symbols. */
void legacy_begin_symbols(const struct gnomon_export *export, FILE *stream);
void legacy_put_symbol(FILE *stream, uint64_t place, const char *label);

#endif
