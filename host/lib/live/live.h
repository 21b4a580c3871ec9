/* SPDX-License-Identifier: Apache-2.0 */
/* Follows a program while it runs: the device's function records up to a moment (an epoch's end, so they are all of one
 * cycle), stall causes, and what the trace has told so far of threads, locks and modules. Or, with events, the calls of
 * the trace up to the last event, of both harts, and the heap. None of this disturbs the program.
 *
 * The caller has a session that gnomon_live_session has set up, passes its frames to gnomon_live_frame, and takes
 * moments from the session's `tick`. */
#ifndef GNOMON_LIB_LIVE_H
#define GNOMON_LIB_LIVE_H

#include "lib/device/epoch.h"
#include "lib/heap/heap_account.h"
#include "lib/live/live_harts.h"
#include "lib/locks/lock_contention.h"
#include "lib/locks/lock_names.h"
#include "lib/model/instructions.h"
#include "lib/profile/analysis.h"
#include "lib/profile/profile_between.h"
#include "lib/profile/thread_times.h"
#include "lib/run/session.h"

/* What had been counted by one cycle. */
struct gnomon_live_moment {
    bool taken; /* false: the run's start; all is zero */
    uint64_t cycle;
    /* Functions since the run began: calls that are open count with their cycles so far. With events in `calls`. */
    struct gnomon_records records;
    struct gnomon_profile_moment calls;
    bool with_causes;
    uint64_t causes[GNOMON_CAUSES]; /* each of a cycle shortly before `cycle` */
    uint64_t lost_events;           /* dropped so far */
    uint32_t unseen_switches;       /* of threads, without a message */
    bool other_ran;                 /* hart 1 was started: the records are of hart 0 */
    bool end;                       /* it is the run's last cycle */
    const char *reason;             /* why the run ended: gnomon_run_end_name; NULL: it goes on */
    int status;                     /* exit status of a program that ended; -1 */
};

struct gnomon_live {
    struct gnomon_device *device;
    bool events;     /* functions come as events, and there is an account of the heap */
    const char *why; /* with EITHER: why they come as events; NULL: they do not */
    struct gnomon_heap *heap;
    struct gnomon_profile *profile; /* with events: of all that have come; it is never finished */
    struct gnomon_contention *contention;
    struct gnomon_lock_tables *tables; /* of threads and locks: not known before the run's end */
    struct gnomon_lock_names names;    /* made with them */
    struct gnomon_board board;         /* without buckets: reading them would take most of an epoch's time */
    /* Names functions. It has no file; its trace decodes what has come so far. */
    struct gnomon_analysis analysis;
    struct gnomon_live_harts harts;
    struct gnomon_thread_times threads; /* up to the last message of the trace */
    struct gnomon_records closed;       /* of the calls that have ended */
    bool no_memory;                     /* an event could not be taken */
    bool too_deep;                      /* the calls nest too deep to be followed */
};

/* How functions come from the device. */
enum gnomon_live_way {
    GNOMON_LIVE_RECORDS,
    GNOMON_LIVE_EVENTS,
    GNOMON_LIVE_EITHER, /* as records, unless they need epochs that the device has not, or cannot follow the program */
};
/* `elf`: the program. `device` must outlive `live`. GNOMON_ERR_UNSUPPORTED: the device's records have no epochs. The
 * caller closes `live`, whatever the status is. */
enum gnomon_status gnomon_live_open(struct gnomon_live *live, struct gnomon_device *device,
                                    const struct gnomon_board *board, const char *elf, enum gnomon_live_way way,
                                    struct gnomon_error *error);
void gnomon_live_close(struct gnomon_live *live);

/* Sets what the session must have for this. */
void gnomon_live_session(const struct gnomon_live *live, struct gnomon_session *session);
/* Forgets the run before. Those of `files` that are modules name the functions of modules that the program loads. */
enum gnomon_status gnomon_live_begin(struct gnomon_live *live, const struct gnomon_files *files,
                                     struct gnomon_error *error);
/* Use it in the session's `frame`. */
bool gnomon_live_frame(struct gnomon_live *live, const uint8_t *frame);

/* Ends an epoch while the program runs; with events, the moment is that of the last event. The caller frees `moment`,
 * and may do so before or after others. */
enum gnomon_status gnomon_live_take(struct gnomon_live *live, struct gnomon_live_moment *moment,
                                    struct gnomon_error *error);
/* The same after a session whose trace has ended. Call it once. */
enum gnomon_status gnomon_live_take_last(struct gnomon_live *live, const struct gnomon_session *session,
                                         struct gnomon_live_moment *moment, struct gnomon_error *error);
/* The caller frees `copy`. */
enum gnomon_status gnomon_live_moment_copy(struct gnomon_live_moment *copy, const struct gnomon_live_moment *moment,
                                           struct gnomon_error *error);
void gnomon_live_moment_free(struct gnomon_live_moment *moment);

/* How exact the figures are that end at a moment. */
void gnomon_live_judge(const struct gnomon_live *live, const struct gnomon_live_moment *to,
                       struct gnomon_exactness *exactness);
/* The same for waits for locks. */
void gnomon_live_judge_contention(const struct gnomon_live *live, const struct gnomon_live_moment *to,
                                  struct gnomon_exactness *exactness);

/* What was counted from one moment to a later one. */
struct gnomon_live_interval {
    uint64_t from, to; /* cycles */
    struct gnomon_records records;
    struct gnomon_profile *profile; /* with events, in place of records */
    uint64_t cycles;                /* that passed: with events, of both harts, added */
    uint64_t missing;               /* cycles that are in no function's record, or in calls that were dropped */
    struct gnomon_exactness exactness;
};
/* `from` all zeros: from the run's start. The caller frees `interval`. */
enum gnomon_status gnomon_live_between(const struct gnomon_live *live, const struct gnomon_live_moment *from,
                                       const struct gnomon_live_moment *to, struct gnomon_live_interval *interval,
                                       struct gnomon_error *error);
void gnomon_live_interval_free(struct gnomon_live_interval *interval);

/* The id in a profile of the function or trap with that record, for gnomon_name_of; GNOMON_PROFILE_UNPROFILED: the
 * record of what passed in no function. */
uint32_t gnomon_live_id(const struct gnomon_live *live, const struct gnomon_records *records, uint32_t number);

/* A profile of the interval, with call paths, which the caller frees. With events it is that of `interval`, which has
 * none afterwards. */
enum gnomon_status gnomon_live_profile(const struct gnomon_live *live, struct gnomon_live_interval *interval,
                                       struct gnomon_profile **profile, struct gnomon_error *error);

#endif
