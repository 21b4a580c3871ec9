/* SPDX-License-Identifier: Apache-2.0 */
/* Records in memory (gnomon cc --gnomon-records=...): the functions that a program can call, and the format of the file
 * that is written at the end. */
#ifndef GNOMON_RECORDS_H
#define GNOMON_RECORDS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Says that from here on thread NUMBER runs, 0 to GNOMON_RECORDS_THREADS - 1. Thread 0 is the one that runs main. Call
 * it where the stack is switched: no function with hooks may be entered or left between the call and the switch. A call
 * in an interrupt takes effect when the interrupt ends. GNOMON_THREAD calls this function. */
void gnomon_records_thread(unsigned number);

#define GNOMON_RECORDS_THREADS 16

/* How many calls of the first thread may be open at the same time. Further calls are dropped, and counted as dropped. A
 * program can define this variable. By default it is one call for each 512 bytes of memory, at least 256 and at most
 * 16384. Each call takes 24 bytes, or 48 with the call graph. */
extern unsigned gnomon_records_depth;

/* The file consists of a header, `open` calls that had not ended, `records` records of functions that were called (each
 * followed by its lengths if there is a graph), `arcs` arcs and `modules` modules. All words are little endian. Times
 * are in cycles. A thread's time counts while the thread runs and no interrupt does; an interrupt's time is its own. */
#define GNOMON_RECORDS_FILE "gnomon.records"
#define GNOMON_RECORDS_MAGIC 0x43455247u /* "GREC" */
#define GNOMON_RECORDS_VERSION 4u
#define GNOMON_RECORDS_KEY_BYTES 20
#define GNOMON_RECORDS_BUCKETS 32
#define GNOMON_RECORDS_UNPROFILED 0xFFFFFFFFu /* as caller: code without hooks */

struct gnomon_records_header {
    uint32_t magic;
    uint32_t version;
    uint32_t functions;        /* __gnomon_func_total */
    uint32_t open;             /* number of open calls; they follow the header */
    uint32_t records;          /* number of records; they follow the open calls */
    uint32_t pointers;         /* 1: the array held pointers */
    uint32_t dropped;          /* calls for which there was no room: their time counts as their caller's */
    uint32_t dropped_other;    /* interrupts and changes of thread for which there was no room */
    uint64_t thread_cycles;    /* of all threads, from the first hook on */
    uint64_t interrupt_cycles; /* of all interrupts that have hooks */
    uint64_t covered[2];       /* of threads, of interrupts: cycles in functions with hooks, the sum of self cycles */
    uint32_t arcs;             /* number of arcs; they follow the records; 0 without graph */
    uint32_t modules;          /* number of modules; they follow the arcs */
    uint32_t graph;            /* 1: the file has arcs and lengths */
    uint32_t arcless;          /* calls for whose arcs there was no room */
    uint32_t clock_hz;
    uint32_t left; /* calls that ended without an exit, together with a call further out (longjmp) */
    uint8_t key[GNOMON_RECORDS_KEY_BYTES]; /* build id of the program; zeros: none */
    uint32_t reserved;
};

struct gnomon_records_record {
    uint32_t module; /* 0: the program itself */
    uint32_t number;
    uint32_t interrupt; /* 1: calls in interrupts */
    uint32_t reserved;
    uint64_t calls; /* including open calls */
    uint64_t self;  /* includes the time of open calls up to the writing of the file */
    uint64_t total; /* self and callees, with open calls; for recursion only the outermost call */
};

/* Number of ended calls by duration. Entry n counts calls of 2^n cycles and more, up to the next entry; the first entry
 * begins at 0 cycles. Inner calls of a recursion are counted, too. No entry rises above UINT32_MAX. */
struct gnomon_records_lengths {
    uint32_t calls[GNOMON_RECORDS_BUCKETS];
};

struct gnomon_records_arc {
    uint32_t caller_module;
    uint32_t caller; /* number of the caller, or GNOMON_RECORDS_UNPROFILED */
    uint32_t module;
    uint32_t number;
    uint32_t interrupt;
    uint32_t reserved;
    uint64_t calls;
    uint64_t self;  /* self cycles of the function in these calls */
    uint64_t total; /* total cycles of these calls, without calls inside another call over the same arc */
};

struct gnomon_records_open {
    uint32_t thread; /* bit 31: in an interrupt; calls are listed from the outermost on */
    uint32_t module;
    uint32_t number;
    uint32_t reserved;
    uint64_t cycles; /* cycles since the call was entered */
};

/* Modules that were loaded, numbered from 1 on. The last one comes first. */
struct gnomon_records_module {
    uint32_t module;
    uint32_t functions;
    uint8_t key[GNOMON_RECORDS_KEY_BYTES]; /* build id */
};

#ifdef __cplusplus
}
#endif

#endif
