/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of `gnomon report` share: the profile with names, in the order of --sort. */
#ifndef GNOMON_CLI_REPORT_H
#define GNOMON_CLI_REPORT_H

#include <jansson.h>

#include "cli/cli.h"
#include "cli/print_names.h"
#include "lib/locks/lock_names.h"
#include "lib/profile/analysis.h"
#include "lib/profile/profile.h"

struct screen_table;

struct report_values {
    const char *elf, *sort, *function, *thread, *hart;
    struct cli_list modules;
    uint64_t limit; /* 0: all */
    bool flat, graph, histogram, causes, threads, strict;
};

/* A function of the profile. */
struct report_row {
    const struct gnomon_profile_function *figures;
    struct gnomon_name name;
};

struct report {
    struct cli_context *context;
    const struct report_values *values;
    struct gnomon_analysis analysis;
    struct gnomon_lock_tables tables;
    struct gnomon_lock_names names; /* of threads */
    struct gnomon_profile *profile;
    const struct gnomon_profile_sums *sums;
    const struct gnomon_trace_stats *stats;
    size_t count;
    struct report_row *rows; /* by function index, as in the arcs */
    uint32_t *order;         /* function indices, in the order of --sort */
    uint32_t *shown;         /* scratch array of the same size: functions that a part of the report prints */
    uint32_t *places;        /* scratch array of the same size: where each function is printed */
    struct gnomon_exactness exactness;
};

void report_flat(const struct report *report, FILE *stream);
void report_graph(const struct report *report, FILE *stream);
void report_histogram(const struct report *report, FILE *stream);
void report_waits(const struct report *report, FILE *stream); /* nothing, if none are known */
void report_threads(const struct report *report, FILE *stream);
/* Are all waits of the interrupt known, each exactly? */
bool report_waits_exact(const struct gnomon_profile_function *figures);
void report_first_line(const struct report *report, FILE *stream);
int report_json(const struct report *report); /* exit status */
/* Of a sampled run: functions, or threads. */
void report_samples(const struct report *report, FILE *stream);
void report_sampled_threads(const struct report *report, FILE *stream);
/* A new object, for the member "sampling" of the JSON. */
json_t *report_sampling_json(const struct report *report);
/* Adds a function's samples to its object. */
void report_sampled_json(const struct report *report, const struct gnomon_profile_function *figures, json_t *function);

/* Sorts by the key of --sort; returns false if there is no such key. --help lists REPORT_SORT_KEYS; keep it equal to
 * `keys` in report_order.c. */
bool report_sort(const struct report *report, const char *key, uint32_t *order);
#define REPORT_SORT_KEYS "self, total, calls, average, min, max, lost or name"

/* Prints, after a name, where the function is; also how it was measured, if not by hooks. */
void report_where(struct screen_table *table, const struct report_row *row);
/* Puts the rows to show into `rows`, in order; sets *hidden to the cycles of all other functions. */
size_t report_select(const struct report *report, uint32_t *rows, uint64_t *hidden, size_t *hidden_count);

/* True if --function selects this function. */
bool report_wanted(const struct report *report, uint32_t index);

/* One word for how a function was measured; `measured` is one of enum gnomon_profile_measured. */
const char *report_measured(unsigned measured);

/* What self, total and all other figures of time count: "cycles", or the event of gnomon record --clock. */
const char *report_unit(const struct report *report);

double report_percent(const struct report *report, uint64_t cycles);

#endif
