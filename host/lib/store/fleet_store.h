/* SPDX-License-Identifier: Apache-2.0 */
/* What a fleet has submitted, in a database: the sum of all submissions, each counted once. A store has one or more
 * shards; a row belongs to the shard that its key says, and a shard is written in transactions of its own, so that
 * shards can be on different databases. A store is a connection, for one thread at a time; several stores, also of
 * several processes, can have one database. */
#ifndef GNOMON_LIB_FLEET_STORE_H
#define GNOMON_LIB_FLEET_STORE_H

#include "lib/fleet/api_profile.h"
#include "lib/store/sql.h"

#define GNOMON_FLEET_MOST_SHARDS 64

struct gnomon_fleet_submission {
    const struct gnomon_api_profile *profile;
    int64_t token; /* who sends it: with the id it is unique */
    int64_t id[2];
    bool stored; /* result: false if it was there already */
};

struct gnomon_fleet_store;

/* Opens the store at `where` (gnomon_sql_open), and makes its tables if it has one shard and `make` is true. `shards`
 * is the same for all that open the database. The caller closes *store. */
enum gnomon_status gnomon_fleet_store_open(struct gnomon_fleet_store **store, const char *where, unsigned shards,
                                           bool make, struct gnomon_error *error);
void gnomon_fleet_store_close(struct gnomon_fleet_store *store); /* may be NULL */

/* The statements that make the tables. The caller frees them; NULL: out of memory. */
char *gnomon_fleet_store_schema(void);

/* Adds to one shard the parts that belong there of several submissions, in one transaction: all or, after a failure,
 * none; after GNOMON_ERR_DISCONNECTED either, and adding them again is right in both cases. `day` is today's, from 1970
 * on. */
enum gnomon_status gnomon_fleet_store_add(struct gnomon_fleet_store *store, unsigned shard,
                                          struct gnomon_fleet_submission *const *submissions, size_t count, int64_t day,
                                          struct gnomon_error *error);

/* What to read: NULL is everything. Texts are whole, `build` can be the first digits of an id. */
struct gnomon_fleet_wanted {
    uint64_t since; /* only what changed after this sequence number; 0: everything */
    const char *program, *build, *scenario, *device, *cost, *function;
};

/* Adds what is wanted to the profile. Reading again with `since` = *sequence gives what has changed since. */
enum gnomon_status gnomon_fleet_store_read(struct gnomon_fleet_store *store, const struct gnomon_fleet_wanted *wanted,
                                           struct gnomon_api_profile *profile, uint64_t *sequence,
                                           struct gnomon_error *error);

/* Deletes, in one shard, the sources that no submission has had from day `day` on, with their rows, and the ids of
 * submissions before it. */
enum gnomon_status gnomon_fleet_store_clean(struct gnomon_fleet_store *store, unsigned shard, int64_t day,
                                            struct gnomon_error *error);

struct gnomon_fleet_counts {
    uint64_t sequence, submissions;
    uint64_t sources, rows;
};
/* `sources` and `rows` are counted only if `all` is true: that reads all of the tables' keys. */
enum gnomon_status gnomon_fleet_store_counts(struct gnomon_fleet_store *store, bool all,
                                             struct gnomon_fleet_counts *counts, struct gnomon_error *error);
/* How many rows a source has (of the one with these texts). */
enum gnomon_status gnomon_fleet_store_source_rows(struct gnomon_fleet_store *store,
                                                  const struct gnomon_api_source *source, uint64_t *rows,
                                                  struct gnomon_error *error);
/* How many rows of the profile the store does not have yet, of one source or (NULL) of all. */
enum gnomon_status gnomon_fleet_store_new_rows(struct gnomon_fleet_store *store,
                                               const struct gnomon_api_profile *profile,
                                               const struct gnomon_api_source *source, uint64_t *rows,
                                               struct gnomon_error *error);

#endif
