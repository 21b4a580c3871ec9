/* SPDX-License-Identifier: Apache-2.0 */
/* Compresses what goes to a stream. */
#ifndef GNOMON_LIB_EXPORT_GZIP_H
#define GNOMON_LIB_EXPORT_GZIP_H

#include <stdio.h>
#include <zlib.h>

#include "lib/util/error.h"

struct gzip {
    FILE *stream;
    z_stream state;
};

enum gnomon_status gzip_open(struct gzip *gzip, FILE *stream, struct gnomon_error *error);
void gzip_put(struct gzip *gzip, const void *bytes, size_t count);
/* Ends the file, and frees what gzip_open made. */
void gzip_close(struct gzip *gzip);

#endif
