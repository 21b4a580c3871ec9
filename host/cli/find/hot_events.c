/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/find/hot_events.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/find/find.h"
#include "cli/interrupt.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/tag/event_samples.h"
#include "lib/util/array.h"
#include "lib/util/json_text.h"

#define DEFAULT_PERIOD 1000
#define PAGE 4096u    /* bytes; memory that is in no variable is shown by pages */
#define MOST_TIMES 16 /* reads in a row, because more samples may come than can be read */

/* What samples are grouped by. */
struct row {
    struct gnomon_code code;
    unsigned thread;                          /* 0 if threads are not told apart */
    bool accessed;                            /* `address` is valid; false if addresses are not told apart */
    const struct gnomon_tag_symbol *variable; /* NULL: a page */
    uint32_t address;                         /* of the variable or page */
    uint64_t samples;
};

struct hot_events {
    struct cli_context *context;
    const struct hot_events_options *asked;
    struct target target;
    struct target_code code;
    struct gnomon_tag_program program;
    struct gnomon_tags tags;
    struct gnomon_pmu_setting event;
    uint32_t period;
    struct gnomon_event_samples device;
    size_t count, room; /* samples */
    struct gnomon_sample *samples;
    size_t rows;
    struct row *list; /* with most samples first */
    uint32_t lost;
    struct gnomon_measured measured;
    bool died;
    struct gnomon_exactness exactness;
    enum gnomon_status status; /* of a tick that failed */
    struct gnomon_error error; /* of that tick */
};

/* ---- The run ---- */

static void on_console(void *context, const uint8_t *data, size_t size) {
    const struct hot_events *hot = context;
    target_console_beside(hot->context, data, size);
}

/* Takes the waiting samples. */
static enum gnomon_status take(struct hot_events *hot, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    size_t count = 1;
    for (unsigned times = 0; times < MOST_TIMES && count > 0 && !status; times++) {
        if (!gnomon_array_room(&hot->samples, &hot->room, hot->count + GNOMON_SAMPLES_AT_ONCE, sizeof *hot->samples))
            return gnomon_fail_memory(error);
        status = gnomon_event_samples_read(&hot->device, hot->samples + hot->count, &count, error);
        hot->count += status ? 0 : count;
    }
    return status;
}

static bool on_tick(void *context) {
    struct hot_events *hot = context;
    hot->status = take(hot, &hot->error);
    return hot->status || cli_interrupted();
}

static enum gnomon_status on_prepared(void *context, struct gnomon_error *error) {
    struct hot_events *hot = context;
    return gnomon_event_samples_begin(&hot->device, &hot->tags, hot->event.event, hot->period, error);
}

static enum gnomon_status ended(struct hot_events *hot, struct gnomon_error *error) {
    uint32_t unattributed;
    enum gnomon_status status = GNOMON_OK;
    for (size_t before = hot->count + 1; !status && hot->count != before;) {
        before = hot->count;
        status = take(hot, error);
    }
    if (!status)
        status = gnomon_sampler_losses(&hot->tags, &hot->lost, &unattributed, error);
    return status ? status : gnomon_event_samples_end(&hot->device, error);
}

static enum gnomon_status run_program(struct hot_events *hot, struct gnomon_error *error) {
    const struct target *target = &hot->target;
    struct gnomon_session session = target_session(target, hot);
    session.console = on_console;
    session.tick = on_tick;
    enum gnomon_status status = target_code_begin(&hot->code, target, error);
    if (!status)
        status = gnomon_measure_modules(&session, on_prepared, hot->code.modules, &hot->measured, error);
    if (!status && hot->status) {
        *error = hot->error;
        return hot->status;
    }
    if (!status)
        status = target_explain_measured(hot->context, target, &hot->measured, &hot->died, error);
    if (!status)
        status = ended(hot, error);
    if (!status && hot->measured.end == GNOMON_END_EXIT)
        status = target_fetch(target, hot->context, error);
    return status ? status : gnomon_session_finish(&session, error);
}

/* ---- Rows ---- */

static const struct gnomon_tag_symbol *variable_at(const struct gnomon_tag_program *program, uint32_t address) {
    for (size_t i = 0; i < program->symbol_count; i++) {
        const struct gnomon_tag_symbol *symbol = &program->symbols[i];
        if (symbol->data && address >= symbol->address && address - symbol->address < symbol->size)
            return symbol;
    }
    return NULL;
}

static void set_row(const struct hot_events *hot, const struct gnomon_sample *sample, struct row *row) {
    *row = (struct row){.samples = 1};
    gnomon_code_at(&row->code, hot->code.symbols, hot->code.modules, sample->pc);
    if (hot->asked->threads)
        row->thread = sample->thread;
    if (!hot->asked->addresses || !(sample->read || sample->write))
        return;
    row->accessed = true;
    row->variable = variable_at(&hot->program, sample->address);
    row->address = row->variable ? row->variable->address : sample->address & -PAGE;
}

static int by_key(const void *a, const void *b) {
    const struct row *one = a, *other = b;
    const int code = gnomon_code_compare(&one->code, &other->code);
    if (code)
        return code;
    if (one->thread != other->thread)
        return one->thread < other->thread ? -1 : 1;
    if (one->accessed != other->accessed)
        return one->accessed ? 1 : -1;
    return one->address < other->address ? -1 : one->address > other->address;
}

static int by_samples(const void *a, const void *b) {
    const struct row *one = a, *other = b;
    if (one->samples != other->samples)
        return one->samples < other->samples ? 1 : -1;
    return by_key(a, b);
}

static enum gnomon_status make_rows(struct hot_events *hot, struct gnomon_error *error) {
    hot->list = malloc((hot->count + 1) * sizeof *hot->list);
    if (!hot->list)
        return gnomon_fail_memory(error);
    for (size_t i = 0; i < hot->count; i++)
        set_row(hot, &hot->samples[i], &hot->list[i]);
    qsort(hot->list, hot->count, sizeof *hot->list, by_key);
    for (size_t i = 0; i < hot->count; i++) {
        struct row *last = hot->rows ? &hot->list[hot->rows - 1] : NULL;
        if (last && by_key(last, &hot->list[i]) == 0)
            last->samples++;
        else
            hot->list[hot->rows++] = hot->list[i];
    }
    qsort(hot->list, hot->rows, sizeof *hot->list, by_samples);
    if (hot->asked->top && hot->asked->top < hot->rows)
        hot->rows = (size_t)hot->asked->top;
    return GNOMON_OK;
}

/* ---- Output ---- */

/* The share of the samples in percent; *margin: its standard error. */
static double share(const struct hot_events *hot, uint64_t samples, double *margin) {
    const double all = (double)hot->count, part = all > 0 ? (double)samples / all : 0;
    *margin = all > 0 ? 100 * sqrt(part * (1 - part) / all) : 0;
    return 100 * part;
}

static struct gnomon_hotspot hotspot_of(const struct row *row) {
    return (struct gnomon_hotspot){.loaded = true, .code = row->code};
}

static const struct screen_column columns[] = {
    {.title = "sampled %"},
    {.title = "samples", .gives = 2},
    {.title = "events", .gives = 1},
    {.title = "thread"},
    {.title = "accessed", .left = true, .least = 12},
    {.title = "function", .left = true, .least = 12},
};

static void put_row(const struct hot_events *hot, struct screen_table *table, const struct row *row) {
    char name[FIND_NAME_BYTES], text[CLI_CLEAN_BYTES];
    const struct gnomon_hotspot hotspot = hotspot_of(row);
    double margin, part = share(hot, row->samples, &margin);
    snprintf(text, sizeof text, "%.1f +- %4.1f", part, margin);
    screen_cell(table, text);
    screen_count(table, row->samples);
    screen_count(table, row->samples * hot->period);
    if (!hot->asked->threads)
        screen_none(table);
    else if (row->thread == GNOMON_SAMPLE_OTHER_THREAD)
        screen_cell(table, "other");
    else
        screen_count(table, row->thread);
    if (!hot->asked->addresses)
        screen_none(table);
    else if (!row->accessed)
        screen_cell(table, "-");
    else if (row->variable)
        screen_cell(table, cli_symbol(text, row->variable->name, hot->context->raw_names));
    else {
        snprintf(text, sizeof text, "0x%08x-0x%08x", (unsigned)row->address, (unsigned)(row->address + PAGE - 1));
        screen_cell(table, text);
    }
    screen_cell(table, find_name(hot->context, &hotspot, name));
}

static bool print_text(const struct hot_events *hot, FILE *stream) {
    char phrase[GNOMON_EXACTNESS_BYTES], counts[3][CLI_COUNT_BYTES], text[FIND_HEADING_BYTES];
    snprintf(text, sizeof text, "Code of %.200s on %.200s with most %s, %s: %s cycles, %s samples, one every %s events",
             hot->target.argv[0], hot->target.board.address, hot->event.event->name,
             gnomon_exactness_phrase(&hot->exactness, NULL, phrase), cli_count(counts[0], hot->measured.cycles),
             cli_count(counts[1], hot->count), cli_count(counts[2], hot->period));
    fputc('\n', stream);
    screen_sentence(stream, text, "");
    fputc('\n', stream);
    struct screen_table *table = screen_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < hot->rows; i++)
        put_row(hot, table, &hot->list[i]);
    const bool good = hot->rows == 0 || screen_table_print(table, hot->context, stream);
    screen_table_free(table);
    if (hot->rows > 0)
        fputc('\n', stream);
    if (hot->rows == 0)
        screen_sentence(stream, "The program ended before the first sample: give a smaller --period.", "");
    screen_reasons(stream, &hot->exactness);
    if (hot->measured.end == GNOMON_END_STOPPED)
        screen_sentence(stream, "The program was stopped; the samples are from before.", "");
    return good;
}

static json_t *row_json(const struct hot_events *hot, const struct row *row) {
    const struct gnomon_hotspot hotspot = hotspot_of(row);
    const uint64_t events = row->samples * hot->period;
    double margin, part = share(hot, row->samples, &margin);
    json_t *one = json_pack("{s:I, s:I, s:f, s:f}", "samples", (json_int_t)row->samples, "events", (json_int_t)events,
                            "share_percent", part, "error_percent", margin);
    find_json_name(hot->context, &hotspot, one);
    if (hot->asked->threads) /* null: 256 or more */
        json_object_set_new(one, "thread",
                            row->thread == GNOMON_SAMPLE_OTHER_THREAD ? json_null() : json_integer(row->thread));
    if (!hot->asked->addresses)
        return one;
    json_object_set_new(one, "variable", row->variable ? gnomon_json_text(row->variable->name) : json_null());
    json_object_set_new(one, "address", row->accessed ? json_integer(row->address) : json_null());
    return one;
}

static bool print_json(const struct hot_events *hot, FILE *stream) {
    json_t *list = json_array();
    for (size_t i = 0; i < hot->rows; i++)
        json_array_append_new(list, row_json(hot, &hot->list[i]));
    json_t *root =
        json_pack("{s:o, s:s, s:I, s:s, s:I, s:I, s:I, s:o}", "program", gnomon_json_text(hot->target.argv[0]),
                  "device", hot->target.board.address, "cycles", (json_int_t)hot->measured.cycles, "event",
                  hot->event.event->name, "period", (json_int_t)hot->period, "samples", (json_int_t)hot->count,
                  "samples_lost", (json_int_t)hot->lost, "functions", list);
    json_object_update_new(root, gnomon_exactness_json(&hot->exactness));
    const bool good = root && json_dumpf(root, stream, JSON_INDENT(2)) == 0 && fputc('\n', stream) != EOF;
    json_decref(root);
    return good;
}

static void judge(struct hot_events *hot) {
    char brief[96], count[CLI_COUNT_BYTES];
    gnomon_measured_exactness(&hot->measured, hot->target.image->path, &hot->exactness);
    gnomon_exactness_add(&hot->exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "sampled", 0, "estimated from samples",
                         "shares and events are estimates; gnomon stat -e %s counts them exactly",
                         hot->event.event->name);
    if (!hot->lost)
        return;
    snprintf(brief, sizeof brief, "%s samples lost", cli_count(count, hot->lost));
    gnomon_exactness_add(&hot->exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "samples-lost", hot->lost, brief,
                         "%s samples were lost: a larger --period loses fewer", count);
}

static int print(struct hot_events *hot) {
    struct gnomon_error error;
    if (make_rows(hot, &error))
        return cli_error(hot->context, &error);
    judge(hot);
    FILE *stream = target_open_figures(hot->context);
    if (!stream)
        return CLI_FAILED;
    const bool good = hot->context->json ? print_json(hot, stream) : print_text(hot, stream);
    return target_close_figures(hot->context, stream, good);
}

/* ---- The command ---- */

/* Parses the event; filters are those of counters. */
static enum gnomon_status choose(struct hot_events *hot, struct gnomon_error *error) {
    if (strpbrk(hot->asked->event, ":,")) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%s\": samples are of one event, without filters", hot->asked->event);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "gnomon stat -e counts events with filters");
    }
    hot->period = hot->asked->period ? (uint32_t)hot->asked->period : DEFAULT_PERIOD;
    return gnomon_pmu_parse(hot->asked->event, &hot->event, error);
}

static enum gnomon_status open_all(struct hot_events *hot, const struct target_values *values,
                                   struct gnomon_error *error) {
    enum gnomon_status status = choose(hot, error);
    if (!status)
        status = target_open(&hot->target, hot->context, values, error);
    if (!status)
        status = target_code_open(&hot->code, &hot->target, error);
    if (!status)
        status = gnomon_tag_program_open(&hot->program, hot->target.image->path, error);
    return status ? status : gnomon_tags_open_whole(&hot->tags, hot->target.device, &hot->target.board, error);
}

int hot_events(struct cli_context *context, const struct target_values *values,
               const struct hot_events_options *options) {
    struct hot_events hot = {.context = context, .asked = options, .program.fd = -1};
    struct gnomon_error error;
    if (options->period > UINT32_MAX)
        return cli_usage(context, "--period is a number of events from 1 to 4294967295");
    cli_watch_interrupts(true);
    int result;
    if (open_all(&hot, values, &error) || run_program(&hot, &error)) {
        result = cli_error(context, &error);
    } else {
        const int stopped =
            hot.measured.end == GNOMON_END_STOPPED ? target_stopped(context, hot.measured.timed_out) : CLI_OK;
        result = print(&hot);
        result = hot.died ? CLI_FAILED : result ? result : stopped;
    }
    free(hot.list);
    free(hot.samples);
    gnomon_tag_program_close(&hot.program);
    target_code_close(&hot.code);
    target_close(&hot.target);
    return result;
}
