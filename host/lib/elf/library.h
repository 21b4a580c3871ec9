/* SPDX-License-Identifier: Apache-2.0 */
/* What a library defines: an archive (*.a), or an object file. */
#ifndef GNOMON_LIB_LIBRARY_H
#define GNOMON_LIB_LIBRARY_H

#include "lib/util/error.h"
#include "lib/util/name_set.h"

/* Adds the global functions that the file defines. The caller sorts and frees `functions`, whatever the status is.
 * GNOMON_ERR_FORMAT: it is neither an archive nor an object file. */
enum gnomon_status gnomon_library_functions(struct gnomon_name_set *functions, const char *path,
                                            struct gnomon_error *error);

#endif
