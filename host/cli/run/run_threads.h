/* SPDX-License-Identifier: Apache-2.0 */
/* How long each thread of a run ran, beside the other figures of `gnomon stat`, and as a note of `gnomon record`. */
#ifndef GNOMON_CLI_RUN_THREADS_H
#define GNOMON_CLI_RUN_THREADS_H

#include <jansson.h>

#include "cli/run/target.h"
#include "lib/elf/symbols.h"
#include "lib/model/lock_tables.h"
#include "lib/run/measure.h"

struct run_threads {
    bool follows;                   /* the program has a table of threads */
    struct gnomon_symbols *symbols; /* NULL: the program's symbols cannot be read */
    struct gnomon_lock_tables tables;
    struct gnomon_thread_times times;
};

/* Does the program have threads? */
enum gnomon_status run_threads_open(struct run_threads *threads, const char *elf, struct gnomon_error *error);
void run_threads_close(struct run_threads *threads);

/* Bits of profile_control for a run that is to follow them; 0: there are none. */
uint32_t run_threads_control(const struct run_threads *threads);
/* After the run, while its memory is there. */
enum gnomon_status run_threads_take(struct run_threads *threads, const struct gnomon_measured *measured,
                                    const struct target *target, struct gnomon_error *error);

/* Prints nothing if there was only one thread. */
void run_threads_print(const struct run_threads *threads, const struct cli_context *context, FILE *stream);
/* A new array; NULL: there was only one thread. */
json_t *run_threads_json(const struct run_threads *threads);

/* "5 threads: worker 40.1 %, main 20.0 %". Says nothing of one thread. `traps`: their cycles are known. */
void run_threads_note(const struct gnomon_thread_times *times, bool traps, const struct gnomon_lock_tables *tables,
                      const struct gnomon_symbols *symbols, const struct cli_context *context);

#endif
