/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of gnomon record share. */
#ifndef GNOMON_CLI_RECORD_H
#define GNOMON_CLI_RECORD_H

#include "cli/run/record_cpi.h"
#include "cli/run/record_sample.h"
#include "cli/run/record_watch.h"
#include "cli/run/tag_setup.h"
#include "cli/run/target.h"
#include "lib/device/pmu.h"
#include "lib/elf/symbols.h"
#include "lib/model/lock_tables.h"
#include "lib/run/calibrate.h"
#include "lib/run/read_heap.h"
#include "lib/run/recorder.h"

#define RECORD_DEFAULT_OUTPUT "gnomon.gnt"

struct record_values {
    struct target_values target;
    bool no_functions, no_traps, no_channels, no_locks, no_modules, records, events, interrupts, calibrate, leak_check,
        use_after_free;
    struct record_watch_values watch;
    struct record_sample_values sample;
    struct cli_list tags;
    const char *cpi, *clock;
    uint64_t flush_cycles, graph_runs, repeat;
};

struct recording {
    struct cli_context *context;
    struct target target;
    struct gnomon_session session;
    struct gnomon_recorder recorder;
    struct cli_progress progress;
    const char *path;
    struct cpi cpi;
    struct record_sample sample;    /* with --sample */
    struct tag_setup tags;          /* with --tag */
    struct gnomon_symbols *symbols; /* NULL: the program's symbols cannot be read */
    struct gnomon_watch watch;      /* watched functions without hooks; valid with `watches` */
    bool watches;
    bool records; /* the device keeps function records, instead of sending functions and traps as events */
    const struct gnomon_pmu_event *event; /* with --clock: what time counts in place of cycles; NULL: cycles */
    struct gnomon_lock_tables tables;
    struct gnomon_clock_samples clock; /* with --calibrate */
    struct gnomon_heap_reader heap;
};

/* Takes from the device what is known at the end of a run, writes it and ends the file. Returns the exit status. */
int record_finish(struct recording *recording);
/* After an error in the middle of a run, keeps what was recorded before it. It never replaces an earlier file. Returns
 * the exit status. */
int record_keep_partial(struct recording *recording, const struct gnomon_error *why);

#endif
