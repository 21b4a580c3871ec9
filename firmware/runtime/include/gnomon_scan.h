/* SPDX-License-Identifier: Apache-2.0 */
/* A scan of the program by itself (docs/tags.md): its code in pages, which have tags in turn, 31 at a time, so that in
 * the end each has been counted exactly for a part of the time. Called from a timer's interrupt or whenever there is
 * time, it is a daemon that finds what samples miss. It takes the block TAGS for itself. */
#ifndef GNOMON_SCAN_H
#define GNOMON_SCAN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gnomon_scan_page {
    uint64_t executions, cycles; /* of its instructions, in its turns */
    uint64_t watched;            /* cycles that its turns lasted */
};

struct gnomon_scan {
    /* Filled by the caller, who keeps it all until gnomon_scan_end. */
    uint32_t first, limit;          /* addresses; `first` is a multiple of 4 */
    uint32_t page_bytes;            /* a multiple of 4 */
    struct gnomon_scan_page *pages; /* zeros, (limit - first) / page_bytes of them, and one for a rest */
    /* Its own. */
    uint32_t next;   /* page that has the first tag of the next turn */
    uint32_t count;  /* pages that have a tag now, those before `next` */
    uint64_t began;  /* cycle */
    uint32_t rounds; /* times that all have had their turn */
};

/* Nothing has a tag; the first pages' turn begins. Clearing all tags takes as many cycles as the device has words for
 * them. Not 0: the device does not have as much shadow memory as the code needs, and nothing happens. */
int gnomon_scan_begin(struct gnomon_scan *scan);
/* Adds what the pages have counted in this turn; the turn of those behind them begins. */
void gnomon_scan_next(struct gnomon_scan *scan);
/* Adds what they have counted; nothing has a tag any more. */
void gnomon_scan_end(struct gnomon_scan *scan);

#ifdef __cplusplus
}
#endif

#endif
