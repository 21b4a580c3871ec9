/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of `gnomon heap` share. */
#ifndef GNOMON_CLI_HEAP_H
#define GNOMON_CLI_HEAP_H

#include "cli/cli.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/heap/heap_leaks.h"
#include "lib/locks/lock_names.h"

struct heap_values {
    const char *elf, *sort, *between, *mode;
    struct cli_list modules;
    uint64_t limit; /* 0: all */
    bool paths, leaks, sizes, mistakes, strict;
};

/* A function, or with --paths a call path. */
struct heap_row {
    uint32_t site; /* one with this innermost function; of a path, its own */
    struct gnomon_heap_figures figures;
    struct gnomon_name name; /* of the innermost function */
};

struct heap_view {
    struct cli_context *context;
    const struct heap_values *values;
    struct gnomon_analysis analysis;
    struct gnomon_lock_tables tables;
    struct gnomon_lock_names names; /* of threads */
    struct gnomon_heap *heap;
    const struct gnomon_heap_results *results;
    bool checks; /* --leaks or --mode: `leaks` has a result */
    struct gnomon_heap_leaks leaks;
    uint64_t cycles;
    struct gnomon_exactness exactness;
    size_t row_count;
    struct heap_row *rows;
    const struct heap_row **order; /* the rows in the order of --sort */
};

#define HEAP_SORT_KEYS "live, allocated, blocks, peak or life"
/* Makes the rows. */
enum gnomon_status heap_rows(struct heap_view *view, struct gnomon_error *error);

/* Print on `stream`. */
void heap_table(const struct heap_view *view, FILE *stream);
void heap_sizes(const struct heap_view *view, FILE *stream);
void heap_function_sizes(const struct heap_view *view, FILE *stream);
void heap_leaks(const struct heap_view *view, FILE *stream);
void heap_mistakes(const struct heap_view *view, FILE *stream);
/* "freed-twice" */
const char *heap_mistake_id(const struct gnomon_heap_mistake *mistake);
/* It is about a byte of a block, or beside it. */
bool heap_mistake_has_place(const struct gnomon_heap_mistake *mistake);
/* An access that was seen itself; "read", "written" or "read and written". */
bool heap_mistake_is_use(const struct gnomon_heap_mistake *mistake);
const char *heap_mistake_access(const struct gnomon_heap_mistake *mistake);
/* Prints the functions of a call path, the innermost first, each in a line. */
void heap_path(const struct heap_view *view, FILE *stream, uint32_t site, int indent);
/* The name of a function of the profile; `name` holds it. */
const char *heap_name(const struct heap_view *view, uint32_t id, struct gnomon_name *name);
/* The same of a site's innermost function. */
const char *heap_function(const struct heap_view *view, uint32_t site, struct gnomon_name *name);

/* Nothing is missing of what a check is about. */
bool heap_saw_all(const struct heap_view *view);
/* The end of a sentence that says that a check has found nothing. */
const char *heap_doubt(const struct heap_view *view);

int heap_json(const struct heap_view *view); /* exit status */

#endif
