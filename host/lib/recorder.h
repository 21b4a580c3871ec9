/* SPDX-License-Identifier: Apache-2.0 */
/* A recording while it is made: frames of a run into a trace file, and what the device has kept behind them. */
#ifndef GNOMON_LIB_RECORDER_H
#define GNOMON_LIB_RECORDER_H

#include <limits.h>

#include "exactness.h"
#include "gnt.h"
#include "session.h"
#include "trace.h"

struct gnomon_recorder {
    /* Filled by the caller. */
    const struct gnomon_board *board;
    const char *path; /* of the trace; borrowed */
    bool records;     /* the device keeps them, instead of sending functions and traps */

    /* Its own, to be looked at. */
    struct gnomon_gnt_writer *writer; /* NULL: not open */
    struct gnomon_trace *trace;       /* decodes along: for progress, the summary, and to see the end */
    struct gnomon_error error;        /* of the writer, which is called where no error can be returned */
    char file[PATH_MAX];              /* where it writes: `path` itself or, while incomplete, PATH.partial */
    uint64_t bytes;                   /* of the file, when it is closed */
    size_t functions;                 /* that were called */
    uint64_t calls;                   /* in records */
    struct gnomon_records kept;       /* what the device has kept; size 0: nothing */
    char crash[160];                  /* what the program died of, for the caller to fill; "": it did not */
    struct gnomon_watch_loss watch_loss;
    uint32_t unseen_switches;               /* of threads, that no message told of */
    uint8_t seen[GNOMON_MAX_FUNCTIONS / 8]; /* functions, by number */
};

/* The trace file's header; nothing in it changes from one run to the next. `watch`: functions whose calls are watched,
 * or NULL. The result is new; NULL: a path or an argument is not UTF-8, or there is no memory. */
json_t *gnomon_recorder_header(const struct gnomon_session *session, int argc, const char *const *argv,
                               const struct gnomon_files *inputs, const struct gnomon_watch *watch, bool records);

/* A file is written as PATH.partial and gets its name when its END has come; /dev/null and pipes are written directly.
 */
enum gnomon_status gnomon_recorder_open(struct gnomon_recorder *recorder, const json_t *header,
                                        struct gnomon_error *error);
/* For a session's `frame`. What goes wrong is in `error`: the session should be stopped. */
bool gnomon_recorder_frame(struct gnomon_recorder *recorder, const uint8_t *frame);
/* At the end: switches of threads that were not told; after a trace that has ended: what the device has kept, if it
 * has. */
enum gnomon_status gnomon_recorder_take_records(struct gnomon_recorder *recorder, struct gnomon_device *device,
                                                struct gnomon_error *error);
/* Then it goes into the file, once nothing is to be added to `kept` any more. */
enum gnomon_status gnomon_recorder_put_records(struct gnomon_recorder *recorder, struct gnomon_error *error);
/* Ends the file; it keeps the name `file`. */
enum gnomon_status gnomon_recorder_close(struct gnomon_recorder *recorder, const struct gnomon_session *session,
                                         const char *reason, struct gnomon_error *error);
/* And now it gets its own. */
enum gnomon_status gnomon_recorder_place(const struct gnomon_recorder *recorder, struct gnomon_error *error);
/* Why the run ended, as the trailer says it. */
const char *gnomon_recorder_reason(const struct gnomon_recorder *recorder, const struct gnomon_session *session);
/* What the figures of a run that is over are worth. */
void gnomon_recorder_exactness(const struct gnomon_recorder *recorder, const struct gnomon_session *session,
                               struct gnomon_exactness *exactness);
/* Removes what was written, if it is still open. Frees what `recorder` holds, not itself. */
void gnomon_recorder_free(struct gnomon_recorder *recorder);

#endif
