/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of libgnomon share. */
#ifndef GNOMON_API_H
#define GNOMON_API_H

#include "../include/libgnomon.h"
#include "../lib/error.h"

/* Hands on what the library said; returns the status. */
int api_result(enum gnomon_status status, const struct gnomon_error *from, struct libgnomon_error *error);

#endif
