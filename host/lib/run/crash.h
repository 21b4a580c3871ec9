/* SPDX-License-Identifier: Apache-2.0 */
/* Why and where a program crashed, as its runtime left it in memory (include/gnomon/param.h). */
#ifndef GNOMON_LIB_CRASH_H
#define GNOMON_LIB_CRASH_H

#include "lib/device/board.h"

#define GNOMON_CRASH_STATUS 128 /* the exit status is this plus the signal's number */
#define GNOMON_CRASH_REGISTERS 32

#define GNOMON_CRASH_THREAD_BYTES 16

struct gnomon_crash {
    bool died;
    bool trapped;   /* by a trap; else by a signal (abort, raise), or because its threads cannot go on */
    uint32_t kind;  /* an enum gnomon_param_crash_kind */
    uint32_t cause; /* mcause, or the signal's number */
    uint32_t value; /* mtval */
    uint32_t pc;
    char thread[GNOMON_CRASH_THREAD_BYTES];     /* the thread that left its stack; empty: not known */
    uint32_t registers[GNOMON_CRASH_REGISTERS]; /* ra, sp and s0 to s11, by their numbers; the others are 0 */
};

/* Reads it after EXIT, with the parameter block at `param`. Missing or invalid data counts as no crash. */
enum gnomon_status gnomon_crash_read(struct gnomon_crash *crash, struct gnomon_device *device,
                                     const struct gnomon_board *board, uint32_t param, struct gnomon_error *error);

/* The name of the thread that runs, in a program with threads that has not crashed; else, or without a name, "". */
enum gnomon_status gnomon_crash_thread(struct gnomon_device *device, const struct gnomon_board *board, uint32_t param,
                                       char name[GNOMON_CRASH_THREAD_BYTES], struct gnomon_error *error);

/* "store access fault, address 0x00000004", "aborted". */
#define GNOMON_CRASH_BYTES 96
const char *gnomon_crash_text(const struct gnomon_crash *crash, char text[GNOMON_CRASH_BYTES]);

/* The calls that were open, innermost first, as addresses: of the instruction that trapped, then of the calls. `elf`:
 * the program; its call frame information is used, and the list ends where that information ends. The device's hart
 * must be halted. Returns the number of addresses, from 1 to `most`. */
size_t gnomon_crash_calls(const struct gnomon_crash *crash, const char *elf, struct gnomon_device *device,
                          const struct gnomon_board *board, uint32_t *calls, size_t most);

#endif
