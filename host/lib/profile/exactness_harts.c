/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/exactness_harts.h"

#include <stdio.h>

#include "lib/util/digits.h"

bool exactness_no_end(const struct gnomon_trace_stats *stats) {
    return !stats->ended;
}

bool exactness_lost_frames(const struct gnomon_trace_stats *stats) {
    return stats->frames_lost > 0;
}

bool exactness_lost_events(const struct gnomon_trace_stats *stats) {
    return stats->lost.enters + stats->lost.exits + stats->lost.others > 0;
}

bool exactness_lost_messages(const struct gnomon_trace_stats *stats) {
    return stats->lost.others > 0;
}

const char *exactness_whose(const struct gnomon_evidence *evidence, exactness_concerns *concerns,
                            char text[EXACTNESS_WHOSE_BYTES]) {
    const struct gnomon_trace_stats *const *harts = evidence->harts;
    *text = '\0';
    if (!harts[1])
        return text;
    if (concerns(harts[0]) && concerns(harts[1]))
        snprintf(text, EXACTNESS_WHOSE_BYTES, " of both harts");
    else
        snprintf(text, EXACTNESS_WHOSE_BYTES, " of hart %d", concerns(harts[1]));
    return text;
}

uint64_t exactness_last_known(const struct gnomon_evidence *evidence) {
    uint64_t cycle = UINT64_MAX;
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++)
        if (evidence->harts[i] && !evidence->harts[i]->ended && evidence->harts[i]->last_cycle < cycle)
            cycle = evidence->harts[i]->last_cycle;
    return cycle == UINT64_MAX ? evidence->stats->last_cycle : cycle;
}

/* Meaningful only if nothing is missing, because a missing message can be the one that says that the thread stopped. */
static void add_twice(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    const struct gnomon_trace_stats *stats = evidence->stats;
    if (!stats->twice || stats->lost.others || stats->frames_lost || stats->frames_damaged)
        return;
    gnomon_exactness_add(
        exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "thread-on-both-harts", stats->twice,
        "a thread ran on both harts at once",
        "%s message%s said that a thread runs on one hart while it ran on the other: number each hart's threads "
        "differently, and send GNOMON_THREAD(number) before another hart can take the thread",
        gnomon_digits((char[GNOMON_DIGITS_BYTES]){0}, stats->twice), stats->twice == 1 ? "" : "s");
}

/* A lock can be held, and waited for, by threads of the other hart: without its messages no figure is sure. */
static void add_other(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    char brief[96];
    if (!evidence->other_hart)
        return;
    const bool messages = evidence->of == GNOMON_OF_MESSAGES;
    snprintf(brief, sizeof brief, "hart %u only%s", evidence->hart, messages ? ": lower bounds" : "");
    gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, messages ? GNOMON_REACH_ALL : GNOMON_REACH_NONE, "other-hart",
                         1, brief, "the program ran on two harts: these figures are of hart %u alone%s", evidence->hart,
                         evidence->other_recorded ? "; --hart of gnomon report, annotate, dump, stat and ui chooses"
                                                  : "; gnomon record --events records both");
}

/* A hart's records, and its hookless call tracing, have only calls that begin and end on that hart. */
static void add_moved(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    char brief[96], digits[GNOMON_DIGITS_BYTES];
    const char *plural = evidence->moved == 1 ? "" : "s";
    const bool locks = evidence->of == GNOMON_OF_MESSAGES && evidence->lock_calls;
    if (!evidence->moved || (evidence->of != GNOMON_OF_CALLS && !locks))
        return;
    gnomon_digits(digits, evidence->moved);
    snprintf(brief, sizeof brief, "%s thread%s moved between harts: their calls are not exact", digits, plural);
    gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "threads-moved", evidence->moved, brief,
                         "%s thread%s ran on both harts: %s of a hart has only calls that begin and end there; %s",
                         digits, plural, evidence->aggregates ? "a function record" : "hookless call tracing",
                         locks                  ? "gnomon cc --gnomon-locks sends messages from both harts"
                         : evidence->aggregates ? "gnomon record --events follows threads from hart to hart"
                                                : "calls of functions with hooks are followed from hart to hart");
}

void exactness_harts(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    add_other(exactness, evidence);
    add_twice(exactness, evidence);
    add_moved(exactness, evidence);
}
