/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph: for each function its callers, and the functions that it called. */
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"
#include "cli/screen.h"

/* Arcs sorted by one of their ends, then by cycles. The arcs of function i are first[i] to before first[i + 1]. */
struct arcs {
    const struct gnomon_profile_arc **sorted;
    uint32_t *first;
};

static uint32_t caller_of(const struct gnomon_profile_arc *arc) {
    return arc->caller;
}
static uint32_t callee_of(const struct gnomon_profile_arc *arc) {
    return arc->callee;
}
typedef uint32_t end_of(const struct gnomon_profile_arc *arc);

static int by_total(const void *a, const void *b) {
    const struct gnomon_profile_arc *left = *(const struct gnomon_profile_arc *const *)a;
    const struct gnomon_profile_arc *right = *(const struct gnomon_profile_arc *const *)b;
    if (left->total != right->total)
        return left->total > right->total ? -1 : 1;
    return left < right ? -1 : left > right; /* keeps the order of their first calls */
}

/* Groups the arcs by counting, then sorts each group by cycles. Calls from outside have no caller that could list
 * them. */
static bool group(struct arcs *arcs, const struct gnomon_profile_arc *all, size_t count, size_t functions,
                  end_of *end) {
    arcs->sorted = calloc(count + 1, sizeof *arcs->sorted);
    arcs->first = calloc(functions + 2, sizeof *arcs->first);
    if (!arcs->sorted || !arcs->first)
        return false;
    for (size_t i = 0; i < count; i++)
        if (end(&all[i]) < functions)
            arcs->first[end(&all[i]) + 2]++;
    for (size_t i = 2; i < functions + 2; i++)
        arcs->first[i] += arcs->first[i - 1];
    for (size_t i = 0; i < count; i++)
        if (end(&all[i]) < functions)
            arcs->sorted[arcs->first[end(&all[i]) + 1]++] = &all[i];
    for (size_t i = 0; i < functions; i++)
        qsort(&arcs->sorted[arcs->first[i]], arcs->first[i + 1] - arcs->first[i], sizeof *arcs->sorted, by_total);
    return true;
}

#define LEAST_NAME 8
#define FIGURES_WIDTH 50 /* characters of a line before a name */
#define RULE_WIDTH 72    /* length of the line between two functions */

/* Returns a name, shortened to what a terminal has left after `used` columns. */
static const char *fitted(FILE *stream, char buffer[SCREEN_TEXT_BYTES], const char *name, int used) {
    int width = screen_width(stream), room = width - used;
    return screen_shorten(buffer, name, !width ? 0 : room < LEAST_NAME ? LEAST_NAME : room);
}

static void put_figures(FILE *stream, const char *place, uint64_t calls, uint64_t self, uint64_t total) {
    char text[3][CLI_COUNT_BYTES];
    fprintf(stream, "%-7s %12s %14s %14s", place, cli_count(text[0], calls), cli_count(text[1], self),
            cli_count(text[2], total));
}

static bool is_trap(const struct report *report, uint32_t index) {
    uint32_t id = report->rows[index].figures->id;
    return id >= GNOMON_PROFILE_TRAP && id < GNOMON_PROFILE_UNKNOWN;
}

static void put_arc(const struct report *report, FILE *stream, const struct gnomon_profile_arc *arc, uint32_t other,
                    const uint32_t *places) {
    enum { INDENT = 6 };
    char place[16] = "", buffer[SCREEN_TEXT_BYTES];
    put_figures(stream, "", arc->calls, arc->self, arc->total);
    const char *name = other != GNOMON_PROFILE_UNPROFILED ? report->rows[other].name.text
                       : is_trap(report, arc->callee)     ? "<hardware>"
                                                          : "<outside>";
    if (other != GNOMON_PROFILE_UNPROFILED)
        snprintf(place, sizeof place, " [%u]", (unsigned)places[other] + 1);
    fprintf(stream, "%*s%s%s\n", INDENT, "", fitted(stream, buffer, name, FIGURES_WIDTH + INDENT + (int)strlen(place)),
            place);
}

/* Prints the source location after the name, if there is room. */
static void put_where(FILE *stream, const struct report_row *row, int used) {
    char where[CLI_WHERE_BYTES];
    int width = screen_width(stream);
    if (*cli_where(where, &row->name) && (!width || used + screen_length(where) + 4 <= width))
        fprintf(stream, "  (%s)", where);
}

/* Prints calls that have no arc to a caller; the report's first line says why arcs are missing. */
static void put_unknown(FILE *stream, uint64_t calls, const struct arcs *callers, uint32_t index) {
    char text[CLI_COUNT_BYTES];
    for (uint32_t i = callers->first[index]; i < callers->first[index + 1]; i++)
        calls -= callers->sorted[i]->calls < calls ? callers->sorted[i]->calls : calls;
    if (calls)
        fprintf(stream, "%-7s %12s %14s %14s      <not known>\n", "", cli_count(text, calls), "-", "-");
}

static void put_function(const struct report *report, FILE *stream, uint32_t index, const struct arcs *callers,
                         const struct arcs *callees, const uint32_t *places) {
    const struct report_row *row = &report->rows[index];
    char place[CLI_COUNT_BYTES], cycles[CLI_COUNT_BYTES], buffer[SCREEN_TEXT_BYTES];
    for (uint32_t i = callers->first[index]; i < callers->first[index + 1]; i++)
        put_arc(report, stream, callers->sorted[i], callers->sorted[i]->caller, places);
    put_unknown(stream, row->figures->calls, callers, index);
    snprintf(place, sizeof place, "[%u]", (unsigned)places[index] + 1);
    const char *name = fitted(stream, buffer, row->name.text, FIGURES_WIDTH + 2);
    fputs(cli_style(report->context, stream, CLI_BOLD), stream);
    put_figures(stream, place, row->figures->calls, row->figures->self, row->figures->total);
    fprintf(stream, "  %s%s", name, cli_style(report->context, stream, CLI_PLAIN));
    put_where(stream, row, FIGURES_WIDTH + 2 + screen_length(name));
    if (row->figures->lost_calls)
        fprintf(stream, "\n%*s%s calls lost below, with %s %s", FIGURES_WIDTH - 38, "",
                cli_count(place, row->figures->lost_calls), cli_count(cycles, row->figures->lost_cycles),
                report_unit(report));
    fputc('\n', stream);
    for (uint32_t i = callees->first[index]; i < callees->first[index + 1]; i++)
        put_arc(report, stream, callees->sorted[i], callees->sorted[i]->callee, places);
    int width = screen_width(stream);
    for (int i = 0; i < (width && width < RULE_WIDTH ? width : RULE_WIDTH); i++)
        fputc('-', stream);
    fputc('\n', stream);
}

static void put_graph(const struct report *report, FILE *stream, const struct arcs *callers,
                      const struct arcs *callees) {
    const char *key = report->values->sort ? report->values->sort : "total";
    uint32_t *order = report->shown;
    uint32_t *places = report->places;
    report_sort(report, key, order);
    for (uint32_t i = 0; i < report->count; i++)
        places[order[i]] = i;
    char head[160];
    snprintf(head, sizeof head, "Call graph: callers above each function, callees below, %s of these calls.",
             report_unit(report));
    screen_sentence(stream, head, "  ");
    fprintf(stream, "%splace          calls           self          total  function%s\n",
            cli_style(report->context, stream, CLI_BOLD), cli_style(report->context, stream, CLI_PLAIN));
    size_t shown = 0;
    for (size_t i = 0; i < report->count && (!report->values->limit || shown < report->values->limit); i++) {
        if (!report_wanted(report, order[i]))
            continue;
        put_function(report, stream, order[i], callers, callees, places);
        shown++;
    }
}

void report_graph(const struct report *report, FILE *stream) {
    size_t count;
    if (report->analysis.records.size && !report->analysis.records.with_arcs) {
        fputs(report->analysis.memory ? "No call graph: link with --gnomon-records=array,graph or pointers,graph.\n"
                                      : "No call graph: the device's records have none. Record with --events.\n",
              stream);
        return;
    }
    const struct gnomon_profile_arc *all = gnomon_profile_arcs(report->profile, &count);
    struct arcs callers = {0}, callees = {0};
    if (group(&callers, all, count, report->count, callee_of) && group(&callees, all, count, report->count, caller_of))
        put_graph(report, stream, &callers, &callees);
    free(callers.sorted);
    free(callers.first);
    free(callees.sorted);
    free(callees.first);
}
