/* SPDX-License-Identifier: Apache-2.0 */
/* The file that a program leaves which kept its records in memory (firmware/runtime/include/gnomon_records.h). */
#ifndef GNOMON_LIB_MEMORY_H
#define GNOMON_LIB_MEMORY_H

#include "modules.h"
#include "records.h"

struct gnomon_memory {
    const char *build_id;   /* of the program, in hex digits; "" where it has none */
    uint64_t clock_hz;      /* 0: not known */
    uint64_t cycles;        /* from the first hook on */
    uint64_t dropped;       /* calls for which there was no frame or record: their cycles are their caller's */
    uint64_t dropped_other; /* interrupts and changes of thread for which there was none */
    uint64_t left;          /* calls without an exit (longjmp): they ended when one further out did */
    uint32_t numbers;       /* of functions, those of modules included */
    const uint32_t *ids;    /* by number: functions as in a profile; set by gnomon_memory_records */
};

/* Does the file begin as such a file does? */
bool gnomon_memory_is(const char *path);

/* Reads it all. Nothing in it is trusted: GNOMON_ERR_FORMAT. Free the result. */
enum gnomon_status gnomon_memory_open(struct gnomon_memory **memory, const char *path, struct gnomon_error *error);
void gnomon_memory_free(struct gnomon_memory *memory); /* may be NULL */

/* The same as a device would have kept it: threads and interrupts together, functions of modules behind the
 * program's. Free the result with gnomon_records_free. */
enum gnomon_status gnomon_memory_records(struct gnomon_memory *memory, struct gnomon_modules *modules,
                                         struct gnomon_records *records, struct gnomon_error *error);

#endif
