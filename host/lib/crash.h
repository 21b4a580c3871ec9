/* SPDX-License-Identifier: Apache-2.0 */
/* Why a program died, and where: as its runtime left it in memory (include/gnomon/param.h). */
#ifndef GNOMON_LIB_CRASH_H
#define GNOMON_LIB_CRASH_H

#include "board.h"

#define GNOMON_CRASH_STATUS 128 /* the exit status is this and the signal's number */
#define GNOMON_CRASH_REGISTERS 32

struct gnomon_crash {
    bool died;
    bool trapped;   /* else a signal: abort, raise */
    uint32_t cause; /* mcause, or the signal's number */
    uint32_t value; /* mtval */
    uint32_t pc;
    uint32_t registers[GNOMON_CRASH_REGISTERS]; /* ra, sp and s0 to s11 by their numbers; the others are 0 */
};

/* After EXIT, with the parameter block at `param`: what is not there, or makes no sense, is no crash. */
enum gnomon_status gnomon_crash_read(struct gnomon_crash *crash, struct gnomon_device *device,
                                     const struct gnomon_board *board, uint32_t param, struct gnomon_error *error);

/* "store access fault, address 0x00000004", "aborted". */
#define GNOMON_CRASH_BYTES 96
const char *gnomon_crash_text(const struct gnomon_crash *crash, char text[GNOMON_CRASH_BYTES]);

/* The calls that were open, the innermost first: addresses in the functions, of the instruction that trapped or of the
 * call. `elf`: the program, whose call frame information is used. Where that ends, the list does. The device's hart
 * must be halted. Returns how many there are, at most `most`; 1 at least. */
size_t gnomon_crash_calls(const struct gnomon_crash *crash, const char *elf, struct gnomon_device *device,
                          const struct gnomon_board *board, uint32_t *calls, size_t most);

#endif
