/* SPDX-License-Identifier: Apache-2.0 */
/* Data that host and program exchange to find callers (docs/guide/callers.md). The host writes the request into the
 * program's variable __gnomon_monitor_request before the hart starts, and reads __gnomon_monitor_results when the
 * program has ended. Both sides use this definition; all words are little endian. */
#ifndef GNOMON_MONITOR_FORMAT_H
#define GNOMON_MONITOR_FORMAT_H

#include <stdint.h>

#define GNOMON_MONITOR_MAGIC 0x4E4F4D47u /* "GMON" */
#define GNOMON_MONITOR_VERSION 1u
#define GNOMON_MONITOR_CALLERS 256u   /* maximum number of callers in the results */
#define GNOMON_MONITOR_FUNCTIONS 128u /* maximum number of watched functions */

/* In `period`, `settle`, `quiet` and `levels`, 0 means the runtime's default. */
struct gnomon_monitor_request {
    uint32_t magic; /* any other value: there is no request */
    uint32_t version;
    uint32_t function; /* function whose callers are wanted: address of its first instruction */
    uint32_t period;   /* walk the stack every `period` calls, on average */
    uint32_t settle;   /* a function counts as known after this many walks without a new caller */
    uint32_t quiet;    /* a turn among the callers lasts at most this many cycles */
    uint32_t levels;   /* 1: only callers; 2: also the callers' callers; and so on */
};

struct gnomon_caller {
    uint32_t callee;   /* start address of the called function */
    uint32_t function; /* start address of the caller, or of the part of it that calls; 0: unknown */
    uint32_t site;     /* return address of the call */
    uint32_t hits;     /* number of walks that found this caller */
};

struct gnomon_monitor_results {
    uint32_t magic, version;
    uint32_t count;     /* entries in `callers` */
    uint32_t functions; /* functions that were watched, or are waiting for their turn */
    uint32_t walks;     /* walks that found a caller */
    uint32_t missed;    /* walks that found none: the call had ended, or the stack could not be followed */
    uint32_t dropped;   /* callers for which `callers` had no room */
    struct gnomon_caller callers[GNOMON_MONITOR_CALLERS];
};

#endif
