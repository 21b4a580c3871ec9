/* SPDX-License-Identifier: Apache-2.0 */
/* What the user asked `gnomon tag` for, and the results, for the functions that print them. */
#ifndef GNOMON_CLI_TAG_H
#define GNOMON_CLI_TAG_H

#include "cli/run/stat_events.h"
#include "cli/run/tag_setup.h"
#include "cli/run/target_code.h"
#include "lib/run/measure.h"

/* An instruction or a word with its per-address counter. */
struct tag_per_address {
    uint32_t address, count;
};

struct tag_per_address_list {
    size_t count;
    struct tag_per_address *list; /* counters that are not 0, by address */
};

struct tagging {
    struct cli_context *context;
    struct target target;
    struct tag_setup setup;
    struct target_code code; /* notes the modules that the program loads */
    struct gnomon_tag_counts counts;
    struct tag_per_address_list own[GNOMON_TAG_VALUES]; /* index: target */
    struct stat_events events;
    struct gnomon_pmu_value event_values[GNOMON_PMU_COUNTERS];
    struct gnomon_measured measured;
    bool died;
    struct gnomon_exactness exactness;
};

/* What a target has counted: the sum over all tag numbers that belong to it. */
struct gnomon_tag_count tag_count_of(const struct tagging *tagging, size_t target);

/* These two functions return false if they cannot write. */
bool tag_print_text(const struct tagging *tagging, FILE *stream);
bool tag_print_json(const struct tagging *tagging, FILE *stream);

#endif
