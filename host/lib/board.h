/* SPDX-License-Identifier: Apache-2.0 */
/* What a device can do, as read from the device itself. */
#ifndef GNOMON_LIB_BOARD_H
#define GNOMON_LIB_BOARD_H

#include <jansson.h>

#include "device.h"

struct gnomon_board {
    char address[288];
    struct gnomon_usb_identity usb;
    const char *config; /* "small", "mid", "full", "other" */
    unsigned version_major, version_minor;
    uint32_t clock_hz, ram_base, ram_bytes, rtl_hash, misa; /* misa: the register, with what it says beyond misa */
    unsigned harts, hpm_counters, stack_entries, fifo_entries;
    unsigned records;  /* of functions, kept by the device; 0: none */
    unsigned threads;  /* that they follow, from 0 on */
    bool compact;      /* in the compact form, which takes longer for a call than USB for its events */
    bool arcs;         /* and as many of pairs of caller and callee */
    bool arc_parts;    /* of some callees only, and in other places, where a run is asked for */
    bool epochs;       /* they can begin anew while the program runs */
    bool losses;       /* they count what was dropped */
    unsigned bucketed; /* records with lower numbers have buckets, for the lengths of calls */
    uint32_t numbers;  /* that it has for functions: a program with more cannot be profiled */
    bool causes;       /* it counts cycles by cause */
    unsigned region;   /* bytes of code in which it does so by instruction; 0: none */
    uint32_t tagged;   /* bytes of memory that can have tags at a time; 0: there are no tags */
    bool sampler;      /* it can sample the program */
    unsigned watch;    /* places for functions whose calls it can watch; 0: it cannot */
    bool stack_guard;  /* it halts a program that leaves its stack */
    bool switches;     /* it sees switches of threads that no message tells of */
    bool profiler, locks, icache, simulated;
};

enum gnomon_status gnomon_board_read(struct gnomon_device *device, struct gnomon_board *board,
                                     struct gnomon_error *error);

/* Do `size` bytes from `address` on lie in main memory? */
bool gnomon_board_holds(const struct gnomon_board *board, uint32_t address, uint64_t size);

/* "rv32imac_zicsr_zifencei_zba_zbb_zbs": what programs can use. */
#define GNOMON_ISA_BYTES 64
bool gnomon_board_has_user(const struct gnomon_board *board);
bool gnomon_board_has_pmp(const struct gnomon_board *board);
const char *gnomon_board_isa(const struct gnomon_board *board, char isa[GNOMON_ISA_BYTES]);

/* A new object with everything above; NULL when out of memory. Also the "device" of a trace file's header. */
json_t *gnomon_board_json(const struct gnomon_board *board);

#endif
