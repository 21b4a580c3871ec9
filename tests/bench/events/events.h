/* SPDX-License-Identifier: Apache-2.0 */
/* Events for the benchmark of the host: calls of a made-up program, which repeats a block of events, and writers of
 * recordings in the formats of several profilers. All hold the same calls at the same times. */
#ifndef EVENTS_H
#define EVENTS_H

#define FUNCTIONS 300
#define FUNCTION_BYTES 16
#define PROGRAM_BASE 0x10000000
#define FUNCTIONS_BASE (PROGRAM_BASE + FUNCTION_BYTES)
#define THREADS 4
#define CLOCK_HZ 1000000000 /* a cycle is a nanosecond, the unit of the other profilers */

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct call_event {
    uint32_t cycle;    /* from the block's start; events have different cycles */
    uint16_t function; /* that begins or ends */
    uint8_t thread;    /* 0 to THREADS - 1 */
    uint8_t depth;     /* calls that are open around it */
    bool enters;
};

/* Threads change only while nothing is open, so the time of a call is the same by the thread's clock and by the wall's.
 * The block begins and ends with nothing open, in thread 0. */
struct block {
    size_t count;
    struct call_event *events;
    uint32_t cycles; /* of the whole block: at least one after its last event */
};

/* What a recording must say. */
struct totals {
    uint64_t calls[FUNCTIONS], self[FUNCTIONS], total[FUNCTIONS], cycles;
};

/* Makes a block of about `wanted` events, at least one job of each thread. Ends the program if memory is short. */
struct block block_new(size_t wanted);
void block_free(struct block *block);
struct totals block_totals(const struct block *block, uint64_t repetitions);

/* Writers: `repetitions` of the block to the file or directory `path` ("-": standard output), about the program `elf`.
 * Failures end the program with a message. */
struct job {
    const struct block *block;
    uint64_t repetitions;
    const char *path, *elf;
    /* Of the gnt writer: leave out one frame in `loss` (0: none); end early after that many bytes or seconds (0:
     * never). */
    uint64_t loss, bytes;
    unsigned seconds;
};

/* What the gnt writer wrote. */
struct written {
    uint64_t repetitions, bytes, frames, frames_lost, produced, received;
};

struct written write_gnt(const struct job *job);
void write_uftrace(const struct job *job);
void write_perf(const struct job *job);

_Noreturn void die(const char *what, const char *which);
FILE *create(const char *directory, const char *name);
void put_bytes(FILE *file, const void *bytes, size_t size);
#endif
#endif
