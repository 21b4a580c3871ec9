/* SPDX-License-Identifier: Apache-2.0 */
/* Parameter block: arguments and files that host and program hand to each other; see docs/reference/usb-protocol.md.
 * Both sides use this definition. All words are little endian, all pointers are target addresses. */
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
    uint32_t flags; /* GNOMON_PARAM_ABSENT: the host has no such file; the name was only an argument */
};
#define GNOMON_PARAM_ABSENT 1u

/* A request of the running program: for a file, for console input, or for the kind of the console. The program halts,
 * and continues when `request` of struct gnomon_param is 0 again. */
struct gnomon_param_request {
    uint32_t name; /* address of a zero-terminated name; 0: the console */
    uint32_t data; /* where to put the data, a multiple of 4; for the console with `size` 0: a descriptor, 0, 1 or 2 */
    uint32_t size; /* maximum number of bytes; console input: the last word is written whole; console, 0: is `data` a
                      terminal? */
    uint32_t result; /* set by the host: bytes of the file, or NO_FILE; bytes of console input, 0 at its end; 1: a
                        terminal */
};
#define GNOMON_PARAM_NO_FILE 0xFFFFFFFFu
#define GNOMON_PARAM_LOOK 3u /* `data`, with `name` and `size` 0: the host looks at the program's heap (heap.h) */

/* GNOMON_PARAM_STACK: bytes that the host leaves to the stack if memory suffices, for `ram_bytes` bytes of main memory.
 * GNOMON_PARAM_GAP: bytes below the stack that stay unused. */
#define GNOMON_PARAM_STACK(ram_bytes) ((ram_bytes) / 8 < (1u << 20) ? (ram_bytes) / 8 : (1u << 20))
#define GNOMON_PARAM_GAP(ram_bytes) ((ram_bytes) / 256 < 4096 ? (ram_bytes) / 256 : 4096)

/* Where and why a program died. A program with threads that has not died has `kind` GNOMON_CRASH_STACK and, in `value`,
 * the thread that runs: the device may halt a program that leaves its stack. */
struct gnomon_param_crash {
    uint32_t magic; /* 0: the program has not died */
    uint32_t kind;  /* an enum gnomon_param_crash_kind */
    uint32_t cause; /* mcause, or the number of the signal */
    uint32_t value; /* mtval */
    uint32_t pc;    /* address of the instruction that trapped; for a signal, the address after a call */
    uint32_t ra, sp;
    uint32_t s[12]; /* s0 to s11 */
};
#define GNOMON_PARAM_CRASH_MAGIC 0x53524347u /* "GCRS" */
enum gnomon_param_crash_kind {
    GNOMON_CRASH_TRAP,
    GNOMON_CRASH_SIGNAL,
    GNOMON_CRASH_DEADLOCK, /* all threads wait, and no interrupt can come */
    GNOMON_CRASH_STACK, /* a thread has left its stack; `value`: address of 16 bytes with its name, zero-terminated */
};

/* The parameter block lies at the end of main memory, at a multiple of 16; SYSCTL.PARAM holds its address. The stack
 * begins directly below the block. The block's address depends on the arguments and on the names of files, not on
 * whether these files exist, nor on their size: if the program only writes a file, an older version of that file does
 * not change the run. */
struct gnomon_param {
    uint32_t magic;
    uint32_t version;
    uint32_t argc;
    uint32_t argv;      /* address of argc + 1 string pointers, the last 0 */
    uint32_t in_count;  /* number of in_files: files that the host placed, and arguments that might name files */
    uint32_t in_files;  /* address of in_count struct gnomon_param_file */
    uint32_t out_count; /* number of files that the program wrote; set by the runtime at exit */
    uint32_t out_files; /* address of out_count struct gnomon_param_file */
    uint32_t request;   /* address of a struct gnomon_param_request, 0 = none */
    uint32_t numbers;   /* function numbers assigned by the host, from the program's first one on; modules get others */
    uint32_t heap_end;  /* end of the heap at the latest; the data of files begins here, then a gap follows */
    uint32_t stack_end; /* lowest address of the memory left to the stack */
    uint32_t crash;     /* address of a struct gnomon_param_crash, set by a program that dies; 0 = none */
};

#endif
