/* SPDX-License-Identifier: Apache-2.0 */
#include "find.h"

#include <stdlib.h>

/* To be closed whatever the status is. */
static enum gnomon_status open_finding(struct finding *finding, const struct target_values *target_values,
                                       uint32_t page, struct gnomon_error *error) {
    finding->program.fd = -1;
    enum gnomon_status status = target_open(&finding->target, finding->context, target_values, error);
    if (!status)
        status = gnomon_tag_program_open(&finding->program, finding->target.image->path, error);
    if (!status)
        status = gnomon_tags_open(&finding->tags, finding->target.device, &finding->target.board, error);
    return status ? status : gnomon_finder_open(&finding->finder, &finding->tags, &finding->program, page, error);
}

static void close_finding(struct finding *finding) {
    gnomon_finder_free(&finding->finder);
    gnomon_tag_program_close(&finding->program);
    target_close(&finding->target);
}

static void on_console(void *context, const uint8_t *data, size_t size) {
    const struct finding *finding = context;
    target_console_beside(finding->context, data, size);
}

static bool on_tick(void *context) {
    struct finding *finding = context;
    finding->status = finding->kind->tick(finding, &finding->error);
    return finding->status || target_interrupted();
}

static enum gnomon_status on_prepared(void *context, struct gnomon_error *error) {
    struct finding *finding = context;
    return finding->kind->prepared(finding, error);
}

/* One run. GNOMON_OK with `measured.end` GNOMON_END_STOPPED: the user interrupted it. `last`: its files are fetched. */
static enum gnomon_status run_once(struct finding *finding, bool last, struct gnomon_error *error) {
    const struct target *target = &finding->target;
    struct gnomon_session session = target_session(target, finding);
    session.console = on_console;
    session.tick = on_tick;
    enum gnomon_status status = gnomon_measure(&session, on_prepared, &finding->measured, error);
    if (!status && finding->status) {
        *error = finding->error;
        return finding->status;
    }
    if (status || finding->measured.end == GNOMON_END_STOPPED)
        return status;
    if (finding->measured.end == GNOMON_END_DEBUG) {
        session.debug_cause = finding->measured.debug_cause;
        return target_explain_debug(&session, error);
    }
    status = finding->kind->ended(finding, error);
    if (!status)
        status = gnomon_tags_off(&finding->tags, error);
    if (!status && last)
        status = target_fetch(target, finding->context, error);
    return status ? status : gnomon_session_finish(&session, error);
}

static int print(struct finding *finding) {
    FILE *stream = target_open_figures(finding->context);
    bool good = true;
    if (!stream)
        return CLI_FAILED;
    if (finding->context->json)
        good = finding->kind->print_json(finding, stream);
    else
        finding->kind->print_text(finding, stream);
    return target_close_figures(finding->context, stream, good);
}

/* The runs, and what they showed. */
static int run_and_print(struct finding *finding) {
    struct gnomon_error error;
    bool last;
    finding->kind->opened(finding);
    do {
        last = finding->kind->last(finding);
        if (run_once(finding, last, &error))
            return cli_error(finding->context, &error);
        if (finding->measured.end == GNOMON_END_STOPPED) {
            cli_warn(finding->context, "interrupted");
            return CLI_INTERRUPTED;
        }
    } while (!last);
    return print(finding);
}

int find_main(struct cli_context *context, const struct find_kind *kind, const struct target_values *target_values,
              uint32_t page, void *own) {
    struct finding finding = {.context = context, .kind = kind, .own = own};
    struct gnomon_error error;
    target_watch_interrupts();
    const enum gnomon_status status = open_finding(&finding, target_values, page, &error);
    const int result = status ? cli_error(context, &error) : run_and_print(&finding);
    close_finding(&finding);
    return result;
}

static uint64_t sort_period; /* for by_estimate */

static int by_estimate(const void *a, const void *b) {
    const struct gnomon_piece *one = a, *other = b;
    const uint64_t left = gnomon_piece_estimate(one, sort_period), right = gnomon_piece_estimate(other, sort_period);
    if (left != right)
        return left < right ? 1 : -1;
    return one->start < other->start ? -1 : 1;
}

size_t find_sort(struct finding *finding, uint64_t period) {
    struct gnomon_finder *finder = &finding->finder;
    size_t ran = 0;
    sort_period = period;
    qsort(finder->pieces, finder->count, sizeof *finder->pieces, by_estimate);
    while (ran < finder->count && gnomon_piece_estimate(&finder->pieces[ran], period) > 0)
        ran++;
    return ran;
}

const char *find_name(const struct gnomon_piece *piece, char *buffer) {
    if (!piece->function)
        snprintf(buffer, FIND_NAME_BYTES, "0x%08x", (unsigned)piece->start);
    else if (piece->start == piece->function->address)
        snprintf(buffer, FIND_NAME_BYTES, "%s", piece->function->name);
    else
        snprintf(buffer, FIND_NAME_BYTES, "%s+0x%x", piece->function->name,
                 (unsigned)(piece->start - piece->function->address));
    return buffer;
}
