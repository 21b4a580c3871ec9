/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that read a recording for an export share. */
#ifndef GNOMON_LIB_EXPORT_INTERNAL_H
#define GNOMON_LIB_EXPORT_INTERNAL_H

#include "lib/export/export.h"

/* Finds the function of each instruction, and adds the functions that are not in the profile; there is room for them.
 * False: out of memory. */
bool export_find_owners(struct gnomon_export *export);

#endif
