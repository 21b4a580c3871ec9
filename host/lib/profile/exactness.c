/* SPDX-License-Identifier: Apache-2.0 */
/* Judges how exact the figures of a run are, from the evidence. */
#include "lib/profile/exactness.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/profile/exactness_harts.h"
#include "lib/profile/exactness_internal.h"
#include "lib/profile/tag_losses.h"
#include "lib/trace/gnt.h"
#include "lib/util/json_text.h"

void gnomon_exactness_add(struct gnomon_exactness *exactness, enum gnomon_reason_kind kind,
                          enum gnomon_reason_reach reach, const char *id, uint64_t count, const char *brief,
                          const char *format, ...) {
    if (exactness->count == GNOMON_MAX_REASONS)
        return;
    struct gnomon_reason *reason = &exactness->reasons[exactness->count++];
    *reason = (struct gnomon_reason){.id = id, .kind = kind, .reach = reach, .count = count};
    snprintf(reason->brief, sizeof reason->brief, "%s", brief);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason->text, sizeof reason->text, format, arguments);
    va_end(arguments);
}

/* ---- The end ---- */

static const char *const end_names[] = {
    [GNOMON_RUN_ENDED] = "exit",       [GNOMON_RUN_CRASHED] = "crashed",
    [GNOMON_RUN_DEBUG] = "debug",      [GNOMON_RUN_INTERRUPTED] = "interrupted",
    [GNOMON_RUN_LIMITED] = "duration", [GNOMON_RUN_DEVICE] = "device",
    [GNOMON_RUN_BROKEN] = "error",     [GNOMON_RUN_UNKNOWN] = "unknown",
};

const char *gnomon_run_end_name(enum gnomon_run_end end) {
    return end_names[end];
}

static enum gnomon_run_end end_of(const struct gnomon_evidence *evidence) {
    const struct gnomon_trace_stats *stats = evidence->stats;
    if (stats->ended && stats->end.how == 2)
        return GNOMON_RUN_DEVICE;
    for (size_t i = 0; evidence->end && i < sizeof end_names / sizeof *end_names; i++)
        if (!strcmp(evidence->end, end_names[i]))
            return (enum gnomon_run_end)i;
    if (evidence->end)
        return GNOMON_RUN_BROKEN;
    if (evidence->memory || (stats->ended && stats->end.how == 0)) /* a program writes its records only at its end */
        return GNOMON_RUN_ENDED;
    return GNOMON_RUN_UNKNOWN;
}

/* ---- Reasons ---- */

#define ADD(kind, reach, id, count, brief, ...)                                                                        \
    gnomon_exactness_add(exactness, GNOMON_REASON_##kind, GNOMON_REACH_##reach, id, count, brief, __VA_ARGS__)

static void add_damage(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    static const struct {
        unsigned flaw;
        const char *text;
    } in_file[] =
        {
            {GNOMON_GNT_BAD_TRAILER, "the end mark is damaged"},
            {GNOMON_GNT_BAD_FRAMES, "the frames are not those that were recorded: number or checksum differ"},
            {GNOMON_GNT_TRAILING, "there is more data after the end mark"},
            {GNOMON_GNT_BAD_RECORDS, "the device's records are damaged"},
            {GNOMON_GNT_BAD_INSTRUCTIONS, "the cycles of instructions are damaged"},
            {GNOMON_GNT_BAD_LOCKS, "the names of threads and locks are damaged"},
            {GNOMON_GNT_BAD_HEAP, "what points to the heap is damaged"},
            {GNOMON_GNT_BAD_SAMPLES, "the samples are damaged"},
        },
      in_trace[] = {
          {GNOMON_TRACE_LOST_DIFFERS, "the frames do not agree with the records on how many events were dropped"},
          {GNOMON_TRACE_END_DIFFERS, "received and lost events do not add up to those that the device produced"},
          {GNOMON_TRACE_DEPTH_DIFFERS, "the frames do not agree with the records on how many functions are open"},
          {GNOMON_TRACE_THREAD_DIFFERS, "the frames do not agree with the records on the thread that runs"},
          {GNOMON_TRACE_NO_BEGIN, "the trace does not begin with the start of the program"},
      };
    const struct gnomon_trace_stats *stats = evidence->stats;
    if (stats->frames_damaged > 0)
        ADD(DAMAGE, ALL, "frames-damaged", stats->frames_damaged, "", "%s frame%s of the trace make%s no sense",
            DIGITS(stats->frames_damaged), s(stats->frames_damaged), stats->frames_damaged == 1 ? "s" : "");
    for (size_t i = 0; i < sizeof in_file / sizeof *in_file; i++)
        if (evidence->flaws & in_file[i].flaw)
            ADD(DAMAGE, ALL, "file-damaged", 0, "", "%s", in_file[i].text);
    for (size_t i = 0; i < sizeof in_trace / sizeof *in_trace; i++)
        if (stats->flaws & in_trace[i].flaw)
            ADD(DAMAGE, ALL, "accounts-differ", 0, "", "%s", in_trace[i].text);
}

static bool records_missing(const struct gnomon_evidence *evidence) {
    return evidence->aggregates && (!evidence->records || !evidence->records->size);
}

/* Adds the reasons for missing or damaged parts of the file. */
static void add_cut_file(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    char brief[96] = "the file ends early", after[sizeof " after " + EXACTNESS_AT_BYTES] = "";
    if (evidence->missing)
        snprintf(brief, sizeof brief, "the file ends early, at least %s byte%s are missing", DIGITS(evidence->missing),
                 s(evidence->missing));
    if (!evidence->stats->ended)
        snprintf(after, sizeof after, " after %s", AT(exactness, exactness_last_known(evidence)));
    if (evidence->flaws & GNOMON_GNT_TRUNCATED)
        ADD(CUT, ALL, "file-cut", evidence->missing, brief, "the file was cut off%s: copy it again, or record again",
            after);
    else if (evidence->flaws & GNOMON_GNT_NO_TRAILER)
        ADD(CUT, ALL, "no-end-mark", 0, brief,
            "the file has no end mark: the recorder was killed, or the file was cut off%s", after);
}

static void add_cuts(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    const struct gnomon_trace_stats *stats = evidence->stats;
    char brief[96];
    add_cut_file(exactness, evidence);
    snprintf(brief, sizeof brief, "the trace%s stops at %s", WHOSE(evidence, exactness_no_end),
             AT(exactness, exactness_last_known(evidence)));
    if (!stats->ended)
        ADD(CUT, ALL, "no-end", 0, brief, "the trace%s stops before the program's end",
            WHOSE(evidence, exactness_no_end));
    else if (stats->end.how == 2)
        ADD(CUT, NONE, "device-stopped", 0, "", "the device ended the trace early: it could not be read for too long");
    if (records_missing(evidence) && evidence->file && evidence->of != GNOMON_OF_MESSAGES)
        ADD(CUT, ALL, "no-records", 0, "no function's record is there",
            "the device's records of functions are not in the file");
}

static bool any_saturated(const struct gnomon_records *records) {
    bool large = false;
    for (size_t i = 0; i < records->count; i++)
        large |= records->list[i].saturated;
    for (size_t i = 0; i < records->bucket_count; i++)
        large |= records->buckets[i].saturated;
    for (size_t i = 0; i < records->arc_count; i++)
        large |= records->arcs[i].saturated;
    return large;
}

/* Calls that were too deep are reported as a separate reason. */
static void add_graph(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    const struct gnomon_records *records = evidence->records;
    char brief[96];
    if (records->arc_overflow <= records->deep)
        return;
    uint64_t calls = records->arc_overflow - records->deep;
    snprintf(brief, sizeof brief, "call graph INCOMPLETE: the callers of %s of %s calls are not known", DIGITS(calls),
             DIGITS(gnomon_records_calls(records)));
    ADD(LOSS, GRAPH, "arcs-overflow", calls, brief, "there was no place for %s call%s in the call graph%s",
        DIGITS(calls), s(calls),
        records->in_memory ? "" : "; gnomon record --graph-runs N finds their callers in up to N runs");
}

static void add_records(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    const struct gnomon_records *records = evidence->records;
    char brief[96];
    uint64_t overflow = records->overflow - records->deep;
    if (overflow > 0) {
        snprintf(brief, sizeof brief, "no record of %s call%s: lower bounds", DIGITS(overflow), s(overflow));
        ADD(LOSS, ALL, "records-overflow", overflow, brief,
            "the device had no place for %s call%s: their %s are those of the function that was open", DIGITS(overflow),
            s(overflow), exactness_what(exactness));
    }
    if (records->deep > 0) {
        snprintf(brief, sizeof brief, "%s call%s too deep to follow: their %s are another function's",
                 DIGITS(records->deep), s(records->deep), exactness_what(exactness));
        ADD(LOSS, ALL, "too-deep", records->deep, brief,
            "%s call%s %s nested deeper than the device can follow (at most %s were open): counted in their functions' "
            "calls, but "
            "without callers, and their %s are those of the function that was open there",
            DIGITS(records->deep), s(records->deep), records->deep == 1 ? "was" : "were", DIGITS(records->deepest),
            exactness_what(exactness));
    }
    if (records->untracked > 0) {
        uint64_t threads = evidence->untracked;
        const char *unit = *exactness->unit ? exactness->unit : "cycles";
        snprintf(brief, sizeof brief, "%s thread%s untracked, with %s %s", DIGITS(threads), s(threads),
                 DIGITS(evidence->untracked_cycles), unit);
        ADD(LOSS, ALL, "untracked-threads", threads, brief,
            "%s event%s of %s thread%s above %u are in no record: their %s %s count as unprofiled; send "
            "GNOMON_THREAD(number) with numbers from 0 to %u, or record --events, which follows all threads",
            DIGITS(records->untracked), s(records->untracked), DIGITS(threads), s(threads), records->threads - 1,
            DIGITS(evidence->untracked_cycles), unit, records->threads - 1);
    }
    if (any_saturated(records))
        ADD(LOSS, SOME, "saturated", 0, "figures of some functions are at least that much",
            "figures of some functions are larger than their records can hold");
}

static void add_memory(struct gnomon_exactness *exactness, const struct gnomon_memory *memory) {
    char brief[96];
    if (memory->dropped > 0) {
        snprintf(brief, sizeof brief, "no record of %s call%s: lower bounds", DIGITS(memory->dropped),
                 s(memory->dropped));
        ADD(LOSS, ALL, "records-overflow", memory->dropped, brief,
            "the program had no room for %s call%s: their cycles are their callers'; see gnomon_records_depth",
            DIGITS(memory->dropped), s(memory->dropped));
    }
    if (memory->dropped_other > 0)
        ADD(LOSS, ALL, "switches-overflow", memory->dropped_other, "interrupts or changes of thread are missing",
            "the program had no room for %s interrupt%s or change%s of thread: their cycles count for other "
            "functions",
            DIGITS(memory->dropped_other), s(memory->dropped_other), s(memory->dropped_other));
}

/* Calls that longjmp left end when an outer call ends. Until then the cycles of the code that runs go to them. */
static void add_left(struct gnomon_exactness *exactness, const struct gnomon_memory *memory) {
    char brief[96];
    if (!memory->left)
        return;
    snprintf(brief, sizeof brief, "%s call%s left by longjmp: their cycles are upper bounds", DIGITS(memory->left),
             s(memory->left));
    ADD(LOSS, ALL, "left-without-exit", memory->left, brief,
        "%s call%s left by longjmp ended only when a function further out ended: cycles until then count "
        "for the calls that were left",
        DIGITS(memory->left), s(memory->left));
}

static void add_watch(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    uint64_t missed = evidence->watch_missed, overrun = evidence->watch_overrun;
    char brief[96];
    if (missed > 0) {
        snprintf(brief, sizeof brief, "%s hookless call%s not followed: %s", DIGITS(missed), s(missed),
                 evidence->lock_calls ? "figures are inexact" : "lower bounds");
        ADD(LOSS, ALL, "watch-missed", missed, brief,
            "%s call%s of watched functions could not be followed: too many were open, or in threads above 7; "
            "%s",
            DIGITS(missed), s(missed),
            evidence->lock_calls ? "so who has which lock may be wrong" : "what they took counts for their callers");
    }
    if (overrun > 0)
        ADD(LOSS, ALL, "watch-overrun", overrun, "calls came too fast to be watched: figures are inexact",
            "%s event%s, calls or returns came faster than the device can watch them: figures are inexact",
            DIGITS(overrun), s(overrun));
}

/* After a trap that returned to another stack, cycles and exits of one thread count for functions of another thread. */
static void add_switches(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    uint64_t switches = evidence->unseen_switches;
    char brief[96];
    if (!switches)
        return;
    const char *plural = switches == 1 ? "" : "es";
    if (evidence->of == GNOMON_OF_ADDRESSES) {
        snprintf(brief, sizeof brief, "%s unseen switch%s of threads (figures are of all together)", DIGITS(switches),
                 plural);
        ADD(LOSS, NONE, "unseen-switches", switches, brief,
            "%s trap%s came back on another stack: these figures are of all threads together", DIGITS(switches),
            s(switches));
        return;
    }
    const bool locks = evidence->of == GNOMON_OF_MESSAGES && evidence->lock_calls;
    snprintf(brief, sizeof brief, "%s unseen switch%s of threads: %s may be another thread's", DIGITS(switches), plural,
             locks ? "locks" : exactness_what(exactness));
    ADD(LOSS, ALL, "unseen-switches", switches, brief,
        "%s trap%s came back on another stack, and no message told which thread runs there: %s of one thread "
        "count %s another; send GNOMON_THREAD(number) where the kernel switches threads",
        DIGITS(switches), s(switches), locks ? "lock calls" : exactness_what(exactness),
        locks ? "for" : "in the functions of");
}

/* Ends of calls that did not begin last. They come from a program that changes its stack without a trap and without a
 * message, or that uses longjmp into a function without hooks, or out of a trap. */
static void add_unbalanced(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    const bool recorded = evidence->records && evidence->records->size;
    uint64_t exits = evidence->stats->unbalanced + (recorded ? evidence->records->unbalanced : 0);
    const bool lost = evidence->stats->lost.enters + evidence->stats->lost.exits > 0;
    char brief[96];
    if (!exits)
        return;
    snprintf(brief, sizeof brief, "%s exit%s out of turn: %s may be another function's", DIGITS(exits), s(exits),
             exactness_what(exactness));
    ADD(LOSS, ALL, "unbalanced-exits", exits, brief,
        "%s function%s ended that %s not the last to begin: longjmp landed in a function without hooks or left an "
        "interrupt, or the program changed stacks by itself, where it should send GNOMON_THREAD(number)%s",
        DIGITS(exits), s(exits), exits == 1 ? "was" : "were", lost ? ", or events between were lost" : "");
}

uint64_t gnomon_exactness_landings(const struct gnomon_trace *trace, const struct gnomon_records *records) {
    size_t count;
    const uint32_t *landed = gnomon_trace_landed(trace, &count);
    uint64_t landings = gnomon_trace_stats(trace)->ambiguous_landings;
    for (size_t i = 0; i < count && records->size; i++)
        landings += gnomon_records_recursive(records, landed[i]);
    return landings;
}

static void add_landings(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    char brief[96];
    if (!evidence->landings)
        return;
    snprintf(brief, sizeof brief, "longjmp into recursion: %s may be another activation's", exactness_what(exactness));
    ADD(LOSS, ALL, "ambiguous-landings", evidence->landings, brief,
        "longjmp landed in a function that can have been open more than once: its last activation was taken, and "
        "%s of the functions of this recursion may be each other's",
        exactness_what(exactness));
}

/* longjmp to a lower address leaves no call: some programs change stacks in that way. */
static void add_stack_jumps(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    uint64_t jumps = evidence->stats->stack_jumps;
    char brief[96];
    if (!jumps)
        return;
    snprintf(brief, sizeof brief, "%s longjmp%s to another stack: %s may be another thread's", DIGITS(jumps), s(jumps),
             exactness_what(exactness));
    ADD(LOSS, ALL, "stack-jumps", jumps, brief,
        "longjmp went to another stack %s time%s, and no message told which thread runs there: %s of one thread "
        "count in the functions of another; send GNOMON_THREAD(number) before",
        DIGITS(jumps), s(jumps), exactness_what(exactness));
}

/* If all calls are watched, a trap that longjmp left seems to continue, and the code after it seems to be called by the
 * trap. */
static void add_trap_jumps(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    const struct gnomon_trace_stats *stats = evidence->stats;
    uint64_t jumps = !evidence->aggregates                                            ? stats->trap_jumps
                     : evidence->records && gnomon_records_trapped(evidence->records) ? stats->jumps
                                                                                      : 0;
    char brief[96];
    if (!evidence->watched || !jumps)
        return;
    snprintf(brief, sizeof brief, "%s longjmp%s that may have left a trap: %s may be another function's", DIGITS(jumps),
             s(jumps), exactness_what(exactness));
    ADD(LOSS, ALL, "trap-jumps", jumps, brief,
        "longjmp may have left a trap %s time%s: it seems to go on, and calls after it seem to be its own; build the "
        "program with hooks%s",
        DIGITS(jumps), s(jumps),
        evidence->aggregates ? ", or record it with --events, which tells whether it has" : "");
}

/* If all calls are watched, the device finds by the stack pointer which calls longjmp left. */
static void add_hookless_landings(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    uint64_t landings = evidence->watched ? 0 : evidence->stats->hookless_landings;
    char brief[96];
    if (!landings)
        return;
    snprintf(brief, sizeof brief, "%s longjmp%s into functions without hooks: %s may be another function's",
             DIGITS(landings), s(landings), exactness_what(exactness));
    ADD(LOSS, ALL, "hookless-landings", landings, brief,
        "longjmp came back %s time%s to a function without hooks: calls that it left seem to go on until one further "
        "out ends; build what calls setjmp with gnomon cc",
        DIGITS(landings), s(landings));
}

static void add_modules(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    if (evidence->modules_missing > 0)
        ADD(LOSS, SOME, "modules-missing", evidence->modules_missing, "modules may bear wrong names",
            "messages about %s load%s of modules were lost: functions of modules may bear wrong names",
            DIGITS(evidence->modules_missing), s(evidence->modules_missing));
}

/* Appends a count such as "2,065 enters" to a list; nothing if `count` is 0. */
static void list_count(char *text, size_t size, uint64_t count, const char *name) {
    size_t used = strlen(text);
    if (count)
        snprintf(text + used, size - used, "%s%s %s%s", used ? ", " : "", DIGITS(count), name, s(count));
}

/* What was slower than the events. A function's record takes its calls in the device; messages and accesses go to the
 * host. The device does not count which of both its queue waited for. */
static const char *too_slow(const struct gnomon_evidence *evidence) {
    const struct gnomon_trace_stats *stats = evidence->stats;
    if (!evidence->aggregates)
        return "the link to the host takes them";
    if (stats->channels + stats->locks + stats->modules + stats->accesses + stats->lost.others == 0)
        return "the device adds them to its records";
    return "the device adds calls to its records, or than the link to the host takes messages and accesses";
}

static void add_losses(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    const struct gnomon_trace_stats *stats = evidence->stats;
    const struct gnomon_event_lost *lost = &stats->lost;
    char what[160] = "";
    list_count(what, sizeof what, lost->enters, "enter");
    list_count(what, sizeof what, lost->exits, "exit");
    list_count(what, sizeof what, lost->others, "other event");
    if (*what)
        ADD(LOSS, SOME, "events-lost", lost->enters + lost->exits + lost->others, "",
            "the device dropped %s%s: events came faster than %s", what, WHOSE(evidence, exactness_lost_events),
            too_slow(evidence));
    if (stats->bus_lost > 0)
        ADD(LOSS, SOME, "bus-messages-lost", stats->bus_lost, "",
            "%s %s%s not arrive, counted exactly; what happened in between is not known", DIGITS(stats->bus_lost),
            stats->accesses ? "bus message" : "lock message", stats->bus_lost == 1 ? " did" : "s did");
    if (stats->frames_lost > 0)
        ADD(LOSS, ALL, "frames-lost", stats->frames_lost, "", "%s frame%s of the trace%s did not arrive",
            DIGITS(stats->frames_lost), s(stats->frames_lost), WHOSE(evidence, exactness_lost_frames));
}

/* Adds all reasons that concern calls and their callers. */
static void add_calls(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    if (!evidence->memory) {
        add_watch(exactness, evidence);
        add_unbalanced(exactness, evidence);
        add_landings(exactness, evidence);
        add_hookless_landings(exactness, evidence);
        add_stack_jumps(exactness, evidence);
        add_trap_jumps(exactness, evidence);
        add_losses(exactness, evidence);
    }
    if (evidence->records && evidence->records->size) {
        add_records(exactness, evidence);
        add_graph(exactness, evidence);
    }
    /* Without the records it is unknown whether all produced events were received. */
    exactness->no_figures = records_missing(evidence);
    exactness->lost_events = exactness->no_figures ? 0 : gnomon_trace_lost(evidence->stats);
    exactness->events = exactness->lost_events + gnomon_trace_received(evidence->stats);
}

/* Of dropped messages it is not known what they were. If frames are missing, any event was in them. */
static void add_messages(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    const struct gnomon_trace_stats *stats = evidence->stats;
    const uint64_t lost = stats->lost.others + (evidence->lock_calls ? stats->lost.enters + stats->lost.exits : 0);
    if (evidence->lock_calls)
        add_watch(exactness, evidence);
    if (lost > 0)
        ADD(LOSS, ALL, "messages-lost", lost, "",
            "the device dropped %s message%s or access%s%s: what follows each loss is counted as unknown until "
            "messages "
            "tell it again",
            DIGITS(lost), s(lost), lost == 1 ? "" : "es", WHOSE(evidence, exactness_lost_messages));
    if (stats->frames_lost > 0)
        ADD(LOSS, ALL, "frames-lost", stats->frames_lost, "", "%s frame%s of the trace%s did not arrive",
            DIGITS(stats->frames_lost), s(stats->frames_lost), WHOSE(evidence, exactness_lost_frames));
    exactness->lost_events = stats->frames_lost ? gnomon_trace_lost(stats) : lost;
    exactness->events = exactness->lost_events + stats->channels + stats->locks + stats->modules;
}

void gnomon_exactness_judge(struct gnomon_exactness *exactness, const struct gnomon_evidence *evidence) {
    *exactness = (struct gnomon_exactness){.end = end_of(evidence), .status = evidence->status};
    if (evidence->unit)
        snprintf(exactness->unit, sizeof exactness->unit, "%s", evidence->unit);
    exactness->cycle = evidence->memory ? evidence->memory->cycles : evidence->stats->last_cycle;
    if (evidence->crash)
        snprintf(exactness->cause, sizeof exactness->cause, "%s", evidence->crash);
    if (evidence->memory) {
        add_memory(exactness, evidence->memory);
        add_left(exactness, evidence->memory);
    } else {
        add_damage(exactness, evidence);
        add_cuts(exactness, evidence);
        if (evidence->of != GNOMON_OF_MESSAGES || evidence->lock_calls)
            add_switches(exactness, evidence);
        exactness_harts(exactness, evidence);
        add_modules(exactness, evidence);
    }
    if (evidence->of == GNOMON_OF_CALLS)
        add_calls(exactness, evidence);
    if (evidence->of == GNOMON_OF_CALLS && evidence->tags)
        gnomon_tag_losses_reasons(evidence->tags, exactness);
    if (evidence->of == GNOMON_OF_MESSAGES)
        add_messages(exactness, evidence);
}

/* ---- Answers ---- */

bool gnomon_exactness_reach(const struct gnomon_exactness *exactness, enum gnomon_reason_reach *reach) {
    *reach = GNOMON_REACH_NONE;
    for (size_t i = 0; i < exactness->count; i++)
        if (exactness->reasons[i].reach > *reach)
            *reach = exactness->reasons[i].reach;
    return exactness->count > 0;
}

bool gnomon_exactness_exact(const struct gnomon_exactness *exactness) {
    enum gnomon_reason_reach reach;
    gnomon_exactness_reach(exactness, &reach);
    return reach == GNOMON_REACH_NONE;
}

bool gnomon_exactness_complete(const struct gnomon_exactness *exactness) {
    return exactness->count == gnomon_exactness_kind(exactness, GNOMON_REASON_ESTIMATE) &&
           exactness->end == GNOMON_RUN_ENDED;
}

size_t gnomon_exactness_kind(const struct gnomon_exactness *exactness, enum gnomon_reason_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < exactness->count; i++)
        count += exactness->reasons[i].kind == kind;
    return count;
}

json_t *gnomon_exactness_json(const struct gnomon_exactness *exactness) {
    static const char *const kinds[] = {"loss", "cut", "damage", "estimate"}, *const reaches[] = {"none", "graph",
                                                                                                  "some", "all"};
    json_t *reasons = json_array();
    for (size_t i = 0; i < exactness->count; i++) {
        const struct gnomon_reason *reason = &exactness->reasons[i];
        json_array_append_new(reasons, json_pack("{s:s, s:s, s:s, s:I, s:o}", "id", reason->id, "kind",
                                                 kinds[reason->kind], "reach", reaches[reason->reach], "count",
                                                 (json_int_t)reason->count, "text", gnomon_json_text(reason->text)));
    }
    bool by_itself = exactness->end == GNOMON_RUN_ENDED && exactness->status >= 0;
    return json_pack("{s:b, s:b, s:{s:s, s:I, s:o, s:o}, s:o}", "exact", (int)gnomon_exactness_exact(exactness),
                     "complete", (int)gnomon_exactness_complete(exactness), "end", "reason", end_names[exactness->end],
                     *exactness->unit ? "at" : "cycle", (json_int_t)exactness->cycle, "status",
                     by_itself ? json_integer(exactness->status) : json_null(), "cause",
                     *exactness->cause ? gnomon_json_text(exactness->cause) : json_null(), "reasons", reasons);
}
