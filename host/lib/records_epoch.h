/* SPDX-License-Identifier: Apache-2.0 */
/* The device's records while the program runs, an epoch after the other (docs/profile.md, "Epochs"). */
#ifndef GNOMON_LIB_RECORDS_EPOCH_H
#define GNOMON_LIB_RECORDS_EPOCH_H

#include "records.h"

#define GNOMON_EPOCH_TRAPS 8 /* contexts from here on are of traps, those below of threads */

/* A call, or what is in no function, that goes on. */
struct gnomon_open_frame {
    uint32_t number; /* of its record */
    unsigned context;
    bool outermost;
    int64_t self;   /* cycles so far; can be below 0 where calls were dropped, whose cycles are told ahead */
    uint64_t total; /* likewise, with those of its callees, by the clock of its context */
};

/* Calls that have ended in it, and what was open at its end. */
struct gnomon_epoch {
    uint32_t number; /* from 0 */
    uint64_t cycle;  /* of its end; events up to it count */
    struct gnomon_records records;
    size_t open_count;
    struct gnomon_open_frame *open; /* as the device has them: innermost first, the thread that ran before the others */
};

/* Ends the epoch that runs, and reads it, while the next one counts. Self cycles of a function up to the end are those
 * of all records so far and those of its open frames. Free the result. */
enum gnomon_status gnomon_epoch_end(struct gnomon_device *device, const struct gnomon_board *board,
                                    struct gnomon_epoch *epoch, struct gnomon_error *error);
void gnomon_epoch_free(struct gnomon_epoch *epoch);

#endif
