/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph: for each function those that called it, and those that it called. */
#include <stdlib.h>
#include <string.h>

#include "report.h"

/* Arcs sorted by one end, then by cycles; `first[i]` to before `first[i + 1]` are those of function i. */
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
    return left < right ? -1 : left > right; /* in the order of their first calls */
}

/* Groups by counting; then each group by cycles. Calls from outside have no caller to be listed under. */
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

static void put_arc(const struct report *report, FILE *stream, const struct gnomon_profile_arc *arc, uint32_t other,
                    const uint32_t *places) {
    fprintf(stream, "        %12llu %14llu %14llu      ", (unsigned long long)arc->calls, (unsigned long long)arc->self,
            (unsigned long long)arc->total);
    if (other == GNOMON_PROFILE_OUTSIDE)
        fprintf(stream, "%s\n",
                report->rows[arc->callee].figures->id >= GNOMON_PROFILE_TRAP &&
                        report->rows[arc->callee].figures->id < GNOMON_PROFILE_UNKNOWN
                    ? "<hardware>"
                    : "<outside>");
    else
        fprintf(stream, "%s [%u]\n", report->rows[other].name.text, (unsigned)places[other] + 1);
}

static void put_function(const struct report *report, FILE *stream, uint32_t index, const struct arcs *callers,
                         const struct arcs *callees, const uint32_t *places) {
    const struct report_row *row = &report->rows[index];
    char where[CLI_WHERE_BYTES], place[16];
    for (uint32_t i = callers->first[index]; i < callers->first[index + 1]; i++)
        put_arc(report, stream, callers->sorted[i], callers->sorted[i]->caller, places);
    snprintf(place, sizeof place, "[%u]", (unsigned)places[index] + 1);
    fprintf(stream, "%s%-7s %12llu %14llu %14llu  %s%s", cli_style(report->context, stream, CLI_BOLD), place,
            (unsigned long long)row->figures->calls, (unsigned long long)row->figures->self,
            (unsigned long long)row->figures->total, row->name.text, cli_style(report->context, stream, CLI_PLAIN));
    if (*cli_where(where, &row->name))
        fprintf(stream, "  (%s)", where);
    if (row->figures->lost_calls)
        fprintf(stream, "  %llu calls lost below, with %llu cycles", (unsigned long long)row->figures->lost_calls,
                (unsigned long long)row->figures->lost_cycles);
    fputc('\n', stream);
    for (uint32_t i = callees->first[index]; i < callees->first[index + 1]; i++)
        put_arc(report, stream, callees->sorted[i], callees->sorted[i]->callee, places);
    fputs("------------------------------------------------------------------------\n", stream);
}

static void put_graph(const struct report *report, FILE *stream, const struct arcs *callers,
                      const struct arcs *callees) {
    const char *key = report->values->sort ? report->values->sort : "total";
    uint32_t *order = report->shown;
    uint32_t *places = report->places;
    report_sort(report, key, order);
    for (uint32_t i = 0; i < report->count; i++)
        places[order[i]] = i;
    fprintf(stream,
            "Call graph: above each function its callers, below it those that it called; their cycles in these calls.\n"
            "%splace          calls           self          total  function%s\n",
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
