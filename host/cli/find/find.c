/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/find/find.h"

#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "gnomon/sim_time.h"
#include "lib/util/json_text.h"

/* If the program is to be stopped at a cycle, a simulated board's time stands still there, except while it answers
 * requests. A request shortly before that cycle would move the cycle. True: the cycle is too near for a request. */
static bool on_ending(void *context) {
    const struct finding *finding = context;
    struct gnomon_transport *transport = finding->target.device->transport;
    const uint64_t answer = (uint64_t)finding->target.board.clock_hz * GNOMON_SIM_LIMIT_ANSWER_MS / 1000;
    uint64_t cycles;
    if (!finding->ticking || !finding->target.most_cycles || !transport->sim_time ||
        gnomon_transport_sim_cycles(transport, &cycles, NULL))
        return false;
    return cycles + 2 * answer >= finding->target.most_cycles; /* twice: the request needs time to arrive, too */
}

/* The caller closes `finding` whatever status this returns. */
static enum gnomon_status open_finding(struct finding *finding, uint32_t page, struct gnomon_error *error) {
    const struct find_values *values = finding->context->values;
    finding->program.fd = -1;
    enum gnomon_status status = target_open(&finding->target, finding->context, &values->target, error);
    if (!status)
        status = target_code_open(&finding->code, &finding->target, error);
    if (!status)
        status = gnomon_tag_program_open(&finding->program, finding->target.image->path, error);
    if (!status)
        status = gnomon_tags_open_whole(&finding->tags, finding->target.device, &finding->target.board, error);
    if (!status)
        status = gnomon_hotspot_search_open(&finding->search, &finding->tags, &finding->program, page, error);
    finding->search.ending = on_ending;
    finding->search.context = finding;
    if (!status && finding->search.by_page && page == 0)
        cli_warn(finding->context, "%s has no symbols: code is shown by address", finding->program.path);
    return status;
}

static void close_finding(struct finding *finding) {
    gnomon_hotspot_search_free(&finding->search);
    gnomon_tag_program_close(&finding->program);
    target_code_close(&finding->code);
    target_close(&finding->target);
}

/* Erases what is drawn on the terminal. */
static void erase(struct finding *finding) {
    if (finding->lines)
        fprintf(stderr, "\033[%dA\033[J", finding->lines);
    finding->lines = 0;
}

static void on_progress(void *context, uint64_t cycles) {
    struct finding *finding = context;
    erase(finding);
    finding->lines = finding->kind->draw(finding, stderr, cycles);
    fflush(stderr);
}

/* Shows only the first run's console output: later runs repeat it. */
static void on_console(void *context, const uint8_t *data, size_t size) {
    struct finding *finding = context;
    if (finding->runs > 0)
        return;
    erase(finding);
    target_console_beside(finding->context, data, size);
}

static bool on_tick(void *context) {
    struct finding *finding = context;
    finding->ticking = true;
    if (!on_ending(finding))
        finding->status = finding->kind->tick(finding, &finding->error);
    finding->ticking = false;
    return finding->status || cli_interrupted();
}

static enum gnomon_status on_prepared(void *context, struct gnomon_error *error) {
    struct finding *finding = context;
    return finding->kind->prepared(finding, error);
}

/* If there are samples of an earlier run, this run repeats that run, and their module map stays valid. */
static enum gnomon_status measure(struct finding *finding, struct gnomon_session *session, struct gnomon_error *error) {
    if (finding->search.samples)
        return gnomon_measure(session, on_prepared, &finding->measured, error);
    const enum gnomon_status status = target_code_begin(&finding->code, &finding->target, error);
    return status ? status
                  : gnomon_measure_modules(session, on_prepared, finding->code.modules, &finding->measured, error);
}

/* One run, stopped or complete. Sets *more if another run must follow; otherwise fetches the program's files. */
static enum gnomon_status run_once(struct finding *finding, bool *more, struct gnomon_error *error) {
    const struct target *target = &finding->target;
    struct gnomon_session session = target_session(target, finding);
    session.console = on_console;
    session.tick = on_tick;
    if (finding->kind->draw && session.progress)
        session.progress = on_progress;
    enum gnomon_status status = measure(finding, &session, error);
    const struct gnomon_measured *measured = &finding->measured;
    erase(finding);
    finding->runs++;
    if (!status && finding->status) {
        *error = finding->error;
        return finding->status;
    }
    if (!status)
        status = target_explain_measured(finding->context, target, measured, &finding->died, error);
    if (!status)
        status = finding->kind->ended(finding, error);
    if (!status)
        status = gnomon_tags_off(&finding->tags, error);
    const bool stopped = measured->end == GNOMON_END_STOPPED;
    *more = !status && !finding->died && !(stopped && !measured->timed_out) && finding->kind->more(finding);
    if (!status && !stopped && !*more)
        status = target_fetch(target, finding->context, error);
    target_expect(measured->cycles);
    return status ? status : gnomon_session_finish(&session, error);
}

/* ---- What was found ---- */

static uint64_t sort_period; /* parameter for by_estimate */

static int by_estimate(const void *a, const void *b) {
    const struct gnomon_hotspot *one = *(const struct gnomon_hotspot *const *)a;
    const struct gnomon_hotspot *other = *(const struct gnomon_hotspot *const *)b;
    const uint64_t left = gnomon_hotspot_estimate(one, sort_period),
                   right = gnomon_hotspot_estimate(other, sort_period);
    if (left != right)
        return left < right ? 1 : -1;
    return one->start < other->start ? -1 : 1;
}

const struct gnomon_hotspot **find_sort(const struct finding *finding, uint64_t top, size_t *count) {
    const struct gnomon_hotspot_search *search = &finding->search;
    const uint64_t period = finding->kind->period(finding);
    const struct gnomon_hotspot **list = malloc((search->count + search->loaded_count + 1) * sizeof *list);
    *count = 0;
    for (size_t i = 0; list && i < search->count; i++)
        if (gnomon_hotspot_estimate(&search->hotspots[i], period) > 0)
            list[(*count)++] = &search->hotspots[i];
    for (size_t i = 0; list && i < search->loaded_count; i++)
        list[(*count)++] = &search->loaded[i];
    sort_period = period;
    if (list)
        qsort(list, *count, sizeof *list, by_estimate);
    if (top && top < *count)
        *count = (size_t)top;
    return list;
}

static struct screen_table *fill_table(const struct finding *finding, const struct gnomon_hotspot *const *list,
                                       size_t count) {
    const struct find_kind *kind = finding->kind;
    struct screen_table *table = screen_table_new(kind->columns, kind->column_count);
    for (size_t i = 0; i < count; i++)
        kind->put_row(finding, table, list[i]);
    return table;
}

static bool print_text(const struct finding *finding, FILE *stream) {
    const struct find_values *values = finding->context->values;
    const bool sampled = finding->kind->period(finding) > 0;
    char text[FIND_HEADING_BYTES];
    size_t count;
    const struct gnomon_hotspot **list = find_sort(finding, values->top, &count);
    struct screen_table *table = list ? fill_table(finding, list, count) : NULL;
    finding->kind->heading(finding, text);
    fputc('\n', stream);
    screen_sentence(stream, text, "");
    fputc('\n', stream);
    bool good = true;
    if (!sampled || finding->search.samples) {
        good = screen_table_print(table, finding->context, stream);
        fputc('\n', stream);
    }
    finding->kind->print_notes(finding, stream, list, count);
    screen_reasons(stream, &finding->exactness);
    if (finding->measured.end == GNOMON_END_STOPPED)
        screen_sentence(stream, "The program was stopped; tags counted until then.", "");
    screen_table_free(table);
    free(list);
    return good;
}

static bool print_json(const struct finding *finding, FILE *stream) {
    const struct find_values *values = finding->context->values;
    size_t count;
    const struct gnomon_hotspot **hotspots = find_sort(finding, values->top, &count);
    json_t *list = json_array(), *root = finding->kind->json_root(finding);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, finding->kind->json_piece(finding, hotspots[i]));
    bool good = json_object_set_new(root, finding->kind->json_list, list) == 0;
    json_object_update_new(root, gnomon_exactness_json(&finding->exactness));
    good = hotspots && good && json_dumpf(root, stream, JSON_INDENT(2)) == 0 && fputc('\n', stream) != EOF;
    json_decref(root);
    free(hotspots);
    return good;
}

static void judge(struct finding *finding) {
    gnomon_measured_exactness(&finding->measured, finding->target.image->path, &finding->exactness);
    gnomon_hotspot_search_reasons(&finding->search, &finding->exactness);
    if (finding->kind->reasons)
        finding->kind->reasons(finding, &finding->exactness);
    gnomon_exactness_phrase(&finding->exactness, NULL, finding->worth);
}

static int print(struct finding *finding) {
    struct gnomon_error error;
    if (gnomon_hotspot_search_resolve(&finding->search, finding->code.symbols, finding->code.modules, &error))
        return cli_error(finding->context, &error);
    judge(finding);
    FILE *stream = target_open_figures(finding->context);
    if (!stream)
        return CLI_FAILED;
    const bool good = finding->context->json ? print_json(finding, stream) : print_text(finding, stream);
    return target_close_figures(finding->context, stream, good);
}

/* ---- The command ---- */

/* Makes all runs and prints the results. */
static int run_and_print(struct finding *finding) {
    struct gnomon_error error;
    bool more = true;
    finding->kind->opened(finding);
    while (more)
        if (run_once(finding, &more, &error))
            return cli_error(finding->context, &error);
    const struct gnomon_measured *measured = &finding->measured;
    const int stopped =
        measured->end == GNOMON_END_STOPPED ? target_stopped(finding->context, measured->timed_out) : CLI_OK;
    const int printed = print(finding);
    if (finding->died)
        return CLI_FAILED;
    return printed ? printed : stopped;
}

int find_main(struct cli_context *context, const struct find_kind *kind, uint32_t page, void *own) {
    struct finding finding = {.context = context, .kind = kind, .own = own};
    struct gnomon_error error;
    cli_watch_interrupts(true);
    const enum gnomon_status status = open_finding(&finding, page, &error);
    const int result = status ? cli_error(context, &error) : run_and_print(&finding);
    close_finding(&finding);
    return result;
}

/* Examples: "act  [fast.so]", "[overlay 1 or 2]". */
static const char *loaded_name(const struct cli_context *context, const struct gnomon_code *code,
                               char buffer[FIND_NAME_BYTES]) {
    char name[CLI_CLEAN_BYTES], module[64] = "", clean[CLI_CLEAN_BYTES];
    if (code->function && code->module)
        snprintf(module, sizeof module, "  [%.56s]", cli_clean(clean, code->module));
    else if (code->function && code->function->overlay)
        snprintf(module, sizeof module, "  [overlay %u]", (unsigned)code->function->overlay - 1);
    snprintf(buffer, FIND_NAME_BYTES, "%.1000s%s", cli_clean(name, gnomon_code_name(code, context->raw_names)), module);
    return buffer;
}

const char *find_name(const struct cli_context *context, const struct gnomon_hotspot *hotspot,
                      char buffer[FIND_NAME_BYTES]) {
    char name[CLI_CLEAN_BYTES];
    if (hotspot->loaded)
        return loaded_name(context, &hotspot->code, buffer);
    if (!hotspot->function)
        snprintf(buffer, FIND_NAME_BYTES, "0x%08x", (unsigned)hotspot->start);
    else if (hotspot->start == hotspot->function->address)
        snprintf(buffer, FIND_NAME_BYTES, "%s", cli_symbol(name, hotspot->function->name, context->raw_names));
    else
        snprintf(buffer, FIND_NAME_BYTES, "%s+0x%x", cli_symbol(name, hotspot->function->name, context->raw_names),
                 (unsigned)(hotspot->start - hotspot->function->address));
    return buffer;
}

static void json_loaded(const struct gnomon_code *code, json_t *object) {
    const struct gnomon_function *function = code->function;
    cli_json_name(object, "name", function);
    if (!function)
        json_object_set_new(object, "name", gnomon_json_text(code->text));
    if (function && code->module)
        json_object_set_new(object, "module", gnomon_json_text(code->module));
    if (function && function->overlay)
        json_object_set_new(object, "overlay", json_integer(function->overlay - 1));
}

void find_json_name(const struct cli_context *context, const struct gnomon_hotspot *hotspot, json_t *object) {
    char name[FIND_NAME_BYTES], readable[CLI_CLEAN_BYTES];
    if (hotspot->loaded) {
        json_loaded(&hotspot->code, object);
        return;
    }
    json_object_set_new(object, "name", gnomon_json_text(find_name(context, hotspot, name)));
    if (hotspot->function && strcmp(cli_symbol(readable, hotspot->function->name, false), hotspot->function->name) != 0)
        json_object_set_new(object, "symbol", gnomon_json_text(hotspot->function->name));
}
