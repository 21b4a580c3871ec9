/* SPDX-License-Identifier: Apache-2.0 */
/* The samples of a run: how often each stack was found, of which only the innermost address may be known. They come
 * from a device, or from a trace file (docs/reference/trace-format.md, "Samples"). */
#ifndef GNOMON_LIB_SAMPLES_H
#define GNOMON_LIB_SAMPLES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

#define GNOMON_SAMPLED_EVENT_BYTES 32
#define GNOMON_SAMPLED_FILTER_BYTES 128
#define GNOMON_SAMPLED_CYCLES "cycles" /* the event of samples of time */
#define GNOMON_SAMPLED_DEEPEST 1024    /* most addresses of a stack */
/* What stands for a trap in stacks with `functions`: twice its cause. */
#define GNOMON_SAMPLED_TRAPS_END 128u
#define GNOMON_SAMPLED_NAMELESS GNOMON_SAMPLED_TRAPS_END /* the same, for a function that is not known */
#define GNOMON_SAMPLED_OTHER 256u                        /* `thread` of all threads from 256 on */

struct gnomon_sampled_stack {
    uint32_t thread; /* its number */
    uint32_t depth;  /* addresses, at least 1 */
    size_t first;    /* index of the first one in `addresses`: the sampled instruction; then return addresses (with
                        `functions` 2 after the start) */
    uint64_t count;  /* samples */
};

struct gnomon_samples {
    char event[GNOMON_SAMPLED_EVENT_BYTES];
    uint32_t period;                          /* events from sample to sample, on average */
    char thread[GNOMON_SAMPLED_FILTER_BYTES]; /* only samples of this thread were kept; "": of all */
    char range[GNOMON_SAMPLED_FILTER_BYTES];  /* only samples in this function or address range; "": everywhere */
    bool stacks;                              /* whole stacks, found by a monitor in the program or by the device */
    bool functions;                           /* by the device: each address is the start of a function, or a trap */
    uint64_t excluded;                        /* samples that `thread` and `range` left out */
    uint64_t lost;                            /* samples for which there was no room */
    uint64_t unattributed;                    /* samples of cycles for which no instruction pays */
    uint64_t cut;                             /* samples whose outermost callers are missing; they are in the list */
    uint64_t evictions;                       /* stacks that left the monitor's table before the end */
    uint64_t cost;                            /* cycles that the monitor took */
    size_t count, room;
    struct gnomon_sampled_stack *list;
    size_t address_count, address_room;
    uint32_t *addresses;
    size_t merged; /* entries of the list that are known to differ */
};

void gnomon_samples_free(struct gnomon_samples *samples);

/* Adds `count` samples of a stack, the innermost address first. `depth` is 1 to GNOMON_SAMPLED_DEEPEST. False: out of
 * memory. */
bool gnomon_samples_add(struct gnomon_samples *samples, uint32_t thread, const uint32_t *addresses, uint32_t depth,
                        uint64_t count);
/* Makes one entry of equal stacks, sorted by thread and addresses. False: out of memory. */
bool gnomon_samples_merge(struct gnomon_samples *samples);

/* Keeps only the entries for which `keep` returns true; the samples of the others are excluded. */
typedef bool gnomon_samples_wanted(void *context, uint32_t thread, uint32_t address);
void gnomon_samples_keep(struct gnomon_samples *samples, gnomon_samples_wanted *keep, void *context);

/* Samples in the list; and all, with those that are in no entry. */
uint64_t gnomon_samples_kept(const struct gnomon_samples *samples);
uint64_t gnomon_samples_all(const struct gnomon_samples *samples);

/* The standard error of the number of samples `part`, of `all` samples. */
double gnomon_samples_error(uint64_t part, uint64_t all);

/* A new object; NULL when out of memory. */
json_t *gnomon_samples_json(const struct gnomon_samples *samples);
/* `json` is not trusted. The caller frees the result, whatever the status is. */
enum gnomon_status gnomon_samples_parse(const json_t *json, struct gnomon_samples *samples, struct gnomon_error *error);

#endif
