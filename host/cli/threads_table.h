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
    uint64_t cycles; /* of the run */
    bool traps;      /* their cycles are known */
    const struct gnomon_lock_tables *tables;
    const struct gnomon_symbols *symbols; /* NULL: not known */
};

/* Prints the threads, that with most cycles first. False: out of memory. */
bool threads_table_print(const struct threads_table *all, const struct cli_context *context, FILE *stream);

/* The threads in this order. The caller frees the result; NULL: out of memory. */
struct gnomon_profile_thread *threads_table_sorted(const struct gnomon_profile_thread *threads, size_t count);

#endif
