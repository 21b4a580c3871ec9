/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/live/live.h"

#include <inttypes.h>
#include <stdio.h>

#include "lib/util/digits.h"

/* ---- Judgement ---- */

/* What the traces tell, as if the run had ended here. */
struct told {
    struct gnomon_trace_stats all, harts[GNOMON_MAX_HARTS];
};

static void take_stats(struct told *told, const struct gnomon_live *live, const struct gnomon_live_moment *to) {
    const struct gnomon_analysis *analysis = &live->analysis;
    *told = (struct told){.all = *gnomon_analysis_stats(analysis), .harts = {*gnomon_trace_stats(analysis->trace)}};
    if (analysis->other)
        told->harts[1] = *gnomon_trace_stats(analysis->other);
    told->all.ended |= !to->end;
    told->all.last_cycle = to->cycle;
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++)
        told->harts[i].ended |= !to->end;
}

/* A run that goes on is judged as if it had ended here. What was lost at any time before counts: it may have moved
 * cycles from one function to another for the rest of the run. */
void gnomon_live_judge(const struct gnomon_live *live, const struct gnomon_live_moment *to,
                       struct gnomon_exactness *exactness) {
    const struct gnomon_analysis *analysis = &live->analysis;
    struct told told;
    take_stats(&told, live, to);
    const struct gnomon_event_lost *lost = &told.all.lost;
    const uint64_t counted = lost->enters + lost->exits + lost->others;
    const bool both = gnomon_analysis_of_both(analysis);
    struct gnomon_evidence evidence = {
        .stats = &told.all,
        .aggregates = !live->events,
        .records = &to->records,
        .unseen_switches = to->unseen_switches,
        .harts = {both ? &told.harts[0] : NULL, both ? &told.harts[1] : NULL},
        .other_hart = to->other_ran && !analysis->other,
        .modules_missing = gnomon_modules_missing(analysis->modules),
        .end = to->end ? to->reason : gnomon_run_end_name(GNOMON_RUN_ENDED),
        .status = to->end ? to->status : -1,
    };
    if (to->lost_events > counted)
        told.all.lost.others += to->lost_events - counted;
    evidence.untracked = gnomon_trace_threads_from(analysis->trace, to->records.threads, &evidence.untracked_cycles);
    evidence.landings = gnomon_exactness_landings(analysis->trace, &to->records) +
                        (both ? gnomon_exactness_landings(analysis->other, &to->records) : 0);
    gnomon_exactness_judge(exactness, &evidence);
    if (to->other_ran && !live->events && gnomon_symbols_threads_move(analysis->symbols))
        gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "threads-moved", 0,
                             "threads move between harts: calls are not exact",
                             "threads of the program move between harts, and function records have only calls that "
                             "begin and end on one: gnomon top and gnomon serve with --events have all");
    if (live->harts.late)
        gnomon_exactness_add(exactness, GNOMON_REASON_DAMAGE, GNOMON_REACH_ALL, "events-late", live->harts.late, "",
                             "events of one hart came too late to be counted in the order of time: record with gnomon "
                             "record --events");
}

void gnomon_live_judge_contention(const struct gnomon_live *live, const struct gnomon_live_moment *to,
                                  struct gnomon_exactness *exactness) {
    const struct gnomon_contention_results *results = gnomon_contention_results(live->contention);
    gnomon_live_judge(live, to, exactness);
    if (!gnomon_exactness_kind(exactness, GNOMON_REASON_LOSS))
        exactness->lost_events = 0; /* calls that are in records */
    if (!results->kinds_known)
        gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "lock-kinds", 0,
                             "each lock counts as a mutex",
                             "of what kinds the locks are is known only when the program has ended: if some are no "
                             "mutexes, their waits are inexact");
    else if (results->others)
        gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "lock-kinds", results->others,
                             "each lock counts as a mutex",
                             "%zu lock%s more than one thread can have, as a semaphore, or none: the waits there are "
                             "inexact; gnomon record --events and gnomon locks have them",
                             results->others, results->others == 1 ? "" : "s");
}

static void tell_missing(struct gnomon_live_interval *interval) {
    char count[GNOMON_DIGITS_BYTES], brief[96];
    if (!interval->missing)
        return;
    gnomon_digits(count, interval->missing);
    snprintf(brief, sizeof brief, "%s cycles are in no function", count);
    gnomon_exactness_add(&interval->exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "cycles-lost", interval->missing,
                         brief, "%s cycles are in no function's record: they passed in calls that the device dropped",
                         count);
}

/* ---- Intervals ---- */

static uint64_t booked(const struct gnomon_records *records) {
    uint64_t sum = 0;
    for (size_t i = 0; i < records->count; i++)
        sum += records->list[i].self;
    return sum;
}

/* With events, the calls of the trace. */
static enum gnomon_status between_events(const struct gnomon_live *live, const struct gnomon_live_moment *from,
                                         const struct gnomon_live_moment *to, struct gnomon_live_interval *interval,
                                         struct gnomon_error *error) {
    struct gnomon_error damage;
    const enum gnomon_status status =
        gnomon_profile_between(live->profile, &from->calls, &to->calls, &interval->profile, &damage);
    if (status == GNOMON_ERR_MEMORY)
        return gnomon_fail_memory(error);
    const struct gnomon_profile_sums *sums = gnomon_profile_sums(interval->profile);
    interval->cycles = sums->cycles;
    interval->missing = sums->lost;
    gnomon_live_judge(live, to, &interval->exactness);
    if (status)
        gnomon_exactness_add(&interval->exactness, GNOMON_REASON_DAMAGE, GNOMON_REACH_ALL, "sums-differ", 0, "", "%s",
                             damage.what);
    return GNOMON_OK;
}

enum gnomon_status gnomon_live_between(const struct gnomon_live *live, const struct gnomon_live_moment *from,
                                       const struct gnomon_live_moment *to, struct gnomon_live_interval *interval,
                                       struct gnomon_error *error) {
    *interval = (struct gnomon_live_interval){.from = from->cycle, .to = to->cycle, .cycles = to->cycle - from->cycle};
    if (live->events)
        return between_events(live, from, to, interval, error);
    enum gnomon_status status = gnomon_records_between(&from->records, &to->records, &interval->records, error);
    if (status)
        return status;
    const uint64_t cycles = interval->cycles, sum = booked(&interval->records);
    gnomon_live_judge(live, to, &interval->exactness);
    if (interval->records.untracked) /* those cycles are no loss: they count as unprofiled */
        return GNOMON_OK;
    interval->missing = cycles > sum ? cycles - sum : 0;
    tell_missing(interval);
    if (sum > cycles)
        gnomon_exactness_add(&interval->exactness, GNOMON_REASON_DAMAGE, GNOMON_REACH_ALL, "sums-differ", 0, "",
                             "the functions have more cycles than passed");
    return GNOMON_OK;
}

void gnomon_live_interval_free(struct gnomon_live_interval *interval) {
    gnomon_records_free(&interval->records);
    gnomon_profile_free(interval->profile);
    interval->profile = NULL;
}

uint32_t gnomon_live_id(const struct gnomon_live *live, const struct gnomon_records *records, uint32_t number) {
    const uint32_t traps = records->size - GNOMON_RECORD_TRAPS;
    if (number == traps + GNOMON_RECORD_NONE)
        return GNOMON_PROFILE_UNPROFILED;
    return number < traps ? gnomon_modules_id(live->analysis.modules, number) : GNOMON_PROFILE_TRAP + number - traps;
}

/* ---- Profiles ---- */

/* The cycles that passed, and those of dropped calls, as a trace tells them. */
static bool tell_time(struct gnomon_profile *profile, const struct gnomon_live_interval *interval) {
    const struct gnomon_event lost = {
        .type = GNOMON_EVENT_LOST, .cycle = interval->to - interval->from, .lost = {.cycles = interval->missing}};
    const struct gnomon_event end = {.type = GNOMON_EVENT_END, .cycle = interval->to - interval->from};
    return (!interval->missing || gnomon_profile_event(profile, &lost)) && gnomon_profile_event(profile, &end);
}

enum gnomon_status gnomon_live_profile(const struct gnomon_live *live, struct gnomon_live_interval *interval,
                                       struct gnomon_profile **profile, struct gnomon_error *error) {
    static const struct gnomon_trace_stats no_stats;
    if (live->events) {
        *profile = interval->profile;
        interval->profile = NULL;
        return GNOMON_OK;
    }
    *profile = gnomon_profile_new();
    if (!*profile)
        return gnomon_fail_memory(error);
    gnomon_profile_expect_records(*profile);
    bool good = gnomon_profile_expect_paths(*profile) && tell_time(*profile, interval) &&
                gnomon_profile_records(*profile, &interval->records, gnomon_modules_ids(live->analysis.modules));
    enum gnomon_status status = good ? gnomon_profile_finish(*profile, &no_stats, error) : gnomon_fail_memory(error);
    if (status) {
        gnomon_profile_free(*profile);
        *profile = NULL;
    }
    return status;
}
