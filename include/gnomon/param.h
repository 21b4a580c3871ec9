/* SPDX-License-Identifier: Apache-2.0 */
/* Parameter block: arguments and files handed between host and program.
 * One definition for both sides; see docs/usb-protocol.md. All words are little endian, all pointers target addresses.
 */
#ifndef GNOMON_PARAM_H
#define GNOMON_PARAM_H

#include <stdint.h>

#define GNOMON_PARAM_MAGIC 0x4D525047u /* "GPRM" */
#define GNOMON_PARAM_VERSION 2u

/* A file in target memory. */
struct gnomon_param_file {
    uint32_t name;  /* address of a zero-terminated name */
    uint32_t data;  /* address of the first byte, multiple of 4 */
    uint32_t size;  /* bytes */
    uint32_t flags; /* 0; reserved */
};

/* A file that the program wants while it runs; it halts, and goes on when `request` below is 0 again. */
struct gnomon_param_request {
    uint32_t name;   /* address of a zero-terminated name */
    uint32_t data;   /* where to put it, a multiple of 4 */
    uint32_t size;   /* how much of it at most */
    uint32_t result; /* set by the host: its bytes, or NO_FILE */
};
#define GNOMON_PARAM_NO_FILE 0xFFFFFFFFu

/* Lies at a multiple of 16; SYSCTL.PARAM holds its address. */
struct gnomon_param {
    uint32_t magic;
    uint32_t version;
    uint32_t argc;
    uint32_t argv;      /* address of argc + 1 string pointers, the last 0 */
    uint32_t in_count;  /* files that the host placed */
    uint32_t in_files;  /* address of that many struct gnomon_param_file */
    uint32_t out_count; /* files that the program wrote; set by the runtime at exit */
    uint32_t out_files; /* address of that many struct gnomon_param_file */
    uint32_t request;   /* address of a struct gnomon_param_request, 0 = none */
    uint32_t numbers;   /* how many the host has given to functions from the program's first on; modules get others */
};

#endif
