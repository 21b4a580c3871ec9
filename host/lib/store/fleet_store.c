/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/store/fleet_key.h"
#include "lib/store/fleet_store_internal.h"

#define VERSION 1

static bool see_shard(void *context, const struct gnomon_sql_row *row) {
    struct fleet_shard *found = context;
    *found = (struct fleet_shard){.found = true,
                                  .version = gnomon_sql_number(row, 0),
                                  .shards = gnomon_sql_number(row, 1),
                                  .sequence = gnomon_sql_number(row, 2),
                                  .carried = gnomon_sql_number(row, 3),
                                  .submissions = gnomon_sql_number(row, 4)};
    return true;
}

enum gnomon_status fleet_store_shard(struct gnomon_fleet_store *store, unsigned shard, struct fleet_shard *found,
                                     struct gnomon_error *error) {
    static const struct gnomon_sql_statement select = {
        "select version, shards, sequence, carried, submissions from gnomon_shard where shard = $1", "n"};
    *found = (struct fleet_shard){0};
    return gnomon_sql_run(store->sql, &select, &(struct gnomon_sql_value){.number = shard}, NULL, see_shard, found,
                          error);
}

/* ---- Opening ---- */

static enum gnomon_status make_tables(struct gnomon_fleet_store *store, bool sqlite, struct gnomon_error *error) {
    char *schema = fleet_schema(sqlite);
    const enum gnomon_status status = schema ? gnomon_sql_script(store->sql, schema, error) : gnomon_fail_memory(error);
    free(schema);
    return status;
}

static enum gnomon_status make_shard(struct gnomon_fleet_store *store, unsigned shard, struct gnomon_error *error) {
    const struct gnomon_sql_value values[] = {{.number = shard}, {.number = VERSION}, {.number = store->shards},
                                              {.number = 0},     {.number = 0},       {.number = 0}};
    return gnomon_sql_run(store->sql, &store->statements.add[FLEET_SHARDS][FLEET_BATCHES - 1], values, NULL, NULL, NULL,
                          error);
}

static enum gnomon_status check_shard(const struct gnomon_fleet_store *store, const struct fleet_shard *found,
                                      struct gnomon_error *error) {
    if (!found->found)
        return gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "the database holds no fleet's store");
    if (found->version != VERSION)
        return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED,
                           "the database has version %" PRId64 " of the fleet's store; this command knows %d",
                           found->version, VERSION);
    if (found->shards == store->shards)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_MISMATCH, "the store was made with %" PRId64 " shards, not %u", found->shards,
                store->shards);
    return gnomon_remedy(error, GNOMON_ERR_MISMATCH, "give --shards %" PRId64, found->shards);
}

static enum gnomon_status open_shard(struct gnomon_fleet_store *store, unsigned shard, bool make,
                                     struct gnomon_error *error) {
    struct fleet_shard found;
    enum gnomon_status status = gnomon_sql_begin(store->sql, make, error);
    if (status)
        return status;
    status = fleet_store_shard(store, shard, &found, error);
    if (!status && !found.found && make && !(status = make_shard(store, shard, error)))
        status = fleet_store_shard(store, shard, &found, error);
    if (!status)
        status = check_shard(store, &found, error);
    if (!status)
        status = gnomon_sql_commit(store->sql, error);
    if (status)
        gnomon_sql_rollback(store->sql);
    return status;
}

static enum gnomon_status open_all(struct gnomon_fleet_store *store, const char *where, bool make,
                                   struct gnomon_error *error) {
    if (!fleet_statements_make(&store->statements))
        return gnomon_fail_memory(error);
    enum gnomon_status status = gnomon_sql_open(&store->sql, where, make, error);
    if (!status && make && store->shards == 1)
        status = make_tables(store, !gnomon_sql_is_postgres(where), error);
    for (unsigned shard = 0; shard < store->shards && !status; shard++)
        status = open_shard(store, shard, make, error);
    return status;
}

enum gnomon_status gnomon_fleet_store_open(struct gnomon_fleet_store **store, const char *where, unsigned shards,
                                           bool make, struct gnomon_error *error) {
    struct gnomon_fleet_store *made = calloc(1, sizeof *made);
    *store = NULL;
    if (!made)
        return gnomon_fail_memory(error);
    made->shards = shards;
    const enum gnomon_status status = open_all(made, where, make, error);
    if (status)
        gnomon_fleet_store_close(made);
    else
        *store = made;
    return status;
}

void gnomon_fleet_store_close(struct gnomon_fleet_store *store) {
    if (!store)
        return;
    gnomon_sql_close(store->sql);
    fleet_statements_free(&store->statements);
    free(store);
}

char *gnomon_fleet_store_schema(void) {
    return fleet_schema(false);
}

/* ---- Counts ---- */

static bool see_number(void *context, const struct gnomon_sql_row *row) {
    *(uint64_t *)context += (uint64_t)gnomon_sql_number(row, 0);
    return true;
}

static enum gnomon_status count_shard(struct gnomon_fleet_store *store, unsigned shard, bool all,
                                      struct gnomon_fleet_counts *counts, struct gnomon_error *error) {
    static const struct gnomon_sql_statement sources = {"select count(*) from gnomon_source where shard = $1", "n"},
                                             rows = {"select count(*) from gnomon_row where shard = $1", "n"};
    const struct gnomon_sql_value value = {.number = shard};
    struct fleet_shard found;
    enum gnomon_status status = fleet_store_shard(store, shard, &found, error);
    if (status)
        return status;
    if ((uint64_t)found.sequence > counts->sequence)
        counts->sequence = (uint64_t)found.sequence;
    if ((uint64_t)found.submissions > counts->submissions) /* each shard has all that are whole */
        counts->submissions = (uint64_t)found.submissions;
    if (!all)
        return GNOMON_OK;
    status = gnomon_sql_run(store->sql, &rows, &value, NULL, see_number, &counts->rows, error);
    if (!status && !shard) /* each shard has all sources */
        status = gnomon_sql_run(store->sql, &sources, &value, NULL, see_number, &counts->sources, error);
    return status;
}

/* Runs `count` for each shard, in transactions that read. */
#define EACH_SHARD(store, status, error, count)                                                                        \
    for (unsigned shard = 0; shard < (store)->shards && !(status); shard++) {                                          \
        (status) = gnomon_sql_begin((store)->sql, false, error);                                                       \
        if (!(status))                                                                                                 \
            (status) = count;                                                                                          \
        gnomon_sql_rollback((store)->sql);                                                                             \
    }

enum gnomon_status gnomon_fleet_store_counts(struct gnomon_fleet_store *store, bool all,
                                             struct gnomon_fleet_counts *counts, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    *counts = (struct gnomon_fleet_counts){0};
    EACH_SHARD(store, status, error, count_shard(store, shard, all, counts, error))
    return status;
}

enum gnomon_status gnomon_fleet_store_source_rows(struct gnomon_fleet_store *store,
                                                  const struct gnomon_api_source *source, uint64_t *rows,
                                                  struct gnomon_error *error) {
    static const struct gnomon_sql_statement select = {"select count(*) from gnomon_row where shard = $1 and s = $2",
                                                       "nn"};
    const struct gnomon_fleet_key key = gnomon_fleet_source_key(source);
    enum gnomon_status status = GNOMON_OK;
    *rows = 0;
    EACH_SHARD(store, status, error,
               gnomon_sql_run(store->sql, &select,
                              (const struct gnomon_sql_value[]){{.number = shard}, {.number = key.first}}, NULL,
                              see_number, rows, error))
    return status;
}

static bool see_any(void *context, const struct gnomon_sql_row *row) {
    (void)row;
    *(bool *)context = true;
    return true;
}

static enum gnomon_status is_known(struct gnomon_fleet_store *store, const struct gnomon_api_row *row, bool *known,
                                   struct gnomon_error *error) {
    static const struct gnomon_sql_statement select = {
        "select k1 from gnomon_row where shard = $1 and s = $2 and k1 = $3 and k2 = $4", "nnnn"};
    const struct gnomon_fleet_key source = gnomon_fleet_source_key(row->source),
                                  key = gnomon_fleet_row_key(row, &source);
    const struct gnomon_sql_value values[] = {{.number = gnomon_fleet_shard(&key, store->shards)},
                                              {.number = source.first},
                                              {.number = key.first},
                                              {.number = key.second}};
    enum gnomon_status status = gnomon_sql_begin(store->sql, false, error);
    *known = false;
    if (!status)
        status = gnomon_sql_run(store->sql, &select, values, NULL, see_any, known, error);
    gnomon_sql_rollback(store->sql);
    return status;
}

enum gnomon_status gnomon_fleet_store_new_rows(struct gnomon_fleet_store *store,
                                               const struct gnomon_api_profile *profile,
                                               const struct gnomon_api_source *source, uint64_t *count,
                                               struct gnomon_error *error) {
    size_t all;
    struct gnomon_api_row **rows = gnomon_api_profile_rows(profile, &all);
    enum gnomon_status status = rows ? GNOMON_OK : gnomon_fail_memory(error);
    *count = 0;
    for (size_t i = 0; i < all && !status; i++) {
        bool known = true;
        if (!source || rows[i]->source == source)
            status = is_known(store, rows[i], &known, error);
        *count += !known;
    }
    free(rows);
    return status;
}
