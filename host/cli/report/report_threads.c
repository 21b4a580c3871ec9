/* SPDX-License-Identifier: Apache-2.0 */
/* Prints how long each thread ran. */
#include <stdlib.h>

#include "cli/report/report.h"
#include "cli/screen.h"
#include "cli/threads_table.h"

void report_threads(const struct report *report, FILE *stream) {
    size_t count, ran = 0;
    const struct gnomon_profile_thread *threads = gnomon_profile_threads(report->profile, &count);
    struct gnomon_profile_thread *run = calloc(count + 1, sizeof *run);
    for (size_t i = 0; run && i < count; i++)
        if (threads[i].runs)
            run[ran++] = threads[i];
    const struct threads_table all = {.threads = run,
                                      .count = ran,
                                      .cycles = report->sums->cycles,
                                      .unit = report_unit(report),
                                      .traps = !report->analysis.aggregates,
                                      .harts = report->analysis.hart == 1 || report->analysis.other,
                                      .tables = report->names.tables,
                                      .symbols = report->analysis.symbols};
    if (!run || !threads_table_print(&all, report->context, stream))
        cli_warn(report->context, "out of memory: the table is missing");
    free(run);
    if (report->analysis.aggregates)
        screen_sentence(stream,
                        "# Interrupts are in the device's function records: what they took counts here for the thread "
                        "that they interrupted. gnomon record --events tells them apart.",
                        "#   ");
}
