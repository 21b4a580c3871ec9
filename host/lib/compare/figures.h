/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a recording, in rows that can be compared with those of another one: of functions, of the causes of
 * their cycles, or of source lines. The first figure of all rows together is the cycles of the run. */
#ifndef GNOMON_LIB_FIGURES_H
#define GNOMON_LIB_FIGURES_H

#include "lib/model/instructions.h"
#include "lib/profile/analysis.h"
#include "lib/profile/source_lines.h"

enum gnomon_figures_of {
    GNOMON_FIGURES_OF_FUNCTIONS,
    GNOMON_FIGURES_OF_CAUSES, /* each function's own cycles, by cause */
    GNOMON_FIGURES_OF_LINES,  /* the same of its source lines */
};

/* Of functions. */
enum gnomon_figure {
    GNOMON_FIGURE_SELF,
    GNOMON_FIGURE_TOTAL,
    GNOMON_FIGURE_CALLS,
    GNOMON_FIGURE_LONGEST, /* cycles of the longest whole call; 0: there was none */
    GNOMON_FIGURE_WAITS,   /* of an interrupt: how many waits are known */
    GNOMON_FIGURE_LATENCY, /* and the longest of them; 0: none is known */
    GNOMON_FUNCTION_FIGURES,
};
/* Of causes and lines: cycles, then those of each cause. */
#define GNOMON_CAUSE_FIGURES (1 + GNOMON_CAUSES)

struct gnomon_figures_row {
    char *name;         /* as shown; owned */
    char *key;          /* the linker's name without the numbers that the compiler gave to copies; owned */
    const char *file;   /* NULL: not known */
    const char *module; /* NULL: the program */
    unsigned line;      /* of the function's declaration, or of the row; 0: not known */
    unsigned declared;  /* of lines: the line of the function's declaration, if it is in the same file; else 0 */
    bool exact;         /* no loss can have changed these figures */
    uint64_t values[GNOMON_CAUSE_FIGURES];
};

struct gnomon_figures {
    struct gnomon_analysis analysis; /* opened; the names belong to it */
    enum gnomon_figures_of of;
    uint64_t cycles; /* of the run; of both harts, added */
    struct gnomon_exactness exactness;
    size_t count, room;
    struct gnomon_figures_row *rows;
    struct gnomon_source_lines *lines; /* files whose lines were asked for */
};

/* Figures in each row. */
size_t gnomon_figures_width(enum gnomon_figures_of of);

/* Reads all of the recording at `path`. `elf` replaces the program's path; `hart` as for gnomon_analysis_select; causes
 * are of one hart. The caller closes `figures`, whatever the status is. */
enum gnomon_status gnomon_figures_read(struct gnomon_figures *figures, const char *path, const char *elf, uint64_t hart,
                                       enum gnomon_figures_of of, bool raw_names, struct gnomon_error *error);
void gnomon_figures_close(struct gnomon_figures *figures);

/* Rows that are no function: what no row of a function has. */
#define GNOMON_FIGURES_UNPROFILED "[unprofiled]"
#define GNOMON_FIGURES_LOST "[lost]"
#define GNOMON_FIGURES_NOT_COUNTED "[not counted by instruction]"
#define GNOMON_FIGURES_UNATTRIBUTED "[unattributed: reset, debug mode]"

/* What is known of a function that has no row. */
enum gnomon_absent {
    GNOMON_ABSENT_NOT_CALLED, /* its calls are counted: there was none */
    GNOMON_ABSENT_NO_HOOKS,   /* its calls are not counted */
    GNOMON_ABSENT_UNKNOWN,    /* the program has no function of that name */
};
enum gnomon_absent gnomon_figures_absent(const struct gnomon_figures *figures, const char *name);

#endif
