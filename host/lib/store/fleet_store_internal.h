/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of a fleet's store share. */
#ifndef GNOMON_LIB_FLEET_STORE_INTERNAL_H
#define GNOMON_LIB_FLEET_STORE_INTERNAL_H

#include "lib/store/fleet_store.h"
#include "lib/store/fleet_tables.h"

/* Transactions of a shard between two carries. Each adds less than 2^32 to a word of a sum: 2^52 in all, to words below
 * 2^60. */
#define FLEET_CARRY_EVERY (INT64_C(1) << 20)

struct gnomon_fleet_store {
    struct gnomon_sql *sql;
    unsigned shards;
    struct fleet_statements statements;
};

/* A shard's row of gnomon_shard; not `found`: there is none. */
struct fleet_shard {
    bool found;
    int64_t version, shards, sequence, carried, submissions;
};
enum gnomon_status fleet_store_shard(struct gnomon_fleet_store *store, unsigned shard, struct fleet_shard *found,
                                     struct gnomon_error *error);

#endif
