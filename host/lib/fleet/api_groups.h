/* SPDX-License-Identifier: Apache-2.0 */
/* Costs by vendor (A7): the rows of an exclusive cost, which is of each function without what it called, added by
 * module, folder, namespace or library. Inclusive costs would count what a group's functions call among themselves
 * twice. */
#ifndef GNOMON_LIB_API_GROUPS_H
#define GNOMON_LIB_API_GROUPS_H

#include <jansson.h>

#include "lib/fleet/api_profile.h"

enum gnomon_api_by {
    GNOMON_API_BY_MODULE,    /* the file that holds the function */
    GNOMON_API_BY_FOLDER,    /* of the source file */
    GNOMON_API_BY_NAMESPACE, /* of C++ and Rust, with the class or type */
    GNOMON_API_BY_LIBRARY, /* what `libraries` says; else the last folder in one as "third_party" or "lib", or named as
                              "libpng" */
};

struct gnomon_api_grouping {
    enum gnomon_api_by by;
    unsigned depth;          /* of folders and namespaces only so many names; 0: all */
    const json_t *libraries; /* an object: name -> a pattern, or an array of patterns; the first that fits. NULL: none.
                                They are of source files; of functions whose file is not known, of their names */
};

struct gnomon_api_group {
    char *name; /* owned */
    size_t functions;
    uint64_t cost; /* stays at its largest value */
    bool exact;    /* all its rows are */
};

/* Is the cost exclusive? */
bool gnomon_api_exclusive(const char *cost);

/* Groups of the rows of `cost`, the most expensive first. What is no function's (GNOMON_API_UNPROFILED,
 * GNOMON_API_LOST) is a group of its own; what has no such name is "(none)", what is not known "(not known)". NULL: out
 * of memory. */
struct gnomon_api_group *gnomon_api_groups(const struct gnomon_api_profile *profile, const char *cost,
                                           const struct gnomon_api_grouping *grouping, size_t *count);
void gnomon_api_groups_free(struct gnomon_api_group *groups, size_t count);

/* The group of one row; the caller frees it. NULL: out of memory. */
char *gnomon_api_group_name(const struct gnomon_api_row *row, const struct gnomon_api_grouping *grouping);

#endif
