/* SPDX-License-Identifier: Apache-2.0 */
/* A scan of the program by itself (docs/internals/tags.md). The code is divided into pages. The pages get tags in
 * turns, 31 at a time (fewer where the device has tags for less memory), so in the end each page has been counted
 * exactly for a part of the time. Call gnomon_scan_next from a timer interrupt or whenever there is time: the scan then
 * finds what samples miss. No other code may use the block TAGS during a scan. */
#ifndef GNOMON_SCAN_H
#define GNOMON_SCAN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gnomon_scan_page {
    uint64_t executions, cycles; /* of the page's instructions, during its turns */
    uint64_t watched;            /* cycles that the page's turns lasted */
};

struct gnomon_scan {
    /* The caller fills these fields and keeps them valid until gnomon_scan_end. */
    uint32_t first, limit;          /* addresses; `first` is a multiple of 4 */
    uint32_t page_bytes;            /* a multiple of 4 */
    struct gnomon_scan_page *pages; /* zeros; (limit - first) / page_bytes pages, and one for a remainder */
    /* Used by the scan only. */
    uint32_t next;   /* the first page of the next turn */
    uint32_t count;  /* number of pages that have a tag now; they lie before `next` */
    uint64_t began;  /* cycle at which the turn began */
    uint32_t rounds; /* number of times that all pages have had their turn */
};

/* Removes all tags and begins the turn of the first pages. Clearing the tags takes one cycle for each word that the
 * device has for tags. Returns 0; or another value if the device has tags for less memory than a page, and then nothing
 * changes. */
int gnomon_scan_begin(struct gnomon_scan *scan);
/* Adds the counts of the present turn to its pages and begins the turn of the next pages. */
void gnomon_scan_next(struct gnomon_scan *scan);
/* Adds the counts of the present turn to its pages and removes all tags. */
void gnomon_scan_end(struct gnomon_scan *scan);

#ifdef __cplusplus
}
#endif

#endif
