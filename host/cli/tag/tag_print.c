/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what tags have counted, as text and as JSON. */
#include <inttypes.h>
#include <jansson.h>

#include "cli/print_names.h"
#include "cli/screen.h"
#include "cli/tag/tag.h"
#include "gnomon/registers.h"
#include "lib/elf/lines.h"
#include "lib/util/json_text.h"

struct gnomon_tag_count tag_count_of(const struct tagging *tagging, size_t target) {
    return gnomon_tags_sum(&tagging->setup.plan, &tagging->counts, target);
}

/* ---- Where an address is ---- */

struct place {
    const struct gnomon_tag_symbol *symbol; /* NULL: not in any symbol */
    struct gnomon_line line;                /* file NULL: line unknown */
};

static struct place place_of(const struct tagging *tagging, const struct gnomon_lines *lines, uint32_t address,
                             bool data) {
    struct place place = {0};
    for (size_t i = 0; i < tagging->setup.program.symbol_count && !place.symbol; i++) {
        const struct gnomon_tag_symbol *symbol = &tagging->setup.program.symbols[i];
        if (symbol->data == data && address >= symbol->address && address - symbol->address < symbol->size)
            place.symbol = symbol;
    }
    if (data || !lines || !gnomon_lines_find(lines, address, &place.line))
        place.line = (struct gnomon_line){0};
    return place;
}

/* ---- Text ---- */

static void put_count(struct screen_table *table, bool there, uint64_t value) {
    if (there)
        screen_count(table, value);
    else
        screen_cell(table, "-");
}

static bool print_targets(const struct tagging *tagging, FILE *stream) {
    static const struct screen_column columns[] = {
        {.title = "what", .left = true, .least = 12},
        {.title = "kind", .left = true},
        {.title = "executions"},
        {.title = "cycles"},
        {.title = "reads"},
        {.title = "writes"},
    };
    struct screen_table *table = screen_table_new(columns, sizeof columns / sizeof *columns);
    char name[CLI_CLEAN_BYTES];
    for (size_t i = 0; i < tagging->setup.list.count; i++) {
        const struct gnomon_tag_spec *spec = &tagging->setup.list.specs[i];
        struct gnomon_tag_count count = tag_count_of(tagging, i);
        screen_cell(table, cli_clean(name, spec->target.what));
        screen_cell(table, spec->target.data ? "data" : "code");
        put_count(table, spec->mode & GNOMON_TAGS_MODE_EXECUTE, count.executions);
        put_count(table, spec->mode & GNOMON_TAGS_MODE_EXECUTE && !tagging->setup.plan.reduced, count.cycles);
        put_count(table, spec->mode & GNOMON_TAGS_MODE_READ, count.reads);
        put_count(table, spec->mode & GNOMON_TAGS_MODE_WRITE, count.writes);
    }
    const bool good = screen_table_print(table, tagging->context, stream);
    screen_table_free(table);
    return good;
}

static void put_timer(const struct tagging *tagging, struct screen_table *table, unsigned number) {
    const struct gnomon_timer_count *timer = &tagging->counts.timers[number];
    char text[CLI_COUNT_BYTES];
    const bool any = timer->intervals > 0;
    screen_count(table, number);
    screen_count(table, timer->intervals);
    screen_count(table, timer->cycles);
    snprintf(text, sizeof text, "%.1f", any ? (double)timer->cycles / timer->intervals : 0.0);
    screen_cell(table, any ? text : "-");
    put_count(table, any, timer->shortest);
    put_count(table, any, timer->longest);
}

/* Prints those results of a timer that do not fit into its row. */
static void print_intervals(const struct tagging *tagging, FILE *stream, unsigned number) {
    const struct gnomon_timer_count *timer = &tagging->counts.timers[number];
    const struct gnomon_tag_thresholds *thresholds = &tagging->setup.list.thresholds[number];
    char text[CLI_COUNT_BYTES], more[CLI_COUNT_BYTES];
    for (unsigned step = 0; step < GNOMON_TAG_STEPS; step++)
        if (thresholds->cycles[step])
            fprintf(stream, "timer %u: %s of %s cycles or more%s\n", number, cli_count(text, timer->over[step]),
                    cli_count(more, thresholds->cycles[step]),
                    thresholds->interrupts >> step & 1 ? ", which request an interrupt" : "");
    if (timer->running)
        fprintf(stream, "timer %u: one has not ended\n", number);
}

static bool print_timers(const struct tagging *tagging, FILE *stream) {
    static const struct screen_column columns[] = {{.title = "timer"}, {.title = "intervals"}, {.title = "cycles"},
                                                   {.title = "mean"},  {.title = "shortest"},  {.title = "longest"}};
    if (!tagging->setup.plan.timers)
        return true;
    struct screen_table *table = screen_table_new(columns, sizeof columns / sizeof *columns);
    for (unsigned i = 0; i < GNOMON_TAG_TIMERS; i++)
        if (tagging->setup.plan.timers >> i & 1)
            put_timer(tagging, table, i);
    fputc('\n', stream);
    const bool good = screen_table_print(table, tagging->context, stream);
    screen_table_free(table);
    for (unsigned i = 0; i < GNOMON_TAG_TIMERS; i++)
        if (tagging->setup.plan.timers >> i & 1)
            print_intervals(tagging, stream, i);
    return good;
}

#define OWN_WIDTH 40 /* characters of the count, the address, and what follows a name in the heading */

static void print_per_address(const struct tagging *tagging, FILE *stream, const struct gnomon_lines *lines,
                              size_t target) {
    const struct tag_per_address_list *own = &tagging->own[target];
    const struct gnomon_tag_target *of = &tagging->setup.list.specs[target].target;
    char count[CLI_COUNT_BYTES], name[CLI_CLEAN_BYTES], file[CLI_CLEAN_BYTES], where[2 * CLI_CLEAN_BYTES];
    char shortened[SCREEN_TEXT_BYTES];
    const int width = screen_width(stream), left = width ? width - OWN_WIDTH : 0;
    fprintf(stream, "\n %s, each %s that was %s:\n\n", screen_shorten(shortened, cli_clean(name, of->what), left),
            of->data ? "word" : "instruction", of->data ? "accessed" : "executed");
    for (size_t i = 0; i < own->count; i++) {
        uint32_t address = own->list[i].address;
        struct place place = place_of(tagging, lines, address, of->data);
        fprintf(stream, "%20s  0x%08x", cli_count(count, own->list[i].count), (unsigned)address);
        size_t used = 0;
        if (place.symbol)
            used = (size_t)snprintf(where, sizeof where, "  %.1000s+%u",
                                    cli_symbol(name, place.symbol->name, tagging->context->raw_names),
                                    (unsigned)(address - place.symbol->address));
        if (place.line.file)
            used += (size_t)snprintf(where + used, sizeof where - used, "  %.1000s:%u",
                                     cli_clean(file, cli_basename(place.line.file)), place.line.line);
        fprintf(stream, "%s\n", used ? screen_shorten(shortened, where, left) : "");
    }
}

static void print_events(const struct tagging *tagging, FILE *stream) {
    char text[CLI_COUNT_BYTES];
    if (tagging->events.count > 0)
        fputs("\n Events:\n\n", stream);
    for (size_t i = 0; i < tagging->events.count; i++)
        fprintf(stream, "%20s  %s\n", cli_count(text, tagging->event_values[i].count), tagging->events.list[i].text);
}

static struct gnomon_lines *open_lines(const struct tagging *tagging) {
    bool any = false;
    for (size_t i = 0; i < tagging->setup.list.count; i++)
        any |= tagging->own[i].count > 0;
    return any ? gnomon_lines_open(tagging->setup.program.elf) : NULL;
}

bool tag_print_text(const struct tagging *tagging, FILE *stream) {
    char cycles[CLI_COUNT_BYTES], instructions[CLI_COUNT_BYTES];
    char phrase[GNOMON_EXACTNESS_BYTES], text[GNOMON_EXACTNESS_BYTES + 600];
    snprintf(text, sizeof text, "Tags of %.200s on %.200s, %s: %s cycles, %s instructions", tagging->target.argv[0],
             tagging->target.board.address, gnomon_exactness_phrase(&tagging->exactness, NULL, phrase),
             cli_count(cycles, tagging->measured.cycles), cli_count(instructions, tagging->measured.instructions));
    fputc('\n', stream);
    screen_sentence(stream, text, "");
    fputc('\n', stream);
    bool good = print_targets(tagging, stream);
    good &= print_timers(tagging, stream);
    print_events(tagging, stream);
    struct gnomon_lines *lines = open_lines(tagging);
    for (size_t i = 0; i < tagging->setup.list.count; i++)
        if (tagging->setup.list.specs[i].mode & GNOMON_TAGS_MODE_PER_ADDRESS)
            print_per_address(tagging, stream, lines, i);
    gnomon_lines_close(lines);
    fputc('\n', stream);
    screen_reasons(stream, &tagging->exactness);
    if (tagging->measured.end == GNOMON_END_STOPPED)
        fprintf(stream, "The program had not ended; tags counted until it halted.\n\n");
    else if (tagging->measured.end == GNOMON_END_EXIT)
        fprintf(stream, "The program ended with status %u.\n\n", (unsigned)tagging->measured.exit_status);
    return good;
}

/* ---- JSON ---- */

static json_t *per_address_json(const struct tagging *tagging, const struct gnomon_lines *lines, size_t target) {
    const struct tag_per_address_list *own = &tagging->own[target];
    json_t *list = json_array();
    for (size_t i = 0; i < own->count; i++) {
        struct place place =
            place_of(tagging, lines, own->list[i].address, tagging->setup.list.specs[target].target.data);
        json_t *one = json_pack("{s:I, s:I}", "address", (json_int_t)own->list[i].address, "count",
                                (json_int_t)own->list[i].count);
        if (place.symbol)
            json_object_set_new(one, "symbol", gnomon_json_text(place.symbol->name));
        if (place.line.file) {
            json_object_set_new(one, "file", gnomon_json_text(place.line.file));
            json_object_set_new(one, "line", json_integer(place.line.line));
        }
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *target_json(const struct tagging *tagging, const struct gnomon_lines *lines, size_t index) {
    const struct gnomon_tag_spec *spec = &tagging->setup.list.specs[index];
    struct gnomon_tag_count count = tag_count_of(tagging, index);
    json_t *ranges = json_array(), *numbers = json_array();
    for (size_t i = 0; i < spec->target.count; i++)
        json_array_append_new(ranges, json_pack("[I, I]", (json_int_t)spec->target.ranges[i].start,
                                                (json_int_t)spec->target.ranges[i].end));
    for (unsigned number = 1; number <= GNOMON_TAG_VALUES; number++)
        if (tagging->setup.plan.members[number] >> index & 1)
            json_array_append_new(numbers, json_integer(number));
    json_t *json = json_pack("{s:o, s:s, s:o, s:o}", "what", gnomon_json_text(spec->target.what), "kind",
                             spec->target.data ? "data" : "code", "tags", numbers, "ranges", ranges);
    json_object_set_new(json, "module", json_boolean(spec->module));
    if (spec->mode & GNOMON_TAGS_MODE_EXECUTE) {
        json_object_set_new(json, "executions", json_integer((json_int_t)count.executions));
        if (!tagging->setup.plan.reduced)
            json_object_set_new(json, "cycles", json_integer((json_int_t)count.cycles));
    }
    if (spec->mode & GNOMON_TAGS_MODE_READ)
        json_object_set_new(json, "reads", json_integer((json_int_t)count.reads));
    if (spec->mode & GNOMON_TAGS_MODE_WRITE)
        json_object_set_new(json, "writes", json_integer((json_int_t)count.writes));
    if (spec->mode & GNOMON_TAGS_MODE_PER_ADDRESS)
        json_object_set_new(json, "each", per_address_json(tagging, lines, index));
    return json;
}

static json_t *timer_json(const struct tagging *tagging, unsigned number) {
    const struct gnomon_timer_count *timer = &tagging->counts.timers[number];
    const struct gnomon_tag_thresholds *thresholds = &tagging->setup.list.thresholds[number];
    json_t *over = json_array();
    for (unsigned step = 0; step < GNOMON_TAG_STEPS; step++)
        if (thresholds->cycles[step])
            json_array_append_new(over, json_pack("{s:I, s:I, s:b}", "cycles", (json_int_t)thresholds->cycles[step],
                                                  "intervals", (json_int_t)timer->over[step], "interrupt",
                                                  (int)(thresholds->interrupts >> step & 1)));
    json_t *json =
        json_pack("{s:i, s:I, s:I, s:b, s:o}", "timer", (int)number, "intervals", (json_int_t)timer->intervals,
                  "cycles", (json_int_t)timer->cycles, "running", (int)timer->running, "over", over);
    if (timer->intervals) {
        json_object_set_new(json, "last", json_integer(timer->last));
        json_object_set_new(json, "shortest", json_integer(timer->shortest));
        json_object_set_new(json, "longest", json_integer(timer->longest));
    }
    return json;
}

static json_t *device_json(const struct gnomon_tag_counts *counts) {
    json_t *json = gnomon_tag_losses_json(&counts->losses);
    json_object_set_new(json, "hinted", json_integer((json_int_t)counts->hinted));
    return json;
}

bool tag_print_json(const struct tagging *tagging, FILE *stream) {
    json_t *targets = json_array(), *timers = json_array(), *events = json_array();
    struct gnomon_lines *lines = open_lines(tagging);
    for (size_t i = 0; i < tagging->setup.list.count; i++)
        json_array_append_new(targets, target_json(tagging, lines, i));
    gnomon_lines_close(lines);
    for (unsigned i = 0; i < GNOMON_TAG_TIMERS; i++)
        if (tagging->setup.plan.timers >> i & 1)
            json_array_append_new(timers, timer_json(tagging, i));
    for (size_t i = 0; i < tagging->events.count; i++)
        json_array_append_new(events, json_pack("{s:s, s:I}", "event", tagging->events.list[i].text, "count",
                                                (json_int_t)tagging->event_values[i].count));
    json_t *json = json_pack("{s:o, s:s, s:I, s:i, s:I, s:I, s:o, s:o, s:o, s:o}", "program",
                             gnomon_json_text(tagging->target.argv[0]), "device", tagging->target.board.address,
                             "clock_hz", (json_int_t)tagging->target.board.clock_hz, "exit_status",
                             (int)tagging->measured.exit_status, "cycles", (json_int_t)tagging->measured.cycles,
                             "instructions", (json_int_t)tagging->measured.instructions, "targets", targets, "timers",
                             timers, "events", events, "device_counts", device_json(&tagging->counts));
    if (json)
        json_object_update_new(json, gnomon_exactness_json(&tagging->exactness));
    bool good = json && json_dumpf(json, stream, JSON_INDENT(2)) == 0 && fputc('\n', stream) != EOF;
    json_decref(json);
    return good;
}
