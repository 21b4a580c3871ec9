/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon check: a gate. It fails if a figure of a run is over its limit. */
#include "cli/compare/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/util/array.h"
#include "lib/util/json_text.h"

#define LIMITS(kind) CLI_LIST, offsetof(struct check_values, limits) + (kind) * sizeof(struct cli_list)

static const struct cli_option options[] = {
    {'b', "baseline", "FILE", "the earlier recording that limits as +2% and +500 are relative to", CLI_STRING,
     offsetof(struct check_values, baseline)},
    {0, "max", "FUNCTION:LIMIT", "most cycles of FUNCTION with all that it called", LIMITS(GNOMON_LIMIT_TOTAL)},
    {0, "max-self", "FUNCTION:LIMIT", "most cycles of FUNCTION alone", LIMITS(GNOMON_LIMIT_SELF)},
    {0, "max-calls", "FUNCTION:LIMIT", "most calls of FUNCTION", LIMITS(GNOMON_LIMIT_CALLS)},
    {0, "max-call", "FUNCTION:LIMIT", "most cycles of FUNCTION's longest call; irq7 is interrupt 7",
     LIMITS(GNOMON_LIMIT_LONGEST)},
    {0, "max-latency", "irqN:LIMIT",
     "most cycles from the request of interrupt N to its handler; needs a recording with "
     "--interrupts",
     LIMITS(GNOMON_LIMIT_LATENCY)},
    {0, "max-cycles", "LIMIT", "most cycles of the run", LIMITS(GNOMON_LIMIT_CYCLES)},
    {0, "budget", "FILE", "a file of limits: in each line an option's name and its value, as max-calls malloc:10",
     CLI_LIST, offsetof(struct check_values, budgets)},
    {0, "against", "PROFILE",
     "fail if functions cost more than in this API profile (gnomon merge), by a permutation test. FILE is an API "
     "profile, too, or a recording",
     CLI_STRING, offsetof(struct check_values, against)},
    {0, "level", "P",
     "with --against: the share of comparisons without a change in which a function may be flagged (default: 0.05)",
     CLI_STRING, offsetof(struct check_values, level)},
    {0, "permutations", "N",
     "with --against: permutations that are drawn for each function (default: 10000, or more for many functions)",
     CLI_NUMBER, offsetof(struct check_values, permutations)},
    {0, "seed", "N", "with --against: where the numbers at random begin (default: 0)", CLI_NUMBER,
     offsetof(struct check_values, seed)},
    {0, "inexact", NULL, "judge figures that are not exact by what was counted, instead of failing", CLI_FLAG,
     offsetof(struct check_values, inexact)},
    {0, "junit", "FILE", "also write the result as JUnit XML, for a build server", CLI_STRING,
     offsetof(struct check_values, junit)},
    {'a', "all", NULL, "show limits that are kept, too, where there are more than ten", CLI_FLAG,
     offsetof(struct check_values, all)},
    {0, "elf", "FILE", "the program, where it is not where it was when it was recorded", CLI_STRING,
     offsetof(struct check_values, elf)},
    {0, "baseline-elf", "FILE", "the program of the baseline", CLI_STRING, offsetof(struct check_values, baseline_elf)},
    {0, "hart", "N", "only hart N, 0 or 1 (default: both harts, added)", CLI_STRING,
     offsetof(struct check_values, hart)},
    {0},
};

/* ---- Texts ---- */

bool check_fails(const struct check *check, const struct gnomon_judgement *judgement) {
    if (judgement->verdict == GNOMON_NOT_EXACT)
        return !check->values->inexact || judgement->over;
    return judgement->verdict != GNOMON_WITHIN;
}

const char *check_verdict(const struct gnomon_judgement *judgement) {
    static const char *const verdicts[] = {[GNOMON_WITHIN] = "within",
                                           [GNOMON_OVER] = "over",
                                           [GNOMON_NOT_EXACT] = "not-exact",
                                           [GNOMON_NOT_SHOWN] = "not-recorded"};
    return verdicts[judgement->verdict];
}

const char *check_name(const struct gnomon_judgement *judgement) {
    return judgement->name ? judgement->name : "the run";
}

const char *check_figure(const struct gnomon_judgement *judgement) {
    static const char *const names[GNOMON_LIMIT_KINDS] = {
        [GNOMON_LIMIT_TOTAL] = "total cycles", [GNOMON_LIMIT_SELF] = "self cycles",
        [GNOMON_LIMIT_CALLS] = "calls",        [GNOMON_LIMIT_LONGEST] = "longest call",
        [GNOMON_LIMIT_CYCLES] = "cycles",      [GNOMON_LIMIT_LATENCY] = "latency",
    };
    return names[judgement->limit->kind];
}

static bool is_relative(const struct gnomon_judgement *judgement) {
    return judgement->limit->form != GNOMON_LIMIT_FIXED;
}

/* " (1,225 before, noise 12)"; the noise is rounded up */
static void put_before(FILE *text, const struct gnomon_judgement *judgement) {
    char before[CLI_COUNT_BYTES], noise[CLI_COUNT_BYTES];
    fprintf(text, " (%s before", cli_count(before, judgement->before));
    if (judgement->noise >= 0)
        fprintf(text, ", noise %s", cli_count(noise, (uint64_t)ceil(judgement->noise)));
    fputc(')', text);
}

static const char *not_shown_text(char *buffer, const struct gnomon_not_shown *not_shown) {
    const char *whose = not_shown->side == GNOMON_OLD ? "baseline" : "recording",
               *what = not_shown->traps ? "traps" : "calls";
    snprintf(buffer, CHECK_TEXT_BYTES,
             not_shown->untold ? "not known: the %s does not say if %s were recorded"
                               : "not known: the %s was made without %s",
             whose, what);
    return buffer;
}

const char *check_text(char *buffer, const struct check *check, const struct gnomon_judgement *judgement) {
    if (judgement->verdict == GNOMON_NOT_SHOWN)
        return not_shown_text(buffer, &judgement->not_shown);
    char figure[CLI_COUNT_BYTES], most[CLI_COUNT_BYTES];
    FILE *text = fmemopen(buffer, CHECK_TEXT_BYTES, "w");
    buffer[0] = '\0';
    if (!text)
        return buffer;
    fputs(cli_count(figure, judgement->figure), text);
    if (judgement->noise >= 0 && judgement->runs > 1)
        fprintf(text, ", the mean of %zu runs,", judgement->runs);
    fprintf(text, " of at most %s", cli_count(most, judgement->most));
    if (is_relative(judgement))
        put_before(text, judgement);
    if (judgement->verdict == GNOMON_NOT_EXACT)
        fprintf(text, ", but not known exactly%s", check->values->inexact ? ": judged by what was counted" : "");
    if (judgement->run)
        fprintf(text, ", in %s", cli_basename(judgement->run));
    fclose(text);
    return buffer;
}

/* ---- Limits ---- */

static enum gnomon_status take_limit(void *context, struct gnomon_limit *limit, struct gnomon_error *error) {
    struct check *check = context;
    const bool relative = limit->form != GNOMON_LIMIT_FIXED;
    const bool room =
        gnomon_array_room(&check->limits, &check->limit_room, check->limit_count + 1, sizeof *check->limits);
    if (room && (!relative || check->values->baseline)) {
        check->limits[check->limit_count++] = *limit;
        return GNOMON_OK;
    }
    if (!room) {
        gnomon_limit_free(limit);
        return gnomon_fail_memory(error);
    }
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the limit %s needs an earlier run", limit->text);
    gnomon_limit_free(limit);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "name its recording with --baseline");
}

static enum gnomon_status read_limits(struct check *check, struct gnomon_error *error) {
    const struct check_values *values = check->values;
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < values->budgets.count && !status; i++)
        status = gnomon_limits_read(values->budgets.items[i], take_limit, check, error);
    for (enum gnomon_limit_kind kind = 0; kind < GNOMON_LIMIT_KINDS; kind++)
        for (size_t i = 0; i < values->limits[kind].count && !status; i++) {
            struct gnomon_limit limit;
            status = gnomon_limit_parse(&limit, kind, values->limits[kind].items[i], error);
            if (!status)
                status = take_limit(check, &limit, error);
        }
    if (!status && !check->limit_count) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "there is no limit to check");
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "give one with --max main:12000 or --budget FILE");
    }
    return status;
}

/* ---- Judgements ---- */

static enum gnomon_status take_judgement(void *context, const struct gnomon_judgement *judgement,
                                         struct gnomon_error *error) {
    struct check *check = context;
    if (!gnomon_array_room(&check->judgements, &check->room, check->count + 1, sizeof *check->judgements))
        return gnomon_fail_memory(error);
    check->judgements[check->count++] = *judgement;
    check->failed += check_fails(check, judgement);
    return GNOMON_OK;
}

static enum gnomon_status judge(struct check *check, const char *path, struct gnomon_error *error) {
    const struct check_values *values = check->values;
    const struct cli_list now = {1, &path}, before = {values->baseline ? 1 : 0, (const char **)&values->baseline};
    const bool raw = check->context->raw_names;
    enum gnomon_status status = read_limits(check, error);
    if (!status)
        status = compare_read(&check->now, &now, values->elf, values->hart, GNOMON_FIGURES_OF_FUNCTIONS, raw, error);
    if (!status)
        status = compare_read(&check->before, &before, values->baseline_elf, values->hart, GNOMON_FIGURES_OF_FUNCTIONS,
                              raw, error);
    const struct compare_runs *old = values->baseline ? &check->before : &check->now;
    if (!status && !gnomon_compare(&check->comparison, old->figures, old->count, check->now.figures, check->now.count))
        status = gnomon_fail_memory(error);
    for (size_t i = 0; i < check->limit_count && !status; i++)
        status = gnomon_limit_judge(&check->limits[i], &check->comparison, take_judgement, check, error);
    return status;
}

/* ---- Output ---- */

#define FEW 10 /* limits that are shown even if they are kept */

static void put_judgement(const struct check *check, struct screen_table *table,
                          const struct gnomon_judgement *judgement) {
    char text[CHECK_TEXT_BYTES];
    const bool fails = check_fails(check, judgement);
    screen_next_style(table, fails ? CLI_RED : CLI_GREEN);
    screen_cell(table, !fails ? "good" : judgement->verdict == GNOMON_OVER ? "OVER" : "UNSURE");
    screen_cell(table, check_name(judgement));
    screen_cell(table, check_figure(judgement));
    screen_next_over(table);
    screen_cell(table, check_text(text, check, judgement));
}

/* "5 runs, 3 of the baseline: " where one of these is not 1. */
static void put_runs(const struct check *check) {
    const size_t now = check->now.count, before = check->before.count;
    if (now > 1 || before > 1)
        printf("%zu run%s", now, now == 1 ? "" : "s");
    if (before > 1 || (now > 1 && before))
        printf(", %zu of the baseline", before);
    if (now > 1 || before > 1)
        printf(": ");
}

static int print_text(const struct check *check) {
    static const struct screen_column columns[] = {{.title = "", .left = true},
                                                   {.title = "function", .left = true, .least = 12},
                                                   {.title = "figure", .left = true},
                                                   {.title = "limit", .left = true}};
    struct screen_table *table = screen_table_new(columns, sizeof columns / sizeof *columns);
    const bool all = check->values->all || check->count <= FEW;
    for (size_t i = 0; i < check->count; i++)
        if (all || check_fails(check, &check->judgements[i]))
            put_judgement(check, table, &check->judgements[i]);
    if ((all || check->failed) && !screen_table_print(table, check->context, stdout))
        cli_warn(check->context, "out of memory: the table is missing");
    screen_table_free(table);
    put_runs(check);
    if (check->failed)
        printf("%zu of %zu limits failed\n", check->failed, check->count);
    else
        printf("%s\n", check->count == 1 ? "the limit was kept" : "all limits were kept");
    return cli_pager_end(check->context, stdout);
}

static int print_json(const struct check *check) {
    json_t *list = json_array();
    for (size_t i = 0; i < check->count; i++) {
        const struct gnomon_judgement *judgement = &check->judgements[i];
        json_t *object = json_pack(
            "{s:s, s:o, s:o, s:s, s:b, s:o, s:I}", "limit", gnomon_limit_option(judgement->limit->kind), "value",
            gnomon_json_text(judgement->limit->text), "function", gnomon_json_text(judgement->name), "verdict",
            check_verdict(judgement), "failed", check_fails(check, judgement), "figure",
            judgement->verdict == GNOMON_NOT_SHOWN ? json_null() : json_integer((json_int_t)judgement->figure), "most",
            (json_int_t)judgement->most);
        json_object_set_new(object, "before",
                            is_relative(judgement) ? json_integer((json_int_t)judgement->before) : json_null());
        json_object_set_new(object, "runs", json_integer((json_int_t)judgement->runs));
        json_object_set_new(object, "run", judgement->run ? gnomon_json_text(judgement->run) : json_null());
        json_object_set_new(object, "noise", judgement->noise >= 0 ? json_real(judgement->noise) : json_null());
        json_array_append_new(list, object);
    }
    return cli_print_json(check->context, json_pack("{s:b, s:I, s:o}", "good", !check->failed, "failed",
                                                    (json_int_t)check->failed, "limits", list));
}

static int make_check(struct check *check, const char *path) {
    struct gnomon_error error;
    if (judge(check, path, &error))
        return cli_error(check->context, &error);
    int worth = compare_reasons(check->context, &check->now, false);
    const int before = compare_reasons(check->context, &check->before, false);
    worth = worth ? worth : before;
    const int printed = check->context->json ? print_json(check) : print_text(check);
    if (check->values->junit && check_junit(check, check->values->junit, &error))
        return cli_error(check->context, &error);
    return printed ? printed : worth ? worth : check->failed ? CLI_GATE : CLI_OK;
}

static int run_check(struct cli_context *context) {
    struct check check = {.context = context, .values = context->values};
    const char *path = context->argc > 0 ? context->argv[0] : context->input;
    if (check.values->against)
        return check_against(context, path);
    int status = make_check(&check, path);
    gnomon_comparison_free(&check.comparison);
    compare_close(&check.now);
    compare_close(&check.before);
    for (size_t i = 0; i < check.limit_count; i++)
        gnomon_limit_free(&check.limits[i]);
    free(check.limits);
    free(check.judgements);
    return status;
}

const struct command command_check = {
    .name = "check",
    .summary = "fail if a recorded run is over its limits: a gate for builds",
    .synopsis = "[OPTION...] [FILE]",
    .description =
        "Compares figures of a recording (FILE, or -i, or gnomon.gnt) with limits, and exits with status 4 if one is "
        "over its limit. A LIMIT is a number, or what the figure of the --baseline may grow by: +2%, +500, or +0. "
        "FUNCTION is a name, or a pattern with * and ? in quotes, for all functions that were called; [interrupt 7], "
        "or irq7, is also a name.\n\nOf a series (gnomon record -r) every run must keep a limit, and the highest "
        "figure is shown with its run. Where FILE or the baseline is a series, limits relative to the baseline are for "
        "the mean, "
        "which may be above them by the noise, as gnomon diff knows it; the longest call and the latency are the "
        "highest of the runs.\n\nA figure that is not exact fails, too, because it may be over its limit "
        "unnoticed (see --inexact); and one that the recording cannot show, as an interrupt's without traps. So does a "
        "name that the program does not have, with status 1.\n\nWith --against, functions are compared with those of "
        "an API profile: does a function cost more, or is the difference one that calls of one kind show by chance? "
        "Only calls of the same scenario, size and kind of device are compared. The level holds for all functions "
        "together "
        "(Holm).",
    .examples =
        "gnomon check --max main:120000 --max-calls malloc:10\tTwo limits for gnomon.gnt.\n"
        "gnomon check --baseline old.gnt --max '*:+2%' new.gnt\tNo function more than 2 % slower than before.\n"
        "gnomon check --max-call irq7:400 new.gnt\tNo interrupt 7 longer than 400 cycles.\n"
        "gnomon check --max-latency irq7:60 new.gnt\tNo interrupt 7 later than 60 cycles.\n"
        "gnomon check --baseline old.gnt --max-cycles +1% new.gnt\tThe same of old.1.gnt, new.1.gnt ..., within the "
        "noise.\n"
        "gnomon check --against released.gnp new.gnp\tNo function costs more than in the released profile.\n"
        "gnomon check --budget limits.txt --junit result.xml\tLimits in a file; the result for a build server.\n",
    .common = CLI_INPUT | CLI_JSON | CLI_NAMES,
    .options = options,
    .values_size = sizeof(struct check_values),
    .max_operands = 1,
    .run = run_check,
};
