/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the device's records while the program runs, one epoch after the other (docs/internals/profile.md, "Epochs").
 */
#ifndef GNOMON_LIB_EPOCH_H
#define GNOMON_LIB_EPOCH_H

#include "lib/device/board.h"
#include "lib/model/function_records.h"

#define GNOMON_EPOCH_TRAPS 128 /* contexts from this number on are traps, lower ones are threads */

/* An open call, or the part of a context that is in no function. */
struct gnomon_open_frame {
    uint32_t number; /* of its record */
    unsigned context;
    bool outermost;
    int64_t self;   /* cycles so far; can be below 0 after dropped calls, whose cycles are reported in advance */
    uint64_t total; /* the same, including the cycles of its callees, by the clock of its context */
};

/* The calls that ended in an epoch, and the calls that were open at its end. */
struct gnomon_epoch {
    uint32_t number; /* from 0 */
    uint64_t cycle;  /* last cycle of the epoch; it includes the events of that cycle */
    struct gnomon_records records;
    size_t open_count;
    struct gnomon_open_frame *open; /* innermost first; the thread that ran before the other threads */
};

/* Ends the current epoch and reads it while the next epoch counts. Self cycles of a function up to the end of this
 * epoch: those of all records so far plus those of its open frames. The caller frees the result. */
enum gnomon_status gnomon_epoch_end(struct gnomon_device *device, const struct gnomon_board *board,
                                    struct gnomon_epoch *epoch, struct gnomon_error *error);
/* The same, without what ended: `records` stays empty. Takes a few transfers. */
enum gnomon_status gnomon_epoch_open(struct gnomon_device *device, const struct gnomon_board *board,
                                     struct gnomon_epoch *epoch, struct gnomon_error *error);
void gnomon_epoch_free(struct gnomon_epoch *epoch);

#endif
