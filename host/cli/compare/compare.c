/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/choose.h"
#include "lib/util/array.h"
#include "lib/util/series.h"

/* Owns `name` from now on; NULL: there was no memory for it. False: out of memory. */
static bool add_name(struct compare_runs *runs, char *name) {
    if (!name || !gnomon_array_room(&runs->names, &runs->name_room, runs->name_count + 1, sizeof *runs->names)) {
        free(name);
        return false;
    }
    runs->names[runs->name_count++] = name;
    return true;
}

/* The recording of that name, or those of the series. False: out of memory. */
static bool add_recordings(struct compare_runs *runs, const char *name) {
    const size_t before = runs->name_count;
    for (unsigned long number = 1; access(name, F_OK) != 0; number++) {
        char *one = gnomon_series_name(name, number);
        if (one && access(one, F_OK) != 0) {
            free(one);
            break;
        }
        if (!add_name(runs, one))
            return false;
    }
    return runs->name_count > before || add_name(runs, strdup(name));
}

enum gnomon_status compare_read(struct compare_runs *runs, const struct cli_list *paths, const char *elf,
                                const char *hart, enum gnomon_figures_of of, bool raw_names,
                                struct gnomon_error *error) {
    uint64_t number = of == GNOMON_FIGURES_OF_FUNCTIONS ? GNOMON_BOTH_HARTS : 0;
    enum gnomon_status status = cli_hart_number(hart, "a number", &number, error);
    bool good = true;
    for (size_t i = 0; good && i < paths->count; i++)
        good = add_recordings(runs, paths->items[i]);
    runs->figures = calloc(runs->name_count + 1, sizeof *runs->figures);
    if (!good || !runs->figures)
        return gnomon_fail_memory(error);
    while (!status && runs->count < runs->name_count) {
        status = gnomon_figures_read(&runs->figures[runs->count], runs->names[runs->count], elf, number, of, raw_names,
                                     error);
        runs->count++;
    }
    return status;
}

void compare_close(struct compare_runs *runs) {
    for (size_t i = 0; i < runs->count; i++)
        gnomon_figures_close(&runs->figures[i]);
    free(runs->figures);
    for (size_t i = 0; i < runs->name_count; i++)
        free(runs->names[i]);
    free(runs->names);
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
