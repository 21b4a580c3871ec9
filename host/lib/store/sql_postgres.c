/* SPDX-License-Identifier: Apache-2.0 */
/* PostgreSQL, and what speaks its protocol. Parameters have explicit types, and statements are simple, so that
 * ShardingSphere-Proxy can read them. */
#include <inttypes.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/store/sql_internal.h"
#include "lib/util/array.h"

/* Types of parameters, in every PostgreSQL. */
#define OID_BIGINT 20
#define OID_TEXT 25
#define NUMBER_BYTES 24 /* of a number's digits */
#define NAME_BYTES 16

struct postgres {
    struct gnomon_sql sql;
    char *where;
    PGconn *connection;
    const struct gnomon_sql_statement **prepared; /* statement N is called "gN" */
    size_t count, room;
    bool in_transaction;
};

static struct postgres *of(struct gnomon_sql *sql) {
    return (struct postgres *)sql;
}

/* What the server said, in one line. */
static enum gnomon_status fail(struct postgres *postgres, const PGresult *result, struct gnomon_error *error) {
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *what = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    if (!what)
        what = PQerrorMessage(postgres->connection);
    if (state && !strcmp(state, "53100")) {
        gnomon_fail(error, GNOMON_ERR_FULL, "the database's disk is full");
        return gnomon_remedy(error, GNOMON_ERR_FULL, "make room on the disk; nothing that was stored is lost");
    }
    return gnomon_fail(error, GNOMON_ERR_DISCONNECTED, "the database cannot be used: %.*s", (int)strcspn(what, "\n"),
                       what);
}

/* The address can have these parameters, too: it comes after them. NULL: out of memory. */
static PGconn *open_connection(const char *where) {
    static const char *const names[] = {"application_name",
                                        "client_encoding",
                                        "connect_timeout",
                                        "keepalives_idle",
                                        "tcp_user_timeout",
                                        "dbname",
                                        NULL};
    const char *const values[] = {"gnomon", "UTF8", "10", "10", "30000", where, NULL};
    return PQconnectdbParams(names, values, 1);
}

/* libpq would print what the server notes. */
static void ignore(void *context, const char *text) {
    (void)context;
    (void)text;
}

/* A new connection in place of one that was lost. */
static enum gnomon_status connect_again(struct postgres *postgres, struct gnomon_error *error) {
    if (postgres->connection)
        PQfinish(postgres->connection);
    postgres->count = 0;
    postgres->in_transaction = false;
    postgres->connection = open_connection(postgres->where);
    if (!postgres->connection)
        return gnomon_fail_memory(error);
    PQsetNoticeProcessor(postgres->connection, ignore, NULL);
    return PQstatus(postgres->connection) == CONNECTION_OK ? GNOMON_OK : fail(postgres, NULL, error);
}

static enum gnomon_status simple(struct postgres *postgres, const char *text, struct gnomon_error *error) {
    PGresult *result = PQexec(postgres->connection, text);
    const ExecStatusType code = PQresultStatus(result);
    const enum gnomon_status status =
        code == PGRES_COMMAND_OK || code == PGRES_TUPLES_OK ? GNOMON_OK : fail(postgres, result, error);
    PQclear(result);
    return status;
}

static enum gnomon_status begin(struct gnomon_sql *sql, bool writes, struct gnomon_error *error) {
    struct postgres *postgres = of(sql);
    const char *text = writes ? "begin" : "begin isolation level repeatable read";
    if (PQstatus(postgres->connection) != CONNECTION_OK || simple(postgres, text, error)) {
        const enum gnomon_status status = connect_again(postgres, error);
        if (status || simple(postgres, text, error))
            return status ? status : error->status;
    }
    postgres->in_transaction = true;
    return GNOMON_OK;
}

/* A commit of a transaction that has failed is answered by "ROLLBACK". */
static enum gnomon_status commit(struct gnomon_sql *sql, struct gnomon_error *error) {
    struct postgres *postgres = of(sql);
    PGresult *result = PQexec(postgres->connection, "commit");
    const bool good = PQresultStatus(result) == PGRES_COMMAND_OK && strcmp(PQcmdStatus(result), "ROLLBACK") != 0;
    const enum gnomon_status status = good ? GNOMON_OK : fail(postgres, result, error);
    PQclear(result);
    postgres->in_transaction = !good;
    return status;
}

static void rollback(struct gnomon_sql *sql) {
    struct postgres *postgres = of(sql);
    struct gnomon_error ignored;
    if (postgres->in_transaction && simple(postgres, "rollback", &ignored)) {
        PQfinish(postgres->connection); /* the server undoes it, too */
        postgres->connection = NULL;
        postgres->count = 0;
    }
    postgres->in_transaction = false;
}

static enum gnomon_status script(struct gnomon_sql *sql, const char *text, struct gnomon_error *error) {
    return simple(of(sql), text, error);
}

static enum gnomon_status prepare(struct postgres *postgres, const struct gnomon_sql_statement *statement,
                                  char name[NAME_BYTES], struct gnomon_error *error) {
    size_t at = 0;
    while (at < postgres->count && postgres->prepared[at] != statement)
        at++;
    snprintf(name, NAME_BYTES, "g%zu", at);
    if (at < postgres->count)
        return GNOMON_OK;
    if (!gnomon_array_room(&postgres->prepared, &postgres->room, at + 1, sizeof *postgres->prepared))
        return gnomon_fail_memory(error);
    Oid types[SQL_MOST_PARAMETERS];
    const size_t parameters = strlen(statement->types);
    for (size_t i = 0; i < parameters; i++)
        types[i] = statement->types[i] == 't' ? OID_TEXT : OID_BIGINT;
    PGresult *result = PQprepare(postgres->connection, name, statement->text, (int)parameters, types);
    const enum gnomon_status status =
        PQresultStatus(result) == PGRES_COMMAND_OK ? GNOMON_OK : fail(postgres, result, error);
    PQclear(result);
    if (!status)
        postgres->prepared[postgres->count++] = statement;
    return status;
}

static PGresult *execute(struct postgres *postgres, const char *name, const struct gnomon_sql_statement *statement,
                         const struct gnomon_sql_value *values) {
    const char *texts[SQL_MOST_PARAMETERS];
    char numbers[SQL_MOST_PARAMETERS][NUMBER_BYTES];
    const size_t parameters = strlen(statement->types);
    for (size_t i = 0; i < parameters; i++) {
        texts[i] = values[i].text;
        if (statement->types[i] == 't')
            continue;
        snprintf(numbers[i], NUMBER_BYTES, "%" PRId64, values[i].number);
        texts[i] = numbers[i];
    }
    return PQexecPrepared(postgres->connection, name, (int)parameters, texts, NULL, NULL, 0);
}

static const char *text_of(const void *result, int row, int column) {
    return PQgetisnull(result, row, column) ? NULL : PQgetvalue(result, row, column);
}

static int64_t number_of(const void *result, int row, int column) {
    return strtoll(PQgetvalue(result, row, column), NULL, 10);
}

static enum gnomon_status run(struct gnomon_sql *sql, const struct gnomon_sql_statement *statement,
                              const struct gnomon_sql_value *values, uint64_t *changed,
                              bool (*see)(void *context, const struct gnomon_sql_row *row), void *context,
                              struct gnomon_error *error) {
    struct postgres *postgres = of(sql);
    char name[NAME_BYTES];
    enum gnomon_status status = prepare(postgres, statement, name, error);
    if (status)
        return status;
    PGresult *result = execute(postgres, name, statement, values);
    const ExecStatusType code = PQresultStatus(result);
    if (code != PGRES_COMMAND_OK && code != PGRES_TUPLES_OK)
        status = fail(postgres, result, error);
    else if (changed)
        *changed = strtoull(PQcmdTuples(result), NULL, 10);
    struct gnomon_sql_row row = {text_of, number_of, result, 0};
    for (; !status && see && row.row < PQntuples(result); row.row++)
        if (!see(context, &row))
            status = gnomon_fail_memory(error);
    PQclear(result);
    return status;
}

static void close_postgres(struct gnomon_sql *sql) {
    struct postgres *postgres = of(sql);
    if (postgres->connection)
        PQfinish(postgres->connection);
    free(postgres->prepared);
    free(postgres->where);
    free(postgres);
}

enum gnomon_status sql_open_postgres(struct gnomon_sql **sql, const char *where, struct gnomon_error *error) {
    static const struct sql_kind kind = {close_postgres, begin, commit, rollback, script, run};
    struct postgres *postgres = calloc(1, sizeof *postgres);
    if (!postgres)
        return gnomon_fail_memory(error);
    postgres->sql.kind = &kind;
    postgres->where = strdup(where);
    const enum gnomon_status status = postgres->where ? connect_again(postgres, error) : gnomon_fail_memory(error);
    if (status)
        close_postgres(&postgres->sql);
    else
        *sql = &postgres->sql;
    return status;
}
