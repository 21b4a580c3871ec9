/* SPDX-License-Identifier: Apache-2.0 */
/* A table of threads: how long each of them ran. */
#ifndef GNOMON_CLI_THREADS_TABLE_H
#define GNOMON_CLI_THREADS_TABLE_H

#include "cli/cli.h"
#include "lib/model/lock_tables.h"
#include "lib/profile/profile.h"

struct threads_table {
    const struct gnomon_profile_thread *threads;
    size_t count;
    uint64_t cycles;  /* of the run */
    const char *unit; /* of them: "cycles", or an event */
    bool traps;       /* their cycles are known */
    bool harts;       /* of two harts */
    const struct gnomon_lock_tables *tables;
    const struct gnomon_symbols *symbols; /* NULL: not known */
};

/* Its name; `harts`: thread numbers above 16 bits are those of harts that run no thread yet. Returns `text`. */
const char *threads_table_name(const struct threads_table *all, uint32_t thread, char text[GNOMON_THREAD_NAME_BYTES]);

/* Prints the threads, that with most cycles first. False: out of memory. */
bool threads_table_print(const struct threads_table *all, const struct cli_context *context, FILE *stream);

/* The threads in this order. The caller frees the result; NULL: out of memory. */
struct gnomon_profile_thread *threads_table_sorted(const struct gnomon_profile_thread *threads, size_t count);

#endif
