/* SPDX-License-Identifier: Apache-2.0 */
/* What the device's selectable counters and ranges count for `gnomon stat`. Each run counts as many events as there are
 * counters; the other events need further runs. The ranges count in every run. */
#ifndef GNOMON_CLI_STAT_EVENTS_H
#define GNOMON_CLI_STAT_EVENTS_H

#include "cli/run/target.h"
#include "lib/device/pmu.h"
#include "lib/elf/address_range.h"

struct stat_range {
    const char *name, *what; /* "range0"; text of the option */
    unsigned index;          /* number of the range in the device */
    struct gnomon_address_range bounds;
};

struct stat_event {
    char *text; /* text of the option, "loads:u" */
    struct gnomon_pmu_setting setting;
};

struct stat_events {
    size_t count, range_count;
    struct stat_event *list;
    struct stat_range ranges[GNOMON_PMU_RANGES];
    struct gnomon_pmu pmu;
};

/* Parses `lists`; each item has events separated by commas. */
enum gnomon_status stat_events_parse(struct stat_events *events, const struct cli_list *lists,
                                     struct gnomon_error *error);
/* Finds the ranges (FUNCTION, VARIABLE or START-END) in the program, and checks that the device can count all events
 * and ranges. */
enum gnomon_status stat_events_open(struct stat_events *events, const struct target *target, unsigned hart,
                                    const struct cli_list *ranges, const struct cli_list *data_ranges,
                                    struct gnomon_error *error);
void stat_events_free(struct stat_events *events);

/* The number of runs that the events need, at least one. */
unsigned stat_events_runs(const struct stat_events *events);
/* The events of run `run` (from 0): from index *first to before *end. */
void stat_events_of_run(const struct stat_events *events, unsigned run, size_t *first, size_t *end);
/* Sets the counters and ranges for run `run`. */
enum gnomon_status stat_events_program(const struct stat_events *events, unsigned run, struct gnomon_error *error);

/* Prints the events that can be counted. */
void stat_events_print(FILE *stream, bool json);

#endif
