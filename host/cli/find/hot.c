/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon hot: samples a running program, gives tags to the functions with most samples, and prints what the tags
 * counted. */
#include <math.h>
#include <stdlib.h>

#include "cli/find/find.h"
#include "cli/find/hot_events.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/profile/code.h"
#include "lib/util/json_text.h"

#define SAMPLES_A_SECOND 1000 /* default */
#define LEAST_PERIOD 64
#define LEAST_SAMPLES 8   /* samples that a function needs before it gets a tag */
#define FEW_SAMPLES 100   /* a program that ends with fewer samples is run again */
#define SHORT_SAMPLES 500 /* samples in that second run: the device can hold this many */
#define DRAWN 16          /* number of functions shown while the program runs */

struct values {
    struct find_values find;
    uint64_t period;
    const char *event;
    bool threads, addresses;
};

/* If a program is too short for the usual period, it is run again with a suitable period (SAMPLE). A third run (COUNT)
 * has tags, from its first cycle on, on the functions that these samples found. */
enum phase { LIVE, SAMPLE, COUNT };

struct hot {
    uint32_t period, lost, unattributed;
    enum phase phase;
};

static void opened(struct finding *finding) {
    const struct values *values = finding->context->values;
    struct hot *hot = finding->own;
    hot->period = values->period ? (uint32_t)values->period : finding->target.board.clock_hz / SAMPLES_A_SECOND;
}

/* Puts tags on what the previous run's samples found. The tags count those cycles now, so these samples no longer count
 * as untagged. */
static enum gnomon_status tag_sampled(struct gnomon_hotspot_search *search, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_hotspot_search_tag_hottest(search, 1, error);
    for (unsigned number = 1; number <= search->used; number++)
        search->hotspots[search->tagged[number]].untagged = 0;
    return status;
}

static enum gnomon_status prepared(struct finding *finding, struct gnomon_error *error) {
    const struct hot *hot = finding->own;
    enum gnomon_status status = gnomon_hotspot_search_begin(&finding->search, error);
    if (!status && hot->phase == COUNT)
        status = tag_sampled(&finding->search, error);
    return status ? status : gnomon_sampler_set(&finding->tags, hot->phase == COUNT ? 0 : hot->period, error);
}

static enum gnomon_status tick(struct finding *finding, struct gnomon_error *error) {
    const struct hot *hot = finding->own;
    if (hot->phase == COUNT)
        return GNOMON_OK;
    enum gnomon_status status = gnomon_hotspot_search_sample(&finding->search, error);
    return status || hot->phase != LIVE ? status
                                        : gnomon_hotspot_search_tag_hottest(&finding->search, LEAST_SAMPLES, error);
}

static enum gnomon_status ended(struct finding *finding, struct gnomon_error *error) {
    struct hot *hot = finding->own;
    if (hot->phase == COUNT)
        return gnomon_hotspot_search_collect(&finding->search, finding->measured.cycles, error);
    enum gnomon_status status = gnomon_hotspot_search_sample(&finding->search, error);
    if (!status)
        status = gnomon_hotspot_search_collect(&finding->search, finding->measured.cycles, error);
    if (!status)
        status = gnomon_sampler_losses(&finding->tags, &hot->lost, &hot->unattributed, error);
    return status ? status : gnomon_sampler_set(&finding->tags, 0, error);
}

static bool more(struct finding *finding) {
    const struct values *values = finding->context->values;
    struct hot *hot = finding->own;
    const uint64_t period = finding->measured.cycles / SHORT_SAMPLES;
    if (hot->phase == LIVE && !values->period && finding->search.samples < FEW_SAMPLES && period < hot->period) {
        hot->phase = SAMPLE;
        hot->period = period > LEAST_PERIOD ? (uint32_t)period : LEAST_PERIOD;
        gnomon_hotspot_search_forget(&finding->search);
        return true;
    }
    if (hot->phase == SAMPLE && finding->search.samples > 0) {
        hot->phase = COUNT;
        return true;
    }
    return false;
}

/* ---- What was found ---- */

/* Returns the share of the samples in percent; sets *margin to its standard error. */
static double share(const struct gnomon_hotspot_search *search, uint64_t samples, double *margin) {
    const double all = (double)search->samples, part = all > 0 ? (double)samples / all : 0;
    *margin = all > 0 ? 100 * sqrt(part * (1 - part) / all) : 0;
    return 100 * part;
}

static void put_share(struct screen_table *table, const struct gnomon_hotspot_search *search, uint64_t samples) {
    char text[32];
    double margin, part = share(search, samples, &margin);
    snprintf(text, sizeof text, "%.1f +- %4.1f", part, margin);
    screen_cell(table, text);
}

/* Has the hotspot run since it got a tag? If not, nothing was counted, and its samples are from before. */
static bool was_counted(const struct gnomon_hotspot *hotspot) {
    return hotspot->watched && (hotspot->cycles || hotspot->executions);
}

static const struct screen_column columns[] = {
    {.title = "sampled %"},
    {.title = "cycles", .gives = 1},
    {.title = "executions", .gives = 2},
    {.title = "from cycle", .gives = 3},
    {.title = "function", .left = true, .least = 12},
};

static void put_row(const struct finding *finding, struct screen_table *table, const struct gnomon_hotspot *hotspot) {
    char name[FIND_NAME_BYTES];
    put_share(table, &finding->search, hotspot->samples);
    if (was_counted(hotspot)) {
        screen_count(table, hotspot->cycles);
        screen_count(table, hotspot->executions);
        screen_count(table, hotspot->since);
    } else {
        for (int cell = 0; cell < 3; cell++)
            screen_cell(table, "-");
    }
    screen_cell(table, find_name(finding->context, hotspot, name));
}

static void print_notes(const struct finding *finding, FILE *stream, const struct gnomon_hotspot *const *list,
                        size_t count) {
    const struct hot *hot = finding->own;
    char counts[CLI_COUNT_BYTES], text[400];
    bool uncounted = false;
    for (size_t i = 0; i < count; i++)
        uncounted |= !list[i]->loaded && !was_counted(list[i]);
    if (finding->search.samples == 0)
        screen_sentence(stream, "The program ended before the first sample: give a shorter --period.", "");
    else
        screen_sentence(stream,
                        "Cycles and executions are counted, from the cycle in \"from cycle\" on; shares are estimates.",
                        "");
    if (uncounted)
        screen_sentence(stream, "A function with - did not run after it could have been given a tag.", "");
    if (finding->search.loaded_count)
        screen_sentence(stream, "Code that was loaded while the program ran has samples only.", "");
    if (finding->runs > 1) {
        snprintf(text, sizeof text,
                 "The program is short: it was run again with a sample every %s cycles, and once more to count.",
                 cli_count(counts, hot->period));
        screen_sentence(stream, text, "");
    }
}

static uint64_t period_of(const struct finding *finding) {
    return ((const struct hot *)finding->own)->period;
}

static void heading(const struct finding *finding, char text[FIND_HEADING_BYTES]) {
    char counts[3][CLI_COUNT_BYTES];
    snprintf(text, FIND_HEADING_BYTES,
             "Hottest functions of %.200s on %.200s, %s: %s cycles, %s samples, one every %s cycles",
             finding->target.argv[0], finding->target.board.address, finding->worth,
             cli_count(counts[0], finding->measured.cycles), cli_count(counts[1], finding->search.samples),
             cli_count(counts[2], period_of(finding)));
}

/* Draws samples only: the counts of tags are read at the end. */
static int draw(struct finding *finding, FILE *stream, uint64_t cycles) {
    const struct gnomon_hotspot_search *search = &finding->search;
    char name[SCREEN_TEXT_BYTES], whole[FIND_NAME_BYTES], text[CLI_COUNT_BYTES];
    size_t count;
    const struct gnomon_hotspot **list = find_sort(finding, DRAWN, &count);
    fprintf(stream, " %s cycles", cli_count(text, cycles));
    fprintf(stream, "   %s samples   Ctrl-C ends the program\n", cli_count(text, search->samples));
    for (size_t i = 0; i < count; i++) {
        double margin, part = share(search, list[i]->samples, &margin);
        fprintf(stream, " %5.1f +- %4.1f %%  %s\n", part, margin,
                screen_shorten(name, find_name(finding->context, list[i], whole), screen_width(stream) - 18));
    }
    free(list);
    return 1 + (int)count;
}

static json_t *json_piece(const struct finding *finding, const struct gnomon_hotspot *hotspot) {
    double margin, part = share(&finding->search, hotspot->samples, &margin);
    json_t *one = json_pack("{s:I, s:I, s:f, s:f}", "address", (json_int_t)hotspot->start, "samples",
                            (json_int_t)hotspot->samples, "share_percent", part, "error_percent", margin);
    find_json_name(finding->context, hotspot, one);
    if (was_counted(hotspot))
        json_object_update_new(one, json_pack("{s:I, s:I, s:I, s:I}", "counted_cycles", (json_int_t)hotspot->watched,
                                              "counted_from_cycle", (json_int_t)hotspot->since, "executions",
                                              (json_int_t)hotspot->executions, "cycles", (json_int_t)hotspot->cycles));
    return one;
}

static json_t *json_root(const struct finding *finding) {
    const struct hot *hot = finding->own;
    return json_pack("{s:o, s:s, s:i, s:I, s:I, s:I, s:I, s:I}", "program", gnomon_json_text(finding->target.argv[0]),
                     "device", finding->target.board.address, "runs", (int)finding->runs, "cycles",
                     (json_int_t)finding->measured.cycles, "period", (json_int_t)hot->period, "samples",
                     (json_int_t)finding->search.samples, "samples_lost", (json_int_t)hot->lost, "samples_unattributed",
                     (json_int_t)hot->unattributed);
}

static void reasons(const struct finding *finding, struct gnomon_exactness *exactness) {
    const struct hot *hot = finding->own;
    char brief[96], count[CLI_COUNT_BYTES];
    if (!hot->lost)
        return;
    snprintf(brief, sizeof brief, "%s samples lost", cli_count(count, hot->lost));
    gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_NONE, "samples-lost", hot->lost, brief,
                         "%s samples were lost: a longer --period loses fewer", count);
}

static const struct find_kind kind = {
    .opened = opened,
    .prepared = prepared,
    .tick = tick,
    .ended = ended,
    .more = more,
    .draw = draw,
    .period = period_of,
    .heading = heading,
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .put_row = put_row,
    .print_notes = print_notes,
    .json_piece = json_piece,
    .json_root = json_root,
    .json_list = "functions",
    .reasons = reasons,
};

static int run_hot(struct cli_context *context) {
    const struct values *values = context->values;
    struct hot hot = {0};
    if (values->event) {
        const struct hot_events_options asked = {values->event, values->period, values->find.top, values->threads,
                                                 values->addresses};
        return hot_events(context, &values->find.target, &asked);
    }
    if (values->threads || values->addresses)
        return cli_usage(context, "--threads and --addresses are for samples of an --event");
    if (values->period && (values->period < LEAST_PERIOD || values->period > UINT32_MAX))
        return cli_usage(context, "--period is a number of cycles from %d to 4294967295", LEAST_PERIOD);
    return find_main(context, &kind, 0, &hot);
}

static const struct cli_option options[] = {
    TARGET_OPTIONS,
    {'c', "period", "N",
     "take a sample every N cycles (default: 1000 samples a second of the device's clock), or events (default: 1000)",
     CLI_NUMBER, offsetof(struct values, period)},
    {'e', "event", "EVENT", "sample occurrences of EVENT, not cycles; \"gnomon stat -e list\" prints the events",
     CLI_STRING, offsetof(struct values, event)},
    {0, "threads", NULL, "with --event: show samples by thread", CLI_FLAG, offsetof(struct values, threads)},
    {0, "addresses", NULL,
     "with --event: show samples by what the instruction accessed: a variable, or a page of 4 KiB", CLI_FLAG,
     offsetof(struct values, addresses)},
    {'n', "top", "N", "print the N hottest functions (default: all functions with samples)", CLI_NUMBER,
     offsetof(struct find_values, top)},
    {0},
};

const struct command command_hot = {
    .name = "hot",
    .summary = "find the hottest functions of a running program, and count them exactly",
    .synopsis = "[OPTION...] ELF [--] [ARG...]",
    .description =
        "Runs ELF like gnomon run. Every --period cycles the device notes which instruction the program is "
        "at. The functions with most samples get tags while the program runs, up to 31 of them. From then "
        "on their executions and cycles are counted exactly. Tags do not change the program's code or its "
        "cycles. The program needs no instrumentation; names come from the symbol table.\n\nSamples can "
        "miss code that runs in step with them; gnomon scan finds it.\n\nWith --event the device notes the instruction "
        "at every N-th occurrence of an event: which code, threads and data have most of the misses, "
        "mispredictions, loads. There are no counts by tags then; gnomon stat counts the event "
        "exactly.\n\n" TARGET_FILES,
    .examples = "gnomon hot ./image.elf\tShow where it spends its time.\ngnomon hot --period 1000 -n 5 "
                "./image.elf\tShow the five hottest functions, with more samples.\ngnomon hot -e loads -c 100 "
                "--addresses ./image.elf\tShow which functions load which variables most.\n",
    .common = CLI_DEVICE | CLI_OUTPUT | CLI_JSON | CLI_NAMES,
    TARGET_COMMAND(struct values, 1),
    .run = run_hot,
};
