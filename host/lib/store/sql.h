/* SPDX-License-Identifier: Apache-2.0 */
/* A connection to a database that takes SQL: SQLite, PostgreSQL, or what speaks PostgreSQL's protocol. All take the
 * same statements, with whole numbers of 64 bits and texts as parameters $1, $2 ... in this order. A connection belongs
 * to one thread at a time. */
#ifndef GNOMON_LIB_SQL_H
#define GNOMON_LIB_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

/* A parameter. */
struct gnomon_sql_value {
    const char *text; /* NULL: it is the number */
    int64_t number;
};

/* Kept by its address: the connection prepares it once. */
struct gnomon_sql_statement {
    const char *text;
    const char *types; /* of the parameters, a letter each: 'n' number, 't' text */
};

/* One row of a result; private. */
struct gnomon_sql_row;
int64_t gnomon_sql_number(const struct gnomon_sql_row *row, int column); /* 0 for null */
const char *gnomon_sql_text(const struct gnomon_sql_row *row, int column);
bool gnomon_sql_null(const struct gnomon_sql_row *row, int column);

struct gnomon_sql;

/* Is `where` an address of PostgreSQL ("postgres://...")? If not it is the path of a SQLite file. */
bool gnomon_sql_is_postgres(const char *where);

/* Opens the database; SQLite's file is made if it is not there and `make` is true. The caller closes *sql; NULL after a
 * failure. */
enum gnomon_status gnomon_sql_open(struct gnomon_sql **sql, const char *where, bool make, struct gnomon_error *error);
void gnomon_sql_close(struct gnomon_sql *sql); /* may be NULL */

/* A transaction that writes, or one that reads a state of the database which does not change meanwhile. A connection
 * that was lost is made again. */
enum gnomon_status gnomon_sql_begin(struct gnomon_sql *sql, bool writes, struct gnomon_error *error);
/* After a failure of this function the transaction may have been stored, or not. */
enum gnomon_status gnomon_sql_commit(struct gnomon_sql *sql, struct gnomon_error *error);
/* Undoes what the transaction has done. */
void gnomon_sql_rollback(struct gnomon_sql *sql);

/* Several statements without parameters, outside a transaction. */
enum gnomon_status gnomon_sql_script(struct gnomon_sql *sql, const char *text, struct gnomon_error *error);

/* Runs a statement. `changed` (may be NULL) is the number of rows that it has inserted, updated or deleted; `see` (may
 * be NULL) gets each row of the result, and returns false to end with GNOMON_ERR_MEMORY. The statuses: GNOMON_ERR_FULL
 * (the disk of the database), GNOMON_ERR_DISCONNECTED (try later; the transaction is over). */
enum gnomon_status gnomon_sql_run(struct gnomon_sql *sql, const struct gnomon_sql_statement *statement,
                                  const struct gnomon_sql_value *values, uint64_t *changed,
                                  bool (*see)(void *context, const struct gnomon_sql_row *row), void *context,
                                  struct gnomon_error *error);

#endif
