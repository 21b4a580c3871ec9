/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/run_threads.h"

#include <stdlib.h>

#include "cli/print_names.h"
#include "cli/screen.h"
#include "cli/threads_table.h"
#include "gnomon/registers.h"
#include "lib/elf/objects.h"
#include "lib/run/read_lock_tables.h"
#include "lib/util/json_text.h"

#define NOTED 4 /* threads that the note names */

enum gnomon_status run_threads_open(struct run_threads *threads, const char *elf, struct gnomon_error *error) {
    struct gnomon_objects objects;
    uint32_t address;
    const bool loaded = gnomon_objects_load(&objects, elf);
    threads->follows = loaded && gnomon_objects_named(&objects, GNOMON_LOCKS_SYMBOL, &address);
    gnomon_objects_free(&objects);
    if (threads->follows && gnomon_symbols_load_any(&threads->symbols, elf, NULL))
        threads->symbols = NULL;
    return loaded ? GNOMON_OK : gnomon_fail_memory(error);
}

void run_threads_close(struct run_threads *threads) {
    gnomon_symbols_free(threads->symbols);
    gnomon_lock_tables_free(&threads->tables);
}

uint32_t run_threads_control(const struct run_threads *threads) {
    return threads->follows ? GNOMON_PROFILE_CONTROL_CHANNELS | GNOMON_PROFILE_CONTROL_TRAPS : 0;
}

enum gnomon_status run_threads_take(struct run_threads *threads, const struct gnomon_measured *measured,
                                    const struct target *target, struct gnomon_error *error) {
    char doubt[GNOMON_LOCK_DOUBT_BYTES];
    threads->times = measured->threads;
    threads->times.unknown |= measured->other_hart && !measured->other.frames;
    if (!threads->follows || measured->threads.count < 2)
        return GNOMON_OK;
    gnomon_lock_tables_free(&threads->tables);
    return gnomon_lock_tables_read(&threads->tables, target->device, &target->board, target->image, doubt, error);
}

static uint64_t sum_of(const struct gnomon_thread_times *times, uint64_t *traps) {
    uint64_t sum = *traps = 0;
    for (size_t i = 0; i < times->count; i++) {
        sum += times->threads[i].cycles;
        *traps += times->threads[i].trap_cycles;
    }
    return sum;
}

static struct threads_table table_of(const struct gnomon_thread_times *times, bool traps,
                                     const struct gnomon_lock_tables *tables, const struct gnomon_symbols *symbols) {
    return (struct threads_table){.threads = times->threads,
                                  .count = times->count,
                                  .cycles = gnomon_thread_times_whole(times),
                                  .unit = "cycles",
                                  .traps = traps,
                                  .harts = times->harts[1].begun,
                                  .tables = tables,
                                  .symbols = symbols};
}

void run_threads_print(const struct run_threads *threads, const struct cli_context *context, FILE *stream) {
    const struct gnomon_thread_times *times = &threads->times;
    const struct threads_table all = table_of(times, true, &threads->tables, threads->symbols);
    char sums[CLI_COUNT_BYTES], of_traps[CLI_COUNT_BYTES], switches[CLI_COUNT_BYTES];
    uint64_t traps;
    if (times->count < 2)
        return;
    fprintf(stream, "\n Threads:\n\n");
    if (times->unknown) {
        fprintf(stream, " Messages of switches were lost: how long each thread ran is not known.\n");
        return;
    }
    const uint64_t sum = sum_of(times, &traps);
    if (!threads_table_print(&all, context, stream))
        cli_warn(context, "out of memory: the table of threads is missing");
    fprintf(stream, "   = %s cycles of all threads, of these %s in interrupts; %s switches\n", cli_count(sums, sum),
            cli_count(of_traps, traps), cli_count(switches, times->switches));
}

json_t *run_threads_json(const struct run_threads *threads) {
    const struct gnomon_thread_times *times = &threads->times;
    if (times->count < 2)
        return NULL;
    if (times->unknown)
        return json_null();
    const struct threads_table all = table_of(times, true, &threads->tables, threads->symbols);
    json_t *list = json_array();
    for (size_t i = 0; i < times->count; i++) {
        const struct gnomon_profile_thread *thread = &times->threads[i];
        char name[GNOMON_THREAD_NAME_BYTES];
        json_array_append_new(
            list, json_pack("{s:I, s:o, s:I, s:I, s:I, s:I, s:I}", "thread", (json_int_t)thread->thread, "name",
                            gnomon_json_text(threads_table_name(&all, thread->thread, name)), "cycles",
                            (json_int_t)thread->cycles, "trap_cycles", (json_int_t)thread->trap_cycles, "runs",
                            (json_int_t)thread->runs, "first_cycle", (json_int_t)thread->first, "last_cycle",
                            (json_int_t)thread->last));
    }
    return list;
}

void run_threads_note(const struct gnomon_thread_times *times, bool traps, const struct gnomon_lock_tables *tables,
                      const struct gnomon_symbols *symbols, const struct cli_context *context) {
    char text[2 * NOTED * GNOMON_THREAD_NAME_BYTES], name[GNOMON_THREAD_NAME_BYTES], clean[CLI_CLEAN_BYTES];
    const struct threads_table all = table_of(times, traps, tables, symbols);
    const double whole = all.cycles ? (double)all.cycles / 100 : 1;
    uint64_t in_traps;
    if (times->count < 2 || times->unknown)
        return;
    int used = snprintf(text, sizeof text, "%zu threads: ", times->count);
    struct gnomon_profile_thread *sorted = threads_table_sorted(times->threads, times->count);
    for (size_t i = 0; sorted && i < times->count && i < NOTED; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%.300s %.1f %%", i ? ", " : "",
                         cli_clean(clean, threads_table_name(&all, sorted[i].thread, name)),
                         (double)sorted[i].cycles / whole);
    free(sorted);
    if (times->count > NOTED)
        used += snprintf(text + used, sizeof text - (size_t)used, ", ...");
    sum_of(times, &in_traps);
    if (traps)
        used += snprintf(text + used, sizeof text - (size_t)used, "; interrupts %.1f %%", (double)in_traps / whole);
    snprintf(text + used, sizeof text - (size_t)used, "; %llu switches. gnomon report --threads shows all",
             (unsigned long long)times->switches);
    cli_note_sentence(context, text);
}
