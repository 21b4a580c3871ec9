/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the file of a program that kept its records in memory (firmware/runtime/include/gnomon_records.h). */
#ifndef GNOMON_LIB_MEMORY_RECORDS_FILE_H
#define GNOMON_LIB_MEMORY_RECORDS_FILE_H

#include "lib/model/function_records.h"
#include "lib/profile/modules.h"

struct gnomon_memory {
    const char *build_id;   /* of the program, in hex digits; "" if it has none */
    uint64_t clock_hz;      /* 0: not known */
    uint64_t cycles;        /* from the first hook on */
    uint64_t dropped;       /* calls for which there was no frame or record: their cycles count for their callers */
    uint64_t dropped_other; /* interrupts and thread switches for which there was no frame or record */
    uint64_t left;          /* calls without an exit (longjmp): they ended when an outer call ended */
    uint32_t numbers;       /* numbers of functions, modules included */
    const uint32_t *ids;    /* for each number the function's id in a profile; set by gnomon_memory_records */
};

/* True if the file begins like such a file. What is no regular file is none: it may be readable only once. */
bool gnomon_memory_is(const char *path);

/* Reads the whole file. Its content is not trusted: GNOMON_ERR_FORMAT. The caller frees the result. */
enum gnomon_status gnomon_memory_open(struct gnomon_memory **memory, const char *path, struct gnomon_error *error);
void gnomon_memory_free(struct gnomon_memory *memory); /* may be NULL */

/* Makes records like those of a device: threads and interrupts are added up, and functions of modules follow the
 * program's. The caller frees the result with gnomon_records_free. */
enum gnomon_status gnomon_memory_records(struct gnomon_memory *memory, struct gnomon_modules *modules,
                                         struct gnomon_records *records, struct gnomon_error *error);

#endif
