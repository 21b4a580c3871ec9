/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite: one file (and two beside it while it is open). What is committed survives a crash of the process and of the
 * machine (synchronous=FULL); readers do not wait for the writer (WAL). */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "lib/store/sql_internal.h"
#include "lib/util/array.h"

#define BUSY_MS 10000 /* how long to wait for another process that writes */

struct prepared {
    const struct gnomon_sql_statement *statement;
    sqlite3_stmt *handle;
};

struct sqlite {
    struct gnomon_sql sql;
    sqlite3 *database;
    struct prepared *prepared;
    size_t count, room;
};

static struct sqlite *of(struct gnomon_sql *sql) {
    return (struct sqlite *)sql;
}

static enum gnomon_status fail(struct sqlite *sqlite, struct gnomon_error *error) {
    const int code = sqlite3_errcode(sqlite->database) & 0xFF;
    const char *what = sqlite3_errmsg(sqlite->database);
    if (code == SQLITE_FULL) {
        gnomon_fail(error, GNOMON_ERR_FULL, "the database's disk is full");
        return gnomon_remedy(error, GNOMON_ERR_FULL, "make room on the disk; nothing that was stored is lost");
    }
    if (code == SQLITE_NOMEM)
        return gnomon_fail_memory(error);
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        return gnomon_fail(error, GNOMON_ERR_FORMAT, "the database is damaged: %s", what);
    return gnomon_fail(error, GNOMON_ERR_DISCONNECTED, "the database cannot be used: %s", what);
}

static enum gnomon_status script(struct gnomon_sql *sql, const char *text, struct gnomon_error *error) {
    return sqlite3_exec(of(sql)->database, text, NULL, NULL, NULL) ? fail(of(sql), error) : GNOMON_OK;
}

static enum gnomon_status begin(struct gnomon_sql *sql, bool writes, struct gnomon_error *error) {
    return script(sql, writes ? "begin immediate" : "begin", error);
}

static enum gnomon_status commit(struct gnomon_sql *sql, struct gnomon_error *error) {
    return script(sql, "commit", error);
}

static void rollback(struct gnomon_sql *sql) {
    if (!sqlite3_get_autocommit(of(sql)->database))
        sqlite3_exec(of(sql)->database, "rollback", NULL, NULL, NULL);
}

/* NULL: it failed. */
static sqlite3_stmt *prepare(struct sqlite *sqlite, const struct gnomon_sql_statement *statement) {
    for (size_t i = 0; i < sqlite->count; i++)
        if (sqlite->prepared[i].statement == statement)
            return sqlite->prepared[i].handle;
    sqlite3_stmt *handle = NULL;
    if (!gnomon_array_room(&sqlite->prepared, &sqlite->room, sqlite->count + 1, sizeof *sqlite->prepared) ||
        sqlite3_prepare_v3(sqlite->database, statement->text, -1, SQLITE_PREPARE_PERSISTENT, &handle, NULL))
        return NULL;
    sqlite->prepared[sqlite->count++] = (struct prepared){statement, handle};
    return handle;
}

static void bind(sqlite3_stmt *handle, const struct gnomon_sql_statement *statement,
                 const struct gnomon_sql_value *values) {
    for (int i = 0; statement->types[i]; i++)
        if (statement->types[i] == 't')
            sqlite3_bind_text(handle, i + 1, values[i].text, -1, SQLITE_STATIC);
        else
            sqlite3_bind_int64(handle, i + 1, values[i].number);
}

static const char *text_of(const void *result, int row, int column) {
    (void)row;
    return (const char *)sqlite3_column_text((sqlite3_stmt *)result, column);
}

static int64_t number_of(const void *result, int row, int column) {
    (void)row;
    return sqlite3_column_int64((sqlite3_stmt *)result, column);
}

static enum gnomon_status run(struct gnomon_sql *sql, const struct gnomon_sql_statement *statement,
                              const struct gnomon_sql_value *values, uint64_t *changed,
                              bool (*see)(void *context, const struct gnomon_sql_row *row), void *context,
                              struct gnomon_error *error) {
    struct sqlite *sqlite = of(sql);
    sqlite3_stmt *handle = prepare(sqlite, statement);
    if (!handle)
        return fail(sqlite, error);
    bind(handle, statement, values);
    const struct gnomon_sql_row row = {text_of, number_of, handle, 0};
    bool good = true;
    int code;
    while ((code = sqlite3_step(handle)) == SQLITE_ROW && good)
        good = !see || see(context, &row);
    enum gnomon_status status = GNOMON_OK;
    if (!good)
        status = gnomon_fail_memory(error);
    else if (code != SQLITE_DONE)
        status = fail(sqlite, error);
    else if (changed)
        *changed = (uint64_t)sqlite3_changes64(sqlite->database);
    sqlite3_reset(handle);
    sqlite3_clear_bindings(handle);
    return status;
}

static void close_sqlite(struct gnomon_sql *sql) {
    struct sqlite *sqlite = of(sql);
    for (size_t i = 0; i < sqlite->count; i++)
        sqlite3_finalize(sqlite->prepared[i].handle);
    sqlite3_close(sqlite->database);
    free(sqlite->prepared);
    free(sqlite);
}

enum gnomon_status sql_open_sqlite(struct gnomon_sql **sql, const char *path, bool make, struct gnomon_error *error) {
    static const struct sql_kind kind = {close_sqlite, begin, commit, rollback, script, run};
    struct sqlite *sqlite = calloc(1, sizeof *sqlite);
    if (!sqlite)
        return gnomon_fail_memory(error);
    sqlite->sql.kind = &kind;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (make ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(path, &sqlite->database, flags, NULL)) {
        gnomon_fail(error, GNOMON_ERR_SYSTEM, "cannot open the database %s: %s", path,
                    sqlite3_errmsg(sqlite->database));
    } else {
        sqlite3_busy_timeout(sqlite->database, BUSY_MS);
        if (!script(&sqlite->sql, "pragma journal_mode = wal; pragma synchronous = full", error)) {
            *sql = &sqlite->sql;
            return GNOMON_OK;
        }
    }
    const enum gnomon_status status = error ? error->status : GNOMON_ERR_SYSTEM;
    close_sqlite(&sqlite->sql);
    return status;
}
