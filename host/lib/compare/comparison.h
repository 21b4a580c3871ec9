/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the figures of two programs, or of two builds of one, row by row. Of each there may be several runs: how
 * much they differ is the noise, and a change below it counts for nothing. */
#ifndef GNOMON_LIB_COMPARISON_H
#define GNOMON_LIB_COMPARISON_H

#include "lib/compare/figures.h"

enum gnomon_side { GNOMON_OLD, GNOMON_NEW, GNOMON_SIDES };

struct gnomon_compared_row {
    const struct gnomon_figures_row *rows[GNOMON_SIDES]; /* of the first run that has it; NULL: none has */
    uint64_t *values[GNOMON_SIDES]; /* of each run, one after the other: gnomon_figures_width figures */
    bool exact;                     /* in all runs */
};

struct gnomon_comparison {
    enum gnomon_figures_of of;
    size_t width;
    bool same_build; /* all recordings are of the same build */
    const struct gnomon_figures *figures[GNOMON_SIDES];
    size_t runs[GNOMON_SIDES];
    struct gnomon_compared_row whole; /* the cycles of the run, as its first figure; no rows */
    size_t count;
    struct gnomon_compared_row *rows;
    uint64_t *values; /* of all rows */
};

/* Rows belong together if key and module are the same, and, where one run has several such functions, the file; lines
 * if they are also the same line, counted from the function's declaration if the builds differ. `old` and `new` must
 * outlive the comparison; each has at least one run. False: out of memory. */
bool gnomon_compare(struct gnomon_comparison *comparison, const struct gnomon_figures *old, size_t old_runs,
                    const struct gnomon_figures *new, size_t new_runs);
void gnomon_comparison_free(struct gnomon_comparison *comparison);

/* The row as it is shown: that of the new side, if it has one. */
const struct gnomon_figures_row *gnomon_compared(const struct gnomon_compared_row *row);

struct gnomon_change {
    double means[GNOMON_SIDES];
    double change;
    /* With several runs: the change that runs of one and the same program would show, with a confidence of 99 %
     * (Welch's t-test). -1: there is one run of each, so the noise is not known. */
    double noise;
};
struct gnomon_change gnomon_change_of(const struct gnomon_comparison *comparison, const struct gnomon_compared_row *row,
                                      size_t figure);
/* False if the change is zero or within the noise. */
bool gnomon_changed(const struct gnomon_change *change);

#endif
