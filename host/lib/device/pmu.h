/* SPDX-License-Identifier: Apache-2.0 */
/* The device's selectable counters and ranges (docs/internals/profile.md, "Counters", "Ranges"): the names of the
 * events that can be counted, and setting and reading the counters before, during or after a run. None of this disturbs
 * the hart.
 *
 * All counters are 0 when the hart's reset begins. Values that are written during the reset are kept when the hart
 * starts. */
#ifndef GNOMON_LIB_PMU_H
#define GNOMON_LIB_PMU_H

#include <stdbool.h>

#include "lib/device/board.h"

#define GNOMON_PMU_COUNTERS 15 /* at most */
#define GNOMON_PMU_RANGES 3    /* at most: first those of instructions, then those of data */

/* The events that can be counted, by index, in the order of their numbers; NULL after the last. */
struct gnomon_pmu_event {
    unsigned number;
    const char *name;
    const char *about;
};
const struct gnomon_pmu_event *gnomon_pmu_event(size_t index);

/* What one counter counts: events of instructions that pass all filters that are set. */
struct gnomon_pmu_setting {
    const struct gnomon_pmu_event *event;
    bool tagged;      /* only tagged instructions */
    bool range[2];    /* only instructions in this range of instructions */
    bool data;        /* only accesses to the range of data */
    bool gated;       /* only while the tags' timer `gate` runs */
    uint8_t gate;     /* timer */
    bool one_thread;  /* only `thread` */
    uint8_t thread;   /* thread number */
    bool not_machine; /* not in M mode */
    bool not_user;    /* not in U mode */
    uint64_t start;   /* the counter's initial value */
};

/* Parses an event with filters after colons: "branches", "cycles:u", "loads:range0:data:thread=3". Filters: u and m
 * (only in that mode), range0, range1, data, thread=N, tagged, timer=N. GNOMON_ERR_ARGUMENT: the text is invalid, or
 * there is no such event. */
enum gnomon_status gnomon_pmu_parse(const char *text, struct gnomon_pmu_setting *setting, struct gnomon_error *error);

struct gnomon_pmu {
    uint32_t base; /* of its hart: GNOMON_BLOCKS_OF_HART */
    struct gnomon_device *device;
    unsigned counters, ranges, data_ranges, last_event;
    bool latency; /* there is a latency filter (latency.h) */
    bool reduced; /* no filters, fewer events, counters begin at 0 */
};

/* GNOMON_ERR_UNSUPPORTED: the device has no selectable counters. */
enum gnomon_status gnomon_pmu_open(struct gnomon_pmu *pmu, struct gnomon_device *device,
                                   const struct gnomon_board *board, struct gnomon_error *error);
/* The same of the counters of a hart other than hart 0. */
enum gnomon_status gnomon_pmu_open_hart(struct gnomon_pmu *pmu, struct gnomon_device *device,
                                        const struct gnomon_board *board, unsigned hart, struct gnomon_error *error);

/* From now on counter `index` counts what `setting` says; NULL: nothing. */
enum gnomon_status gnomon_pmu_program(const struct gnomon_pmu *pmu, unsigned index,
                                      const struct gnomon_pmu_setting *setting, struct gnomon_error *error);
/* Stops the counters in `counters` (bit i: counter i); all other counters run. */
enum gnomon_status gnomon_pmu_stop(const struct gnomon_pmu *pmu, uint32_t counters, struct gnomon_error *error);

struct gnomon_pmu_value {
    uint64_t count;
    bool overflowed; /* since software or the host cleared the bit last */
};
/* Reads all `pmu->counters` counters. Each value is consistent, even while the counter runs. All values are of the same
 * time if the counters or the hart are stopped. GNOMON_ERR_PROTOCOL: the device has lost counts of a counter (the
 * register LOST); so has gnomon_pmu_range_read for its range. */
enum gnomon_status gnomon_pmu_read(const struct gnomon_pmu *pmu, struct gnomon_pmu_value *values,
                                   struct gnomon_error *error);

/* Sets range `index` (ranges of instructions come first, then those of data) to the addresses from `base` to before
 * `limit`, and clears its counters. */
enum gnomon_status gnomon_pmu_range(const struct gnomon_pmu *pmu, unsigned index, uint32_t base, uint32_t limit,
                                    struct gnomon_error *error);
/* Restricts the calls in the trace or in the records to functions in range 0 (bit 0) or range 1 (bit 1). 0: all
 * functions. */
enum gnomon_status gnomon_pmu_trace(const struct gnomon_pmu *pmu, uint32_t ranges, struct gnomon_error *error);

struct gnomon_pmu_range_value {
    uint64_t entries, instructions, cycles, reads, writes;
};
enum gnomon_status gnomon_pmu_range_read(const struct gnomon_pmu *pmu, unsigned index,
                                         struct gnomon_pmu_range_value *value, struct gnomon_error *error);

#endif
