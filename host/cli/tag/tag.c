/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon tag: runs a program with tags on instructions and data, and prints what they counted. */
#include "cli/tag/tag.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gnomon/registers.h"

struct values {
    struct target_values target;
    struct cli_list tags, thresholds, events;
    bool no_metadata;
};

static void on_console(void *context, const uint8_t *data, size_t size) {
    const struct tagging *tagging = context;
    target_console_beside(tagging->context, data, size);
}

static bool on_tick(void *context) {
    (void)context;
    return target_interrupted();
}

/* ---- Options ---- */

static enum gnomon_status bad_threshold(const char *text, const char *why, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "--threshold %s: %s", text, why);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "it is TIMER=CYCLES, or TIMER=CYCLES,CYCLES,...");
}

/* Reads "0=100,2000": thresholds of timer 0, which a tag starts or stops. */
static enum gnomon_status take_thresholds(struct tagging *tagging, const char *text, struct gnomon_error *error) {
    unsigned timer = (unsigned)(text[0] - '0'), step = 0;
    if (timer >= GNOMON_TAG_TIMERS || text[1] != '=')
        return bad_threshold(text, "there is no such timer", error);
    if (!(tagging->setup.plan.timers >> timer & 1))
        return bad_threshold(text, "no tag starts or stops this timer", error);
    while (step < GNOMON_TAG_STEPS && tagging->setup.plan.thresholds[timer][step])
        step++;
    const char *at = text + 2;
    for (;; at++, step++) {
        char *end;
        unsigned long long cycles = isdigit((unsigned char)*at) ? strtoull(at, &end, 0) : 0;
        if (cycles == 0 || cycles > UINT32_MAX || (*end && *end != ','))
            return bad_threshold(text, "cycles are a number from 1 to 4294967295", error);
        if (step >= tagging->setup.tags.sizes.steps) {
            gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "--threshold %s: %s has %u for each timer", text,
                        tagging->target.board.address, tagging->setup.tags.sizes.steps);
            return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "count the others in another gnomon tag");
        }
        tagging->setup.plan.thresholds[timer][step] = (uint32_t)cycles;
        if (!*end)
            return GNOMON_OK;
        at = end;
    }
}

/* An event whose filter matches no tag would count nothing, and look as if nothing had happened. */
static enum gnomon_status check_event(const struct tagging *tagging, const struct stat_event *event,
                                      struct gnomon_error *error) {
    bool tagged = false;
    for (size_t i = 0; i < tagging->setup.list.count; i++)
        tagged |= (tagging->setup.list.specs[i].mode & GNOMON_TAGS_MODE_TAGGED) != 0;
    if (event->setting.tagged && !tagged) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s is of tagged instructions, and none is", event->text);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "add the action to a tag: -t WHAT:tagged");
    }
    if (event->setting.gated && !(tagging->setup.plan.timers >> event->setting.gate & 1)) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s is of a timer that no tag starts or stops", event->text);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "add the action to a tag: -t WHAT:start=%u",
                             event->setting.gate);
    }
    return GNOMON_OK;
}

static enum gnomon_status open_events(struct tagging *tagging, struct gnomon_error *error) {
    static const struct cli_list none;
    enum gnomon_status status = stat_events_open(&tagging->events, &tagging->target, &none, &none, error);
    for (size_t i = 0; i < tagging->events.count && !status; i++)
        status = check_event(tagging, &tagging->events.list[i], error);
    if (status || tagging->events.count <= tagging->events.pmu.counters)
        return status;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%zu events are asked for, and %s has %u counters",
                tagging->events.count, tagging->target.board.address, tagging->events.pmu.counters);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "count the others in another gnomon tag");
}

/* Does everything that can fail before the program runs. */
static enum gnomon_status prepare(struct tagging *tagging, struct gnomon_error *error) {
    const struct values *values = tagging->context->values;
    enum gnomon_status status =
        tag_setup_open(&tagging->setup, tagging->context, &tagging->target, &values->tags, !values->no_metadata, error);
    if (!status && tagging->setup.plan.trace)
        cli_warn(tagging->context, "the trace is gated, and gnomon tag keeps none: gnomon record --tag does");
    for (size_t i = 0; i < values->thresholds.count && !status; i++)
        status = take_thresholds(tagging, values->thresholds.items[i], error);
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
static enum gnomon_status read_own(struct tagging *tagging, size_t index, struct gnomon_error *error) {
    const struct gnomon_tag_target *target = &tagging->setup.list.specs[index].target;
    struct tag_own_list *own = &tagging->own[index];
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
        status = gnomon_tags_read_own(&tagging->setup.tags, range->start, target->data, counts, count, error);
        for (size_t n = 0; n < count && !status; n++)
            if (counts[n])
                own->list[own->count++] = (struct tag_own){range->start + (uint32_t)n * step, counts[n]};
    }
    free(counts);
    return status;
}

static enum gnomon_status read_all(struct tagging *tagging, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_tags_read(&tagging->setup.tags, &tagging->counts, error);
    if (!status && tagging->events.count)
        status = gnomon_pmu_read(&tagging->events.pmu, tagging->event_values, error);
    for (size_t i = 0; i < tagging->setup.list.count && !status; i++)
        if (tagging->setup.list.specs[i].mode & GNOMON_TAGS_MODE_OWN)
            status = read_own(tagging, i, error);
    return status ? status : gnomon_tags_off(&tagging->setup.tags, error);
}

static enum gnomon_status run_program(struct tagging *tagging, struct gnomon_error *error) {
    const struct target *target = &tagging->target;
    struct gnomon_session session = target_session(target, tagging);
    session.console = on_console;
    session.tick = on_tick;
    enum gnomon_status status = gnomon_measure(&session, load, &tagging->measured, error);
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
    gnomon_tags_reasons(&tagging->counts, &tagging->exactness);
    FILE *stream = target_open_figures(tagging->context);
    if (!stream)
        return CLI_FAILED;
    const bool good = tagging->context->json ? tag_print_json(tagging, stream) : tag_print_text(tagging, stream);
    return target_close_figures(tagging->context, stream, good);
}

static int tag(struct tagging *tagging) {
    struct gnomon_error error;
    if (prepare(tagging, &error) || run_program(tagging, &error))
        return cli_error(tagging->context, &error);
    const struct gnomon_measured *measured = &tagging->measured;
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
    target_watch_interrupts();
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
    {'t', "tag", "WHAT[:ACTION[,ACTION...]]", "tag this, and what happens there besides counting, as described above",
     CLI_LIST, offsetof(struct values, tags), false},
    {0, "threshold", "TIMER=CYCLES[,CYCLES...]", "count intervals of a timer that take so long, or longer", CLI_LIST,
     offsetof(struct values, thresholds), false},
    {'e', "events", "LIST",
     "count these events, with commas between, each with filters, of tags: branches:tagged,loads:timer=0", CLI_LIST,
     offsetof(struct values, events), false},
    {0, "no-metadata", NULL, "ignore the tags that the program's source asks for", CLI_FLAG,
     offsetof(struct values, no_metadata), false},
    {0},
};

const struct command command_tag = {
    .name = "tag",
    .summary = "tag instructions and data, and count what happens there, without a change of the program",
    .synopsis = "[OPTION...] [-t WHAT[:ACTION,...]]... ELF [--] [ARG...]",
    .description =
        "Runs ELF like gnomon run, with tags beside its instructions and data, and prints what they counted: "
        "executions "
        "and cycles of instructions, reads and writes of data. The program's code and its cycles are the same as "
        "without. Figures go to standard error, or with -o into a file; with --json to standard output, and the "
        "program's console to standard error. gnomon's options end at ELF; what follows is the program's.\n\n"
        "WHAT is a function NAME, with the copies and parts that the compiler made of it, but not where it was "
        "inlined; "
        "NAME@entry, its first instruction; NAME@return, its return instructions; a variable NAME, NAME[INDEX], "
        "NAME.FIELD, as words of four bytes; FILE:NAME, a static function or variable; FILE:LINE or FILE:LINE-LINE, "
        "all "
        "instructions of these lines, wherever they are; 0xADDR or 0xADDR-0xEND, END not included; hint=N, the "
        "instructions "
        "to which hints in the program give the number N. Where tags overlap, both count.\n\n"
        "ACTION is count (what every tag does); each (also counts each instruction or word for itself); start=N, "
        "stop=N, toggle=N (timer N, from 0 on: an interval goes from behind the instruction that starts it up to the "
        "one "
        "that stops it, included); tagged (events with the filter tagged are those of these instructions); interrupt "
        "(asks "
        "for the program's profile interrupt); read, write (only these accesses; an address is taken for data); "
        "execute "
        "(an address is taken for code); trace-start, trace-stop, trace-toggle (functions' enters and exits in the "
        "trace).\n\nA program whose source asks for tags (gnomon_tag.h) "
        "gets them, too, unless --no-metadata is given. A count is exact unless it says that it is "
        "not.\n\n" TARGET_FILES,
    .examples = "gnomon tag -t inflate_fast -t table ./image.elf\tHow often a function's instructions and a variable's "
                "words are used.\n"
                "gnomon tag -t deflate.c:1321:each ./zlib.elf\tEach instruction of a line.\n"
                "gnomon tag -t step@entry:start=0 -t step@return:stop=0 --threshold 0=1000 ./image.elf\tHow long a "
                "function takes, and how often more than 1000 cycles.\n",
    .common = CLI_DEVICE | CLI_OUTPUT | CLI_JSON | CLI_NAMES,
    .options = options,
    .values_size = sizeof(struct values),
    .program_arguments = true,
    .min_operands = 1,
    .max_operands = -1,
    .run = run_tag,
};
