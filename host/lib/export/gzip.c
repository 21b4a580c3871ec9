/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/export/gzip.h"

#include <stdint.h>

enum { WINDOW = 15, AS_GZIP = 16, MEMORY = 8 }; /* zlib's usual values */

enum gnomon_status gzip_open(struct gzip *gzip, FILE *stream, struct gnomon_error *error) {
    *gzip = (struct gzip){.stream = stream};
    const int result =
        deflateInit2(&gzip->state, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW + AS_GZIP, MEMORY, Z_DEFAULT_STRATEGY);
    return result == Z_OK ? GNOMON_OK : gnomon_fail_memory(error);
}

static void pump(struct gzip *gzip, int flush) {
    uint8_t buffer[16384];
    do {
        gzip->state.next_out = buffer;
        gzip->state.avail_out = sizeof buffer;
        deflate(&gzip->state, flush);
        fwrite(buffer, 1, sizeof buffer - gzip->state.avail_out, gzip->stream);
    } while (gzip->state.avail_out == 0);
}

void gzip_put(struct gzip *gzip, const void *bytes, size_t count) {
    gzip->state.next_in = (Bytef *)bytes;
    gzip->state.avail_in = (uInt)count;
    pump(gzip, Z_NO_FLUSH);
}

void gzip_close(struct gzip *gzip) {
    gzip->state.avail_in = 0;
    pump(gzip, Z_FINISH);
    deflateEnd(&gzip->state);
}
