/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096 }; /* memory has no pages; programs expect this size */

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
    (void)address;
    (void)protection;
    (void)fd;
    (void)offset;
    errno = flags & MAP_FIXED ? EINVAL : flags & MAP_ANONYMOUS ? ENOMEM : ENODEV;
    void *block = errno == ENOMEM ? memalign(PAGE_BYTES, size) : NULL;
    return block ? memset(block, 0, size) : MAP_FAILED;
}

int munmap(void *address, size_t size) {
    (void)size;
    free(address);
    return 0;
}

int getpagesize(void) {
    return PAGE_BYTES;
}

long sysconf(int name) {
    switch (name) {
    case _SC_PAGESIZE:
        return PAGE_BYTES;
    case _SC_CLK_TCK:
        return CLOCKS_PER_SEC;
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN:
        return 1;
    default:
        errno = EINVAL;
        return -1;
    }
}
