/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/compare.h"

#include <math.h>
#include <stdlib.h>

#include "cli/choose.h"

enum gnomon_status compare_read(struct compare_runs *runs, const struct cli_list *paths, const char *elf,
                                const char *hart, enum gnomon_figures_of of, bool raw_names,
                                struct gnomon_error *error) {
    uint64_t number = of == GNOMON_FIGURES_OF_FUNCTIONS ? GNOMON_BOTH_HARTS : 0;
    enum gnomon_status status = cli_hart_number(hart, "a number", &number, error);
    runs->figures = calloc(paths->count + 1, sizeof *runs->figures);
    if (!runs->figures)
        return gnomon_fail_memory(error);
    while (!status && runs->count < paths->count) {
        status = gnomon_figures_read(&runs->figures[runs->count], paths->items[runs->count], elf, number, of, raw_names,
                                     error);
        runs->count++;
    }
    return status;
}

void compare_close(struct compare_runs *runs) {
    for (size_t i = 0; i < runs->count; i++)
        gnomon_figures_close(&runs->figures[i]);
    free(runs->figures);
}

int compare_reasons(const struct cli_context *context, const struct compare_runs *runs, bool strict) {
    int worst = CLI_OK;
    for (size_t run = 0; run < runs->count; run++) {
        const struct gnomon_exactness *exactness = &runs->figures[run].exactness;
        for (size_t i = 0; i < exactness->count; i++)
            cli_warn(context, "%s: %s", runs->figures[run].analysis.path, exactness->reasons[i].text);
        if (gnomon_exactness_kind(exactness, GNOMON_REASON_DAMAGE))
            worst = CLI_FAILED;
        else if (strict && !worst && !gnomon_exactness_complete(exactness))
            worst = CLI_INCOMPLETE;
    }
    return worst;
}

const char *compare_signed(char *buffer, double value) {
    char digits[CLI_COUNT_BYTES];
    const double rounded = round(value);
    snprintf(buffer, COMPARE_TEXT_BYTES, "%s%s",
             rounded > 0   ? "+"
             : rounded < 0 ? "-"
                           : "",
             cli_count(digits, (uint64_t)fabs(rounded)));
    return buffer;
}

const char *compare_percent(char *buffer, const struct gnomon_change *change) {
    buffer[0] = '\0';
    if (change->means[GNOMON_OLD] > 0 && change->change != 0)
        snprintf(buffer, COMPARE_TEXT_BYTES, "%+.2f %%", 100.0 * change->change / change->means[GNOMON_OLD]);
    else if (change->change != 0)
        snprintf(buffer, COMPARE_TEXT_BYTES, "new");
    return buffer;
}
