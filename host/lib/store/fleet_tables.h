/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a fleet's store, and the statements that write them, made from one list of columns. */
#ifndef GNOMON_LIB_FLEET_TABLES_H
#define GNOMON_LIB_FLEET_TABLES_H

#include "lib/store/sql.h"

enum fleet_table { FLEET_SOURCES, FLEET_ROWS, FLEET_BUCKETS, FLEET_SUBMISSIONS, FLEET_SHARDS, FLEET_TABLES };

/* How many rows one statement adds: falling, the last is 1. */
#define FLEET_BATCHES 3
extern const unsigned fleet_batches[FLEET_BATCHES];

struct fleet_statements {
    /* Adds rows; a row that is there takes the numbers of the new one, each as its column says. */
    struct gnomon_sql_statement add[FLEET_TABLES][FLEET_BATCHES];
    /* Carries of the sums of shard $1, so that their words stay far below 2^63; no text: the table has no sums. */
    struct gnomon_sql_statement carry[FLEET_TABLES];
};

/* False: out of memory. */
bool fleet_statements_make(struct fleet_statements *statements);
void fleet_statements_free(struct fleet_statements *statements);

/* The parameters of one row. */
unsigned fleet_columns(enum fleet_table table);

/* "create table if not exists ...;" of all tables. SQLite is told to keep rows in the tree of their keys, as PostgreSQL
 * cannot. The caller frees it; NULL: out of memory. */
char *fleet_schema(bool sqlite);

#endif
