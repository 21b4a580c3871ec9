/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GNOMON_UTIME_H
#define GNOMON_UTIME_H

#include <sys/types.h>

#include_next <utime.h>

#ifdef __cplusplus
extern "C" {
#endif

int utime(const char *name, const struct utimbuf *times);

#ifdef __cplusplus
}
#endif

#endif
