/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a fleet's store as an API profile. */
#include <stdlib.h>
#include <string.h>

#include "lib/store/fleet_key.h"
#include "lib/store/fleet_numbers.h"
#include "lib/store/fleet_store_internal.h"
#include "lib/util/array.h"

/* A source that is read, and its key. */
struct found {
    struct gnomon_fleet_key key;
    struct gnomon_api_source *source;
};

struct reading {
    struct gnomon_fleet_store *store;
    const struct gnomon_fleet_wanted *wanted;
    struct gnomon_api_profile *profile;
    struct found *sources;
    size_t count, room;
    uint64_t sequence;
    /* While rows are read: a row has a line of the result for each bucket. */
    struct gnomon_api_source *source;
    struct gnomon_fleet_key key; /* of the row before */
    struct gnomon_api_row *row;  /* NULL: it is not wanted */
    bool any;
};

static bool is(const char *wanted, const char *text) {
    return !wanted || !strcmp(wanted, text);
}

static uint64_t sum2(const struct gnomon_sql_row *row, int column) {
    return (uint64_t)gnomon_fleet_sum(
        (const int64_t[]){gnomon_sql_number(row, column), gnomon_sql_number(row, column + 1)}, 2);
}

/* ---- Sources ---- */

static const struct gnomon_sql_statement select_sources = {
    "select s, s2, program, build, scenario, size, device from gnomon_source where shard = $1 and sequence > $2", "nn"};

static bool see_source(void *context, const struct gnomon_sql_row *row) {
    struct reading *reading = context;
    const struct gnomon_fleet_wanted *wanted = reading->wanted;
    const struct gnomon_api_source texts = {.program = gnomon_sql_text(row, 2),
                                            .build = gnomon_sql_text(row, 3),
                                            .scenario = gnomon_sql_text(row, 4),
                                            .size = (uint64_t)gnomon_sql_number(row, 5),
                                            .device = gnomon_sql_text(row, 6)};
    if (!is(wanted->program, texts.program) || !is(wanted->scenario, texts.scenario) ||
        !is(wanted->device, texts.device) ||
        (wanted->build && strncmp(wanted->build, texts.build, strlen(wanted->build)) != 0))
        return true;
    struct gnomon_api_source *source = gnomon_api_profile_source(reading->profile, &texts);
    if (!source || !gnomon_array_room(&reading->sources, &reading->room, reading->count + 1, sizeof *reading->sources))
        return false;
    reading->sources[reading->count++] = (struct found){{gnomon_sql_number(row, 0), gnomon_sql_number(row, 1)}, source};
    return true;
}

/* ---- Rows ---- */

/* A source with its rows and their buckets, in one statement: so they belong together also where transactions see what
 * others store meanwhile (ShardingSphere-Proxy). */
static const struct gnomon_sql_statement select_rows = {
    "select r.k1, r.k2, r.cost, r.module, r.build, r.name, r.file, r.source_line, r.doubt, r.lost0, r.lost1, r.lowest, "
    "r.highest, b.log2, b.calls0, b.calls1, b.total0, b.total1, b.squares0, b.squares1, b.squares2, b.squares3, "
    "o.runs0, o.runs1, o.cycles0, o.cycles1 "
    "from gnomon_source o "
    "left join gnomon_row r on r.shard = o.shard and r.s = o.s and r.s2 = o.s2 and r.sequence > $1 "
    "left join gnomon_bucket b on b.shard = r.shard and b.s = r.s and b.k1 = r.k1 and b.k2 = r.k2 "
    "where o.shard = $2 and o.s = $3 and o.s2 = $4 order by r.k1, r.k2",
    "nnnn"};
enum {
    K1,
    K2,
    COST,
    MODULE,
    BUILD,
    NAME,
    FILE_NAME,
    LINE,
    DOUBT,
    LOST,
    LOWEST = LOST + 2,
    HIGHEST,
    LOG2,
    CALLS,
    TOTAL = CALLS + 2,
    SQUARES = TOTAL + 2,
    RUNS = SQUARES + 4,
    CYCLES = RUNS + 2
};

static bool take_row(struct reading *reading, const struct gnomon_sql_row *row) {
    const int64_t line = gnomon_sql_number(row, LINE);
    const struct gnomon_api_row all = {.source = reading->source,
                                       .cost = gnomon_sql_text(row, COST),
                                       .module = gnomon_sql_text(row, MODULE),
                                       .build = gnomon_sql_text(row, BUILD),
                                       .function = gnomon_sql_text(row, NAME),
                                       .file = gnomon_sql_text(row, FILE_NAME),
                                       .line = line == GNOMON_FLEET_NO_LINE ? 0 : (unsigned)line,
                                       .doubt = (unsigned)gnomon_sql_number(row, DOUBT),
                                       .lost = sum2(row, LOST),
                                       .least = gnomon_fleet_from_ordered(gnomon_sql_number(row, LOWEST)),
                                       .most = gnomon_fleet_from_ordered(gnomon_sql_number(row, HIGHEST))};
    reading->row = NULL;
    if (!is(reading->wanted->cost, all.cost) || !is(reading->wanted->function, all.function))
        return true;
    reading->row = gnomon_api_profile_row(reading->profile, &all);
    return reading->row && gnomon_api_row_join(reading->row, &all);
}

static bool take_bucket(struct reading *reading, const struct gnomon_sql_row *row) {
    int64_t squares[4];
    for (int i = 0; i < 4; i++)
        squares[i] = gnomon_sql_number(row, SQUARES + i);
    const struct gnomon_bucket bucket = {sum2(row, CALLS), sum2(row, TOTAL), gnomon_fleet_sum(squares, 4)};
    const int64_t log2 = gnomon_sql_number(row, LOG2);
    return log2 < 0 || log2 >= GNOMON_BUCKETS || gnomon_api_row_add(reading->row, (unsigned)log2, &bucket);
}

static bool see_row(void *context, const struct gnomon_sql_row *row) {
    struct reading *reading = context;
    const struct gnomon_fleet_key key = {gnomon_sql_number(row, K1), gnomon_sql_number(row, K2)};
    if (!reading->any)
        gnomon_api_source_add(reading->source, sum2(row, RUNS), sum2(row, CYCLES));
    if (!reading->any || key.first != reading->key.first || key.second != reading->key.second) {
        reading->any = true;
        reading->key = key;
        reading->row = NULL;
        if (!gnomon_sql_null(row, K1) && !take_row(reading, row))
            return false;
    }
    return !reading->row || gnomon_sql_null(row, LOG2) || take_bucket(reading, row);
}

static enum gnomon_status read_rows(struct reading *reading, unsigned shard, const struct found *found,
                                    struct gnomon_error *error) {
    const struct gnomon_sql_value values[] = {{.number = (int64_t)reading->wanted->since},
                                              {.number = shard},
                                              {.number = found->key.first},
                                              {.number = found->key.second}};
    reading->source = found->source;
    reading->any = false;
    return gnomon_sql_run(reading->store->sql, &select_rows, values, NULL, see_row, reading, error);
}

/* ---- Shards ---- */

static enum gnomon_status list_sources(struct reading *reading, unsigned shard, struct gnomon_error *error) {
    const struct gnomon_sql_value values[] = {{.number = shard}, {.number = (int64_t)reading->wanted->since}};
    return gnomon_sql_run(reading->store->sql, &select_sources, values, NULL, see_source, reading, error);
}

static enum gnomon_status read_sources(struct reading *reading, unsigned shard, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < reading->count && !status; i++)
        status = read_rows(reading, shard, &reading->sources[i], error);
    return status;
}

/* All of the only shard, and its sequence number. */
static enum gnomon_status read_whole(struct reading *reading, unsigned shard, struct gnomon_error *error) {
    struct fleet_shard found;
    enum gnomon_status status = fleet_store_shard(reading->store, shard, &found, error);
    if (!status)
        status = list_sources(reading, shard, error);
    if (!status)
        status = read_sources(reading, shard, error);
    reading->sequence = (uint64_t)found.sequence;
    return status;
}

static enum gnomon_status in_transaction(struct reading *reading, unsigned shard,
                                         enum gnomon_status (*read)(struct reading *reading, unsigned shard,
                                                                    struct gnomon_error *error),
                                         struct gnomon_error *error) {
    enum gnomon_status status = gnomon_sql_begin(reading->store->sql, false, error);
    if (status)
        return status;
    status = read(reading, shard, error);
    gnomon_sql_rollback(reading->store->sql); /* it has changed nothing */
    return status;
}

/* ---- Several shards ---- */

static int by_key(const void *left, const void *right) {
    const struct gnomon_fleet_key *a = left, *b = right; /* the first member of `found` */
    const int order = (a->first > b->first) - (a->first < b->first);
    return order ? order : (a->second > b->second) - (a->second < b->second);
}

/* Each source once: it is in all shards. */
static void merge_sources(struct reading *reading) {
    size_t kept = 0;
    if (!reading->count)
        return;
    qsort(reading->sources, reading->count, sizeof *reading->sources, by_key);
    for (size_t i = 1; i < reading->count; i++)
        if (by_key(&reading->sources[i], &reading->sources[kept]) != 0)
            reading->sources[++kept] = reading->sources[i];
    reading->count = kept + 1;
}

/* With several shards, one number stands for the sequences of all: the highest. The others are raised to it first, so
 * that whatever is not read now gets a higher number in every shard. */
static enum gnomon_status raise_sequences(struct gnomon_fleet_store *store, uint64_t *sequence,
                                          struct gnomon_error *error) {
    static const struct gnomon_sql_statement raise = {
        "update gnomon_shard set sequence = $1 where shard = $2 and sequence < $3", "nnn"};
    struct gnomon_fleet_counts counts;
    enum gnomon_status status = gnomon_fleet_store_counts(store, false, &counts, error);
    *sequence = counts.sequence;
    for (unsigned shard = 0; shard < store->shards && !status; shard++) {
        const struct gnomon_sql_value values[] = {
            {.number = (int64_t)*sequence}, {.number = shard}, {.number = (int64_t)*sequence}};
        status = gnomon_sql_begin(store->sql, true, error);
        if (status)
            break;
        status = gnomon_sql_run(store->sql, &raise, values, NULL, NULL, NULL, error);
        if (!status)
            status = gnomon_sql_commit(store->sql, error);
        gnomon_sql_rollback(store->sql);
    }
    return status;
}

/* A source that has changed in one shard is read in all: its numbers are in one of them. */
static enum gnomon_status read_shards(struct reading *reading, struct gnomon_error *error) {
    enum gnomon_status status = raise_sequences(reading->store, &reading->sequence, error);
    for (unsigned shard = 0; shard < reading->store->shards && !status; shard++)
        status = in_transaction(reading, shard, list_sources, error);
    merge_sources(reading);
    for (unsigned shard = 0; shard < reading->store->shards && !status; shard++)
        status = in_transaction(reading, shard, read_sources, error);
    return status;
}

enum gnomon_status gnomon_fleet_store_read(struct gnomon_fleet_store *store, const struct gnomon_fleet_wanted *wanted,
                                           struct gnomon_api_profile *profile, uint64_t *sequence,
                                           struct gnomon_error *error) {
    struct reading reading = {.store = store, .wanted = wanted, .profile = profile};
    const enum gnomon_status status =
        store->shards > 1 ? read_shards(&reading, error) : in_transaction(&reading, 0, read_whole, error);
    *sequence = reading.sequence;
    free(reading.sources);
    return status;
}
