/* SPDX-License-Identifier: Apache-2.0 */
/* What the kinds of databases have in common. */
#ifndef GNOMON_LIB_SQL_INTERNAL_H
#define GNOMON_LIB_SQL_INTERNAL_H

#include "lib/store/sql.h"

#define SQL_MOST_PARAMETERS 1024

struct gnomon_sql {
    const struct sql_kind *kind;
};

/* The functions of sql.h, for one kind. */
struct sql_kind {
    void (*close)(struct gnomon_sql *sql);
    enum gnomon_status (*begin)(struct gnomon_sql *sql, bool writes, struct gnomon_error *error);
    enum gnomon_status (*commit)(struct gnomon_sql *sql, struct gnomon_error *error);
    void (*rollback)(struct gnomon_sql *sql);
    enum gnomon_status (*script)(struct gnomon_sql *sql, const char *text, struct gnomon_error *error);
    enum gnomon_status (*run)(struct gnomon_sql *sql, const struct gnomon_sql_statement *statement,
                              const struct gnomon_sql_value *values, uint64_t *changed,
                              bool (*see)(void *context, const struct gnomon_sql_row *row), void *context,
                              struct gnomon_error *error);
};

struct gnomon_sql_row {
    const char *(*text)(const void *result, int row, int column); /* NULL: null */
    int64_t (*number)(const void *result, int row, int column);
    const void *result;
    int row;
};

enum gnomon_status sql_open_sqlite(struct gnomon_sql **sql, const char *path, bool make, struct gnomon_error *error);
enum gnomon_status sql_open_postgres(struct gnomon_sql **sql, const char *where, struct gnomon_error *error);

#endif
