/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/store/sql_internal.h"

#include <string.h>

bool gnomon_sql_is_postgres(const char *where) {
    return !strncmp(where, "postgres://", strlen("postgres://")) ||
           !strncmp(where, "postgresql://", strlen("postgresql://"));
}

enum gnomon_status gnomon_sql_open(struct gnomon_sql **sql, const char *where, bool make, struct gnomon_error *error) {
    *sql = NULL;
    return gnomon_sql_is_postgres(where) ? sql_open_postgres(sql, where, error)
                                         : sql_open_sqlite(sql, where, make, error);
}

void gnomon_sql_close(struct gnomon_sql *sql) {
    if (sql)
        sql->kind->close(sql);
}

enum gnomon_status gnomon_sql_begin(struct gnomon_sql *sql, bool writes, struct gnomon_error *error) {
    return sql->kind->begin(sql, writes, error);
}

enum gnomon_status gnomon_sql_commit(struct gnomon_sql *sql, struct gnomon_error *error) {
    return sql->kind->commit(sql, error);
}

void gnomon_sql_rollback(struct gnomon_sql *sql) {
    sql->kind->rollback(sql);
}

enum gnomon_status gnomon_sql_script(struct gnomon_sql *sql, const char *text, struct gnomon_error *error) {
    return sql->kind->script(sql, text, error);
}

enum gnomon_status gnomon_sql_run(struct gnomon_sql *sql, const struct gnomon_sql_statement *statement,
                                  const struct gnomon_sql_value *values, uint64_t *changed,
                                  bool (*see)(void *context, const struct gnomon_sql_row *row), void *context,
                                  struct gnomon_error *error) {
    return sql->kind->run(sql, statement, values, changed, see, context, error);
}

int64_t gnomon_sql_number(const struct gnomon_sql_row *row, int column) {
    return row->number(row->result, row->row, column);
}

const char *gnomon_sql_text(const struct gnomon_sql_row *row, int column) {
    const char *text = row->text(row->result, row->row, column);
    return text ? text : "";
}

bool gnomon_sql_null(const struct gnomon_sql_row *row, int column) {
    return !row->text(row->result, row->row, column);
}
