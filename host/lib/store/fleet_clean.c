/* SPDX-License-Identifier: Apache-2.0 */
/* Retention: what has not been seen for long is deleted. */
#include "lib/store/fleet_store_internal.h"

enum { LOCK, BUCKETS, ROWS, SOURCES, SUBMISSIONS, STEPS };

/* The first one makes the shard's other transactions wait. */
static const struct gnomon_sql_statement steps[STEPS] = {
    [LOCK] = {"update gnomon_shard set sequence = sequence + 1 where shard = $1 and $2 >= 0", "nn"},
    [BUCKETS] = {"delete from gnomon_bucket where shard = $1 and s in "
                 "(select s from gnomon_source where shard = $2 and day < $3)",
                 "nnn"},
    [ROWS] = {"delete from gnomon_row where shard = $1 and s in "
              "(select s from gnomon_source where shard = $2 and day < $3)",
              "nnn"},
    [SOURCES] = {"delete from gnomon_source where shard = $1 and day < $2", "nn"},
    [SUBMISSIONS] = {"delete from gnomon_submission where shard = $1 and day < $2", "nn"},
};

enum gnomon_status gnomon_fleet_store_clean(struct gnomon_fleet_store *store, unsigned shard, int64_t day,
                                            struct gnomon_error *error) {
    const struct gnomon_sql_value two[] = {{.number = shard}, {.number = day}},
                                  three[] = {{.number = shard}, {.number = shard}, {.number = day}};
    enum gnomon_status status = gnomon_sql_begin(store->sql, true, error);
    if (status)
        return status;
    for (int i = 0; i < STEPS && !status; i++)
        status =
            gnomon_sql_run(store->sql, &steps[i], i == BUCKETS || i == ROWS ? three : two, NULL, NULL, NULL, error);
    if (!status)
        status = gnomon_sql_commit(store->sql, error);
    gnomon_sql_rollback(store->sql);
    return status;
}
