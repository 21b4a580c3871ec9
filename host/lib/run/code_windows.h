/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the code windows of `gnomon record --cpi WHAT`. In one run a device counts the cycles of each instruction in
 * one code window, by cause. A program with more code is run once for each window. */
#ifndef GNOMON_LIB_CODE_WINDOWS_H
#define GNOMON_LIB_CODE_WINDOWS_H

#include <stddef.h>

#include "lib/elf/symbols.h"

struct gnomon_code_windows {
    bool all;            /* all code of the program; else the addresses from `start` to before `end` */
    uint32_t start, end; /* valid without `all` */
    uint32_t bytes;      /* size of a window; 0: no windows were asked for */
    size_t count;
    uint32_t *starts; /* ascending; windows do not overlap */
};

/* Finds the addresses that `what` names in the program `path`, and covers them with windows of `bytes` bytes. `what`:
 * "all", the name of a function, or START-END. `symbols`: the program's symbols; NULL: it has none that can be read.
 * `bytes` 0: finds the addresses only. GNOMON_ERR_NOT_FOUND: the program has no such function, or, for "all", no
 * symbols; GNOMON_ERR_ARGUMENT: the name belongs to several functions. The caller frees `windows` whatever status this
 * returns. */
enum gnomon_status gnomon_code_windows_choose(struct gnomon_code_windows *windows, const char *what, uint32_t bytes,
                                              const char *path, const struct gnomon_symbols *symbols,
                                              struct gnomon_error *error);
/* The first address after the part of window `index` that is counted. */
uint32_t gnomon_code_windows_end(const struct gnomon_code_windows *windows, size_t index);
void gnomon_code_windows_free(struct gnomon_code_windows *windows); /* also takes `windows` that are all zeros */

#endif
