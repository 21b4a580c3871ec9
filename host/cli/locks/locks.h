/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of `gnomon locks` share. */
#ifndef GNOMON_CLI_LOCKS_H
#define GNOMON_CLI_LOCKS_H

#include <jansson.h>

#include "cli/cli.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/locks/lock_run.h"

struct locks_values {
    const char *elf, *lock, *thread, *sort;
    struct cli_list modules;
    uint64_t limit; /* 0: all */
    bool by_caller, order, strict;
};

/* A line of the table: a lock, or a thread or a call site at a lock. */
struct locks_row {
    char name[GNOMON_LOCK_NAME_BYTES], caller[GNOMON_LOCK_NAME_BYTES];
    const struct gnomon_lock_figures *figures;
    const struct gnomon_lock_counts *counts;
};

struct locks {
    struct cli_context *context;
    const struct locks_values *values;
    struct gnomon_analysis analysis;
    struct gnomon_lock_run run;
    struct gnomon_exactness exactness;
    uint64_t cycles;                  /* of the run */
    struct gnomon_thread_set threads; /* of --thread */
    size_t row_count;
    struct locks_row *rows; /* in the order of --sort */
};

/* Sorts by the key of --sort; returns false if there is no such key. --help lists LOCKS_SORT_KEYS. */
bool locks_sort(struct locks *locks, const char *key);
#define LOCKS_SORT_KEYS "wait, hold, contended, acquired, wait-max, hold-max or name"

void locks_table(const struct locks *locks, FILE *stream);
/* The calls of a stack, a line each. */
void locks_stack(const struct locks *locks, FILE *stream, const struct gnomon_lock_stack *stack);
/* What is wrong: deadlocks, orders that can end in one, waits with a lock held, convoys, misuse. */
void locks_problems(const struct locks *locks, FILE *stream);
/* Every order in which locks were taken. */
void locks_orders(const struct locks *locks, FILE *stream);
/* Everything about the locks of --lock. */
void locks_details(const struct locks *locks, FILE *stream);
int locks_json(const struct locks *locks); /* exit status */

/* The figures of a lock that the account has. */
const struct gnomon_lock_figures *locks_figures(const struct locks *locks, unsigned lock);
/* Does --lock select this lock? */
bool locks_wanted(const struct locks *locks, unsigned lock);
/* Has a call site only released, posted or signalled, so that a table has no figures of it? */
bool locks_only_releases(const struct gnomon_lock_counts *counts);
/* Are some of the lock's figures lower bounds? */
bool locks_unsure(const struct gnomon_lock_figures *figures);

/* Names that are printed at once: each use of a macro has its own buffer, valid until the end of the enclosing block.
 */
#define LOCK_NAME(index) locks_name(locks, index, (char[GNOMON_LOCK_NAME_BYTES]){0})
#define THREAD_NAME(index) locks_thread(locks, index, (char[GNOMON_LOCK_NAME_BYTES]){0})
#define CALLER_NAME(address) locks_caller(locks, address, (char[GNOMON_LOCK_NAME_BYTES]){0})
#define COUNT(value) cli_count((char[CLI_COUNT_BYTES]){0}, value)
const char *locks_name(const struct locks *locks, unsigned lock, char text[GNOMON_LOCK_NAME_BYTES]);
const char *locks_thread(const struct locks *locks, unsigned thread, char text[GNOMON_LOCK_NAME_BYTES]);
const char *locks_caller(const struct locks *locks, uint32_t caller, char text[GNOMON_LOCK_NAME_BYTES]);

#endif
