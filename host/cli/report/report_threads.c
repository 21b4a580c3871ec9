/* SPDX-License-Identifier: Apache-2.0 */
/* Prints how long each thread ran. */
#include <stdlib.h>

#include "cli/report/report.h"
#include "cli/screen.h"

enum column { SHARE, CYCLES, OWN, TRAPS, RUNS, FIRST, LAST, ALIVE, NUMBER, NAME, COLUMNS };

static const struct screen_column columns[COLUMNS] = {
    [SHARE] = {.title = "   run %"},      [CYCLES] = {.title = "cycles"},
    [OWN] = {.title = "own", .gives = 1}, [TRAPS] = {.title = "interrupts"},
    [RUNS] = {.title = "runs"},           [FIRST] = {.title = "from", .gives = 3},
    [LAST] = {.title = "to", .gives = 4}, [ALIVE] = {.title = "of that %", .gives = 2},
    [NUMBER] = {.title = "no."},          [NAME] = {.title = "thread", .left = true, .least = 12},
};

static int by_cycles(const void *a, const void *b) {
    const struct gnomon_profile_thread *left = a, *right = b;
    if (left->cycles != right->cycles)
        return left->cycles > right->cycles ? -1 : 1;
    return left->thread < right->thread ? -1 : left->thread > right->thread;
}

static void put_percent(struct screen_table *table, uint64_t part, uint64_t whole) {
    char text[24];
    snprintf(text, sizeof text, "%.1f", whole ? 100.0 * (double)part / (double)whole : 0.0);
    screen_cell(table, text);
}

static void put_thread(const struct report *report, struct screen_table *table,
                       const struct gnomon_profile_thread *thread) {
    char name[GNOMON_LOCK_NAME_BYTES], text[CLI_CLEAN_BYTES], number[16];
    const bool traps = !report->analysis.aggregates;
    put_percent(table, thread->cycles, report->sums->cycles);
    screen_count(table, thread->cycles);
    if (traps) {
        screen_count(table, thread->cycles - thread->trap_cycles);
        screen_count(table, thread->trap_cycles);
    } else {
        screen_none(table);
        screen_none(table);
    }
    screen_count(table, thread->runs);
    screen_count(table, thread->first);
    screen_count(table, thread->last);
    put_percent(table, thread->cycles, thread->last - thread->first);
    snprintf(number, sizeof number, "%u", (unsigned)thread->thread);
    screen_cell(table, number);
    screen_cell(table, cli_clean(text, gnomon_thread_name(&report->names, thread->thread, name)));
}

void report_threads(const struct report *report, FILE *stream) {
    size_t count, ran = 0;
    const struct gnomon_profile_thread *threads = gnomon_profile_threads(report->profile, &count);
    struct gnomon_profile_thread *sorted = calloc(count + 1, sizeof *sorted);
    struct screen_table *table = sorted ? screen_table_new(columns, COLUMNS) : NULL;
    for (size_t i = 0; sorted && i < count; i++)
        if (threads[i].runs)
            sorted[ran++] = threads[i];
    if (sorted)
        qsort(sorted, ran, sizeof *sorted, by_cycles);
    for (size_t i = 0; i < ran; i++)
        put_thread(report, table, &sorted[i]);
    if (!screen_table_print(table, report->context, stream))
        cli_warn(report->context, "out of memory: the table is missing");
    screen_table_free(table);
    free(sorted);
    if (report->analysis.aggregates)
        screen_sentence(stream,
                        "# Interrupts are in the device's function records: their cycles count here for the thread "
                        "that they interrupted. gnomon record --events tells them apart.",
                        "#   ");
}
