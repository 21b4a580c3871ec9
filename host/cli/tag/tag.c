/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon tag: runs a program with tags on instructions and data, and prints what they counted. */
#include "cli/tag/tag.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "gnomon/registers.h"

struct values {
    struct target_values target;
    struct cli_list tags, thresholds, events;
    bool no_metadata;
    const char *shadow;
};

static void on_console(void *context, const uint8_t *data, size_t size) {
    const struct tagging *tagging = context;
    target_console_beside(tagging->context, data, size);
}

/* ---- Options ---- */

/* An event whose filter matches no tag would count nothing, and look as if nothing had happened. */
static enum gnomon_status check_event(const struct tagging *tagging, const struct stat_event *event,
                                      struct gnomon_error *error) {
    bool tagged = false;
    for (size_t i = 0; i < tagging->setup.list.count; i++)
        tagged |= (tagging->setup.list.specs[i].mode & GNOMON_TAGS_MODE_TAGGED) != 0;
    if (event->setting.tagged && !tagged) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s counts only tagged instructions, and no instruction is tagged",
                    event->text);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "add the action to a tag: -t WHAT:tagged");
    }
    if (event->setting.gated && !(tagging->setup.plan.timers >> event->setting.gate & 1)) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s filters by a timer that no tag starts or stops", event->text);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "add the action to a tag: -t WHAT:start=%u",
                             event->setting.gate);
    }
    return GNOMON_OK;
}

static enum gnomon_status open_events(struct tagging *tagging, struct gnomon_error *error) {
    static const struct cli_list none;
    enum gnomon_status status = stat_events_open(&tagging->events, &tagging->target, 0, &none, &none, error);
    for (size_t i = 0; i < tagging->events.count && !status; i++)
        status = check_event(tagging, &tagging->events.list[i], error);
    if (status || tagging->events.count <= tagging->events.pmu.counters)
        return status;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%zu events are requested; %s has %u counters", tagging->events.count,
                tagging->target.board.address, tagging->events.pmu.counters);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "count the others in another gnomon tag");
}

static enum gnomon_status parse_shadow(const char *text, enum gnomon_tag_shadow *shadow, struct gnomon_error *error) {
    static const char *const names[] = {
        [GNOMON_TAG_SHADOW_AUTO] = "auto", [GNOMON_TAG_SHADOW_CHIP] = "chip", [GNOMON_TAG_SHADOW_MEMORY] = "memory"};
    for (int i = GNOMON_TAG_SHADOW_AUTO; i <= GNOMON_TAG_SHADOW_MEMORY; i++)
        if (strcmp(text ? text : names[GNOMON_TAG_SHADOW_AUTO], names[i]) == 0) {
            *shadow = (enum gnomon_tag_shadow)i;
            return GNOMON_OK;
        }
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "--shadow %s: tags are not there", text);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "write auto, chip or memory");
}

/* Does everything that can fail before the program runs. */
static enum gnomon_status prepare(struct tagging *tagging, struct gnomon_error *error) {
    const struct values *values = tagging->context->values;
    enum gnomon_tag_shadow shadow;
    enum gnomon_status status = parse_shadow(values->shadow, &shadow, error);
    if (!status)
        status = tag_setup_open(&tagging->setup, tagging->context, &tagging->target, &values->tags, &values->thresholds,
                                !values->no_metadata, shadow, error);
    if (!status && tagging->setup.plan.trace)
        cli_warn(tagging->context,
                 "the tags start or stop the trace, and gnomon tag keeps no trace: use gnomon record --tag");
    if (!status)
        status = target_code_open(&tagging->code, &tagging->target, error);
    return status ? status : open_events(tagging, error);
}

/* ---- The run ---- */

static enum gnomon_status load(void *context, struct gnomon_error *error) {
    const struct tagging *tagging = context;
    enum gnomon_status status = gnomon_tags_load(&tagging->setup.tags, &tagging->setup.plan, error);
    return status || !tagging->events.count ? status : stat_events_program(&tagging->events, 0, error);
}

/* Reads the per-address counters of a target's instructions or words; leaves out those that were never executed or
 * accessed. */
static enum gnomon_status read_per_address(struct tagging *tagging, size_t index, struct gnomon_error *error) {
    const struct gnomon_tag_target *target = &tagging->setup.list.specs[index].target;
    struct tag_per_address_list *own = &tagging->own[index];
    const uint32_t step = target->data ? 4 : 2;
    size_t most = 0;
    for (size_t i = 0; i < target->count; i++)
        most += (target->ranges[i].end - target->ranges[i].start) / step + 1;
    uint32_t *counts = calloc(most + 1, sizeof *counts);
    own->list = calloc(most + 1, sizeof *own->list);
    enum gnomon_status status = counts && own->list ? GNOMON_OK : gnomon_fail_memory(error);
    for (size_t i = 0; i < target->count && !status; i++) {
        const struct gnomon_tag_range *range = &target->ranges[i];
        size_t count = (range->end - range->start + step - 1) / step;
        status = gnomon_tags_read_per_address(&tagging->setup.tags, range->start, target->data, counts, count, error);
        for (size_t n = 0; n < count && !status; n++)
            if (counts[n])
                own->list[own->count++] = (struct tag_per_address){range->start + (uint32_t)n * step, counts[n]};
    }
    free(counts);
    return status;
}

static enum gnomon_status read_all(struct tagging *tagging, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_tags_read(&tagging->setup.tags, &tagging->counts, error);
    if (!status && tagging->events.count)
        status = gnomon_pmu_read(&tagging->events.pmu, tagging->event_values, error);
    for (size_t i = 0; i < tagging->setup.list.count && !status; i++)
        if (tagging->setup.list.specs[i].mode & GNOMON_TAGS_MODE_PER_ADDRESS)
            status = read_per_address(tagging, i, error);
    return status ? status : gnomon_tags_off(&tagging->setup.tags, error);
}

static enum gnomon_status run_program(struct tagging *tagging, struct gnomon_error *error) {
    const struct target *target = &tagging->target;
    struct gnomon_session session = target_session(target, tagging);
    session.console = on_console;
    session.tick = target_tick;
    enum gnomon_status status =
        gnomon_measure_modules(&session, load, tagging->code.modules, &tagging->measured, error);
    if (!status)
        status = target_explain_measured(tagging->context, target, &tagging->measured, &tagging->died, error);
    if (!status)
        status = read_all(tagging, error);
    if (!status && tagging->measured.end == GNOMON_END_EXIT)
        status = target_fetch(target, tagging->context, error);
    return status ? status : gnomon_session_finish(&session, error);
}

static int print(struct tagging *tagging) {
    gnomon_measured_exactness(&tagging->measured, tagging->target.image->path, &tagging->exactness);
    gnomon_tag_losses_reasons(&tagging->counts.losses, &tagging->exactness);
    FILE *stream = target_open_figures(tagging->context);
    if (!stream)
        return CLI_FAILED;
    const bool good = tagging->context->json ? tag_print_json(tagging, stream) : tag_print_text(tagging, stream);
    return target_close_figures(tagging->context, stream, good);
}

/* Only modules that gnomon gives to the program have tags. */
static void warn_of_modules(const struct tagging *tagging) {
    const struct values *values = tagging->context->values;
    const char *unknown = gnomon_modules_unknown(tagging->code.modules);
    if (unknown && !values->no_metadata)
        cli_warn(
            tagging->context,
            "the program loaded a module that gnomon did not give it (build id %s...): tags in the module's source "
            "have no effect; give its file with --put or --offer",
            unknown);
}

static int tag(struct tagging *tagging) {
    struct gnomon_error error;
    if (prepare(tagging, &error) || run_program(tagging, &error))
        return cli_error(tagging->context, &error);
    const struct gnomon_measured *measured = &tagging->measured;
    warn_of_modules(tagging);
    const int stopped =
        measured->end == GNOMON_END_STOPPED ? target_stopped(tagging->context, measured->timed_out) : CLI_OK;
    const int printed = print(tagging);
    if (tagging->died)
        return CLI_FAILED;
    return printed ? printed : stopped;
}

static void free_tagging(struct tagging *tagging) {
    for (size_t i = 0; i < tagging->setup.list.count; i++)
        free(tagging->own[i].list);
    tag_setup_close(&tagging->setup);
    target_code_close(&tagging->code);
    stat_events_free(&tagging->events);
    free(tagging);
}

static int run_tag(struct cli_context *context) {
    const struct values *values = context->values;
    struct gnomon_error error;
    struct tagging *tagging = calloc(1, sizeof *tagging);
    if (!tagging) {
        gnomon_fail_memory(&error);
        return cli_error(context, &error);
    }
    tagging->context = context;
    cli_watch_interrupts(true);
    int result = CLI_OK;
    if (stat_events_parse(&tagging->events, &values->events, &error) ||
        target_open(&tagging->target, context, &values->target, &error))
        result = cli_error(context, &error);
    else
        result = tag(tagging);
    target_close(&tagging->target);
    free_tagging(tagging);
    return result;
}

static const struct cli_option options[] = {
    TARGET_OPTIONS,
    {'t', "tag", "WHAT[:ACTION[,ACTION...]]",
     "tag WHAT; ACTIONs say what happens there in addition to counting (see above)", CLI_LIST,
     offsetof(struct values, tags)},
    {0, "threshold", "TIMER=CYCLES[:interrupt][,...]",
     "count intervals of TIMER that take CYCLES or longer; with :interrupt, they also request the program's profile "
     "interrupt",
     CLI_LIST, offsetof(struct values, thresholds)},
    {'e', "events", "LIST",
     "count the events in LIST, separated by commas, each with filters, also of tags: "
     "branches:tagged,loads:timer=0",
     CLI_LIST, offsetof(struct values, events)},
    {0, "no-metadata", NULL, "ignore the tags in the source of the program and of its modules", CLI_FLAG,
     offsetof(struct values, no_metadata)},
    {0, "shadow", "WHERE",
     "keep the tags on the chip, or in main memory, from where they come with the line (WHERE is chip or memory; "
     "default: "
     "auto, on the chip what fits there)",
     CLI_STRING, offsetof(struct values, shadow)},
    {0},
};

const struct command command_tag = {
    .name = "tag",
    .summary = "count what happens at tagged instructions and data, without changing the program",
    .synopsis = "[OPTION...] [-t WHAT[:ACTION,...]]... ELF [--] [ARG...]",
    .description =
        "Runs ELF like gnomon run, with tags on its instructions and data, and prints what the tags "
        "counted: executions and cycles of instructions, reads and writes of data. Tags do not change the "
        "program's code or its cycles. Figures go to standard error, or with -o into a file; with --json "
        "to standard output, and the program's console to standard error. gnomon's options end at ELF; "
        "what follows is the program's.\n\nWHAT is one of: a function NAME, with the copies and parts that "
        "the compiler made of it, but not the places where it was inlined; NAME@entry, its first "
        "instruction; NAME@return, its return instructions; a variable NAME, NAME[INDEX], NAME.FIELD, as "
        "words of four bytes; FILE:NAME, a static function or variable; FILE:LINE or FILE:LINE-LINE, all "
        "instructions of the lines, wherever they are; 0xADDR or 0xADDR-0xEND, END not included; hint=N, "
        "the instructions to which hints in the program give the number N. Where tags overlap, both "
        "count.\n\nACTION is one of: count (every tag counts); each (also counts each instruction or word "
        "separately); start=N, stop=N, toggle=N (timer N, from 0 on: an interval begins after the "
        "instruction that starts it and ends with the instruction that stops it); tagged (the filter "
        "tagged of an event selects the tagged instructions); interrupt (requests the profile interrupt, "
        "for which the program must define gnomon_profile_interrupt); read, write (only reads or writes; an "
        "address means data); execute (an address means "
        "code); trace-start, trace-stop, trace-toggle (functions' enters and exits in the trace).\n\nIf "
        "the source of the program, or of a module that the program gets, has tags (gnomon_tag.h), they are also "
        "used, unless --no-metadata is given. "
        "A count is exact unless the output marks it as not exact.\n\n" TARGET_FILES,
    .examples = "gnomon tag -t inflate_fast -t table ./image.elf\tCount how often a function's instructions and a "
                "variable's words are used.\ngnomon tag -t deflate.c:1321:each ./zlib.elf\tCount each instruction "
                "of a line.\ngnomon tag -t step@entry:start=0 -t step@return:stop=0 --threshold 0=1000 "
                "./image.elf\tMeasure how long a function takes, and how often it takes 1000 cycles or more.\n",
    .common = CLI_DEVICE | CLI_OUTPUT | CLI_JSON | CLI_NAMES,
    TARGET_COMMAND(struct values, 1),
    .run = run_tag,
};
