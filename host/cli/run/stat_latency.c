/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/stat_latency.h"

#include <stdlib.h>

#include "cli/print_names.h"
#include "cli/screen.h"
#include "gnomon/registers.h"
#include "lib/elf/lines.h"
#include "lib/util/json_text.h"

/* ---- Settings ---- */

/* "1 cycle", "2-3 cycles", "16384 cycles or more". */
static void name_buckets(struct stat_latencies *latencies) {
    const unsigned last = GNOMON_LATENCY_BUCKETS - 1;
    snprintf(latencies->names[0], sizeof *latencies->names, "1 cycle");
    for (unsigned i = 1; i < last; i++)
        snprintf(latencies->names[i], sizeof *latencies->names, "%u-%u cycles", 1u << i, (2u << i) - 1);
    snprintf(latencies->names[last], sizeof *latencies->names, "%u cycles or more", 1u << last);
}

enum gnomon_status stat_latency_parse(struct stat_latencies *latencies, const struct cli_list *texts,
                                      uint64_t threshold, struct gnomon_error *error) {
    if (threshold > 0 && texts->count == 0) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "--threshold is for latencies, and none is requested");
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "add --latency all");
    }
    if (threshold > GNOMON_LATENCY_MOST_CYCLES) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the threshold of a latency is at most %u cycles",
                    GNOMON_LATENCY_MOST_CYCLES);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "gnomon tag measures longer intervals, with timers");
    }
    latencies->list = calloc(texts->count + 1, sizeof *latencies->list);
    if (!latencies->list)
        return gnomon_fail_memory(error);
    name_buckets(latencies);
    snprintf(latencies->names[GNOMON_LATENCY_BUCKETS], sizeof *latencies->names, "%u cycles or more",
             (unsigned)threshold);
    enum gnomon_status status = GNOMON_OK;
    for (; latencies->count < texts->count && !status; latencies->count++) {
        struct stat_latency *latency = &latencies->list[latencies->count];
        latency->text = texts->items[latencies->count];
        latency->tags.program.fd = -1;
        status = gnomon_latency_parse(latency->text, &latency->setting, &latency->tag, error);
        latency->setting.threshold = (uint32_t)threshold;
    }
    return status;
}

/* A filter of a missing range would count nothing, and look as if nothing had happened. */
static enum gnomon_status check_ranges(const struct stat_latency *latency, size_t ranges, size_t data_ranges,
                                       struct gnomon_error *error) {
    const size_t needed = latency->setting.range[1] ? 2 : latency->setting.range[0] ? 1 : 0;
    if (needed <= ranges && (!latency->setting.data || data_ranges > 0))
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s filters by a range that no option sets", latency->text);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                         needed > ranges ? "add --range FUNCTION, the first for range0, the second for range1"
                                         : "add --data-range VARIABLE");
}

/* Tags what "tag=" names, for the filter alone. */
static enum gnomon_status open_tags(struct stat_latency *latency, const struct cli_context *context,
                                    struct target *target, struct gnomon_error *error) {
    char *text = NULL;
    if (asprintf(&text, "%s:tagged", latency->tag) < 0)
        return gnomon_fail_memory(error);
    const char *items[] = {text};
    const struct cli_list names = {1, items}, thresholds = {0};
    enum gnomon_status status =
        tag_setup_open(&latency->tags, context, target, &names, &thresholds, false, GNOMON_TAG_SHADOW_AUTO, error);
    free(text);
    return status;
}

enum gnomon_status stat_latency_open(struct stat_latencies *latencies, const struct cli_context *context,
                                     struct target *target, const struct cli_list *ranges,
                                     const struct cli_list *data_ranges, struct gnomon_error *error) {
    if (latencies->count == 0)
        return GNOMON_OK;
    enum gnomon_status status = gnomon_pmu_open(&latencies->pmu, target->device, &target->board, error);
    if (!status && !latencies->pmu.latency)
        status = gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s does not count latencies", target->board.address);
    if (status == GNOMON_ERR_UNSUPPORTED)
        return gnomon_remedy(error, status, "leave out --latency, or take -d sim:full");
    for (size_t i = 0; i < latencies->count && !status; i++) {
        struct stat_latency *latency = &latencies->list[i];
        status = check_ranges(latency, ranges->count, data_ranges->count, error);
        if (!status && latency->tag)
            status = open_tags(latency, context, target, error);
    }
    return status;
}

void stat_latency_free(struct stat_latencies *latencies) {
    for (size_t i = 0; i < latencies->count; i++)
        tag_setup_close(&latencies->list[i].tags);
    free(latencies->list);
}

/* ---- Runs ---- */

enum gnomon_status stat_latency_program(const struct stat_latencies *latencies, unsigned run,
                                        struct gnomon_error *error) {
    if (run >= latencies->count)
        return GNOMON_OK;
    const struct stat_latency *latency = &latencies->list[run];
    enum gnomon_status status = GNOMON_OK;
    if (latency->tag)
        status = gnomon_tags_load(&latency->tags.tags, &latency->tags.plan, error);
    return status ? status : gnomon_latency_set(&latencies->pmu, &latency->setting, error);
}

enum gnomon_status stat_latency_take(struct stat_latencies *latencies, unsigned run,
                                     uint64_t figures[STAT_LATENCY_FIGURES], struct gnomon_error *error) {
    struct stat_latency *latency = &latencies->list[run];
    enum gnomon_status status = gnomon_latency_read(&latencies->pmu, &latency->setting, &latency->counts, error);
    for (size_t i = 0; i < GNOMON_LATENCY_BUCKETS && !status; i++)
        figures[i] = latency->counts.buckets[i];
    figures[GNOMON_LATENCY_BUCKETS] = latency->counts.reached;
    if (status || !latency->tag)
        return status;
    struct gnomon_tag_counts counts;
    status = gnomon_tags_read(&latency->tags.tags, &counts, error);
    latency->losses = counts.losses;
    return status ? status : gnomon_tags_off(&latency->tags.tags, error);
}

/* ---- Output ---- */

void stat_latency_reasons(const struct stat_latencies *latencies, struct gnomon_exactness *exactness) {
    for (size_t i = 0; i < latencies->count; i++) {
        const struct stat_latency *latency = &latencies->list[i];
        gnomon_tag_losses_reasons(&latency->losses, exactness);
        if (latency->counts.wrapped)
            gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "latencies-wrapped", 0,
                                 "latencies are lower bounds",
                                 "A count of %s is larger than its register of 40 bits: count fewer instructions, or a "
                                 "shorter run.",
                                 latency->text);
    }
}

/* Where an instruction is, as far as the program's file says. */
struct place {
    struct gnomon_tag_program program;
    struct gnomon_lines *lines;
    const struct gnomon_tag_symbol *function;
    struct gnomon_line line;
};

static void open_place(struct place *place, const char *elf, uint32_t pc) {
    struct gnomon_error error;
    *place = (struct place){.program.fd = -1};
    if (gnomon_tag_program_open(&place->program, elf, &error))
        return;
    place->function = gnomon_tag_function_at(&place->program, pc);
    place->lines = gnomon_lines_open(place->program.elf);
    if (!place->lines || !gnomon_lines_find(place->lines, pc, &place->line))
        place->line = (struct gnomon_line){0};
}

static void close_place(struct place *place) {
    gnomon_lines_close(place->lines);
    gnomon_tag_program_close(&place->program);
}

void stat_latency_print_first(const struct stat_latency *latency, const struct cli_context *context, const char *elf,
                              FILE *stream) {
    const struct gnomon_latency_counts *counts = &latency->counts;
    char cycles[CLI_COUNT_BYTES], name[CLI_CLEAN_BYTES], file[CLI_CLEAN_BYTES], text[3 * CLI_CLEAN_BYTES];
    struct place place;
    if (!counts->found)
        return;
    open_place(&place, elf, counts->pc);
    size_t used =
        (size_t)snprintf(text, sizeof text, "first: %s cycles%s at 0x%08x", cli_count(cycles, counts->cycles),
                         counts->cycles == GNOMON_LATENCY_MOST_CYCLES ? " or more" : "", (unsigned)counts->pc);
    if (place.function)
        used += (size_t)snprintf(text + used, sizeof text - used, ", %.1000s+%u",
                                 cli_symbol(name, place.function->name, context->raw_names),
                                 (unsigned)(counts->pc - place.function->address));
    if (place.line.file)
        used += (size_t)snprintf(text + used, sizeof text - used, ", %.1000s:%u",
                                 cli_clean(file, cli_basename(place.line.file)), place.line.line);
    if (counts->accessed)
        snprintf(text + used, sizeof text - used, ", accessed 0x%08x", (unsigned)counts->address);
    fprintf(stream, "%20s  ", "");
    screen_item(stream, text, 22);
    close_place(&place);
}

static json_t *first_json(const struct gnomon_latency_counts *counts, const char *elf) {
    struct place place;
    if (!counts->found)
        return json_null();
    open_place(&place, elf, counts->pc);
    json_t *json =
        json_pack("{s:I, s:I, s:o, s:o, s:o, s:o}", "cycles", (json_int_t)counts->cycles, "pc", (json_int_t)counts->pc,
                  "address", counts->accessed ? json_integer(counts->address) : json_null(), "symbol",
                  place.function ? gnomon_json_text(place.function->name) : json_null(), "file",
                  place.line.file ? gnomon_json_text(place.line.file) : json_null(), "line",
                  place.line.file ? json_integer(place.line.line) : json_null());
    close_place(&place);
    return json;
}

void stat_latency_json(const struct stat_latency *latency, const char *elf, json_t *json) {
    json_object_set_new(json, "latency", gnomon_json_text(latency->text));
    json_object_set_new(json, "threshold",
                        latency->setting.threshold ? json_integer(latency->setting.threshold) : json_null());
    json_object_set_new(json, "first", first_json(&latency->counts, elf));
}
