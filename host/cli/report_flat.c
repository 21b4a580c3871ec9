/* SPDX-License-Identifier: Apache-2.0 */
/* The flat profile, and the line above it that says what the figures are worth. */
#include <string.h>

#include "report.h"

/* ---- The first line ---- */

static bool any_fault(const struct report *report, enum gnomon_fault_kind kind) {
    for (size_t i = 0; i < report->fault_count; i++)
        if (report->faults[i].kind == kind)
            return true;
    return false;
}

static size_t count_exact(const struct report *report) {
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++)
        count += report->rows[i].figures->exact;
    return count;
}

static void put_loss(const struct report *report, FILE *stream) {
    uint64_t lost = gnomon_trace_lost(report->stats), received = gnomon_trace_received(report->stats);
    char count[CLI_COUNT_BYTES], of[CLI_COUNT_BYTES];
    size_t exact = count_exact(report);
    fprintf(stream, "%s of %s events LOST, with %.2g %% of the cycles: ", cli_count(count, lost),
            cli_count(of, lost + received), report_percent(report, report->sums->lost));
    if (exact == report->count)
        fputs("calls and cycles are exact, messages are missing", stream);
    else if (exact == 0)
        fputs("calls and cycles are lower bounds", stream);
    else
        fprintf(stream, "lower bounds for the %zu functions marked +, exact for %zu", report->count - exact, exact);
}

static void put_worth(const struct report *report, FILE *stream) {
    const struct cli_context *context = report->context;
    const char *bad = cli_style(context, stream, CLI_RED), *plain = cli_style(context, stream, CLI_PLAIN);
    if (report->fault_count == 0)
        fputs(", counted exactly, nothing lost", stream);
    if (any_fault(report, GNOMON_FAULT_DAMAGE))
        fprintf(stream, ", %sDAMAGED: figures may be wrong%s", bad, plain);
    if (any_fault(report, GNOMON_FAULT_CUT))
        fprintf(stream, ", %sINCOMPLETE: the end is missing%s", bad, plain);
    if (gnomon_trace_lost(report->stats) == 0 && report->sums->lost == 0)
        return;
    fprintf(stream, ", %s", bad);
    put_loss(report, stream);
    fputs(plain, stream);
}

static void put_first_line(const struct report *report, FILE *stream) {
    char text[CLI_CLEAN_BYTES], count[CLI_COUNT_BYTES];
    const struct gnomon_analysis *analysis = &report->analysis;
    fprintf(stream, "# %s", cli_clean(text, cli_basename(gnomon_symbols_path(analysis->symbols))));
    if (*analysis->device)
        fprintf(stream, " on %s", cli_clean(text, analysis->device));
    fprintf(stream, ", %s cycles", cli_count(count, report->sums->cycles));
    if (analysis->clock_hz)
        fprintf(stream, " = %.4g s at %.6g MHz", (double)report->sums->cycles / (double)analysis->clock_hz,
                (double)analysis->clock_hz / 1e6);
    put_worth(report, stream);
    fputc('\n', stream);
}

/* ---- The table ---- */

const char *report_measured(unsigned measured) {
    switch (measured) {
    case GNOMON_MEASURED_INSTRUMENT:
        return "instrument-functions";
    case GNOMON_MEASURED_MCOUNT:
        return "mcount";
    case GNOMON_MEASURED_PATCHED:
        return "patchable-function-entry";
    case GNOMON_MEASURED_WATCH:
        return "watch";
    case GNOMON_MEASURED_MEMORY:
        return "memory";
    default:
        return "store";
    }
}

/* Behind the name: what was not measured by hooks. */
static void put_measured(FILE *stream, unsigned measured) {
    for (unsigned bit = GNOMON_MEASURED_INSTRUMENT; bit <= measured; bit <<= 1)
        if (measured & bit & ~(unsigned)GNOMON_MEASURED_MEMORY)
            fprintf(stream, "  [%s%s]", report_measured(bit), bit & GNOMON_MEASURED_ENTRIES ? ": entries only" : "");
}

enum column { SELF, TOTAL, CALLS, AVERAGE, MIN, MAX, LOST, NUMBERS };

static const char *const titles[NUMBERS] = {"self", "total", "calls", "cyc/call", "min", "max", "lost"};

struct table {
    int width[NUMBERS]; /* 0: left out */
    int name_width;
    FILE *stream;
    const struct report *report;
};

/* A figure as text; "-" where there is none. */
static const char *cell(char buffer[CLI_COUNT_BYTES], const struct gnomon_profile_function *f, enum column column) {
    bool whole = f->min <= f->max;
    bool entered_only = f->measured && !(f->measured & ~(unsigned)GNOMON_MEASURED_ENTRIES);
    uint64_t value = column == SELF      ? f->self
                     : column == TOTAL   ? f->total
                     : column == CALLS   ? f->calls
                     : column == AVERAGE ? (f->calls ? (f->total + f->calls / 2) / f->calls : 0)
                     : column == MIN     ? f->min
                     : column == MAX     ? f->max
                                         : f->lost_cycles;
    bool none = ((column == MIN || column == MAX) && !whole) || (column == LOST && !f->lost_cycles && !f->lost_calls) ||
                (column == AVERAGE && !f->calls) || (entered_only && column != CALLS);
    if (none)
        return "-";
    snprintf(buffer, CLI_COUNT_BYTES, "%llu", (unsigned long long)value);
    return buffer;
}

static void widen(int *width, const char *text) {
    int length = (int)strlen(text);
    if (length > *width)
        *width = length;
}

static void measure(struct table *table, const uint32_t *rows, size_t count) {
    char buffer[CLI_COUNT_BYTES];
    table->name_width = (int)strlen("function");
    for (enum column column = 0; column < NUMBERS; column++) {
        if (column == LOST && table->report->sums->lost == 0 && !table->report->stats->lost.enters)
            continue;
        widen(&table->width[column], titles[column]);
        for (size_t i = 0; i < count; i++)
            widen(&table->width[column], cell(buffer, table->report->rows[rows[i]].figures, column));
    }
    for (size_t i = 0; i < count; i++) {
        int length = (int)strlen(table->report->rows[rows[i]].name.text);
        if (length > table->name_width && length <= 48)
            table->name_width = length;
    }
}

static void put_titles(const struct table *table) {
    const struct cli_context *context = table->report->context;
    fprintf(table->stream, "%s  self %%", cli_style(context, table->stream, CLI_BOLD));
    for (enum column column = 0; column < NUMBERS; column++)
        if (table->width[column])
            fprintf(table->stream, "  %*s", table->width[column], titles[column]);
    fprintf(table->stream, "  %-*s  where%s\n", table->name_width, "function",
            cli_style(context, table->stream, CLI_PLAIN));
}

static void put_row(const struct table *table, const struct report_row *row) {
    const struct cli_context *context = table->report->context;
    double percent = report_percent(table->report, row->figures->self);
    enum cli_style style = percent >= 5 ? CLI_RED : percent >= 0.5 ? CLI_GREEN : CLI_PLAIN;
    char buffer[CLI_COUNT_BYTES], where[CLI_WHERE_BYTES];
    fprintf(table->stream, "%s%8.1f%s", cli_style(context, table->stream, style), percent,
            cli_style(context, table->stream, CLI_PLAIN));
    for (enum column column = 0; column < NUMBERS; column++)
        if (table->width[column])
            fprintf(table->stream, "  %*s", table->width[column], cell(buffer, row->figures, column));
    fputs(row->figures->exact ? "  " : " +", table->stream);
    if (*cli_where(where, &row->name))
        fprintf(table->stream, "%-*s  %s", table->name_width, row->name.text, where);
    else
        fputs(row->name.text, table->stream);
    if (row->name.module)
        fprintf(table->stream, "  [module %s]", row->name.module);
    if (row->name.overlay)
        fprintf(table->stream, "  [overlay %u]", (unsigned)row->name.overlay - 1);
    put_measured(table->stream, row->figures->measured);
    fputc('\n', table->stream);
}

/* Cycles that no row has, so that the percentages add up to 100. */
static void put_rest(const struct table *table, const char *what, uint64_t cycles) {
    if (cycles == 0)
        return;
    char text[CLI_COUNT_BYTES];
    snprintf(text, sizeof text, "%llu", (unsigned long long)cycles);
    fprintf(table->stream, "%8.1f  %*s", report_percent(table->report, cycles), table->width[SELF], text);
    int blank = 2;
    for (enum column column = TOTAL; column < NUMBERS; column++)
        blank += table->width[column] ? table->width[column] + 2 : 0;
    fprintf(table->stream, "%*s%s\n", blank, "", what);
}

/* The rows to be shown, in order, into `rows`; what the others took, into *hidden. */
static size_t select_rows(const struct report *report, uint32_t *rows, uint64_t *hidden, size_t *hidden_count) {
    size_t count = 0;
    *hidden = *hidden_count = 0;
    for (size_t i = 0; i < report->count; i++) {
        uint32_t index = report->order[i];
        if (report_wanted(report, index) && (!report->values->limit || count < report->values->limit)) {
            rows[count++] = index;
        } else {
            *hidden += report->rows[index].figures->self;
            ++*hidden_count;
        }
    }
    return count;
}

void report_flat(const struct report *report, FILE *stream) {
    struct table table = {.stream = stream, .report = report};
    uint64_t hidden;
    size_t hidden_count;
    put_first_line(report, stream);
    size_t count = select_rows(report, report->shown, &hidden, &hidden_count);
    measure(&table, report->shown, count);
    put_titles(&table);
    for (size_t i = 0; i < count; i++)
        put_row(&table, &report->rows[report->shown[i]]);
    char rest[64];
    snprintf(rest, sizeof rest, "[%zu more function%s]", hidden_count, hidden_count == 1 ? "" : "s");
    put_rest(&table, rest, hidden);
    put_rest(&table, "[outside: no profiled function was open]", report->sums->outside);
    put_rest(&table, "[lost: nothing is known of them but their number]", report->sums->lost);
}
