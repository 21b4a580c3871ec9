/* SPDX-License-Identifier: Apache-2.0 */
/* The table of `gnomon api exhaust`. */
#include <stdlib.h>
#include <string.h>

#include "cli/api/exhaust.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/util/json_text.h"

static const struct {
    const char *name;   /* of one function */
    const char *phrase; /* of several: "3 crash" */
} verdicts[] = {
    [EXHAUST_OPEN] = {"not run", "not run"},      [EXHAUST_OK] = {"ok", "ok"},
    [EXHAUST_SKIPPED] = {"skipped", "skipped"},   [EXHAUST_SCRIBBLES] = {"scribbles", "scribble"},
    [EXHAUST_ENDS] = {"ends", "end the program"}, [EXHAUST_HANGS] = {"hangs", "hang"},
    [EXHAUST_CRASHES] = {"crashes", "crash"},
};

#define VERDICTS (sizeof verdicts / sizeof *verdicts)

const char *exhaust_verdict_name(enum exhaust_verdict verdict) {
    return verdicts[verdict].name;
}

/* Calls and cycles of each function, from the profile. */
static void add_up(struct exhaust *exhaust) {
    size_t count = 0;
    struct gnomon_api_row **rows = gnomon_api_profile_rows(exhaust->profile, &count);
    for (size_t i = 0; rows && i < count; i++)
        for (size_t j = 0; j < exhaust->function_count; j++)
            if (!strcmp(rows[i]->function, exhaust->functions[j].name)) {
                const struct gnomon_bucket sum = gnomon_api_row_sum(rows[i]);
                exhaust->functions[j].calls += sum.calls;
                exhaust->functions[j].cycles += sum.cycles;
            }
    free(rows);
}

enum column { VERDICT, RUNS, CALLS, MEAN, NAME, WHY, COLUMNS };
static const struct screen_column columns[COLUMNS] = {
    [VERDICT] = {.title = "verdict", .left = true},
    [RUNS] = {.title = "runs", .gives = 2},
    [CALLS] = {.title = "calls", .gives = 1},
    [MEAN] = {.title = "cyc/call"},
    [NAME] = {.title = "function", .left = true, .least = 12},
    [WHY] = {.title = "why", .left = true, .least = 20},
};

static void put_function(struct screen_table *table, const struct exhaust_function *function) {
    char mean[32], text[CLI_CLEAN_BYTES];
    if (function->verdict >= EXHAUST_SCRIBBLES)
        screen_next_style(table, CLI_RED);
    screen_cell(table, exhaust_verdict_name(function->verdict));
    screen_count(table, function->runs);
    screen_count(table, function->calls);
    if (function->calls) {
        snprintf(mean, sizeof mean, "%.6g", (double)function->cycles / (double)function->calls);
        screen_cell(table, mean);
    } else {
        screen_none(table);
    }
    screen_cell(table, function->name);
    screen_cell(table, function->why ? cli_clean(text, function->why) : "");
}

/* "# libz.a: 81 functions, 70 ok, 3 crash, 8 skipped; 210 runs on sim:full" */
static void put_first_line(const struct exhaust *exhaust, FILE *stream) {
    size_t counts[VERDICTS] = {0};
    char *text = NULL, name[CLI_CLEAN_BYTES];
    size_t size;
    FILE *line = open_memstream(&text, &size);
    if (!line)
        return;
    for (size_t i = 0; i < exhaust->function_count; i++)
        counts[exhaust->functions[i].verdict]++;
    fprintf(line, "# %s: %zu function%s", cli_clean(name, cli_basename(exhaust->context->argv[1])),
            exhaust->function_count, exhaust->function_count == 1 ? "" : "s");
    for (size_t i = 0; i < VERDICTS; i++)
        if (counts[i])
            fprintf(line, ", %zu %s", counts[i], verdicts[i].phrase);
    fprintf(line, "; %zu run%s on %s", exhaust->run_count, exhaust->run_count == 1 ? "" : "s",
            exhaust->project.devices.items[0]);
    fclose(line);
    screen_sentence(stream, text, "#   ");
    free(text);
}

static int print_text(struct exhaust *exhaust) {
    FILE *stream = cli_pager_begin(exhaust->context);
    struct screen_table *table = screen_table_new(columns, COLUMNS);
    put_first_line(exhaust, stream);
    for (size_t verdict = VERDICTS; verdict-- > 0;) /* the worst ones come first */
        for (size_t i = 0; i < exhaust->function_count; i++)
            if (exhaust->functions[i].verdict == verdict)
                put_function(table, &exhaust->functions[i]);
    if (!table || !screen_table_print(table, exhaust->context, stream))
        cli_warn(exhaust->context, "out of memory: a table is not shown");
    screen_table_free(table);
    return cli_pager_end(exhaust->context, stream);
}

static int print_json(const struct exhaust *exhaust) {
    json_t *list = json_array();
    for (size_t i = 0; i < exhaust->function_count; i++) {
        const struct exhaust_function *function = &exhaust->functions[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:o, s:I, s:I, s:I, s:I}", "function", function->name, "verdict",
                                        exhaust_verdict_name(function->verdict), "why", gnomon_json_text(function->why),
                                        "runs", (json_int_t)function->runs, "good_runs", (json_int_t)function->good,
                                        "calls", (json_int_t)function->calls, "cycles", (json_int_t)function->cycles));
    }
    return cli_print_json(exhaust->context,
                          json_pack("{s:I, s:o}", "runs", (json_int_t)exhaust->run_count, "functions", list));
}

int exhaust_print(struct exhaust *exhaust) {
    add_up(exhaust);
    return exhaust->context->json ? print_json(exhaust) : print_text(exhaust);
}
