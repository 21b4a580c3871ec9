/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that read a recording for an export share. */
#ifndef GNOMON_LIB_EXPORT_INTERNAL_H
#define GNOMON_LIB_EXPORT_INTERNAL_H

#include "lib/export/export.h"

/* Finds the function of each instruction, and adds the functions that are not in the profile; there is room for them.
 * False: out of memory. */
bool export_find_owners(struct gnomon_export *export);

/* What is added to a name that several functions have, from few words to what only one function can have. */
enum export_label_form { LABEL_NAME, LABEL_FILE, LABEL_ADDRESS, LABEL_INDEX };
/* The caller frees it. NULL: out of memory. */
char *export_make_label(const struct gnomon_name *name, enum export_label_form form, size_t index);
/* Formats want UTF-8 without control characters; a name of the program can be anything. */
void export_clean(char *label);

#endif
