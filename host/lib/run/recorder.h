/* SPDX-License-Identifier: Apache-2.0 */
/* Records a run: writes the frames into a trace file, and after them the device's records. */
#ifndef GNOMON_LIB_RECORDER_H
#define GNOMON_LIB_RECORDER_H

#include <limits.h>

#include "lib/model/heap_memory.h"
#include "lib/profile/exactness.h"
#include "lib/profile/tag_losses.h"
#include "lib/profile/thread_times.h"
#include "lib/run/session.h"
#include "lib/trace/gnt.h"
#include "lib/trace/trace_decoder.h"

struct gnomon_recorder {
    /* Filled by the caller. */
    const struct gnomon_board *board;
    const char *path; /* of the trace; owned by the caller */
    bool records;     /* the device keeps records, and sends no functions and traps */
    bool both_harts;  /* hart 1 is recorded, too */
    /* Gets each event of the trace; may be NULL. */
    void (*event)(void *context, const struct gnomon_event *event);
    void *event_context;

    /* Private to the recorder; the caller may read these fields. */
    struct gnomon_gnt_writer *writer; /* NULL: not open */
    struct gnomon_trace *trace;       /* decodes at the same time, for progress, summary and end of the trace */
    struct gnomon_trace *other;       /* the same of hart 1; NULL: it is not recorded */
    struct gnomon_error error;        /* of the writer, whose caller cannot return an error */
    char file[PATH_MAX];              /* the file that it writes: `path` itself or, while incomplete, PATH.partial */
    uint64_t bytes;                   /* size of the file when it is closed */
    size_t functions;                 /* number of functions that were called */
    uint64_t calls;                   /* calls in the records */
    struct gnomon_records kept[GNOMON_MAX_HARTS]; /* the records of each hart; size 0: none */
    struct gnomon_records sum; /* of both harts, if both have some; gnomon_recorder_put_records makes it */
    json_t *clock;             /* the host's time of cycles, set by the caller; NULL: not measured */
    char crash[160];           /* why the program crashed, set by the caller; "": it did not */
    struct gnomon_watch_loss watch_loss;
    bool tagged; /* the caller has set `tag_losses` */
    struct gnomon_tag_losses tag_losses;
    struct gnomon_thread_times threads;     /* traps are known if the device keeps no records */
    uint32_t heap_block[GNOMON_MAX_HARTS];  /* of the latest message HEAP_ADDR */
    uint32_t unseen_switches;               /* switches of threads without a message */
    struct gnomon_heap_range heap;          /* addresses of the blocks that heap messages named; `end` 0: none came */
    uint8_t seen[GNOMON_MAX_FUNCTIONS / 8]; /* bit for each function number: it was called */
};

/* Makes the header of the trace file. It is the same for each run. The session's `profile_control` says which classes
 * of events are recorded, and what the recording's time counts. `watch`: functions whose calls are watched, or NULL.
 * The caller frees the result; NULL: out of memory. */
json_t *gnomon_recorder_header(const struct gnomon_session *session, int argc, const char *const *argv,
                               const struct gnomon_files *inputs, const struct gnomon_watch *watch, bool records);

/* Opens the file. A regular file is written as PATH.partial and gets its name when END has come; /dev/null and pipes
 * are written directly. */
enum gnomon_status gnomon_recorder_open(struct gnomon_recorder *recorder, const json_t *header,
                                        struct gnomon_error *error);
/* Use it as the session's `frame`. It puts an error into `error`; the caller should then stop the session. */
bool gnomon_recorder_frame(struct gnomon_recorder *recorder, const uint8_t *frame);
/* At the end: reads the number of unreported thread switches and, if the trace has ended and the device keeps records,
 * the records of each recorded hart. */
enum gnomon_status gnomon_recorder_take_records(struct gnomon_recorder *recorder, struct gnomon_device *device,
                                                struct gnomon_error *error);
/* Writes `kept` into the file, and adds them up. Call it when `kept` is complete. */
enum gnomon_status gnomon_recorder_put_records(struct gnomon_recorder *recorder, struct gnomon_error *error);
/* Ends the file, which keeps the name `file`. */
enum gnomon_status gnomon_recorder_close(struct gnomon_recorder *recorder, const struct gnomon_session *session,
                                         const char *reason, struct gnomon_error *error);
/* Renames the closed file from `file` to `path`. */
enum gnomon_status gnomon_recorder_place(const struct gnomon_recorder *recorder, struct gnomon_error *error);
/* Why the run ended, as the trailer names it. */
const char *gnomon_recorder_reason(const struct gnomon_recorder *recorder, const struct gnomon_session *session);
/* What the trace says, of both harts together if both are recorded. */
struct gnomon_trace_stats gnomon_recorder_stats(const struct gnomon_recorder *recorder);
/* Judges how exact the figures of the finished run are. */
void gnomon_recorder_exactness(const struct gnomon_recorder *recorder, const struct gnomon_session *session,
                               struct gnomon_exactness *exactness);
/* Removes the file if it is still open. Frees what `recorder` holds, but not `recorder`. */
void gnomon_recorder_free(struct gnomon_recorder *recorder);

#endif
