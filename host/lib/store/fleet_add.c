/* SPDX-License-Identifier: Apache-2.0 */
/* Adding submissions to one shard. The rows of all submissions of a transaction are added together before they are
 * written: a function that is in all of them is written once. */
#include <stdlib.h>

#include "lib/store/fleet_key.h"
#include "lib/store/fleet_numbers.h"
#include "lib/store/fleet_store_internal.h"
#include "lib/store/sql_internal.h"

struct adding {
    struct gnomon_fleet_store *store;
    unsigned shard;
    int64_t day, sequence;
    struct gnomon_error *error;
};

/* ---- Rows of a table, several in one statement ---- */

struct batch {
    struct adding *adding;
    enum fleet_table table;
    unsigned used; /* parameters */
    struct gnomon_sql_value values[SQL_MOST_PARAMETERS];
};

static void put(struct batch *batch, int64_t number) {
    batch->values[batch->used++] = (struct gnomon_sql_value){.number = number};
}

static void put_text(struct batch *batch, const char *text) {
    batch->values[batch->used++] = (struct gnomon_sql_value){.text = text};
}

static void put_sum(struct batch *batch, gnomon_uint128 sum, unsigned words) {
    for (unsigned i = 0; i < words; i++)
        put(batch, gnomon_fleet_word(sum, i));
}

/* Writes what the batch has. */
static enum gnomon_status flush(struct batch *batch) {
    struct gnomon_fleet_store *store = batch->adding->store;
    const unsigned columns = fleet_columns(batch->table);
    unsigned done = 0;
    for (unsigned i = 0; i < FLEET_BATCHES; i++)
        for (const unsigned step = fleet_batches[i] * columns; batch->used - done >= step; done += step) {
            const enum gnomon_status status =
                gnomon_sql_run(store->sql, &store->statements.add[batch->table][i], &batch->values[done], NULL, NULL,
                               NULL, batch->adding->error);
            if (status)
                return status;
        }
    batch->used = 0;
    return GNOMON_OK;
}

/* After each row. */
static enum gnomon_status row_ends(struct batch *batch) {
    return batch->used == fleet_batches[0] * fleet_columns(batch->table) ? flush(batch) : GNOMON_OK;
}

/* ---- Profiles ---- */

/* Each shard has all sources, so that it is whole by itself; their numbers are in one of them. */
static enum gnomon_status put_source(struct batch *batch, const struct gnomon_api_source *source) {
    const struct adding *adding = batch->adding;
    const struct gnomon_fleet_key key = gnomon_fleet_source_key(source);
    const bool here = gnomon_fleet_shard(&key, adding->store->shards) == adding->shard;
    put(batch, adding->shard);
    put(batch, key.first);
    put(batch, key.second);
    put_text(batch, source->program);
    put_text(batch, source->build);
    put_text(batch, source->scenario);
    put(batch, (int64_t)source->size);
    put_text(batch, source->device);
    put_sum(batch, here ? source->runs : 0, 2);
    put_sum(batch, here ? source->cycles : 0, 2);
    put(batch, adding->sequence);
    put(batch, adding->day);
    return row_ends(batch);
}

static enum gnomon_status put_row(struct batch *batch, const struct gnomon_api_row *row,
                                  const struct gnomon_fleet_key *source, const struct gnomon_fleet_key *key) {
    put(batch, batch->adding->shard);
    put(batch, source->first);
    put(batch, key->first);
    put(batch, key->second);
    put(batch, source->second);
    put_text(batch, row->cost);
    put_text(batch, row->module);
    put_text(batch, row->build);
    put_text(batch, row->function);
    put_text(batch, row->file);
    put(batch, row->line ? (int64_t)row->line : GNOMON_FLEET_NO_LINE);
    put(batch, row->doubt);
    put_sum(batch, row->lost, 2);
    put(batch, gnomon_fleet_ordered(row->least));
    put(batch, gnomon_fleet_ordered(row->most));
    put(batch, batch->adding->sequence);
    return row_ends(batch);
}

static enum gnomon_status put_buckets(struct batch *batch, const struct gnomon_api_row *row,
                                      const struct gnomon_fleet_key *source, const struct gnomon_fleet_key *key) {
    enum gnomon_status status = GNOMON_OK;
    for (unsigned i = 0; i < GNOMON_BUCKETS && !status; i++) {
        const struct gnomon_bucket *bucket = gnomon_api_row_bucket(row, i);
        if (!bucket)
            continue;
        put(batch, batch->adding->shard);
        put(batch, source->first);
        put(batch, key->first);
        put(batch, key->second);
        put(batch, i);
        put_sum(batch, bucket->calls, 2);
        put_sum(batch, bucket->cycles, 2);
        put_sum(batch, bucket->squares, 4);
        status = row_ends(batch);
    }
    return status;
}

static enum gnomon_status add_sources(struct adding *adding, const struct gnomon_api_profile *profile) {
    size_t count;
    struct gnomon_api_source **sources = gnomon_api_profile_sources(profile, &count);
    if (!sources)
        return gnomon_fail_memory(adding->error);
    struct batch batch = {.adding = adding, .table = FLEET_SOURCES};
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = put_source(&batch, sources[i]);
    if (!status)
        status = flush(&batch);
    free(sources);
    return status;
}

/* Those of this shard. */
static enum gnomon_status add_some(struct adding *adding, struct gnomon_api_row **rows, size_t count) {
    struct batch batch = {.adding = adding, .table = FLEET_ROWS}, buckets = {.adding = adding, .table = FLEET_BUCKETS};
    const struct gnomon_api_source *last = NULL;
    struct gnomon_fleet_key source = {0};
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < count && !status; i++) {
        if (rows[i]->source != last)
            source = gnomon_fleet_source_key(last = rows[i]->source);
        const struct gnomon_fleet_key key = gnomon_fleet_row_key(rows[i], &source);
        if (gnomon_fleet_shard(&key, adding->store->shards) != adding->shard)
            continue;
        status = put_row(&batch, rows[i], &source, &key);
        if (!status)
            status = put_buckets(&buckets, rows[i], &source, &key);
    }
    if (!status)
        status = flush(&batch);
    return status ? status : flush(&buckets);
}

static enum gnomon_status add_rows(struct adding *adding, const struct gnomon_api_profile *profile) {
    size_t count;
    struct gnomon_api_row **rows = gnomon_api_profile_rows(profile, &count);
    const enum gnomon_status status = rows ? add_some(adding, rows, count) : gnomon_fail_memory(adding->error);
    free(rows);
    return status;
}

/* ---- Transactions ---- */

/* Takes the next number of the shard's sequence. No other transaction of the shard goes on until this one has ended: so
 * numbers become visible in their order, and a reader misses none. */
static enum gnomon_status take_sequence(struct adding *adding, struct fleet_shard *found) {
    static const struct gnomon_sql_statement next = {"update gnomon_shard set sequence = sequence + 1 where shard = $1",
                                                     "n"};
    enum gnomon_status status =
        gnomon_sql_run(adding->store->sql, &next, &(struct gnomon_sql_value){.number = adding->shard}, NULL, NULL, NULL,
                       adding->error);
    if (!status)
        status = fleet_store_shard(adding->store, adding->shard, found, adding->error);
    if (!status && !found->found)
        status = gnomon_fail(adding->error, GNOMON_ERR_NOT_FOUND, "the database holds no fleet's store");
    adding->sequence = found->sequence;
    return status;
}

/* Remembers the submissions' ids; *count is how many are new. */
static enum gnomon_status take_ids(struct adding *adding, struct gnomon_fleet_submission *const *submissions,
                                   size_t given, bool *is_new, uint64_t *count) {
    struct gnomon_fleet_store *store = adding->store;
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < given && !status; i++) {
        const struct gnomon_sql_value values[] = {{.number = adding->shard},
                                                  {.number = submissions[i]->token},
                                                  {.number = submissions[i]->id[0]},
                                                  {.number = submissions[i]->id[1]},
                                                  {.number = adding->day}};
        uint64_t changed = 0;
        status = gnomon_sql_run(store->sql, &store->statements.add[FLEET_SUBMISSIONS][FLEET_BATCHES - 1], values,
                                &changed, NULL, NULL, adding->error);
        is_new[i] = changed;
        *count += is_new[i];
    }
    return status;
}

static enum gnomon_status count_submissions(struct adding *adding, uint64_t count) {
    static const struct gnomon_sql_statement update = {
        "update gnomon_shard set submissions = submissions + $1 where shard = $2", "nn"};
    const struct gnomon_sql_value values[] = {{.number = (int64_t)count}, {.number = adding->shard}};
    return gnomon_sql_run(adding->store->sql, &update, values, NULL, NULL, NULL, adding->error);
}

static enum gnomon_status carry(struct adding *adding) {
    static const struct gnomon_sql_statement done = {"update gnomon_shard set carried = sequence where shard = $1",
                                                     "n"};
    struct gnomon_fleet_store *store = adding->store;
    const struct gnomon_sql_value value = {.number = adding->shard};
    enum gnomon_status status = GNOMON_OK;
    for (enum fleet_table table = 0; table < FLEET_TABLES && !status; table++)
        if (*store->statements.carry[table].text)
            status =
                gnomon_sql_run(store->sql, &store->statements.carry[table], &value, NULL, NULL, NULL, adding->error);
    return status ? status : gnomon_sql_run(store->sql, &done, &value, NULL, NULL, NULL, adding->error);
}

/* The sum of the new ones; the one itself if there is one only. NULL: out of memory. *made is the caller's to free. */
static const struct gnomon_api_profile *sum_of(struct gnomon_fleet_submission *const *submissions, size_t given,
                                               const bool *is_new, uint64_t count, struct gnomon_api_profile **made) {
    *made = count > 1 ? gnomon_api_profile_new() : NULL;
    for (size_t i = 0; i < given; i++) {
        if (!is_new[i])
            continue;
        if (count == 1)
            return submissions[i]->profile;
        if (!*made || !gnomon_api_profile_add(*made, submissions[i]->profile))
            return NULL;
    }
    return *made;
}

static enum gnomon_status write_all(struct adding *adding, struct gnomon_fleet_submission *const *submissions,
                                    size_t given, bool *is_new) {
    struct fleet_shard found = {0};
    uint64_t count = 0;
    enum gnomon_status status = take_sequence(adding, &found);
    if (!status)
        status = take_ids(adding, submissions, given, is_new, &count);
    if (status || !count)
        return status;
    struct gnomon_api_profile *made = NULL;
    const struct gnomon_api_profile *sum = sum_of(submissions, given, is_new, count, &made);
    status = sum ? add_sources(adding, sum) : gnomon_fail_memory(adding->error);
    if (!status)
        status = add_rows(adding, sum);
    if (!status)
        status = count_submissions(adding, count);
    if (!status && found.sequence - found.carried >= FLEET_CARRY_EVERY)
        status = carry(adding);
    if (!status)
        status = gnomon_sql_commit(adding->store->sql, adding->error);
    gnomon_api_profile_free(made);
    return status;
}

enum gnomon_status gnomon_fleet_store_add(struct gnomon_fleet_store *store, unsigned shard,
                                          struct gnomon_fleet_submission *const *submissions, size_t count, int64_t day,
                                          struct gnomon_error *error) {
    struct adding adding = {.store = store, .shard = shard, .day = day, .error = error};
    bool *is_new = calloc(count + 1, sizeof *is_new);
    if (!is_new)
        return gnomon_fail_memory(error);
    enum gnomon_status status = gnomon_sql_begin(store->sql, true, error);
    if (!status) {
        status = write_all(&adding, submissions, count, is_new);
        gnomon_sql_rollback(store->sql); /* what is not committed: all are known, or a failure */
    }
    for (size_t i = 0; i < count && !status; i++)
        submissions[i]->stored = is_new[i];
    free(is_new);
    return status;
}
