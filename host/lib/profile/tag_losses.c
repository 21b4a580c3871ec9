/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/tag_losses.h"

#include <stdio.h>

#include "lib/profile/exactness.h"
#include "lib/util/digits.h"

bool gnomon_tag_losses_none(const struct gnomon_tag_losses *losses) {
    return !losses->cleared && !losses->hints_lost && !losses->timers_lost && !losses->per_address_overflow &&
           !losses->instructions_unknown && !losses->accesses_unknown && !losses->stores_into_code &&
           !losses->saturated && !losses->missed && !losses->part;
}

static void add_loss(struct gnomon_exactness *exactness, const char *id, uint32_t count, bool at_least,
                     const char *brief, const char *text) {
    char digits[GNOMON_DIGITS_BYTES], whole[96];
    const char *more = at_least ? " or more" : "";
    if (!count)
        return;
    snprintf(whole, sizeof whole, "%s%s %s: lower bounds", gnomon_digits(digits, count), more, brief);
    gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, id, count, whole, "%s%s %s", digits, more,
                         text);
}

static void add_flag(struct gnomon_exactness *exactness, const char *id, bool set, const char *brief,
                     const char *text) {
    if (set)
        gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, id, 0, brief, "%s", text);
}

void gnomon_tag_losses_reasons(const struct gnomon_tag_losses *losses, struct gnomon_exactness *exactness) {
    char overwritten[160], last[32] = "";
    if (!losses->at_least)
        snprintf(last, sizeof last, ", the last at 0x%08x", (unsigned)losses->cleared_address);
    snprintf(overwritten, sizeof overwritten,
             "words of tagged code were overwritten by the program%s: their instructions have no tag since then", last);
    add_loss(exactness, "tags-cleared", losses->cleared, losses->at_least, "words of tagged code overwritten",
             overwritten);
    add_loss(exactness, "hints-lost", losses->hints_lost, false, "hints lost",
             "hints of the program were lost: another hint came before their instruction");
    add_loss(exactness, "timers-lost", losses->timers_lost, losses->at_least, "intervals not begun",
             "intervals did not begin: timers started and stopped too often just before");
    add_loss(exactness, "per-address-overflow", losses->per_address_overflow, false,
             "executions and accesses without a counter", "executions and accesses found no counter of their own");
    add_loss(exactness, "instructions-unknown", losses->instructions_unknown, false, "instructions without their tag",
             "instructions in tagged memory retired when their line had left the tag cache: tag them on the chip "
             "(gnomon tag --shadow chip)");
    add_loss(
        exactness, "accesses-unknown", losses->accesses_unknown, false, "accesses without their tag",
        "accesses among the tagged words in main memory found no line in the data cache (stores fill no line, atomic "
        "accesses neither): tag these words on the chip (gnomon tag --shadow chip)");
    add_loss(
        exactness, "stores-into-code", losses->stores_into_code, false, "stores among the tagged code",
        "stores went to addresses among the tagged code in main memory: what they overwrote kept its tags; tag it on "
        "the chip (gnomon tag --shadow chip)");
    add_flag(exactness, "tags-saturated", losses->saturated, "a value too large for its register: lower bounds",
             "A value was larger than its register: an interval or a wait of 2^31 cycles or more, or a full counter.");
    add_flag(
        exactness, "tags-missed", losses->missed, "tags that did not act: lower bounds",
        "Tags did not act at the beginning of the run, while their counters were still being cleared, or a store into "
        "tagged code was not seen.");
    add_flag(exactness, "timer-part", losses->part, "a timer counts a part of an interval that has not ended",
             "An interval of 2^31 cycles or more has not ended: its first cycles are among those of ended intervals.");
}

json_t *gnomon_tag_losses_json(const struct gnomon_tag_losses *losses) {
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:b, s:b}", "cleared", (json_int_t)losses->cleared,
                     "cleared_address", (json_int_t)losses->cleared_address, "hints_lost",
                     (json_int_t)losses->hints_lost, "timers_lost", (json_int_t)losses->timers_lost,
                     "per_address_overflow", (json_int_t)losses->per_address_overflow, "instructions_unknown",
                     (json_int_t)losses->instructions_unknown, "accesses_unknown", (json_int_t)losses->accesses_unknown,
                     "stores_into_code", (json_int_t)losses->stores_into_code, "saturated", (int)losses->saturated,
                     "missed", (int)losses->missed, "part", (int)losses->part);
}

/* A number that is no count of 32 bits is damage: it counts as a loss, not as none. */
static uint32_t count_of(const json_t *json, const char *name) {
    const json_t *value = json_object_get(json, name);
    if (!value)
        return 0;
    json_int_t count = json_is_integer(value) ? json_integer_value(value) : -1;
    return count < 0 || count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

static bool flag_of(const json_t *json, const char *name) {
    const json_t *value = json_object_get(json, name);
    return value && !json_is_false(value);
}

void gnomon_tag_losses_read(struct gnomon_tag_losses *losses, const json_t *json) {
    *losses = (struct gnomon_tag_losses){
        .cleared = count_of(json, "cleared"),
        .cleared_address = count_of(json, "cleared_address"),
        .hints_lost = count_of(json, "hints_lost"),
        .timers_lost = count_of(json, "timers_lost"),
        .per_address_overflow = count_of(json, "per_address_overflow"),
        .instructions_unknown = count_of(json, "instructions_unknown"),
        .accesses_unknown = count_of(json, "accesses_unknown"),
        .stores_into_code = count_of(json, "stores_into_code"),
        .saturated = flag_of(json, "saturated"),
        .missed = flag_of(json, "missed"),
        .part = flag_of(json, "part"),
    };
}
