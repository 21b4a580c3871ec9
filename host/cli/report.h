/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of `gnomon report` share: the profile with names, in the order asked for. */
#ifndef GNOMON_CLI_REPORT_H
#define GNOMON_CLI_REPORT_H

#include "../lib/analysis.h"
#include "../lib/profile.h"
#include "cli.h"
#include "names.h"

struct report_values {
    const char *elf, *sort, *function;
    struct cli_list modules;
    uint64_t limit; /* 0: all */
    bool flat, graph, histogram, causes, strict;
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
    struct gnomon_profile *profile;
    const struct gnomon_profile_sums *sums;
    const struct gnomon_trace_stats *stats;
    size_t count;
    struct report_row *rows; /* by index, as the arcs refer to them */
    uint32_t *order;         /* indices, as --sort wants them */
    uint32_t *shown;         /* room for as many: those that a part prints */
    uint32_t *places;        /* room for as many: where each is shown */
    struct gnomon_exactness exactness;
};

void report_flat(const struct report *report, FILE *stream);
void report_graph(const struct report *report, FILE *stream);
void report_histogram(const struct report *report, FILE *stream);
int report_json(const struct report *report); /* exit status */

/* By the key of --sort; false: there is none of that name. `keys` in report_order.c is also what --help lists. */
bool report_sort(const struct report *report, const char *key, uint32_t *order);
#define REPORT_SORT_KEYS "self, total, calls, average, min, max, lost or name"

/* Is the function one that --function asks for? */
bool report_wanted(const struct report *report, uint32_t index);

/* How a function was measured, in a word: one of enum gnomon_profile_measured. */
const char *report_measured(unsigned measured);

double report_percent(const struct report *report, uint64_t cycles);

#endif
