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

/* Submissions that are asked for in one statement. */
struct ids {
    struct gnomon_fleet_submission *const *submissions;
    bool *is_new;
    unsigned count;
};

static bool is_same(const struct gnomon_fleet_submission *submission, int64_t token, const int64_t id[2]) {
    return submission->token == token && submission->id[0] == id[0] && submission->id[1] == id[1];
}

static bool see_known(void *context, const struct gnomon_sql_row *row) {
    const struct ids *ids = context;
    const int64_t id[2] = {gnomon_sql_number(row, 1), gnomon_sql_number(row, 2)};
    for (unsigned i = 0; i < ids->count; i++)
        if (is_same(ids->submissions[i], gnomon_sql_number(row, 0), id))
            ids->is_new[i] = false;
    return true;
}

static enum gnomon_status find_known(struct adding *adding, const struct gnomon_sql_statement *statement,
                                     struct ids *ids) {
    struct gnomon_sql_value values[SQL_MOST_PARAMETERS] = {{.number = adding->shard}};
    for (unsigned i = 0; i < ids->count; i++) {
        const struct gnomon_fleet_submission *submission = ids->submissions[i];
        values[1 + 3 * i].number = submission->token;
        values[2 + 3 * i].number = submission->id[0];
        values[3 + 3 * i].number = submission->id[1];
    }
    return gnomon_sql_run(adding->store->sql, statement, values, NULL, see_known, ids, adding->error);
}

/* is_new: which of the submissions the shard does not have. Of equal ones the first is new. */
static enum gnomon_status find_new(struct adding *adding, struct gnomon_fleet_submission *const *submissions,
                                   size_t given, bool *is_new) {
    struct gnomon_fleet_store *store = adding->store;
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < given; i++) {
        is_new[i] = true;
        for (size_t j = 0; j < i && is_new[i]; j++)
            is_new[i] = !is_same(submissions[j], submissions[i]->token, submissions[i]->id);
    }
    size_t done = 0;
    for (unsigned i = 0; i < FLEET_BATCHES; i++)
        for (const unsigned step = fleet_batches[i]; given - done >= step && !status; done += step) {
            struct ids ids = {submissions + done, is_new + done, step};
            status = find_known(adding, &store->statements.known[i], &ids);
        }
    return status;
}

/* Remembers the submissions' ids; *count is how many are new. */
static enum gnomon_status take_ids(struct adding *adding, struct gnomon_fleet_submission *const *submissions,
                                   size_t given, bool *is_new, uint64_t *count) {
    struct batch batch = {.adding = adding, .table = FLEET_SUBMISSIONS};
    enum gnomon_status status = find_new(adding, submissions, given, is_new);
    for (size_t i = 0; i < given && !status; i++) {
        if (!is_new[i])
            continue;
        put(&batch, adding->shard);
        put(&batch, submissions[i]->token);
        put(&batch, submissions[i]->id[0]);
        put(&batch, submissions[i]->id[1]);
        put(&batch, adding->day);
        status = row_ends(&batch);
        ++*count;
    }
    return status ? status : flush(&batch);
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
