/* SPDX-License-Identifier: Apache-2.0 */
/* Names for the functions and traps of a profile. */
#ifndef GNOMON_LIB_FUNCTION_NAMES_H
#define GNOMON_LIB_FUNCTION_NAMES_H

#include "lib/profile/analysis.h"
#include "lib/profile/profile.h"

#define GNOMON_NO_NUMBER UINT32_MAX

struct gnomon_name {
    const char *text;   /* the function's, or `own` */
    const char *symbol; /* the linker's name; NULL: not known */
    const char *file;   /* NULL: not known */
    unsigned line;      /* 0: not known */
    uint32_t address;   /* 0: not known */
    uint32_t overlay;   /* number of its overlay plus 1; 0: none */
    uint32_t number;    /* in its module or program; GNOMON_NO_NUMBER: it has none */
    const char *module; /* NULL: the program */
    const char *build;  /* build id of the module; NULL: the program, or not known */
    char own[96];       /* "[interrupt 7]", "[function 12]" */
};

/* Fills `name` for an id of a profile: a function's number, a trap, or unknown. Do not copy the structure: it may point
 * into itself. */
void gnomon_name_of(struct gnomon_name *name, const struct gnomon_analysis *analysis, uint32_t id);

#endif
