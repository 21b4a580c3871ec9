/* SPDX-License-Identifier: Apache-2.0 */
/* What the tags of a run did not count (docs/internals/tags.md): read from the device after the run, kept in the trace
 * file of a recording with tags, and told as reasons why figures are not exact. */
#ifndef GNOMON_LIB_TAG_LOSSES_H
#define GNOMON_LIB_TAG_LOSSES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct gnomon_exactness;

struct gnomon_tag_losses {
    uint32_t cleared, cleared_address; /* words of tagged code that were written; address of the last one, or 0 */
    uint32_t hints_lost;
    uint32_t timers_lost;          /* intervals that did not begin */
    uint32_t per_address_overflow; /* executions and accesses that have no per-address counter */
    /* Of tags in main memory: instructions and accesses whose line was not in the tag cache; stores among the tagged
     * code, whose tags did not change. */
    uint32_t instructions_unknown, accesses_unknown, stores_into_code;
    bool at_least;  /* more than 0 means that number or more (reduced tags); the address is unknown */
    bool saturated; /* a value was larger than its register */
    bool missed;    /* tags did not act, because counters were being cleared */
    bool part;      /* a running interval of 2^31 cycles or more is in part among the ended ones */
};

/* True if nothing is missing. */
bool gnomon_tag_losses_none(const struct gnomon_tag_losses *losses);
/* Adds a reason for each kind of missing counts. */
void gnomon_tag_losses_reasons(const struct gnomon_tag_losses *losses, struct gnomon_exactness *exactness);
/* A new object for the trailer of a trace file; NULL: out of memory. */
json_t *gnomon_tag_losses_json(const struct gnomon_tag_losses *losses);
/* Reads such an object; `json` may be NULL: nothing is missing. */
void gnomon_tag_losses_read(struct gnomon_tag_losses *losses, const json_t *json);

#endif
