/* SPDX-License-Identifier: Apache-2.0 */
/* What host and program say to each other about finding callers (docs/callers.md): the host writes the request into the
 * program's variable __gnomon_monitor_request before the hart starts, and reads __gnomon_monitor_results when it has
 * ended. One definition for both sides; all words are little endian. */
#ifndef GNOMON_MONITOR_FORMAT_H
#define GNOMON_MONITOR_FORMAT_H

#include <stdint.h>

#define GNOMON_MONITOR_MAGIC 0x4E4F4D47u /* "GMON" */
#define GNOMON_MONITOR_VERSION 1u
#define GNOMON_MONITOR_CALLERS 256u   /* at most */
#define GNOMON_MONITOR_FUNCTIONS 128u /* that are watched, at most */

/* 0 in the last five: the runtime's default. */
struct gnomon_monitor_request {
    uint32_t magic; /* anything else: there is none */
    uint32_t version;
    uint32_t function; /* whose callers are wanted: address of its first instruction */
    uint32_t period;   /* a walk each so many calls, in the mean */
    uint32_t settle;   /* so many walks without a new caller, and a function counts as known */
    uint32_t quiet;    /* a turn among the callers lasts so many cycles at most */
    uint32_t levels;   /* 1: callers only; 2: and theirs ... */
};

struct gnomon_caller {
    uint32_t callee;   /* where it begins */
    uint32_t function; /* where its caller begins (or the part of it that calls); 0: not known */
    uint32_t site;     /* to where the call returns */
    uint32_t hits;     /* walks that found it */
};

struct gnomon_monitor_results {
    uint32_t magic, version;
    uint32_t count;     /* of `callers` */
    uint32_t functions; /* that were watched, or are waiting for their turn */
    uint32_t walks;     /* that found a caller, */
    uint32_t missed;    /* and those that did not: the call had ended, or the stack could not be followed */
    uint32_t dropped;   /* callers for which there was no room */
    struct gnomon_caller callers[GNOMON_MONITOR_CALLERS];
};

#endif
