/* SPDX-License-Identifier: Apache-2.0 */
/* The cycles that each instruction of a run cost, by cause. They add up to the cycles of the run. They come from a
 * device, or from a trace file (docs/reference/trace-format.md, "Cycles of instructions"). */
#ifndef GNOMON_LIB_INSTRUCTIONS_H
#define GNOMON_LIB_INSTRUCTIONS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

#define GNOMON_CAUSES 18       /* numbered as in docs/internals/observation.md, except UNKNOWN */
#define GNOMON_CAUSE_RETIRED 0 /* one cycle for each execution */
#define GNOMON_CAUSE_DEBUG 9
#define GNOMON_CAUSE_RESET 10
#define GNOMON_CAUSE_UNKNOWN 15
#define GNOMON_CAUSE_REFRESH 16
#define GNOMON_CAUSE_PAGE 17
/* All devices have the causes with lower numbers. */
#define GNOMON_CAUSES_ALWAYS 16

/* The name for a column or a line: "retired", "icache miss". The key for programs: "icache_miss". */
const char *gnomon_cause_name(unsigned cause);
const char *gnomon_cause_key(unsigned cause);

struct gnomon_instruction {
    uint32_t address;
    uint64_t cycles[GNOMON_CAUSES]; /* charged to it; the cycles of RETIRED are its executions */
};

struct gnomon_instructions {
    uint64_t cycles;                /* of the run */
    uint64_t causes[GNOMON_CAUSES]; /* the same, by cause */
    uint64_t unattributed;          /* part of `cycles` that no instruction pays for: reset, debug mode */
    uint64_t overflow;              /* cycles that the device was not fast enough to charge to an instruction */
    bool saturated;                 /* a counter was too small: the figures of instructions are lower bounds */
    bool code_window;               /* only instructions from `start` to before `end` were counted */
    uint32_t start, end;
    unsigned runs; /* runs that were needed to count them */
    size_t count, capacity;
    struct gnomon_instruction *list; /* executed ones, by address */
};

void gnomon_instructions_free(struct gnomon_instructions *instructions);

/* Adds an instruction after all instructions in the list; an instruction without cycles is left out. */
enum gnomon_status gnomon_instructions_add(struct gnomon_instructions *instructions, uint32_t address,
                                           const uint64_t cycles[GNOMON_CAUSES], struct gnomon_error *error);

/* Index of the first instruction at or after `address`; `count` if there is none. */
size_t gnomon_instructions_from(const struct gnomon_instructions *instructions, uint32_t address);

/* Cycles of one instruction, and of all instructions. */
uint64_t gnomon_instruction_sum(const struct gnomon_instruction *instruction);
uint64_t gnomon_instructions_sum(const struct gnomon_instructions *instructions);

/* Cycles of instructions that were not counted: the rest of the run. */
uint64_t gnomon_instructions_not_counted(const struct gnomon_instructions *instructions);

/* The member of a file's object that has the instructions of hart 1, as a further object. */
#define GNOMON_INSTRUCTIONS_OF_HART1 "hart1"

/* A new object; NULL when out of memory. */
json_t *gnomon_instructions_json(const struct gnomon_instructions *instructions);
/* `json` is not trusted: figures that do not add up are refused. The caller frees the result, whatever the status is.
 */
enum gnomon_status gnomon_instructions_parse(const json_t *json, struct gnomon_instructions *instructions,
                                             struct gnomon_error *error);

#endif
