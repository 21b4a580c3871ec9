/* SPDX-License-Identifier: Apache-2.0 */
/* Prints how long each thread ran. */
#include "cli/report/report.h"
#include "cli/screen.h"
#include "cli/threads_table.h"

void report_threads(const struct report *report, FILE *stream) {
    struct threads_table all = {.cycles = report->sums->cycles,
                                .traps = !report->analysis.aggregates,
                                .tables = report->names.tables,
                                .symbols = report->analysis.symbols};
    all.threads = gnomon_profile_threads(report->profile, &all.count);
    if (!threads_table_print(&all, report->context, stream))
        cli_warn(report->context, "out of memory: the table is missing");
    if (report->analysis.aggregates)
        screen_sentence(stream,
                        "# Interrupts are in the device's function records: their cycles count here for the thread "
                        "that they interrupted. gnomon record --events tells them apart.",
                        "#   ");
}
