/* SPDX-License-Identifier: Apache-2.0 */
/* What each instruction of a run cost, by cause: cycles of which the sum is the run's. As a device counted them, and as
 * they are in a trace file (docs/trace-format.md, "Cycles of instructions"). */
#ifndef GNOMON_LIB_INSTRUCTIONS_H
#define GNOMON_LIB_INSTRUCTIONS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#define GNOMON_CAUSES 18       /* by their number in docs/observation.md, but for UNKNOWN */
#define GNOMON_CAUSE_RETIRED 0 /* one cycle for each execution */
#define GNOMON_CAUSE_DEBUG 9
#define GNOMON_CAUSE_RESET 10
#define GNOMON_CAUSE_UNKNOWN 15
#define GNOMON_CAUSE_REFRESH 16
#define GNOMON_CAUSE_PAGE 17
/* The first of them, which all devices have. */
#define GNOMON_CAUSES_ALWAYS 16

/* "retired", "icache miss": for a column or a line; "icache_miss": for a program. */
const char *gnomon_cause_name(unsigned cause);
const char *gnomon_cause_key(unsigned cause);

struct gnomon_instruction {
    uint32_t address;
    uint64_t cycles[GNOMON_CAUSES]; /* that it pays for; those of RETIRED are its executions */
};

struct gnomon_instructions {
    uint64_t cycles;                /* of the run */
    uint64_t causes[GNOMON_CAUSES]; /* the same, by cause */
    uint64_t nobody;                /* of these, that no instruction pays for: reset, debug mode */
    uint64_t unattributed;          /* that the device could charge to nobody, because it was not fast enough */
    bool saturated;                 /* a counter was too small: figures of instructions are at least that */
    bool region;                    /* only instructions from `start` to before `end` were counted */
    uint32_t start, end;
    unsigned runs; /* that it took to count them */
    size_t count, capacity;
    struct gnomon_instruction *list; /* executed ones, by address */
};

void gnomon_instructions_free(struct gnomon_instructions *instructions);

/* One more, behind all that are there; one without cycles is left out. */
enum gnomon_status gnomon_instructions_add(struct gnomon_instructions *instructions, uint32_t address,
                                           const uint64_t cycles[GNOMON_CAUSES], struct gnomon_error *error);

/* The first from `address` on; `count` where there is none. */
size_t gnomon_instructions_from(const struct gnomon_instructions *instructions, uint32_t address);

/* Cycles of one, of all. */
uint64_t gnomon_instruction_sum(const struct gnomon_instruction *instruction);
uint64_t gnomon_instructions_sum(const struct gnomon_instructions *instructions);

/* Cycles of instructions that were not counted: all that is left of the run. */
uint64_t gnomon_instructions_outside(const struct gnomon_instructions *instructions);

/* A new object; NULL when out of memory. */
json_t *gnomon_instructions_json(const struct gnomon_instructions *instructions);
/* Nothing in `json` is trusted: what does not add up is refused. To be freed whatever the status is. */
enum gnomon_status gnomon_instructions_parse(const json_t *json, struct gnomon_instructions *instructions,
                                             struct gnomon_error *error);

#endif
