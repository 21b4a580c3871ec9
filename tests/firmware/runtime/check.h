/* SPDX-License-Identifier: Apache-2.0 */
/* Each failing check prints to standard error and counts in the exit status. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int check_failed;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            check_failed++;                                                                                            \
        }                                                                                                              \
    } while (0)

#endif
