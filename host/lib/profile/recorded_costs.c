/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/recorded_costs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/profile/profile_samples.h"
#include "lib/util/digits.h"

bool gnomon_costs_recorded(const struct gnomon_analysis *analysis) {
    return analysis->file &&
           (gnomon_gnt_instructions(analysis->file) || gnomon_gnt_flaws(analysis->file) & GNOMON_GNT_BAD_INSTRUCTIONS);
}

enum gnomon_status gnomon_costs_open(const struct gnomon_analysis *analysis, struct gnomon_instructions *instructions,
                                     struct gnomon_error *error) {
    *instructions = (struct gnomon_instructions){0};
    if (analysis->sampled)
        return gnomon_sampled_costs(analysis, instructions, error);
    const json_t *json = analysis->file ? gnomon_gnt_instructions(analysis->file) : NULL;
    if (!json && analysis->file && gnomon_gnt_flaws(analysis->file) & GNOMON_GNT_BAD_INSTRUCTIONS) {
        gnomon_fail(error, GNOMON_ERR_FORMAT, "the cycles of instructions in %s are damaged", analysis->path);
        return gnomon_remedy(error, GNOMON_ERR_FORMAT, "copy the file again, or record again");
    }
    if (json && analysis->hart) {
        json = json_object_get(json, GNOMON_INSTRUCTIONS_OF_HART1);
        if (!json) {
            gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s does not say what instructions of hart 1 cost",
                        analysis->path);
            return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "record with --cpi on a device that counts them");
        }
    }
    if (!json) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s does not say what instructions cost", analysis->path);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "record with --cpi all, or --cpi FUNCTION");
    }
    enum gnomon_status status = gnomon_instructions_parse(json, instructions, error);
    const struct gnomon_trace_stats *stats = gnomon_trace_stats(analysis->trace); /* of both harts: hart 0's */
    if (status || !stats->ended || stats->last_cycle == instructions->cycles)
        return status;
    gnomon_fail(error, GNOMON_ERR_FORMAT, "%s has the causes of %" PRIu64 " cycles, and a trace of %" PRIu64,
                analysis->path, instructions->cycles, stats->last_cycle);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "record again");
}

struct gnomon_costs_rest gnomon_costs_rest(const struct gnomon_instructions *instructions) {
    struct gnomon_costs_rest rest = {{0}, {0}};
    uint64_t left[GNOMON_CAUSES];
    memcpy(left, instructions->causes, sizeof left);
    for (size_t i = 0; i < instructions->count; i++)
        for (unsigned cause = 0; cause < GNOMON_CAUSES; cause++)
            left[cause] -= instructions->list[i].cycles[cause];
    uint64_t unattributed[GNOMON_CAUSES] = {0};
    unattributed[GNOMON_CAUSE_DEBUG] = left[GNOMON_CAUSE_DEBUG];
    unattributed[GNOMON_CAUSE_RESET] = left[GNOMON_CAUSE_RESET];
    left[GNOMON_CAUSE_DEBUG] = left[GNOMON_CAUSE_RESET] = 0;
    gnomon_cost_add(&rest.unattributed, unattributed);
    gnomon_cost_add(&rest.not_counted, left);
    return rest;
}

void gnomon_costs_exactness(const struct gnomon_analysis *analysis, const struct gnomon_instructions *instructions,
                            struct gnomon_exactness *exactness) {
    char brief[96], count[GNOMON_DIGITS_BYTES];
    gnomon_analysis_address_exactness(analysis, exactness);
    if (analysis->sampled)
        gnomon_samples_exactness(&analysis->samples, exactness);
    if (instructions->saturated)
        gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "saturated", 0,
                             "AT LEAST: a counter of the device was too small",
                             "figures of some instructions are larger than the device's counters can hold");
    if (!instructions->overflow)
        return;
    snprintf(brief, sizeof brief, "%s cycles came too fast to be charged: lower bounds",
             gnomon_digits(count, instructions->overflow));
    gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "cycles-overflow", instructions->overflow,
                         brief,
                         "%s cycles came too fast for the device to charge them to their instructions: they are in "
                         "[not counted by instruction]",
                         count);
}
