/* SPDX-License-Identifier: Apache-2.0 */
/* The locks of a recorded run: its account together with the names. */
#ifndef GNOMON_LIB_LOCK_RUN_H
#define GNOMON_LIB_LOCK_RUN_H

#include "lib/locks/lock_account.h"
#include "lib/locks/lock_calls.h"
#include "lib/locks/lock_names.h"

struct gnomon_lock_run {
    struct gnomon_lock_tables tables;
    struct gnomon_lock_names names;
    struct gnomon_lock_account *account;
    const struct gnomon_lock_results *results; /* valid at the end */
    struct gnomon_lock_calls *calls;           /* NULL: the program sends messages itself */
    size_t kinds_unknown;                      /* locks that may be of another kind than the account has */
};

/* Reads the whole file. The caller closes `run`, whatever the status is; the analysis outlives it. */
enum gnomon_status gnomon_lock_run_read(struct gnomon_lock_run *run, struct gnomon_analysis *analysis,
                                        struct gnomon_error *error);
/* The same for a caller that reads the file itself, and passes each event on. */
enum gnomon_status gnomon_lock_run_open(struct gnomon_lock_run *run, const struct gnomon_analysis *analysis,
                                        struct gnomon_error *error);
enum gnomon_status gnomon_lock_run_take(struct gnomon_lock_run *run, const struct gnomon_analysis *analysis,
                                        const struct gnomon_event *event, struct gnomon_error *error);
enum gnomon_status gnomon_lock_run_finish(struct gnomon_lock_run *run, const struct gnomon_analysis *analysis,
                                          struct gnomon_error *error);
/* Judges how exact the account is. Call it at the end. */
void gnomon_lock_run_exactness(const struct gnomon_lock_run *run, const struct gnomon_analysis *analysis,
                               struct gnomon_exactness *exactness);
void gnomon_lock_run_close(struct gnomon_lock_run *run);

#endif
