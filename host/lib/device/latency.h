/* SPDX-License-Identifier: Apache-2.0 */
/* The device's latency filter (docs/internals/profile.md, "Latency"): how many cycles single instructions take. The
 * settings and counts are 0 when the hart's reset begins. Settings written during the reset are kept. */
#ifndef GNOMON_LIB_LATENCY_H
#define GNOMON_LIB_LATENCY_H

#include "lib/device/pmu.h"

#define GNOMON_LATENCY_BUCKETS 15             /* bucket i: from 2^i cycles to before 2^(i+1); the last has no end */
#define GNOMON_LATENCY_MOST_CYCLES (1u << 23) /* of a threshold, and of `cycles` below */

/* Which instructions count: those that pass all filters that are set. */
struct gnomon_latency_setting {
    bool reads, writes;  /* only instructions that read, or write, memory; both: that access memory */
    bool range[2], data; /* only instructions in this range; that access the range of data */
    bool tagged;         /* only tagged instructions */
    uint32_t threshold;  /* cycles; 0: none */
};

/* Parses the kind of instructions and filters: "all", "loads", "stores" or "accesses", then ":range0", ":range1",
 * ":data", ":tag=WHAT". *tag: what follows "tag=", to the end of the text; NULL: there is none.
 * GNOMON_ERR_ARGUMENT: the text is invalid. */
enum gnomon_status gnomon_latency_parse(const char *text, struct gnomon_latency_setting *setting, const char **tag,
                                        struct gnomon_error *error);

struct gnomon_latency_counts {
    uint64_t buckets[GNOMON_LATENCY_BUCKETS];
    uint64_t reached;     /* instructions that reached the threshold */
    bool wrapped;         /* a count was larger than its register: all counts may be too small */
    bool found, accessed; /* one reached the threshold; it accessed memory. Then of the first one: */
    uint32_t cycles;      /* its latency; GNOMON_LATENCY_MOST_CYCLES: that or more */
    uint32_t pc, address; /* its address, and, with `accessed`, what it accessed */
};

/* Clears the counts and counts from now on. GNOMON_ERR_UNSUPPORTED: the device has no latency filter. */
enum gnomon_status gnomon_latency_set(const struct gnomon_pmu *pmu, const struct gnomon_latency_setting *setting,
                                      struct gnomon_error *error);
/* `setting`: as it was set. All values are of the same time if the hart is stopped. */
enum gnomon_status gnomon_latency_read(const struct gnomon_pmu *pmu, const struct gnomon_latency_setting *setting,
                                       struct gnomon_latency_counts *counts, struct gnomon_error *error);
/* The bucket of a latency. */
unsigned gnomon_latency_bucket(uint32_t cycles);

#endif
