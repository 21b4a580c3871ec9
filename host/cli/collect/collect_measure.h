/* SPDX-License-Identifier: Apache-2.0 */
/* Measures some functions, chosen at random, while a program runs. Whatever fails here, the program runs. */
#ifndef GNOMON_CLI_COLLECT_MEASURE_H
#define GNOMON_CLI_COLLECT_MEASURE_H

#include "cli/collect/collect.h"
#include "lib/collect/choice.h"
#include "lib/run/recorder.h"

/* What a start is measured in. */
struct collect_cost {
    const char *name;
    const struct gnomon_pmu_event *event; /* that is counted in place of cycles; NULL: cycles are */
    bool blocks;                          /* the bytes of blocks of the heap */
};

struct collect_measure {
    const struct cli_context *context;
    const struct collect_member *member;
    struct gnomon_collect_policy policy;
    bool on;              /* false: the program runs as with gnomon run */
    int slot;             /* descriptor of its lock; -1: none */
    char trace[PATH_MAX]; /* the recording, which is removed again */
    bool recorded;        /* it is there */
    struct gnomon_symbols *symbols;
    struct collect_cost cost;
    struct gnomon_collect_choice choice;
    struct gnomon_watch watch;
    struct gnomon_recorder recorder;
};

/* May this start be measured? If so, `on` is set. Else says why, with -v. */
void collect_measure_open(struct collect_measure *measure, const struct cli_context *context,
                          const struct collect_member *member);
/* Gives up: the program runs without it. Says why, with -v. */
void collect_measure_drop(struct collect_measure *measure, const char *why);
/* Before gnomon_session_prepare: chooses the functions. After a failure the session is as it was. */
void collect_measure_begin(struct collect_measure *measure, struct target *target, struct gnomon_session *session);
/* After gnomon_session_run, and before the device is reset: takes what was counted. */
void collect_measure_end(struct collect_measure *measure, const struct target *target, struct gnomon_session *session);
/* When the program and its device are done: adds it to the results on disk. */
void collect_measure_keep(struct collect_measure *measure);
void collect_measure_close(struct collect_measure *measure);

#endif
