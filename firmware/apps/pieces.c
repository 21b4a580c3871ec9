/* SPDX-License-Identifier: Apache-2.0 */
/* Compresses each piece of a file with zlib, decompresses it again, compares, and makes check sums.
 * usage: pieces FILE SIZE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

enum { MOST = 65536 };

static unsigned char plain[MOST], packed[MOST + 1024], again[MOST];
static z_stream packing, unpacking;

static size_t pack(size_t size) {
    packing.next_in = plain;
    packing.avail_in = (uInt)size;
    packing.next_out = packed;
    packing.avail_out = sizeof packed;
    return deflateReset(&packing) == Z_OK && deflate(&packing, Z_FINISH) == Z_STREAM_END ? packing.total_out : 0;
}

static int unpack(size_t packed_size, size_t size) {
    unpacking.next_in = packed;
    unpacking.avail_in = (uInt)packed_size;
    unpacking.next_out = again;
    unpacking.avail_out = sizeof again;
    return inflateReset(&unpacking) == Z_OK && inflate(&unpacking, Z_FINISH) == Z_STREAM_END &&
           unpacking.total_out == size && memcmp(plain, again, size) == 0;
}

int main(int argc, char **argv) {
    const size_t size = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    uLong sums = 0;
    unsigned pieces = 0;
    if (!file || size == 0 || size > MOST)
        return 2;
    if (deflateInit2(&packing, 6, Z_DEFLATED, 9, 1, Z_DEFAULT_STRATEGY) != Z_OK || inflateInit2(&unpacking, 9) != Z_OK)
        return 3;
    for (; fread(plain, 1, size, file) == size; pieces++) {
        const size_t packed_size = pack(size);
        if (!packed_size || !unpack(packed_size, size))
            return 1;
        sums ^= crc32_z(0, plain, size) ^ adler32_z(1, plain, size); /* crc32 and adler32 only jump there */
    }
    printf("%u pieces of %u bytes, check sums %08lx\n", pieces, (unsigned)size, (unsigned long)sums);
    return deflateEnd(&packing) == Z_OK && inflateEnd(&unpacking) == Z_OK ? 0 : 3;
}
