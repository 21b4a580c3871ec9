/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/threads_table.h"

#include <stdlib.h>
#include <string.h>

#include "cli/print_names.h"
#include "cli/screen.h"

enum column { SHARE, CYCLES, OWN, TRAPS, RUNS, FIRST, LAST, ALIVE, NUMBER, NAME, COLUMNS };

static const struct screen_column columns[COLUMNS] = {
    [SHARE] = {.title = "   run %"},      [CYCLES] = {0},
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

const char *threads_table_name(const struct threads_table *all, uint32_t thread, char text[GNOMON_THREAD_NAME_BYTES]) {
    if (all->harts && thread == GNOMON_TRACE_CONTEXT(1))
        return gnomon_hart_name(1, text);
    return gnomon_table_thread_name(all->tables, all->symbols, thread, text);
}

static void put_thread(const struct threads_table *all, struct screen_table *table,
                       const struct gnomon_profile_thread *thread) {
    char name[GNOMON_THREAD_NAME_BYTES], text[CLI_CLEAN_BYTES], number[16];
    put_percent(table, thread->cycles, all->cycles);
    screen_count(table, thread->cycles);
    if (all->traps) {
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
    screen_cell(table, cli_clean(text, threads_table_name(all, thread->thread, name)));
}

struct gnomon_profile_thread *threads_table_sorted(const struct gnomon_profile_thread *threads, size_t count) {
    struct gnomon_profile_thread *sorted = calloc(count + 1, sizeof *sorted);
    for (size_t i = 0; sorted && i < count; i++)
        sorted[i] = threads[i];
    if (sorted)
        qsort(sorted, count, sizeof *sorted, by_cycles);
    return sorted;
}

bool threads_table_print(const struct threads_table *all, const struct cli_context *context, FILE *stream) {
    struct gnomon_profile_thread *sorted = threads_table_sorted(all->threads, all->count);
    struct screen_column titled[COLUMNS];
    memcpy(titled, columns, sizeof titled);
    titled[CYCLES].title = all->unit;
    struct screen_table *table = sorted ? screen_table_new(titled, COLUMNS) : NULL;
    for (size_t i = 0; sorted && i < all->count; i++)
        put_thread(all, table, &sorted[i]);
    const bool printed = screen_table_print(table, context, stream);
    screen_table_free(table);
    free(sorted);
    return printed;
}
