/* SPDX-License-Identifier: Apache-2.0 */
/* What `gnomon stat` has the device's selectable counters and ranges count: events by name, as many in a run as there
 * are counters, the rest in further runs; ranges in each. */
#ifndef GNOMON_CLI_STAT_EVENTS_H
#define GNOMON_CLI_STAT_EVENTS_H

#include "../lib/extent.h"
#include "../lib/pmu.h"
#include "target.h"

struct stat_range {
    const char *name, *what; /* "range0"; as it was asked for */
    unsigned index;          /* in the device */
    struct gnomon_extent extent;
};

struct stat_event {
    char *text; /* as it was asked for, "loads:u" */
    struct gnomon_pmu_setting setting;
};

struct stat_events {
    size_t count, range_count;
    struct stat_event *list;
    struct stat_range ranges[GNOMON_PMU_RANGES];
    struct gnomon_pmu pmu;
};

/* Each of `lists`: events with commas between. */
enum gnomon_status stat_events_parse(struct stat_events *events, const struct cli_list *lists,
                                     struct gnomon_error *error);
/* Finds ranges (FUNCTION, VARIABLE or START-END) in the program, and whether the device can count all that. */
enum gnomon_status stat_events_open(struct stat_events *events, const struct target *target,
                                    const struct cli_list *ranges, const struct cli_list *data_ranges,
                                    struct gnomon_error *error);
void stat_events_free(struct stat_events *events);

/* How many runs it takes: at least one. */
unsigned stat_events_runs(const struct stat_events *events);
/* The events of that run, from 0 on: from *first up to, not with, *end. */
void stat_events_of_run(const struct stat_events *events, unsigned run, size_t *first, size_t *end);
/* Counters and ranges for that run. */
enum gnomon_status stat_events_program(const struct stat_events *events, unsigned run, struct gnomon_error *error);

/* Prints what can be counted. */
void stat_events_print(FILE *stream, bool json);

#endif
