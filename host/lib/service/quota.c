/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/service/quota.h"

#include <inttypes.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>

#include "lib/store/fleet_key.h"
#include "lib/util/clock.h"

#define COUNT_AGAIN_MS 10000 /* between two times that all rows are counted */

struct known {
    struct gnomon_fleet_key key; /* of a source */
    uint64_t rows;               /* at most */
};

struct gnomon_quota {
    pthread_mutex_t mutex;
    struct gnomon_fleet_store *store;
    struct gnomon_fleet_limits limits;
    void *sources_known;    /* tree (tsearch), of the sources that were seen */
    uint64_t sources, rows; /* in the store, at most */
    bool near;              /* to the limit of rows: only rows that are new are counted */
    uint64_t counted_ms;
};

static int compare(const void *left, const void *right) {
    const struct gnomon_fleet_key *a = left, *b = right; /* the first member of what is known */
    const int order = (a->first > b->first) - (a->first < b->first);
    return order ? order : (a->second > b->second) - (a->second < b->second);
}

static enum gnomon_status count_all(struct gnomon_quota *quota, struct gnomon_error *error) {
    struct gnomon_fleet_counts counts;
    const enum gnomon_status status = gnomon_fleet_store_counts(quota->store, true, &counts, error);
    if (status)
        return status;
    quota->sources = counts.sources;
    quota->rows = counts.rows;
    quota->counted_ms = gnomon_now_ms();
    return GNOMON_OK;
}

enum gnomon_status gnomon_quota_open(struct gnomon_quota **quota, const char *database, unsigned shards,
                                     const struct gnomon_fleet_limits *limits, struct gnomon_error *error) {
    struct gnomon_quota *made = calloc(1, sizeof *made);
    *quota = NULL;
    if (!made)
        return gnomon_fail_memory(error);
    pthread_mutex_init(&made->mutex, NULL);
    made->limits = *limits;
    enum gnomon_status status = gnomon_fleet_store_open(&made->store, database, shards, false, error);
    if (!status)
        status = count_all(made, error);
    if (status)
        gnomon_quota_close(made);
    else
        *quota = made;
    return status;
}

void gnomon_quota_close(struct gnomon_quota *quota) {
    if (!quota)
        return;
    gnomon_fleet_store_close(quota->store);
    tdestroy(quota->sources_known, free);
    pthread_mutex_destroy(&quota->mutex);
    free(quota);
}

/* ---- Limits ---- */

static enum gnomon_status too_many(uint64_t most, const char *what, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_TOO_BIG, "the store has room for no more %s: %" PRIu64 " at most", what, most);
    return gnomon_remedy(error, GNOMON_ERR_TOO_BIG, "ask the service's administrator");
}

/* What is known of a source. A new one must fit, too. */
static enum gnomon_status find(struct gnomon_quota *quota, const struct gnomon_api_source *source, struct known **known,
                               struct gnomon_error *error) {
    const struct gnomon_fleet_key key = gnomon_fleet_source_key(source);
    struct known *const *found = tfind(&key, &quota->sources_known, compare);
    *known = found ? *found : NULL;
    if (found)
        return GNOMON_OK;
    uint64_t rows;
    enum gnomon_status status = gnomon_fleet_store_source_rows(quota->store, source, &rows, error);
    if (status)
        return status;
    if (!rows && quota->sources >= quota->limits.sources && gnomon_now_ms() - quota->counted_ms >= COUNT_AGAIN_MS)
        status = count_all(quota, error);
    if (status)
        return status;
    if (!rows && quota->sources >= quota->limits.sources)
        return too_many(quota->limits.sources, "programs, builds, scenarios and devices", error);
    struct known *made = malloc(sizeof *made);
    if (!made)
        return gnomon_fail_memory(error);
    *made = (struct known){key, rows};
    if (!tsearch(made, &quota->sources_known, compare)) {
        free(made);
        return gnomon_fail_memory(error);
    }
    quota->sources += !rows;
    *known = made;
    return GNOMON_OK;
}

/* `rows` of the profile are of this source. */
static enum gnomon_status take_source(struct gnomon_quota *quota, const struct gnomon_api_profile *profile,
                                      const struct gnomon_api_source *source, uint64_t rows,
                                      struct gnomon_error *error) {
    struct known *known;
    enum gnomon_status status = find(quota, source, &known, error);
    if (status)
        return status;
    if (known->rows + rows > quota->limits.functions) {
        status = gnomon_fleet_store_source_rows(quota->store, source, &known->rows, error);
        if (!status)
            status = gnomon_fleet_store_new_rows(quota->store, profile, source, &rows, error);
        if (!status && rows && known->rows + rows > quota->limits.functions)
            status = too_many(quota->limits.functions, "functions of this program", error);
    }
    known->rows += status ? 0 : rows;
    return status;
}

/* Near the limit: how many of the profile's rows are new, and is there room for them? */
static enum gnomon_status take_new(struct gnomon_quota *quota, const struct gnomon_api_profile *profile, uint64_t *rows,
                                   struct gnomon_error *error) {
    enum gnomon_status status = quota->near ? GNOMON_OK : count_all(quota, error);
    if (!status)
        status = gnomon_fleet_store_new_rows(quota->store, profile, NULL, rows, error);
    const uint64_t passed_ms = gnomon_now_ms() - quota->counted_ms;
    if (!status && *rows && quota->rows + *rows > quota->limits.store && passed_ms >= COUNT_AGAIN_MS)
        status = count_all(quota, error);
    if (status)
        return status;
    quota->near = quota->rows + *rows > quota->limits.store - quota->limits.store / 8;
    return *rows && quota->rows + *rows > quota->limits.store ? too_many(quota->limits.store, "functions", error)
                                                              : GNOMON_OK;
}

/* *rows is of the profile, and becomes what was taken. */
static enum gnomon_status take_all(struct gnomon_quota *quota, const struct gnomon_api_profile *profile, uint64_t *rows,
                                   struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    if (quota->near || quota->rows + *rows > quota->limits.store)
        status = take_new(quota, profile, rows, error);
    quota->rows += status ? 0 : *rows;
    return status;
}

static enum gnomon_status take_sources(struct gnomon_quota *quota, const struct gnomon_api_profile *profile,
                                       struct gnomon_api_source **sources, size_t source_count,
                                       struct gnomon_api_row **rows, size_t row_count, struct gnomon_error *error) {
    uint64_t taken = row_count;
    enum gnomon_status status = take_all(quota, profile, &taken, error);
    if (status)
        return status;
    size_t row = 0;
    for (size_t i = 0; i < source_count && !status; i++) { /* rows are sorted by their sources */
        const size_t first = row;
        while (row < row_count && rows[row]->source == sources[i])
            row++;
        status = take_source(quota, profile, sources[i], row - first, error);
    }
    quota->rows -= status ? taken : 0;
    return status;
}

enum gnomon_status gnomon_quota_take(struct gnomon_quota *quota, const struct gnomon_api_profile *profile,
                                     struct gnomon_error *error) {
    size_t source_count, row_count;
    struct gnomon_api_source **sources = gnomon_api_profile_sources(profile, &source_count);
    struct gnomon_api_row **rows = gnomon_api_profile_rows(profile, &row_count);
    pthread_mutex_lock(&quota->mutex);
    const enum gnomon_status status = sources && rows
                                          ? take_sources(quota, profile, sources, source_count, rows, row_count, error)
                                          : gnomon_fail_memory(error);
    pthread_mutex_unlock(&quota->mutex);
    free(sources);
    free(rows);
    return status;
}

enum gnomon_status gnomon_quota_counts(struct gnomon_quota *quota, struct gnomon_fleet_counts *counts,
                                       struct gnomon_error *error) {
    pthread_mutex_lock(&quota->mutex);
    const enum gnomon_status status = gnomon_fleet_store_counts(quota->store, false, counts, error);
    pthread_mutex_unlock(&quota->mutex);
    return status;
}
