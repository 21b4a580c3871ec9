/* SPDX-License-Identifier: Apache-2.0 */
/* The cycles of instructions that a recording has. */
#ifndef GNOMON_LIB_RECORDED_COSTS_H
#define GNOMON_LIB_RECORDED_COSTS_H

#include "lib/profile/analysis.h"
#include "lib/profile/costs.h"

/* Has the recording cycles of instructions, be they damaged? */
bool gnomon_costs_recorded(const struct gnomon_analysis *analysis);

/* Gets the instructions' cycles from an analysis that was read to its end. The caller frees `instructions` whatever
 * status this returns. */
enum gnomon_status gnomon_costs_open(const struct gnomon_analysis *analysis, struct gnomon_instructions *instructions,
                                     struct gnomon_error *error);

/* The same from samples, as estimates without causes: gnomon_costs_open calls it for a sampled run. */
enum gnomon_status gnomon_sampled_costs(const struct gnomon_analysis *analysis,
                                        struct gnomon_instructions *instructions, struct gnomon_error *error);

/* Finds out how exact the instructions' cycles are. */
void gnomon_costs_exactness(const struct gnomon_analysis *analysis, const struct gnomon_instructions *instructions,
                            struct gnomon_exactness *exactness);

/* Cycles of the run that no counted instruction has: the run's causes minus those of all counted instructions.
 * `unattributed` has the cycles of reset and debug mode; `not_counted` has all others, including those that the device
 * could not charge to an instruction. */
struct gnomon_costs_rest {
    struct gnomon_cost unattributed, not_counted;
};
struct gnomon_costs_rest gnomon_costs_rest(const struct gnomon_instructions *instructions);

#endif
