/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon check --against: which functions cost more than in a published API profile. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/check.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/fleet/api_file.h"
#include "lib/fleet/api_recording.h"
#include "lib/fleet/api_verdict_json.h"

#define SHOWN 10 /* rows without --all, unless more are worse */

struct against {
    struct cli_context *context;
    const struct check_values *values;
    const char *path;
    struct gnomon_api_profile *ours, *before;
    struct gnomon_api_rule rule;
    size_t count, worse;
    struct gnomon_api_verdict *verdicts;
};

/* ---- Reading ---- */

static enum gnomon_status read_into(struct gnomon_api_profile *profile, const char *path, const char *elf,
                                    const struct cli_context *context, struct gnomon_error *error) {
    const struct gnomon_api_recording recording = {.path = path, .elf = elf};
    struct gnomon_exactness exactness;
    bool is_profile;
    enum gnomon_status status = gnomon_api_file_add(profile, path, &is_profile, error);
    if (status || is_profile)
        return status;
    status = gnomon_api_recording_add(profile, &recording, &exactness, error);
    for (size_t i = 0; !status && i < exactness.count; i++)
        cli_warn(context, "%s: %s", path, exactness.reasons[i].text);
    return status;
}

static enum gnomon_status read_both(struct against *against, struct gnomon_error *error) {
    const struct check_values *values = against->values;
    against->ours = gnomon_api_profile_new();
    against->before = gnomon_api_profile_new();
    if (!against->ours || !against->before)
        return gnomon_fail_memory(error);
    const enum gnomon_status status = read_into(against->ours, against->path, values->elf, against->context, error);
    return status ? status : read_into(against->before, values->against, values->baseline_elf, against->context, error);
}

static enum gnomon_status judge(struct against *against, struct gnomon_error *error) {
    against->verdicts = gnomon_api_verdicts(against->ours, against->before, &against->rule, &against->count);
    if (!against->verdicts)
        return gnomon_fail_memory(error);
    for (size_t i = 0; i < against->count; i++)
        against->worse += against->verdicts[i].worse;
    if (against->count)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_MISMATCH,
                "%s and %s have no function with calls in the same scenario, size and device", against->path,
                against->values->against);
    return gnomon_remedy(
        error, GNOMON_ERR_MISMATCH,
        "gnomon api list --json shows scenarios, sizes and devices; gnomon merge --scenario names that of a "
        "recording");
}

/* ---- Text ---- */

enum column { VERDICT, NAME, COST, CALLS, BEFORE, MEAN, CHANGE, EFFECT, P, COLUMNS };
static const struct screen_column columns[COLUMNS] = {
    [VERDICT] = {.title = "", .left = true},
    [NAME] = {.title = "function", .left = true, .least = 12},
    [COST] = {.title = "cost", .left = true},
    [CALLS] = {.title = "calls", .gives = 2},
    [BEFORE] = {.title = "mean before", .gives = 1},
    [MEAN] = {.title = "mean"},
    [CHANGE] = {.title = "change"},
    [EFFECT] = {.title = "effect", .gives = 3},
    [P] = {.title = "p"},
};

static void put_number(struct screen_table *table, const char *format, double value) {
    char text[40];
    snprintf(text, sizeof text, format, value); /* NOLINT: formats of this file */
    screen_cell(table, text);
}

static void put_verdict(struct screen_table *table, const struct against *against,
                        const struct gnomon_api_verdict *verdict) {
    char name[CLI_CLEAN_BYTES], cost[CLI_CLEAN_BYTES];
    const double change = verdict->mean_before > 0 ? 100 * (verdict->mean / verdict->mean_before - 1) : NAN;
    screen_next_style(table, verdict->worse ? CLI_RED : verdict->few ? CLI_YELLOW : CLI_GREEN);
    screen_cell(table, verdict->worse ? "WORSE" : verdict->few ? "few" : "good");
    screen_cell(table, cli_symbol(name, verdict->row->function, against->context->raw_names));
    screen_cell(table, cli_clean(cost, verdict->row->cost));
    screen_count(table, verdict->calls);
    put_number(table, "%.6g", verdict->mean_before);
    put_number(table, "%.6g", verdict->mean);
    put_number(table, "%+.2f %%", isnan(change) ? INFINITY : change);
    put_number(table, "%+.2f", verdict->effect);
    put_number(table, "%.3g", verdict->adjusted);
}

static int print_text(const struct against *against) {
    FILE *stream = cli_pager_begin(against->context);
    struct screen_table *table = screen_table_new(columns, COLUMNS);
    char ours[CLI_CLEAN_BYTES], before[CLI_CLEAN_BYTES], text[2 * CLI_CLEAN_BYTES + 200];
    const size_t least = against->worse > SHOWN ? against->worse : SHOWN;
    const size_t shown = against->values->all || against->count < least ? against->count : least;
    snprintf(text, sizeof text,
             "# %s against %s: %zu of %zu functions and costs WORSE, at a level of %g for all together",
             cli_clean(ours, cli_basename(against->path)), cli_clean(before, cli_basename(against->values->against)),
             against->worse, against->count, against->rule.level);
    screen_sentence(stream, text, "#   ");
    bool few = false;
    for (size_t i = 0; i < shown; i++) {
        put_verdict(table, against, &against->verdicts[i]);
        few |= against->verdicts[i].few;
    }
    if (!table || !screen_table_print(table, against->context, stream))
        cli_warn(against->context, "out of memory: the table is not shown");
    if (shown < against->count)
        fprintf(stream, "%zu more are not worse (--all shows them)\n", against->count - shown);
    if (few)
        screen_sentence(stream,
                        "few: too few calls for any change to be told from chance; gnomon check --max is a limit for "
                        "them",
                        "     ");
    screen_table_free(table);
    return cli_pager_end(against->context, stream);
}

/* ---- For programs ---- */

static int print_json(const struct against *against) {
    return cli_print_json(against->context, gnomon_api_verdicts_json(against->verdicts, against->count, &against->rule,
                                                                     against->context->raw_names));
}

static void put_case(FILE *stream, const void *context, size_t index) {
    const struct against *against = context;
    const struct gnomon_api_verdict *verdict = &against->verdicts[index];
    char name[CLI_CLEAN_BYTES];
    junit_text(stream, verdict->row->cost);
    fputs(" of ", stream);
    junit_text(stream, cli_symbol(name, verdict->row->function, against->context->raw_names));
    fputs("\" time=\"0\">\n", stream);
    if (verdict->worse)
        fprintf(stream, "      <failure type=\"worse\" message=\"mean %.6g, %.6g before, p %.3g for all together\"/>\n",
                verdict->mean, verdict->mean_before, verdict->adjusted);
}

/* ---- The check ---- */

static int make(struct against *against) {
    struct gnomon_error error;
    const struct check_values *values = against->values;
    if (read_both(against, &error) || judge(against, &error))
        return cli_error(against->context, &error);
    const int printed = against->context->json ? print_json(against) : print_text(against);
    const struct junit junit = {.program = cli_basename(against->path),
                                .count = against->count,
                                .failed = against->worse,
                                .put = put_case,
                                .context = against};
    if (values->junit && junit_write(&junit, values->junit, &error))
        return cli_error(against->context, &error);
    return printed ? printed : against->worse ? CLI_GATE : CLI_OK;
}

int check_against(struct cli_context *context, const char *path) {
    const struct check_values *values = context->values;
    struct against against = {.context = context, .values = values, .path = path};
    char *end = NULL;
    against.rule = (struct gnomon_api_rule){.level = values->level ? strtod(values->level, &end) : 0.05,
                                            .permutations = values->permutations,
                                            .seed = values->seed};
    if ((end && (*end || end == values->level)) || !(against.rule.level > 0 && against.rule.level < 1))
        return cli_usage(context, "--level is a number between 0 and 1, not \"%s\"", values->level);
    for (size_t i = 0; i < GNOMON_LIMIT_KINDS; i++)
        if (values->limits[i].count || values->budgets.count || values->baseline)
            return cli_usage(context, "--against takes no limits and no --baseline: check them with another command");
    const int result = make(&against);
    free(against.verdicts);
    gnomon_api_profile_free(against.ours);
    gnomon_api_profile_free(against.before);
    return result;
}
