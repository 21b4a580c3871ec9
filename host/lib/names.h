/* SPDX-License-Identifier: Apache-2.0 */
/* How functions and traps of a profile are named. */
#ifndef GNOMON_LIB_NAMES_H
#define GNOMON_LIB_NAMES_H

#include "analysis.h"
#include "profile.h"

#define GNOMON_NO_NUMBER UINT32_MAX

struct gnomon_name {
    const char *text;   /* of the function, or `own` */
    const char *symbol; /* of the function, as the linker knows it; NULL: not known */
    const char *file;   /* NULL: not known */
    unsigned line;      /* 0: not known */
    uint32_t address;   /* 0: not known */
    uint32_t overlay;   /* that it belongs to, by number, and 1; 0: none */
    uint32_t number;    /* of a function that has one, in its module or program; GNOMON_NO_NUMBER: it has none */
    const char *module; /* NULL: the program */
    char own[96];       /* "[interrupt 7]", "[function 12]" */
};

/* `id` as in a profile: a function's number, a trap, or unknown. The name must not be copied: it may point into itself.
 */
void gnomon_name_of(struct gnomon_name *name, const struct gnomon_analysis *analysis, uint32_t id);

#endif
