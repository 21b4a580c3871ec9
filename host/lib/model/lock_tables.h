/* SPDX-License-Identifier: Apache-2.0 */
/* The threads and locks of a program, as its tables told at the end of the run (include/gnomon/locks.h), and their JSON
 * in the trace file (docs/reference/trace-format.md, "The file"). */
#ifndef GNOMON_LIB_LOCK_TABLES_H
#define GNOMON_LIB_LOCK_TABLES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "gnomon/locks.h"
#include "lib/util/error.h"

#define GNOMON_LOCKS_SYMBOL "__gnomon_locks"
#define GNOMON_LOCKS_MOST 4096u  /* indices of locks; 0 is no lock */
#define GNOMON_THREADS_MOST 256u /* indices of threads; 0 is the thread that runs main */
#define GNOMON_LOCK_KINDS (GNOMON_LOCK_INTERRUPTS + 1)

struct gnomon_table_thread {
    bool known;
    bool ended;                             /* before the run did */
    char *name;                             /* owned; NULL: it has none */
    uint32_t start;                         /* its function; 0: not known */
    uint32_t least_priority, most_priority; /* 1 plus those that the program gave it; 0: not known */
};

struct gnomon_table_lock {
    enum gnomon_lock_kind kind; /* NONE: not known */
    enum gnomon_lock_state state;
    char *name; /* owned; NULL: it has none */
    uint32_t address, caller;
    unsigned wrong; /* bits of enum gnomon_lock_wrong: misuse that the program noticed */
};

struct gnomon_lock_tables {
    bool known;                                              /* the program has tables */
    struct gnomon_table_thread threads[GNOMON_THREADS_MOST]; /* by index */
    struct gnomon_table_lock locks[GNOMON_LOCKS_MOST];       /* by index; state UNUSED: not known */
    uint32_t threads_refused, locks_refused;
};

/* "mutex", "rwlock-read"; also for kinds out of range. */
const char *gnomon_lock_kind_name(enum gnomon_lock_kind kind);

/* The name that the program gave the thread; else its function; else "main" for the first; else "thread 3". `symbols`
 * may be NULL. Returns `text`. */
struct gnomon_symbols;
#define GNOMON_THREAD_NAME_BYTES 320
const char *gnomon_table_thread_name(const struct gnomon_lock_tables *tables, const struct gnomon_symbols *symbols,
                                     uint32_t thread, char text[GNOMON_THREAD_NAME_BYTES]);

/* What a hart does before its first thread. */
const char *gnomon_hart_name(unsigned hart, char text[GNOMON_THREAD_NAME_BYTES]);

/* A new object; NULL: out of memory. */
json_t *gnomon_lock_tables_json(const struct gnomon_lock_tables *tables);
/* `json` NULL: there are no tables. The caller frees `tables`, whatever the status is. */
enum gnomon_status gnomon_lock_tables_parse(const json_t *json, struct gnomon_lock_tables *tables,
                                            struct gnomon_error *error);
void gnomon_lock_tables_free(struct gnomon_lock_tables *tables);

#endif
