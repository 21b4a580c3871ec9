/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that the compiler inlined, for pprof: each one once in the file. A function that also has a row of its
 * own in the profile keeps that row's name, so that pprof adds both. */
#ifndef GNOMON_LIB_EXPORT_PPROF_INLINED_H
#define GNOMON_LIB_EXPORT_PPROF_INLINED_H

#include "lib/export/pprof_file.h"

#define PPROF_MOST_LINES 33 /* of a location: inlined functions, and the one that contains them */

struct pprof_inlined {
    struct gnomon_export *export;
    struct pprof_file *file;
    uint64_t first; /* id of the first function without a row; those of the profile have their index + 1 */
    size_t count, room;
    struct pprof_inlined_function *functions;
};

/* The lines of the location at `address`, in the function with this id; the innermost first. Writes functions that are
 * not in the file yet. Returns how many lines; 0: out of memory. */
size_t pprof_inlined_lines(struct pprof_inlined *inlined, uint32_t address, uint64_t function,
                           struct pprof_line lines[PPROF_MOST_LINES]);
void pprof_inlined_free(struct pprof_inlined *inlined);

#endif
