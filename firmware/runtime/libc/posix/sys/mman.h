/* SPDX-License-Identifier: Apache-2.0 */
/* mmap only allocates memory; it does not map files. */
#ifndef GNOMON_SYS_MMAN_H
#define GNOMON_SYS_MMAN_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 0x10
#define MAP_ANONYMOUS 0x20
#define MAP_ANON MAP_ANONYMOUS
#define MAP_FAILED ((void *)-1)

/* With MAP_ANONYMOUS: cleared memory. For a file: fails with ENODEV. */
void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
int munmap(void *address, size_t size); /* the whole area of one mmap */

#ifdef __cplusplus
}
#endif

#endif
