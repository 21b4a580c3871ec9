/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon stat: counters of one run or of several runs. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/run/run_threads.h"
#include "cli/run/stat_events.h"
#include "cli/run/stat_hart.h"
#include "cli/run/stat_latency.h"
#include "cli/screen.h"
#include "lib/run/measure.h"
#include "lib/util/json_text.h"

#define MOST_RUNS 1000

struct values {
    struct target_values target;
    uint64_t repeat, threshold, hart;
    struct cli_list events, ranges, data_ranges, latencies;
};

/* A counter, with its value in each run. */
struct count {
    const char *name, *key;
    uint64_t *runs; /* value in each run */
};

struct stat {
    struct cli_context *context;
    struct target target;
    struct stat_events asked;
    struct stat_latencies latencies;
    unsigned hart; /* whose counters they are */
    struct run_threads threads;
    unsigned runs, done; /* runs of --repeat: wanted, and done */
    unsigned part;       /* index of the part of a run: more events than counters, and several latencies, need several
                            parts, which must be equal otherwise */
    size_t events, ranges, first_latency, count; /* in `counts`: first event, range, latency; number of entries */
    struct count *counts; /* cycles, instructions, causes, events, figures of the ranges, of the latencies */
    bool died;            /* the program died in a run */
    bool statuses_differ;
    struct gnomon_measured last; /* the last counted run */
    struct gnomon_exactness exactness;
};

enum { CYCLES, INSTRUCTIONS, CAUSES };
enum { RANGE_FIGURES = 5 };

static void on_console(void *context, const uint8_t *data, size_t size) {
    const struct stat *stat = context;
    if (stat->done > 0 || stat->part > 0) /* the console's output is shown only in the first run */
        return;
    target_console_beside(stat->context, data, size);
}

/* ---- Figures ---- */

static double mean(const struct stat *stat, const struct count *count) {
    double sum = 0;
    for (unsigned i = 0; i < stat->done; i++)
        sum += (double)count->runs[i];
    return sum / stat->done;
}

/* Standard error of the mean, in per cent of the mean, as in perf stat. */
static double spread(const struct stat *stat, const struct count *count) {
    double middle = mean(stat, count), squares = 0;
    for (unsigned i = 0; i < stat->done; i++)
        squares += ((double)count->runs[i] - middle) * ((double)count->runs[i] - middle);
    return stat->done > 1 && middle > 0 ? 100 * sqrt(squares / (stat->done - 1) / stat->done) / middle : 0;
}

static bool identical(const struct stat *stat, const struct count *count) {
    for (unsigned i = 1; i < stat->done; i++)
        if (count->runs[i] != count->runs[0])
            return false;
    return true;
}

static bool all_identical(const struct stat *stat) {
    for (size_t i = 0; i < stat->count; i++)
        if (!identical(stat, &stat->counts[i]))
            return false;
    return true;
}

/* Shares of the cycles in tenths of a per cent that add up to 1000: the shares with the largest remainders are rounded
 * up. */
static void shares(const struct stat *stat, unsigned tenths[CAUSES + GNOMON_CAUSES]) {
    double cycles = mean(stat, &stat->counts[CYCLES]), rest[CAUSES + GNOMON_CAUSES] = {0};
    unsigned sum = 0;
    for (size_t i = CAUSES; i < stat->events; i++) {
        double exact = cycles > 0 ? 1000 * mean(stat, &stat->counts[i]) / cycles : 0;
        tenths[i] = (unsigned)exact;
        rest[i] = exact - tenths[i];
        sum += tenths[i];
    }
    for (; stat->events > CAUSES && sum < 1000 && cycles > 0; sum++) {
        size_t most = CAUSES;
        for (size_t i = CAUSES; i < stat->events; i++)
            most = rest[i] > rest[most] ? i : most;
        tenths[most]++;
        rest[most] = -1;
    }
}

/* ---- Output ---- */

static void print_count(const struct stat *stat, FILE *stream, const struct count *count, const char *about) {
    char text[CLI_COUNT_BYTES];
    bool differs = !identical(stat, count);
    fprintf(stream, "%20s  %-*s%s", cli_count(text, (uint64_t)llround(mean(stat, count))), *about || differs ? 14 : 0,
            count->name, about);
    if (differs)
        fprintf(stream, "   ( +- %.2f %% )", spread(stat, count));
    fputc('\n', stream);
}

static void print_causes(const struct stat *stat, FILE *stream) {
    char about[80];
    unsigned tenths[CAUSES + GNOMON_CAUSES] = {0};
    fprintf(stream, "\n Cause of each cycle:\n\n");
    shares(stat, tenths);
    for (size_t i = CAUSES; i < stat->events; i++) {
        if (mean(stat, &stat->counts[i]) == 0)
            continue;
        snprintf(about, sizeof about, "%s  %3u.%u %%%s", cli_style(stat->context, stream, CLI_BOLD), tenths[i] / 10,
                 tenths[i] % 10, cli_style(stat->context, stream, CLI_PLAIN));
        print_count(stat, stream, &stat->counts[i], about);
    }
    fprintf(stream, "%36s  100.0 %%\n", "");
}

static void print_events(const struct stat *stat, FILE *stream) {
    char name[SCREEN_TEXT_BYTES];
    unsigned parts = stat_events_runs(&stat->asked);
    if (stat->events < stat->ranges)
        fprintf(stream, parts > 1 ? "\n Events, in %u runs, otherwise the same:\n\n" : "\n Events:\n\n", parts);
    for (size_t i = stat->events; i < stat->ranges; i++)
        print_count(stat, stream, &stat->counts[i], "");
    for (size_t i = 0; i < stat->asked.range_count; i++) {
        const struct stat_range *range = &stat->asked.ranges[i];
        fprintf(stream, "\n %s, %s, 0x%08x-0x%08x:\n\n", range->name,
                screen_shorten(name, range->what, screen_width(stream) / 2), (unsigned)range->bounds.start,
                (unsigned)range->bounds.end);
        for (size_t figure = 0; figure < RANGE_FIGURES; figure++)
            print_count(stat, stream, &stat->counts[stat->ranges + i * RANGE_FIGURES + figure], "");
    }
}

static void print_latencies(const struct stat *stat, FILE *stream) {
    char name[SCREEN_TEXT_BYTES];
    for (size_t i = 0; i < stat->latencies.count; i++) {
        const struct stat_latency *latency = &stat->latencies.list[i];
        const struct count *figures = &stat->counts[stat->first_latency + i * STAT_LATENCY_FIGURES];
        fprintf(stream, "\n Instructions by latency, %s:\n\n",
                screen_shorten(name, latency->text, screen_width(stream) / 2));
        for (size_t figure = 0; figure < GNOMON_LATENCY_BUCKETS; figure++)
            if (mean(stat, &figures[figure]) > 0)
                print_count(stat, stream, &figures[figure], "");
        if (!latency->setting.threshold)
            continue;
        fputc('\n', stream);
        print_count(stat, stream, &figures[GNOMON_LATENCY_BUCKETS], "");
        stat_latency_print_first(latency, stat->context, stat->target.image->path, stream);
    }
}

static void print_heading(const struct stat *stat, FILE *stream) {
    char phrase[GNOMON_EXACTNESS_BYTES], runs[40] = "", text[GNOMON_EXACTNESS_BYTES + 600];
    if (stat->done > 1)
        snprintf(runs, sizeof runs, all_identical(stat) ? ", identical in %u runs" : ", mean of %u runs", stat->done);
    snprintf(text, sizeof text, "Counters of %.200s on %.200s, %s%s:", stat->target.argv[0], stat->target.board.address,
             gnomon_exactness_phrase(&stat->exactness, NULL, phrase), runs);
    fprintf(stream, "\n ");
    screen_item(stream, text, 1);
    fputc('\n', stream);
}

static void print_text(const struct stat *stat, FILE *stream) {
    const struct gnomon_board *board = &stat->target.board;
    const struct count *cycles = &stat->counts[CYCLES];
    char about[80];
    print_heading(stat, stream);
    snprintf(about, sizeof about, "  # %.6f s at %.6g MHz", mean(stat, cycles) / board->clock_hz,
             board->clock_hz / 1e6);
    print_count(stat, stream, cycles, about);
    double ipc = mean(stat, cycles) > 0 ? mean(stat, &stat->counts[INSTRUCTIONS]) / mean(stat, cycles) : 0;
    snprintf(about, sizeof about, "  # %.3f per cycle", ipc);
    print_count(stat, stream, &stat->counts[INSTRUCTIONS], about);
    if (stat->last.other_hart)
        stat_hart_print(&stat->last, stream);
    if (stat->events > CAUSES)
        print_causes(stat, stream);
    print_events(stat, stream);
    print_latencies(stat, stream);
    run_threads_print(&stat->threads, stat->context, stream);
    fputc('\n', stream);
    screen_reasons(stream, &stat->exactness);
    if (stat->last.end == GNOMON_END_STOPPED)
        fprintf(stream, " The program had not ended.\n\n");
    else if (stat->last.end == GNOMON_END_EXIT)
        fprintf(stream, " The program ended with status %u%s.\n\n", (unsigned)stat->last.exit_status,
                stat->statuses_differ ? " in the last run, with others before" : "");
}

static json_t *list_json(const struct stat *stat, const struct count *count) {
    json_t *runs = json_array();
    for (unsigned i = 0; i < stat->done; i++)
        json_array_append_new(runs, json_integer((json_int_t)count->runs[i]));
    return json_pack("{s:f, s:f, s:b, s:o}", "mean", mean(stat, count), "spread_percent", spread(stat, count),
                     "identical", (int)identical(stat, count), "runs", runs);
}

static json_t *events_json(const struct stat *stat) {
    json_t *events = json_array();
    for (size_t i = stat->events; i < stat->ranges; i++) {
        json_t *event = json_pack("{s:s}", "event", stat->counts[i].key);
        json_object_update_new(event, list_json(stat, &stat->counts[i]));
        json_array_append_new(events, event);
    }
    return events;
}

static json_t *ranges_json(const struct stat *stat) {
    json_t *ranges = json_array();
    for (size_t i = 0; i < stat->asked.range_count; i++) {
        const struct stat_range *asked = &stat->asked.ranges[i];
        json_t *range = json_pack("{s:s, s:o, s:I, s:I}", "range", asked->name, "what", gnomon_json_text(asked->what),
                                  "start", (json_int_t)asked->bounds.start, "end", (json_int_t)asked->bounds.end);
        for (size_t figure = 0; figure < RANGE_FIGURES; figure++) {
            const struct count *count = &stat->counts[stat->ranges + i * RANGE_FIGURES + figure];
            json_object_set_new(range, count->key, list_json(stat, count));
        }
        json_array_append_new(ranges, range);
    }
    return ranges;
}

static json_t *latencies_json(const struct stat *stat) {
    json_t *latencies = json_array();
    for (size_t i = 0; i < stat->latencies.count; i++) {
        const struct count *figures = &stat->counts[stat->first_latency + i * STAT_LATENCY_FIGURES];
        json_t *latency = json_object(), *buckets = json_array();
        stat_latency_json(&stat->latencies.list[i], stat->target.image->path, latency);
        for (size_t figure = 0; figure < GNOMON_LATENCY_BUCKETS; figure++) {
            json_t *bucket = json_pack("{s:I}", "from", (json_int_t)1 << figure);
            json_object_update_new(bucket, list_json(stat, &figures[figure]));
            json_array_append_new(buckets, bucket);
        }
        json_object_set_new(latency, "buckets", buckets);
        json_object_set_new(latency, "reached", list_json(stat, &figures[GNOMON_LATENCY_BUCKETS]));
        json_array_append_new(latencies, latency);
    }
    return latencies;
}

static bool print_json(const struct stat *stat, FILE *stream) {
    json_t *causes = json_object();
    for (size_t i = CAUSES; i < stat->events; i++)
        json_object_set_new(causes, stat->counts[i].key, list_json(stat, &stat->counts[i]));
    json_t *json = json_pack("{s:o, s:s, s:I, s:i, s:b, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "program",
                             gnomon_json_text(stat->target.argv[0]), "device", stat->target.board.address, "clock_hz",
                             (json_int_t)stat->target.board.clock_hz, "runs", (int)stat->done, "identical",
                             (int)all_identical(stat), "exit_status", (int)stat->last.exit_status, "cycles",
                             list_json(stat, &stat->counts[CYCLES]), "instructions",
                             list_json(stat, &stat->counts[INSTRUCTIONS]), "causes", causes, "events",
                             events_json(stat), "ranges", ranges_json(stat), "latencies", latencies_json(stat));
    if (json)
        stat_hart_json(&stat->last, json);
    json_t *threads = run_threads_json(&stat->threads);
    if (json && threads)
        json_object_set_new(json, "threads", threads);
    if (json)
        json_object_update_new(json, gnomon_exactness_json(&stat->exactness));
    bool good = json && json_dumpf(json, stream, JSON_INDENT(2)) == 0 && fputc('\n', stream) != EOF;
    json_decref(json);
    return good;
}

static int print(struct stat *stat) {
    gnomon_measured_exactness(&stat->last, stat->target.image->path, &stat->exactness);
    stat_latency_reasons(&stat->latencies, &stat->exactness);
    FILE *stream = target_open_figures(stat->context);
    bool good = true;
    if (!stream)
        return CLI_FAILED;
    if (stat->context->json)
        good = print_json(stat, stream);
    else
        print_text(stat, stream);
    return target_close_figures(stat->context, stream, good);
}

/* ---- Runs ---- */

static enum gnomon_status add_counts(struct stat *stat, struct gnomon_error *error) {
    static const char *const of_ranges[RANGE_FIGURES] = {"entries", "instructions", "cycles", "reads", "writes"};
    const struct stat_events *asked = &stat->asked;
    const size_t latency_figures = stat->latencies.count * STAT_LATENCY_FIGURES;
    size_t most = CAUSES + GNOMON_CAUSES + asked->count + asked->range_count * RANGE_FIGURES + latency_figures;
    stat->counts = calloc(most, sizeof *stat->counts);
    if (!stat->counts)
        return gnomon_fail_memory(error);
    stat->counts[CYCLES] = (struct count){.name = "cycles", .key = "cycles"};
    stat->counts[INSTRUCTIONS] = (struct count){.name = "instructions", .key = "instructions"};
    stat->count = CAUSES;
    for (unsigned i = 0; stat->target.board.causes && i < GNOMON_CAUSES; i++)
        stat->counts[stat->count++] = (struct count){.name = gnomon_cause_name(i), .key = gnomon_cause_key(i)};
    stat->events = stat->count;
    for (size_t i = 0; i < asked->count; i++)
        stat->counts[stat->count++] = (struct count){.name = asked->list[i].text, .key = asked->list[i].text};
    stat->ranges = stat->count;
    for (size_t i = 0; i < asked->range_count * RANGE_FIGURES; i++)
        stat->counts[stat->count++] =
            (struct count){.name = of_ranges[i % RANGE_FIGURES], .key = of_ranges[i % RANGE_FIGURES]};
    stat->first_latency = stat->count;
    for (size_t i = 0; i < latency_figures; i++)
        stat->counts[stat->count++] = (struct count){.name = stat->latencies.names[i % STAT_LATENCY_FIGURES]};
    for (size_t i = 0; i < stat->count; i++)
        if (!(stat->counts[i].runs = calloc(stat->runs, sizeof *stat->counts[i].runs)))
            return gnomon_fail_memory(error);
    return GNOMON_OK;
}

/* Takes the value that a counter has in this run. Returns false if it differs from the value in the first part of the
 * run. */
static bool take(struct stat *stat, size_t index, uint64_t value) {
    uint64_t *place = &stat->counts[index].runs[stat->done];
    if (stat->part == 0)
        *place = value;
    return *place == value;
}

/* A stopped hart continues for a while after the trace has ended; the counters of causes include those cycles. When it
 * has halted, they continue to count as debug. These debug cycles belong to the program only if it waited for the
 * host. */
static void take_stopped(struct stat *stat, const struct gnomon_measured *measured,
                         struct gnomon_instructions *counted) {
    if (!measured->asked_host) {
        counted->cycles -= counted->causes[GNOMON_CAUSE_DEBUG];
        counted->causes[GNOMON_CAUSE_DEBUG] = 0;
    }
    stat->counts[CYCLES].runs[stat->done] = counted->cycles;
    stat->counts[INSTRUCTIONS].runs[stat->done] = counted->causes[GNOMON_CAUSE_RETIRED];
}

/* The counters of causes and the counters of cycles and instructions are separate: they must agree. */
static enum gnomon_status take_causes(struct stat *stat, const struct gnomon_measured *measured, bool *same,
                                      struct gnomon_error *error) {
    struct gnomon_instructions counted = {0};
    enum gnomon_status status = gnomon_stall_causes_read(stat->target.device, stat->hart, &counted, error);
    if (status)
        return status;
    const bool stopped = measured->end == GNOMON_END_STOPPED;
    if (stopped)
        take_stopped(stat, measured, &counted);
    for (unsigned i = 0; i < GNOMON_CAUSES; i++)
        *same &= take(stat, CAUSES + i, counted.causes[i]);
    if (stopped ||
        (counted.cycles == measured->cycles && counted.causes[GNOMON_CAUSE_RETIRED] == measured->instructions))
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s counted causes of %" PRIu64 " cycles, and %" PRIu64 " cycles",
                stat->target.board.address, counted.cycles, measured->cycles);
    return gnomon_remedy(error, GNOMON_ERR_PROTOCOL, "report this with the device's gnomon info");
}

static enum gnomon_status take_events(struct stat *stat, struct gnomon_error *error) {
    struct gnomon_pmu_value values[GNOMON_PMU_COUNTERS];
    size_t first, end;
    stat_events_of_run(&stat->asked, stat->part, &first, &end);
    enum gnomon_status status = first < end ? gnomon_pmu_read(&stat->asked.pmu, values, error) : GNOMON_OK;
    for (size_t i = first; i < end && !status; i++)
        stat->counts[stat->events + i].runs[stat->done] = values[i - first].count;
    return status;
}

static enum gnomon_status take_latency(struct stat *stat, struct gnomon_error *error) {
    uint64_t figures[STAT_LATENCY_FIGURES];
    if (stat->part >= stat->latencies.count)
        return GNOMON_OK;
    enum gnomon_status status = stat_latency_take(&stat->latencies, stat->part, figures, error);
    for (size_t i = 0; i < STAT_LATENCY_FIGURES && !status; i++)
        stat->counts[stat->first_latency + stat->part * STAT_LATENCY_FIGURES + i].runs[stat->done] = figures[i];
    return status;
}

static enum gnomon_status take_ranges(struct stat *stat, bool *same, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < stat->asked.range_count && !status; i++) {
        struct gnomon_pmu_range_value value;
        status = gnomon_pmu_range_read(&stat->asked.pmu, stat->asked.ranges[i].index, &value, error);
        const uint64_t figures[RANGE_FIGURES] = {value.entries, value.instructions, value.cycles, value.reads,
                                                 value.writes};
        for (size_t figure = 0; figure < RANGE_FIGURES && !status; figure++)
            *same &= take(stat, stat->ranges + i * RANGE_FIGURES + figure, figures[figure]);
    }
    return status;
}

/* Takes all counters of a run. If the events need several runs, these must be equal in everything except the events:
 * only then the figures are those of one run. */
static enum gnomon_status take_all(struct stat *stat, const struct gnomon_measured *measured,
                                   struct gnomon_error *error) {
    bool same = stat->part == 0 || measured->exit_status == stat->last.exit_status;
    same &= take(stat, CYCLES, measured->cycles);
    same &= take(stat, INSTRUCTIONS, measured->instructions);
    enum gnomon_status status = GNOMON_OK;
    if (stat->target.board.causes)
        status = take_causes(stat, measured, &same, error);
    if (!status)
        status = take_events(stat, error);
    if (!status)
        status = take_latency(stat, error);
    if (!status)
        status = take_ranges(stat, &same, error);
    if (status || same)
        return status;
    gnomon_fail(error, GNOMON_ERR_MISMATCH,
                "run %u for the events or latencies took %" PRIu64 " cycles, the first %" PRIu64
                ", or differs in causes, ranges or status: they are not one run's",
                stat->part + 1, measured->cycles, stat->counts[CYCLES].runs[stat->done]);
    return gnomon_remedy(error, GNOMON_ERR_MISMATCH, "ask for fewer events, and for one latency, which need one run");
}

static enum gnomon_status program_events(void *context, struct gnomon_error *error) {
    const struct stat *stat = context;
    enum gnomon_status status = stat_events_program(&stat->asked, stat->part, error);
    return status ? status : stat_latency_program(&stat->latencies, stat->part, error);
}

/* Makes one run, or one of several runs that together count the events. *stopped: the run was interrupted, and does not
 * count, because its figures are not those of a whole run, and earlier figures exist. */
static enum gnomon_status measure(struct stat *stat, struct gnomon_session *session, bool *stopped,
                                  struct gnomon_error *error) {
    struct gnomon_measured measured;
    enum gnomon_status status = gnomon_measure(session, program_events, &measured, error);
    const bool interrupted = measured.end == GNOMON_END_STOPPED && !measured.timed_out;
    *stopped = interrupted && (stat->done > 0 || stat->part > 0);
    if (status || *stopped)
        return status;
    status = target_explain_measured(stat->context, &stat->target, &measured, &stat->died, error);
    if (!status && stat->hart)
        status = stat_hart_select(&measured, stat->target.image->path, error);
    if (!status)
        status = take_all(stat, &measured, error);
    if (!status)
        status = run_threads_take(&stat->threads, &measured, &stat->target, error);
    if (!status && measured.end == GNOMON_END_EXIT && stat->done == 0 && stat->part == 0)
        status = target_fetch(&stat->target, stat->context, error);
    stat->statuses_differ |= stat->done > 0 && measured.exit_status != stat->last.exit_status;
    stat->last = measured;
    target_expect(measured.cycles);
    return status ? status : gnomon_session_finish(session, error);
}

/* After Ctrl-C: prints the figures of complete runs, or of the beginning of the first run. */
static int end_interrupted(struct stat *stat) {
    char run[40] = "";
    if (stat->runs > 1)
        snprintf(run, sizeof run, " in run %u", stat->done + 1);
    if (stat->part > 0 && stat->done == 0)
        snprintf(run, sizeof run, ": events or latencies need further runs");
    cli_warn(stat->context, "interrupted%s", run);
    if (stat->done > 0)
        print(stat);
    return CLI_INTERRUPTED;
}

static int run_all(struct stat *stat, struct gnomon_session *session) {
    const unsigned of_events = stat_events_runs(&stat->asked), of_latencies = (unsigned)stat->latencies.count;
    const unsigned parts = of_events > of_latencies ? of_events : of_latencies;
    struct gnomon_error error;
    for (; stat->done < stat->runs; stat->done++) {
        for (stat->part = 0; stat->part < parts; stat->part++) {
            bool stopped = false;
            if (measure(stat, session, &stopped, &error))
                return cli_error(stat->context, &error);
            const bool interrupted = stat->last.end == GNOMON_END_STOPPED && !stat->last.timed_out;
            if (!stopped && !interrupted)
                continue;
            if (interrupted && parts == 1)
                stat->done++;
            return end_interrupted(stat);
        }
    }
    const int printed = print(stat);
    return stat->died ? CLI_FAILED : printed;
}

static int open_and_run(struct stat *stat) {
    struct gnomon_error error;
    struct target *target = &stat->target;
    struct gnomon_session session = target_session(target, stat);
    session.console = on_console;
    session.tick = target_tick;
    if (run_threads_open(&stat->threads, target->image->path, &error))
        return cli_error(stat->context, &error);
    session.profile_control = run_threads_control(&stat->threads);
    if (!target->board.profiler) {
        gnomon_fail(&error, GNOMON_ERR_UNSUPPORTED, "%s has no profiler", target->board.address);
        gnomon_remedy(&error, GNOMON_ERR_UNSUPPORTED, "gnomon run runs a program without; gnomon list shows others");
        return cli_error(stat->context, &error);
    }
    if (stat->hart >= target->board.harts) {
        gnomon_fail(&error, GNOMON_ERR_ARGUMENT, "%s has no hart %u", target->board.address, stat->hart);
        return cli_error(stat->context, &error);
    }
    session.both_harts = target->board.harts > 1;
    const struct values *values = stat->context->values;
    if (stat_events_open(&stat->asked, target, stat->hart, &values->ranges, &values->data_ranges, &error) ||
        stat_latency_open(&stat->latencies, stat->context, target, &values->ranges, &values->data_ranges, &error) ||
        add_counts(stat, &error))
        return cli_error(stat->context, &error);
    if (!target->board.causes)
        cli_note(stat->context, "%s does not count causes", target->board.address);
    return run_all(stat, &session);
}

static int list_events(struct cli_context *context) {
    FILE *stream = cli_pager_begin(context);
    stat_events_print(stream, context->json);
    return cli_pager_end(context, stream);
}

static int run_stat(struct cli_context *context) {
    const struct values *values = context->values;
    struct gnomon_error error;
    if (values->repeat > MOST_RUNS)
        return cli_usage(context, "--repeat is at most %d", MOST_RUNS);
    if (values->hart && values->latencies.count)
        return cli_usage(context, "--latency counts instructions of hart 0 only");
    if (values->hart >= GNOMON_MAX_HARTS)
        return cli_usage(context, "--hart is 0 or 1");
    struct stat stat = {
        .context = context, .hart = (unsigned)values->hart, .runs = values->repeat ? (unsigned)values->repeat : 1};
    for (size_t i = 0; i < values->events.count; i++)
        if (!strcmp(values->events.items[i], "list"))
            return list_events(context);
    if (context->argc < 1)
        return cli_missing_operand(context);
    int result = CLI_OK;
    cli_watch_interrupts(true);
    if (stat_events_parse(&stat.asked, &values->events, &error) ||
        stat_latency_parse(&stat.latencies, &values->latencies, values->threshold, &error) ||
        target_open(&stat.target, context, &values->target, &error))
        result = cli_error(context, &error);
    else
        result = open_and_run(&stat);
    target_close(&stat.target);
    for (size_t i = 0; i < stat.count; i++)
        free(stat.counts[i].runs);
    free(stat.counts);
    run_threads_close(&stat.threads);
    stat_latency_free(&stat.latencies);
    stat_events_free(&stat.asked);
    return result;
}

static const struct cli_option options[] = {
    TARGET_OPTIONS,
    {'r', "repeat", "N", "run the program N times, and print how much the counters differ", CLI_NUMBER,
     offsetof(struct values, repeat)},
    {'e', "events", "LIST",
     "count the events in LIST, separated by commas, each with filters: loads,branches:u; \"list\" "
     "prints all events",
     CLI_LIST, offsetof(struct values, events)},
    {0, "range", "WHAT",
     "count the instructions of a function, or at START-END; the first use sets range0, the second "
     "range1",
     CLI_LIST, offsetof(struct values, ranges)},
    {0, "data-range", "WHAT", "count accesses to data: a variable, or START-END", CLI_LIST,
     offsetof(struct values, data_ranges)},
    {0, "hart", "N", "the counters of hart N: 0 (the default) or 1", CLI_NUMBER, offsetof(struct values, hart)},
    {0, "latency", "WHAT",
     "count instructions by the cycles that each of them takes: all, loads, stores or accesses, with filters: "
     "loads:range0, all:tag=FILE:LINE; each use needs a run of its own",
     CLI_LIST, offsetof(struct values, latencies)},
    {0, "threshold", "CYCLES", "with --latency: also count those of CYCLES or more, and show the first of them",
     CLI_NUMBER, offsetof(struct values, threshold)},
    {0},
};

const struct command command_stat = {
    .name = "stat",
    .summary = "run a program and print its counters: cycles, instructions, and the cause of every cycle",
    .synopsis = "[OPTION...] ELF [--] [ARG...]",
    .description =
        "Runs ELF like gnomon run and prints its counters: cycles, instructions, and the cycles of each "
        "cause, which add up to the cycles of the run exactly. Like perf stat it prints them on standard "
        "error, or with -o into a file, so that they do not mix with the program's output. With --json "
        "they go to standard output, and the program's console to standard error. gnomon's options end at "
        "ELF; what follows is the program's.\n\nWith --repeat the program's console and files come from "
        "the first run. A device without counters of causes (see gnomon info) gives cycles and "
        "instructions only.\n\nWith --events the device's selectable counters count events by name; "
        "filters follow after colons. If there are more events than counters, the program runs again for "
        "the remaining events; every run must take the same cycles, for the same causes. A range counts "
        "its own entries, instructions, cycles, reads and writes, and is also a filter: loads:range0, "
        "loads:data.\n\nWith --latency the device counts instructions by their latency, the cycles that "
        "passed since the instruction before it, in powers of two. Filters follow after colons: range0, "
        "range1, data, and last tag=WHAT, with WHAT as for gnomon tag.\n\nOf a program with several threads it also "
        "prints how long each of them ran, with its interrupts apart, and how often; the sum is the cycles "
        "of the run. With --repeat or --events these are the figures of the last run.\n\n" TARGET_FILES,
    .examples = "gnomon stat ./image.elf -- logo.png out.png\tShow where the cycles of one run went.\ngnomon stat "
                "-r 5 --json ./image.elf\tPrint five runs as JSON.\ngnomon stat -e list\tList the events that can "
                "be counted.\ngnomon stat -e branches:range0,loads:data --range inflate_fast --data-range table "
                "./image.elf\tCount branches in a function, and loads of a variable.\ngnomon stat "
                "--latency loads:range0 --threshold 20 --range inflate_fast ./image.elf\tShow how long each load of a "
                "function takes, and the first one of 20 cycles or more.\n",
    .common = CLI_DEVICE | CLI_OUTPUT | CLI_JSON | CLI_NAMES,
    TARGET_COMMAND(struct values, 0), /* --events list needs no operand */
    .run = run_stat,
};
