/* SPDX-License-Identifier: Apache-2.0 */
/* Compresses a file with zlib, writes the result, decompresses it again and compares.
 * usage: roundtrip FILE FILE.z [LEVEL] */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

struct bytes {
    unsigned char *data;
    uLong size;
};

static int read_file(const char *path, struct bytes *bytes) {
    struct stat status;
    const int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &status) != 0)
        return 0;
    bytes->size = (uLong)status.st_size;
    bytes->data = malloc(bytes->size + 1);
    const ssize_t got = bytes->data ? read(fd, bytes->data, bytes->size) : -1;
    return close(fd) == 0 && got == status.st_size;
}

static int write_file(const char *path, const struct bytes *bytes) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    return fd >= 0 && write(fd, bytes->data, bytes->size) == (ssize_t)bytes->size && close(fd) == 0;
}

static int deflate_all(const struct bytes *plain, struct bytes *packed, int level) {
    packed->size = compressBound(plain->size);
    packed->data = malloc(packed->size);
    return packed->data && compress2(packed->data, &packed->size, plain->data, plain->size, level) == Z_OK;
}

static int inflate_and_compare(const struct bytes *packed, const struct bytes *plain) {
    struct bytes again = {malloc(plain->size), plain->size};
    const int same = again.data && uncompress(again.data, &again.size, packed->data, packed->size) == Z_OK &&
                     again.size == plain->size && memcmp(again.data, plain->data, plain->size) == 0;
    free(again.data);
    return same;
}

static int fail(const char *what, const char *thing) {
    fprintf(stderr, "roundtrip: cannot %s %s\n", what, thing);
    return 1;
}

int main(int argc, char **argv) {
    struct bytes plain, packed;
    if (argc < 3)
        return fail("do without", "FILE FILE.z");
    if (!read_file(argv[1], &plain))
        return fail("read", argv[1]);
    if (!deflate_all(&plain, &packed, argc > 3 ? atoi(argv[3]) : Z_DEFAULT_COMPRESSION))
        return fail("compress", argv[1]);
    if (!write_file(argv[2], &packed))
        return fail("write", argv[2]);
    if (!inflate_and_compare(&packed, &plain))
        return fail("get back", argv[1]);
    printf("zlib %s: %lu bytes to %lu and back, equal\n", zlibVersion(), (unsigned long)plain.size,
           (unsigned long)packed.size);
    free(packed.data);
    free(plain.data);
    return 0;
}
