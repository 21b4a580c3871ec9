/* SPDX-License-Identifier: Apache-2.0 */
/* A database in memory: SQLite as a program that is not ours, for the pages of gnomon ui. Prints a sum that shows that
 * its queries were right.
 *
 * usage: database ROWS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sqlite3.h"

/* A database in memory opens no file, so the system's part of SQLite has almost nothing to do. */
static int refuse_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    (void)vfs, (void)name, (void)flags, (void)out;
    file->pMethods = NULL;
    return SQLITE_CANTOPEN;
}

static int full_path(sqlite3_vfs *vfs, const char *name, int size, char *out) {
    (void)vfs;
    snprintf(out, (size_t)size, "%s", name);
    return SQLITE_OK;
}

static int randomness(sqlite3_vfs *vfs, int size, char *out) {
    (void)vfs;
    memset(out, 1, (size_t)size); /* the same in each run */
    return size;
}

static int now(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
    (void)vfs;
    *milliseconds = 0;
    return SQLITE_OK;
}

int sqlite3_os_init(void) {
    static sqlite3_vfs vfs = {.iVersion = 2,
                              .szOsFile = sizeof(sqlite3_file),
                              .mxPathname = 64,
                              .zName = "none",
                              .xOpen = refuse_open,
                              .xFullPathname = full_path,
                              .xRandomness = randomness,
                              .xCurrentTimeInt64 = now};
    return sqlite3_vfs_register(&vfs, 1);
}

int sqlite3_os_end(void) {
    return SQLITE_OK;
}

static void run(sqlite3 *database, const char *text) {
    char *error = NULL;
    if (sqlite3_exec(database, text, NULL, NULL, &error) != SQLITE_OK) {
        printf("%s: %s\n", text, error ? error : "?");
        exit(1);
    }
}

static void fill(sqlite3 *database, int rows) {
    sqlite3_stmt *insert;
    run(database, "create table parts(id integer primary key, kind text, price integer);"
                  "create index parts_kind on parts(kind, price); begin");
    sqlite3_prepare_v2(database, "insert into parts(kind, price) values('kind ' || (? % 7), ?)", -1, &insert, NULL);
    for (int row = 0; row < rows; row++) {
        sqlite3_bind_int(insert, 1, row);
        sqlite3_bind_int(insert, 2, row * 37 % 1009);
        sqlite3_step(insert);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    run(database, "commit");
}

int main(int argc, char **argv) {
    const int rows = argc > 1 ? atoi(argv[1]) : 100;
    long long sum = 0;
    sqlite3 *database;
    sqlite3_stmt *query;
    if (sqlite3_open(":memory:", &database) != SQLITE_OK) {
        printf("cannot open: %s\n", sqlite3_errmsg(database));
        return 1;
    }
    fill(database, rows);
    sqlite3_prepare_v2(database,
                       "select a.kind, count(*), sum(a.price) from parts a join parts b on a.id = b.id + 1 "
                       "where b.price < 500 group by a.kind order by 3 desc",
                       -1, &query, NULL);
    while (sqlite3_step(query) == SQLITE_ROW)
        sum += sqlite3_column_int64(query, 2);
    sqlite3_finalize(query);
    sqlite3_close(database);
    printf("SQLite %s: %d rows, sum %lld\n", sqlite3_libversion(), rows, sum);
    return 0;
}
