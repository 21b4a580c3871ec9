/* SPDX-License-Identifier: Apache-2.0 */
/* Parameter block: arguments and files handed between host and program.
 * One definition for both sides; see docs/usb-protocol.md. All words are little endian, all pointers target addresses.
 */
#ifndef GNOMON_PARAM_H
#define GNOMON_PARAM_H

#include <stdint.h>

#define GNOMON_PARAM_MAGIC 0x4D525047u /* "GPRM" */
#define GNOMON_PARAM_VERSION 3u

/* A file in target memory. */
struct gnomon_param_file {
    uint32_t name;  /* address of a zero-terminated name */
    uint32_t data;  /* address of the first byte, multiple of 4 */
    uint32_t size;  /* bytes */
    uint32_t flags; /* GNOMON_PARAM_ABSENT: the host has no such file, only its name was an argument */
};
#define GNOMON_PARAM_ABSENT 1u

/* What the program wants while it runs, a file or input of its console; it halts, and goes on when `request` below is 0
 * again. */
struct gnomon_param_request {
    uint32_t name;   /* address of a zero-terminated name; 0: the console's input */
    uint32_t data;   /* where to put it, a multiple of 4 */
    uint32_t size;   /* how much of it at most; of the console's input at least 1, and the last word is written whole */
    uint32_t result; /* set by the host: a file's bytes, or NO_FILE; the bytes of input, 0 at its end */
};
#define GNOMON_PARAM_NO_FILE 0xFFFFFFFFu

/* Bytes that the host leaves to the stack where memory suffices, of so many bytes of main memory; and bytes below it
 * in which nothing lies. */
#define GNOMON_PARAM_STACK(ram_bytes) ((ram_bytes) / 8 < (1u << 20) ? (ram_bytes) / 8 : (1u << 20))
#define GNOMON_PARAM_GAP(ram_bytes) ((ram_bytes) / 256 < 4096 ? (ram_bytes) / 256 : 4096)

/* Where and why a program died. */
struct gnomon_param_crash {
    uint32_t magic;
    uint32_t kind;  /* of enum gnomon_param_crash_kind */
    uint32_t cause; /* mcause, or the signal's number */
    uint32_t value; /* mtval */
    uint32_t pc;    /* of the instruction that trapped; behind a call for a signal */
    uint32_t ra, sp;
    uint32_t s[12]; /* s0 to s11 */
};
#define GNOMON_PARAM_CRASH_MAGIC 0x53524347u /* "GCRS" */
enum gnomon_param_crash_kind { GNOMON_CRASH_TRAP, GNOMON_CRASH_SIGNAL };

/* Lies at the end of main memory, at a multiple of 16; SYSCTL.PARAM holds its address. The stack begins right below it.
 * Its place depends on the arguments and on the names of files, not on which of these exist, nor on their size: a file
 * that the program only writes leaves the run the same if an older one is there. */
struct gnomon_param {
    uint32_t magic;
    uint32_t version;
    uint32_t argc;
    uint32_t argv;      /* address of argc + 1 string pointers, the last 0 */
    uint32_t in_count;  /* files that the host placed, and arguments that might have been such */
    uint32_t in_files;  /* address of that many struct gnomon_param_file */
    uint32_t out_count; /* files that the program wrote; set by the runtime at exit */
    uint32_t out_files; /* address of that many struct gnomon_param_file */
    uint32_t request;   /* address of a struct gnomon_param_request, 0 = none */
    uint32_t numbers;   /* how many the host has given to functions from the program's first on; modules get others */
    uint32_t heap_end;  /* the heap ends here or before: data of files follows, from there on, then a gap */
    uint32_t stack_end; /* down to here reaches what was left to the stack */
    uint32_t crash;     /* address of a struct gnomon_param_crash, set by a program that dies; 0 = none */
};

#endif
