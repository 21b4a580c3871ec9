/* SPDX-License-Identifier: Apache-2.0 */
/* What `gnomon tag` has asked for and got, for what prints it. */
#ifndef GNOMON_CLI_TAG_H
#define GNOMON_CLI_TAG_H

#include "../lib/measure.h"
#include "stat_events.h"
#include "tag_setup.h"

/* An instruction or a word with a counter of its own. */
struct tag_own {
    uint32_t address, count;
};

struct tag_own_list {
    size_t count;
    struct tag_own *list; /* those that counted, by address */
};

struct tagging {
    struct cli_context *context;
    struct target target;
    struct tag_setup setup;
    struct gnomon_tag_counts counts;
    struct tag_own_list own[GNOMON_TAG_VALUES]; /* by target */
    struct stat_events events;
    struct gnomon_pmu_value event_values[GNOMON_PMU_COUNTERS];
    struct gnomon_measured measured;
    bool died;
    struct gnomon_exactness exactness;
};

/* What a target has counted: the sum over all numbers that are part of it. */
struct gnomon_tag_count tag_count_of(const struct tagging *tagging, size_t target);

/* False: it could not be written. */
bool tag_print_text(const struct tagging *tagging, FILE *stream);
bool tag_print_json(const struct tagging *tagging, FILE *stream);

#endif
