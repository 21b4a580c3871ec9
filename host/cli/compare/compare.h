/* SPDX-License-Identifier: Apache-2.0 */
/* What `gnomon diff` and `gnomon check` share: reading recordings, and showing changes. */
#ifndef GNOMON_CLI_COMPARE_H
#define GNOMON_CLI_COMPARE_H

#include "cli/cli.h"
#include "lib/compare/comparison.h"

/* The runs of one side. */
struct compare_runs {
    size_t count;
    struct gnomon_figures *figures;
    size_t name_count, name_room;
    char **names; /* of the recordings; the figures use them */
};

/* Reads recordings of one program. Where there is no file of a name, it stands for those that gnomon record --repeat
 * has made. `elf` and `hart` (may be NULL) as for gnomon report. The caller closes `runs`,
 * whatever the status is. */
enum gnomon_status compare_read(struct compare_runs *runs, const struct cli_list *paths, const char *elf,
                                const char *hart, enum gnomon_figures_of of, bool raw_names,
                                struct gnomon_error *error);
void compare_close(struct compare_runs *runs);

/* Prints why figures are not exact, as cli_reasons does, with the recordings' names. */
int compare_reasons(const struct cli_context *context, const struct compare_runs *runs, bool strict);

/* "+1,234", "-5", "0"; rounded. `buffer` has COMPARE_TEXT_BYTES. */
#define COMPARE_TEXT_BYTES 48
const char *compare_signed(char *buffer, double value);
/* "+3.5 %", "new" if there was nothing before, "" without a change. */
const char *compare_percent(char *buffer, const struct gnomon_change *change);

#endif
