/* SPDX-License-Identifier: Apache-2.0 */
/* The device's selectable counters and ranges (docs/profile.md, "Counters", "Ranges"): what there is to count, by name;
 * programming and reading them while a program runs, before it or after it. Nothing of it disturbs the hart.
 *
 * They are all 0 when the hart's reset begins; what is written while it is in reset is there when it starts. */
#ifndef GNOMON_LIB_PMU_H
#define GNOMON_LIB_PMU_H

#include <stdbool.h>

#include "board.h"

#define GNOMON_PMU_COUNTERS 15 /* at most */
#define GNOMON_PMU_RANGES 3    /* at most: of instructions, then of data */

/* What can be counted: by index, in the order of the numbers; NULL behind the last. */
struct gnomon_pmu_event {
    unsigned number;
    const char *name;
    const char *about;
};
const struct gnomon_pmu_event *gnomon_pmu_event(size_t index);

/* What one counter counts. All filters that are set must hold for the instruction that pays. */
struct gnomon_pmu_setting {
    const struct gnomon_pmu_event *event;
    bool tagged;      /* tagged instructions only */
    bool range[2];    /* inside this range of instructions only */
    bool data;        /* accessing the range of data only */
    bool gated;       /* while timer `gate` of the tags runs only */
    uint8_t gate;     /* */
    bool one_thread;  /* `thread` only */
    uint8_t thread;   /* */
    bool not_machine; /* not in M mode */
    bool not_user;    /* not in U mode */
    uint64_t start;   /* the counter's value at first */
};

/* "branches", "cycles:u", "loads:range0:data:thread=3": an event and filters behind colons: u and m (only in that
 * mode), range0, range1, data, thread=N, tagged, timer=N. GNOMON_ERR_ARGUMENT: the text makes no sense, or has no such
 * event. */
enum gnomon_status gnomon_pmu_parse(const char *text, struct gnomon_pmu_setting *setting, struct gnomon_error *error);

struct gnomon_pmu {
    struct gnomon_device *device;
    unsigned counters, ranges, data_ranges, last_event;
};

/* GNOMON_ERR_UNSUPPORTED: the device has none of it. */
enum gnomon_status gnomon_pmu_open(struct gnomon_pmu *pmu, struct gnomon_device *device,
                                   const struct gnomon_board *board, struct gnomon_error *error);

/* Counter `index` counts this from now on; NULL: nothing. */
enum gnomon_status gnomon_pmu_program(const struct gnomon_pmu *pmu, unsigned index,
                                      const struct gnomon_pmu_setting *setting, struct gnomon_error *error);
/* Stops counters (bit i: counter i) and lets the others run. */
enum gnomon_status gnomon_pmu_stop(const struct gnomon_pmu *pmu, uint32_t counters, struct gnomon_error *error);

struct gnomon_pmu_value {
    uint64_t count;
    bool overflowed; /* since software or the host last cleared it */
};
/* All counters, `pmu->counters` of them; each is whole, though it counts meanwhile. They are of one moment where they
 * are stopped, or the hart is. */
enum gnomon_status gnomon_pmu_read(const struct gnomon_pmu *pmu, struct gnomon_pmu_value *values,
                                   struct gnomon_error *error);

/* Range `index`: those of instructions, then those of data. From `base` up to, not with, `limit`. Its counters are 0.
 */
enum gnomon_status gnomon_pmu_range(const struct gnomon_pmu *pmu, unsigned index, uint32_t base, uint32_t limit,
                                    struct gnomon_error *error);
/* Bits 0 and 1: calls are events of the trace, or in the records, only where the function lies in range 0, in range 1.
 * 0: all. */
enum gnomon_status gnomon_pmu_trace(const struct gnomon_pmu *pmu, uint32_t ranges, struct gnomon_error *error);

struct gnomon_pmu_range_value {
    uint64_t entries, instructions, cycles, reads, writes;
};
enum gnomon_status gnomon_pmu_range_read(const struct gnomon_pmu *pmu, unsigned index,
                                         struct gnomon_pmu_range_value *value, struct gnomon_error *error);

#endif
