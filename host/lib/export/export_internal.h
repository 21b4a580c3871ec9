/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that read a recording for an export share. */
#ifndef GNOMON_LIB_EXPORT_INTERNAL_H
#define GNOMON_LIB_EXPORT_INTERNAL_H

#include "lib/export/export.h"

/* Finds the function of each instruction, and adds the functions that are not in the profile; there is room for them.
 * False: out of memory. */
bool export_find_owners(struct gnomon_export *export);
/* Names and labels the functions of the profile. */
enum gnomon_status export_name_functions(struct gnomon_export *export, struct gnomon_error *error);
/* Replaces what no label may have: control characters, and what is not UTF-8. */
void export_clean(char *label);

#endif
