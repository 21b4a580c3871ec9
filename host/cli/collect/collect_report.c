/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon collect --status, --show and --submit. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/collect/collect.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/fleet/api_facts.h"
#include "lib/fleet/api_file.h"
#include "lib/fleet/api_json.h"
#include "lib/util/json_text.h"

#define LINE_BYTES (4 * CLI_CLEAN_BYTES)

/* What a host has, read at one moment. */
struct state {
    struct collect_member member;
    struct gnomon_collect_ledger ledger;
    struct gnomon_spool_file *files; /* oldest first */
    size_t count;
};

static enum gnomon_status open_state(struct state *state, struct gnomon_error *error) {
    *state = (struct state){0};
    enum gnomon_status status = collect_member_open(&state->member, error);
    if (status)
        return status;
    gnomon_collect_ledger(&state->ledger, &state->member.places);
    const struct gnomon_spool spool =
        gnomon_collect_spool(&state->member.settings, &state->member.places, &state->ledger.policy);
    return gnomon_spool_list(&spool, &state->files, &state->count, error);
}

static void close_state(struct state *state) {
    free(state->files);
    collect_member_close(&state->member);
}

/* ---- --status ---- */

static void put_time(char text[32], int64_t seconds) {
    const time_t when = (time_t)seconds;
    struct tm local;
    if (!seconds || !localtime_r(&when, &local) || !strftime(text, 32, "%Y-%m-%d %H:%M:%S", &local))
        snprintf(text, 32, "never");
}

static int status_json(struct cli_context *context, const struct state *state) {
    json_t *files = json_array();
    for (size_t i = 0; i < state->count; i++)
        json_array_append_new(files,
                              json_pack("{s:o, s:s*, s:I, s:I}", "file", gnomon_json_text(state->files[i].path),
                                        "submission", *state->files[i].id ? state->files[i].id : NULL, "bytes",
                                        (json_int_t)state->files[i].bytes, "begun", (json_int_t)state->files[i].begun));
    const struct gnomon_collect_ledger *ledger = &state->ledger;
    return cli_print_json(context, json_pack("{s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:o}", "service",
                                             gnomon_json_text(state->member.settings.service), "waiting", files,
                                             "policy", gnomon_collect_policy_json(&ledger->policy), "policy_asked",
                                             (json_int_t)ledger->policy_asked, "tried", (json_int_t)ledger->tried,
                                             "next", (json_int_t)ledger->next, "failures", (json_int_t)ledger->failures,
                                             "said", gnomon_json_text(ledger->said)));
}

static void put_waiting(const struct state *state, FILE *stream) {
    char bytes[CLI_COUNT_BYTES];
    uint64_t waiting = 0, open = 0;
    size_t count = 0;
    for (size_t i = 0; i < state->count; i++)
        if (*state->files[i].id) {
            waiting += state->files[i].bytes;
            count++;
        } else {
            open = state->files[i].bytes;
        }
    fprintf(stream, "ready to send  %zu submission%s, %s bytes\n", count, count == 1 ? "" : "s",
            cli_count(bytes, waiting));
    fprintf(stream, "growing        %s bytes\n", cli_count(bytes, open));
}

static void put_costs(const struct gnomon_cost_names *costs, FILE *stream) {
    char text[GNOMON_COST_NAMES * (GNOMON_COST_NAME_BYTES + 4) + 64] = "               each start is measured in";
    size_t used = strlen(text);
    for (size_t i = 0; i < costs->count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %s", i ? " or" : "", costs->names[i]);
    screen_sentence(stream, text, "               ");
}

static int status_text(struct cli_context *context, const struct state *state) {
    const struct gnomon_collect_ledger *ledger = &state->ledger;
    const struct gnomon_collect_policy *policy = &ledger->policy;
    char text[CLI_CLEAN_BYTES], when[32], bytes[CLI_COUNT_BYTES];
    FILE *stream = cli_pager_begin(context);
    fprintf(stream, "service        %s\n", cli_clean(text, state->member.settings.service));
    fprintf(stream, "results        %s\n", cli_clean(text, state->member.places.state));
    put_waiting(state, stream);
    put_time(when, ledger->tried);
    fprintf(stream, "last answer    %s%s%s\n", when, *ledger->said ? ": " : "", cli_clean(text, ledger->said));
    if (ledger->next) {
        put_time(when, ledger->next);
        fprintf(stream, "waits until    %s, after %u failure%s\n", when, ledger->failures,
                ledger->failures == 1 ? "" : "s");
    }
    fprintf(stream, "policy         up to %u functions at a start, %u programs at a time\n", policy->functions,
            policy->binaries);
    fprintf(stream, "               up to a load of %.2g; sends %s bytes, or after %.3g h\n", policy->load,
            cli_count(bytes, policy->submit_bytes), (double)policy->submit_seconds / 3600);
    put_costs(&policy->costs, stream);
    return cli_pager_end(context, stream);
}

int collect_status(struct cli_context *context) {
    struct gnomon_error error;
    struct state state;
    const int result = open_state(&state, &error) ? cli_error(context, &error)
                       : context->json            ? status_json(context, &state)
                                                  : status_text(context, &state);
    close_state(&state);
    return result;
}

/* ---- --show ---- */

static const struct screen_column columns[] = {
    {.title = "module", .left = true, .least = 8, .gives = 2},
    {.title = "cost", .left = true},
    {.title = "calls"},
    {.title = "mean"},
    {.title = "least", .gives = 3},
    {.title = "most", .gives = 4},
    {.title = "function", .left = true, .least = 12},
    {.title = "path", .left = true, .least = 12, .gives = 1},
};

static void put_row(struct screen_table *table, const struct gnomon_api_row *row, bool raw) {
    char text[CLI_CLEAN_BYTES], mean[32], path[CLI_CLEAN_BYTES + 16] = "";
    const struct gnomon_bucket sum = gnomon_api_row_sum(row);
    screen_cell(table, cli_clean(text, row->module));
    screen_cell(table, cli_clean(text, row->cost));
    screen_count(table, sum.calls);
    snprintf(mean, sizeof mean, "%.6g", gnomon_bucket_mean(&sum));
    screen_cell(table, mean);
    if (row->least <= row->most) {
        screen_count(table, row->least);
        screen_count(table, row->most);
    } else {
        screen_none(table);
        screen_none(table);
    }
    if (row->doubt || gnomon_api_row_saturated(row))
        screen_next_mark(table, '+');
    screen_cell(table, cli_symbol(text, row->function, raw));
    if (*row->file)
        snprintf(path, sizeof path, "%s:%u", cli_clean(text, row->file), row->line);
    screen_cell(table, path);
}

static bool put_profile(struct cli_context *context, const struct gnomon_api_profile *profile, FILE *stream) {
    size_t sources = 0, rows = 0;
    char counts[3][CLI_COUNT_BYTES], text[CLI_CLEAN_BYTES], device[CLI_CLEAN_BYTES], scenario[CLI_CLEAN_BYTES];
    char line[LINE_BYTES];
    struct gnomon_api_source **source = gnomon_api_profile_sources(profile, &sources);
    struct gnomon_api_row **row = gnomon_api_profile_rows(profile, &rows);
    struct screen_table *table = screen_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; source && i < sources; i++) {
        snprintf(line, sizeof line, "%s, build %s, scenario %s, %s%s%son %s: %s run%s, %s cycles",
                 cli_clean(text, source[i]->program), source[i]->build, cli_clean(scenario, source[i]->scenario),
                 source[i]->size ? "size " : "", source[i]->size ? cli_count(counts[2], source[i]->size) : "",
                 source[i]->size ? ", " : "", cli_clean(device, source[i]->device),
                 cli_count(counts[0], source[i]->runs), source[i]->runs == 1 ? "" : "s",
                 cli_count(counts[1], source[i]->cycles));
        screen_sentence(stream, line, "  ");
    }
    fputc('\n', stream);
    for (size_t i = 0; row && i < rows; i++)
        put_row(table, row[i], context->raw_names);
    const bool good = source && row && table && screen_table_print(table, context, stream);
    screen_table_free(table);
    free(source);
    free(row);
    return good;
}

static int show_json(struct cli_context *context, const struct gnomon_spool_file *file,
                     const struct gnomon_api_profile *profile) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    const bool good = stream && gnomon_api_json(profile, context->raw_names, stream);
    if (stream)
        fclose(stream);
    json_t *json = good ? json_pack("{s:o, s:s*, s:I, s:o}", "file", gnomon_json_text(file->path), "submission",
                                    *file->id ? file->id : NULL, "bytes", (json_int_t)file->bytes, "profile",
                                    json_loadb(text, size, 0, NULL))
                        : NULL;
    free(text);
    return cli_print_json(context, json);
}

static int show_text(struct cli_context *context, const struct state *state, const struct gnomon_spool_file *file,
                     const struct gnomon_api_profile *profile) {
    char bytes[CLI_COUNT_BYTES], path[CLI_CLEAN_BYTES], service[CLI_CLEAN_BYTES], text[LINE_BYTES];
    FILE *stream = cli_pager_begin(context);
    snprintf(text, sizeof text, "# %s, %s bytes: %s%s", cli_clean(path, file->path), cli_count(bytes, file->bytes),
             *file->id ? "submission " : "it still grows", file->id);
    screen_sentence(stream, text, "#   ");
    snprintf(text, sizeof text, "# sent to %s: this, and how the calls are distributed (--json); %zu more wait",
             cli_clean(service, state->member.settings.service), state->count - 1);
    screen_sentence(stream, text, "#   ");
    if (!put_profile(context, profile, stream))
        cli_warn(context, "out of memory: not all of it is shown");
    return cli_pager_end(context, stream);
}

int collect_show(struct cli_context *context) {
    struct gnomon_error error;
    struct state state;
    bool is_profile = true;
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    enum gnomon_status status = open_state(&state, &error);
    const struct gnomon_spool_file *next = state.files;
    int result;
    if (!status && state.count)
        status = profile ? gnomon_api_file_add(profile, next->path, &is_profile, &error) : gnomon_fail_memory(&error);
    if (status) {
        result = cli_error(context, &error);
    } else if (!state.count) {
        result = context->json ? cli_print_json(context, json_object()) : CLI_OK;
        cli_note(context, "nothing waits to be sent");
    } else {
        result = context->json ? show_json(context, next, profile) : show_text(context, &state, next, profile);
    }
    gnomon_api_profile_free(profile);
    close_state(&state);
    return result;
}

/* ---- --submit ---- */

int collect_submit(struct cli_context *context) {
    const struct collect_values *values = context->values;
    struct gnomon_error error;
    struct collect_member member;
    struct gnomon_sending sending = {0};
    enum gnomon_status status = collect_member_open(&member, &error);
    if (!status)
        status = gnomon_collect_send(&member.settings, &member.places, values->due, &sending, &error);
    if (sending.refused)
        cli_warn(context, "%zu submission%s refused by the service: kept in %s/refused", sending.refused,
                 sending.refused == 1 ? " was" : "s were", member.places.state);
    cli_note(context, "%zu submission%s sent%s", sending.sent + sending.known,
             sending.sent + sending.known == 1 ? "" : "s", sending.left ? "; the others wait" : "");
    const int result = status ? cli_error(context, &error) : sending.refused ? CLI_FAILED : CLI_OK;
    collect_member_close(&member);
    return result;
}
