/* SPDX-License-Identifier: Apache-2.0 */
/* Limits for the figures of a run: fixed ones, or ones relative to an earlier run. */
#ifndef GNOMON_LIB_LIMITS_H
#define GNOMON_LIB_LIMITS_H

#include "lib/compare/comparison.h"

enum gnomon_limit_kind {
    GNOMON_LIMIT_TOTAL,   /* cycles of a function with all that it called */
    GNOMON_LIMIT_SELF,    /* cycles of a function alone */
    GNOMON_LIMIT_CALLS,   /* its calls */
    GNOMON_LIMIT_LONGEST, /* cycles of its longest call */
    GNOMON_LIMIT_LATENCY, /* cycles from the request of an interrupt to its handler, at most */
    GNOMON_LIMIT_CYCLES,  /* of the run: it has no function */
    GNOMON_LIMIT_KINDS,
};

/* The name of the option that sets it: "max", "max-self", "max-calls", "max-call", "max-latency", "max-cycles". */
const char *gnomon_limit_option(enum gnomon_limit_kind kind);

enum gnomon_limit_form {
    GNOMON_LIMIT_FIXED,   /* at most `value` */
    GNOMON_LIMIT_MORE,    /* at most `value` more than the earlier run */
    GNOMON_LIMIT_PERCENT, /* at most `percent` more than the earlier run; may be negative */
};

struct gnomon_limit {
    enum gnomon_limit_kind kind;
    enum gnomon_limit_form form;
    char *text;     /* as the user wrote it; owned */
    char *function; /* a name, or a pattern of fnmatch(3) with * or ?; owned; NULL: the run */
    int64_t value;
    double percent;
};

/* Reads "main:12000", "main:+2%", "main:+500", "[interrupt 7]:400", "irq7:400"; of the run "12000", "+2%". */
enum gnomon_status gnomon_limit_parse(struct gnomon_limit *limit, enum gnomon_limit_kind kind, const char *text,
                                      struct gnomon_error *error);
void gnomon_limit_free(struct gnomon_limit *limit);

/* A file of limits: in each line the name of an option and its value, as "max-calls malloc:10". Empty lines and what
 * follows a # at the beginning of a word are left out. Calls `take` for each limit, which then owns it. */
typedef enum gnomon_status gnomon_limit_take(void *context, struct gnomon_limit *limit, struct gnomon_error *error);
enum gnomon_status gnomon_limits_read(const char *path, gnomon_limit_take *take, void *context,
                                      struct gnomon_error *error);

enum gnomon_verdict {
    GNOMON_WITHIN,
    GNOMON_OVER,
    GNOMON_NOT_EXACT, /* the figure is not known exactly, or the earlier one is not */
    GNOMON_NOT_SHOWN, /* the recording, or the earlier one, does not have the class of events that shows the figure */
};

/* Why a figure is not shown. */
struct gnomon_not_shown {
    enum gnomon_side side; /* whose recording does not have the class */
    bool traps;            /* the class is that of traps; else that of calls */
    bool untold; /* nothing tells whether the recording has it: the file is an old one, and has no such event */
};

/* What a limit says of one function, or of the run. Of several runs each must keep a limit, so the highest figure is
 * judged. A limit relative to an earlier run is for the mean of the runs, which may be above it by the noise; for the
 * longest call and the latency, too, the highest figures are compared. */
struct gnomon_judgement {
    const struct gnomon_limit *limit;
    const char *name; /* of the function; NULL: the run */
    enum gnomon_verdict verdict;
    bool over;                         /* the figure is over its limit, whether or not it is known exactly */
    uint64_t figure, most;             /* the figure, and the highest one that is allowed, without the noise */
    uint64_t before;                   /* of the earlier run */
    size_t runs;                       /* that were judged */
    const char *run;                   /* the recording with the figure; NULL: there is one, or the figure is a mean */
    double noise;                      /* of the mean (comparison.h); -1: the figure is none */
    struct gnomon_not_shown not_shown; /* with GNOMON_NOT_SHOWN; the figures then mean nothing */
};

/* Judges by `comparison`, whose new side has the runs to be judged; if there is no earlier run, its old side is the
 * same, and limits are fixed. Calls `judged` for each function that the limit is for. A function that was not called
 * has the figure 0; a name of which nothing is known is an error, because it would always be within its limit. */
typedef enum gnomon_status gnomon_judged(void *context, const struct gnomon_judgement *judgement,
                                         struct gnomon_error *error);
enum gnomon_status gnomon_limit_judge(const struct gnomon_limit *limit, const struct gnomon_comparison *comparison,
                                      gnomon_judged *judged, void *context, struct gnomon_error *error);

#endif
