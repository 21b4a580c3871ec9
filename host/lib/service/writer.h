/* SPDX-License-Identifier: Apache-2.0 */
/* Writes submissions to a fleet's store: each shard has a thread, which writes all submissions that wait at a time in
 * one transaction. A submission is answered when it is on disk. */
#ifndef GNOMON_LIB_SERVICE_WRITER_H
#define GNOMON_LIB_SERVICE_WRITER_H

#include "lib/store/fleet_store.h"

struct gnomon_writer;

struct gnomon_writer_settings {
    const char *database; /* for gnomon_fleet_store_open */
    unsigned shards;
    unsigned retention_days; /* what was not seen for so many days is deleted; 0: nothing is */
};

/* Opens the store, and makes it if it is not there. The caller closes *writer. */
enum gnomon_status gnomon_writer_open(struct gnomon_writer **writer, const struct gnomon_writer_settings *settings,
                                      struct gnomon_error *error);
/* When no submission is in gnomon_writer_store; may be NULL. */
void gnomon_writer_close(struct gnomon_writer *writer);

/* Stores the submission, and returns when it is stored in all shards; *stored is false if it was there before. After a
 * failure it may be stored in some shards, or all: storing it again completes it. Many threads may call this. */
enum gnomon_status gnomon_writer_store(struct gnomon_writer *writer, const struct gnomon_fleet_submission *submission,
                                       bool *stored, struct gnomon_error *error);

#endif
