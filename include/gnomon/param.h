/* SPDX-License-Identifier: Apache-2.0 */
/* Parameter block: arguments and files handed between host and program.
 * One definition for both sides; see docs/usb-protocol.md. All words are little endian, all pointers target addresses.
 */
#ifndef GNOMON_PARAM_H
#define GNOMON_PARAM_H

#include <stdint.h>

#define GNOMON_PARAM_MAGIC 0x4D525047u /* "GPRM" */
#define GNOMON_PARAM_VERSION 1u

/* A file in target memory. */
struct gnomon_param_file {
    uint32_t name;  /* address of a zero-terminated name */
    uint32_t data;  /* address of the first byte, multiple of 4 */
    uint32_t size;  /* bytes */
    uint32_t flags; /* 0; reserved */
};

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
};

#endif
