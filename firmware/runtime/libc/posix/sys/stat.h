/* SPDX-License-Identifier: Apache-2.0 */
#include_next <sys/stat.h>

#ifndef GNOMON_SYS_STAT_H
#define GNOMON_SYS_STAT_H

#ifdef __cplusplus
extern "C" {
#endif

int lstat(const char *__restrict name, struct stat *__restrict status); /* same as stat: there are no links */

#ifdef __cplusplus
}
#endif

#endif
