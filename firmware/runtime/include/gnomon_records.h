/* SPDX-License-Identifier: Apache-2.0 */
/* Records in memory (gnomon cc --gnomon-records=...): what the program can say to them, and the file that it leaves. */
#ifndef GNOMON_RECORDS_H
#define GNOMON_RECORDS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From here on, what runs belongs to thread NUMBER, 0 to GNOMON_RECORDS_THREADS - 1; 0 is the one that runs main.
 * To be called where the stack is switched: no function with hooks may be entered or left in between. In an interrupt
 * it counts from the interrupt's end on. GNOMON_THREAD calls it. */
void gnomon_records_thread(unsigned number);

#define GNOMON_RECORDS_THREADS 16

/* How many calls of the first thread may be open at once; others are dropped, and counted. A program that defines it
 * decides; else it is one for each 512 bytes of memory, at least 256 and at most 16384. Each takes 24 bytes, with the
 * call graph 40. */
extern unsigned gnomon_records_depth;

/* The file: a header, `open` calls that had not ended, `records` records of functions that were called, each with
 * its lengths if there is a graph, `arcs` arcs, `modules` modules. All words are little endian. Times are cycles: of a
 * thread, while it ran and no interrupt did; of an interrupt, its own. */
#define GNOMON_RECORDS_FILE "gnomon.records"
#define GNOMON_RECORDS_MAGIC 0x43455247u /* "GREC" */
#define GNOMON_RECORDS_VERSION 4u
#define GNOMON_RECORDS_KEY_BYTES 20
#define GNOMON_RECORDS_BUCKETS 32
#define GNOMON_RECORDS_OUTSIDE 0xFFFFFFFFu /* as caller: nobody who has hooks */

struct gnomon_records_header {
    uint32_t magic;
    uint32_t version;
    uint32_t functions;        /* __gnomon_func_total */
    uint32_t open;             /* calls that follow */
    uint32_t records;          /* that follow them */
    uint32_t pointers;         /* 1: the array held pointers */
    uint32_t dropped;          /* calls for which there was no room: their time is their caller's */
    uint32_t dropped_other;    /* interrupts and changes of thread for which there was none */
    uint64_t thread_cycles;    /* of all threads, from the first hook on */
    uint64_t interrupt_cycles; /* of all interrupts that have hooks */
    uint64_t covered[2];       /* of both, inside functions with hooks: the sum of all self cycles */
    uint32_t arcs;             /* that follow the records; 0 without graph */
    uint32_t modules;          /* that follow the arcs */
    uint32_t graph;            /* 1: who called whom, and how long calls took, was kept */
    uint32_t arcless;          /* calls for whose arcs there was no room */
    uint32_t clock_hz;
    uint32_t left;                         /* calls that ended without an exit, when one further out did (longjmp) */
    uint8_t key[GNOMON_RECORDS_KEY_BYTES]; /* build id of the program; zeros: it has none */
    uint32_t reserved;
};

struct gnomon_records_record {
    uint32_t module; /* 0: the program */
    uint32_t number;
    uint32_t interrupt; /* 1: what it did in interrupts */
    uint32_t reserved;
    uint64_t calls; /* open ones too */
    uint64_t self;  /* open calls up to the moment of writing; of the total likewise */
    uint64_t total; /* its own and what it called; a recursion's outermost call only */
};

/* How many calls (that have ended) took how long: from 2^n cycles on, the first from 0 on; inner ones of a recursion
 * count. Nothing rises above UINT32_MAX. */
struct gnomon_records_lengths {
    uint32_t calls[GNOMON_RECORDS_BUCKETS];
};

struct gnomon_records_arc {
    uint32_t caller_module;
    uint32_t caller; /* or GNOMON_RECORDS_OUTSIDE */
    uint32_t module;
    uint32_t number;
    uint32_t interrupt;
    uint32_t reserved;
    uint64_t calls;
    uint64_t self;  /* of the function, in these calls */
    uint64_t total; /* likewise; of calls within which this arc was not taken before */
};

struct gnomon_records_open {
    uint32_t thread; /* the outermost call first; with bit 31 set, in an interrupt */
    uint32_t module;
    uint32_t number;
    uint32_t reserved;
    uint64_t cycles; /* since it was entered */
};

/* Modules that were loaded, from 1 on; the last one comes first. */
struct gnomon_records_module {
    uint32_t module;
    uint32_t functions;
    uint8_t key[GNOMON_RECORDS_KEY_BYTES]; /* build id */
};

#ifdef __cplusplus
}
#endif

#endif
