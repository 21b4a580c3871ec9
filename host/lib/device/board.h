/* SPDX-License-Identifier: Apache-2.0 */
/* The features of a device, as read from the device itself. */
#ifndef GNOMON_LIB_BOARD_H
#define GNOMON_LIB_BOARD_H

#include <jansson.h>

#include "lib/device/device.h"

/* What the addresses of the blocks PROFILE, PMU and STALL_CAUSES of a hart have more than those of hart 0
 * (docs/internals/harts.md). */
#define GNOMON_BLOCKS_OF_HART(hart) (0x4000u * (hart))

struct gnomon_board {
    char address[288];
    struct gnomon_usb_identity usb;
    const char *config; /* "small", "mid", "full", "other" */
    unsigned version_major, version_minor;
    uint32_t clock_hz, ram_base, ram_bytes, rtl_hash, misa; /* misa: the register, with what it says beyond misa */
    uint32_t flash_start, flash_bytes;                      /* flash memory for programs; 0: there is none */
    unsigned harts, hpm_counters, stack_entries, fifo_entries;
    unsigned records;     /* records of functions that the device keeps; 0: none */
    unsigned threads;     /* threads 0 to `threads` - 1 are followed by the records */
    bool compact;         /* in the compact form, which takes longer for a call than USB for its events */
    bool arcs;            /* it also keeps the same number of records of pairs of caller and callee */
    bool arc_parts;       /* on request, a run keeps only the pairs of some callees, in other places */
    bool epochs;          /* it can start a new epoch of the records while the program runs */
    bool losses;          /* the records count dropped calls */
    unsigned bucketed;    /* records with numbers below this have buckets for the lengths of calls */
    uint32_t numbers;     /* numbers for functions: a program with more functions cannot be profiled */
    bool causes;          /* it counts cycles by cause */
    unsigned code_window; /* bytes of code whose cycles it counts by instruction and cause; 0: none */
    uint32_t tagged;      /* bytes of memory that can have tags at one time; 0: there are no tags */
    bool tag_cache;       /* all memory can have tags, which come with the line */
    bool reduced_tags;    /* with `tagged`: only instructions can have tags (tag_plan.h) */
    bool sampler;         /* it can sample the program */
    unsigned watch;       /* places for functions whose calls it can watch; 0: it cannot watch calls */
    bool watch_values;    /* it can send arguments and results of these calls */
    bool stack_guard;     /* it halts a program that overflows its stack */
    bool switches;        /* it detects switches of threads that no message reports */
    bool other_records;   /* with two harts: hart 1 has the same records */
    bool other_watch;     /* and it can watch calls, too */
    bool other_window;    /* and it counts cycles by instruction, too */
    bool profiler, locks, icache, simulated;
};

enum gnomon_status gnomon_board_read(struct gnomon_device *device, struct gnomon_board *board,
                                     struct gnomon_error *error);

/* Is the address range of `size` bytes from `address` on in main memory? */
bool gnomon_board_holds(const struct gnomon_board *board, uint32_t address, uint64_t size);
/* Is it in the flash memory for programs? */
bool gnomon_board_flash_holds(const struct gnomon_board *board, uint32_t address, uint64_t size);
/* Bytes that can be read from `address` on: up to the end of main memory or flash memory; 0: it is in neither. */
uint64_t gnomon_board_readable(const struct gnomon_board *board, uint32_t address);

/* The instruction set for programs: "rv32imac_zicsr_zifencei_zba_zbb_zbs". */
#define GNOMON_ISA_BYTES 64
bool gnomon_board_has_user(const struct gnomon_board *board);
bool gnomon_board_has_pmp(const struct gnomon_board *board);
const char *gnomon_board_isa(const struct gnomon_board *board, char isa[GNOMON_ISA_BYTES]);

/* A new object with all fields above; NULL: out of memory. It is also the "device" of a trace file's header. */
json_t *gnomon_board_json(const struct gnomon_board *board);

#endif
