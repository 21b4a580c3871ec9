/* SPDX-License-Identifier: Apache-2.0 */
/* The latencies of instructions that `gnomon stat --latency` asks for: one of them in each run. */
#ifndef GNOMON_CLI_STAT_LATENCY_H
#define GNOMON_CLI_STAT_LATENCY_H

#include <jansson.h>

#include "cli/run/stat_events.h"
#include "cli/run/tag_setup.h"
#include "lib/device/latency.h"

#define STAT_LATENCY_FIGURES (GNOMON_LATENCY_BUCKETS + 1) /* the buckets, and what reached the threshold */

struct stat_latency {
    const char *text; /* of the option, "loads:range0" */
    const char *tag;  /* "tag=WHAT" in it; NULL: none */
    struct gnomon_latency_setting setting;
    struct tag_setup tags;               /* with `tag` */
    struct gnomon_tag_losses losses;     /* of the last run, with `tag` */
    struct gnomon_latency_counts counts; /* of the last run */
};

struct stat_latencies {
    size_t count;
    struct stat_latency *list;
    struct gnomon_pmu pmu;
    char names[STAT_LATENCY_FIGURES][48]; /* of the figures: "4-7 cycles" */
};

/* `threshold`: in cycles; 0: none. */
enum gnomon_status stat_latency_parse(struct stat_latencies *latencies, const struct cli_list *texts,
                                      uint64_t threshold, struct gnomon_error *error);
/* Finds what the filters name, and checks that the device can count the latencies. `ranges`: those that options set. */
enum gnomon_status stat_latency_open(struct stat_latencies *latencies, const struct cli_context *context,
                                     struct target *target, const struct cli_list *ranges,
                                     const struct cli_list *data_ranges, struct gnomon_error *error);
void stat_latency_free(struct stat_latencies *latencies);

/* Sets the device for run `run` (from 0). */
enum gnomon_status stat_latency_program(const struct stat_latencies *latencies, unsigned run,
                                        struct gnomon_error *error);
/* Reads the figures of run `run`. */
enum gnomon_status stat_latency_take(struct stat_latencies *latencies, unsigned run,
                                     uint64_t figures[STAT_LATENCY_FIGURES], struct gnomon_error *error);

/* Adds a reason for each kind of missing counts. */
void stat_latency_reasons(const struct stat_latencies *latencies, struct gnomon_exactness *exactness);
/* Prints the first instruction of the last run that reached the threshold, if there is one. */
void stat_latency_print_first(const struct stat_latency *latency, const struct cli_context *context, const char *elf,
                              FILE *stream);
/* Sets the keys of `latency` that are no figures. */
void stat_latency_json(const struct stat_latency *latency, const char *elf, json_t *json);

#endif
