/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/store/fleet_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const unsigned fleet_batches[FLEET_BATCHES] = {32, 8, 1};

/* What a column becomes when a row is added to one that is there. */
enum rule {
    KEY,  /* part of the primary key */
    TEXT, /* stays */
    FIXED,
    SUM2, /* two columns, NAME0 and NAME1: words of a sum */
    SUM4,
    LOW,  /* the lower one */
    HIGH, /* the higher one */
    BITS, /* or */
};

struct column {
    const char *name;
    enum rule rule;
};

#define MOST_COLUMNS 18

/* Each table is divided by `shard`: all statements name it. s and s2 are the key of a source, k1 and k2 that of a row.
 * `day` is counted from 1970: when it was last seen. */
static const struct table {
    const char *name;
    struct column columns[MOST_COLUMNS + 1];
} tables[FLEET_TABLES] = {
    [FLEET_SOURCES] = {"gnomon_source",
                       {{"shard", KEY},
                        {"s", KEY},
                        {"s2", KEY},
                        {"program", TEXT},
                        {"build", TEXT},
                        {"scenario", TEXT},
                        {"size", FIXED},
                        {"device", TEXT},
                        {"runs", SUM2},
                        {"cycles", SUM2},
                        {"sequence", HIGH},
                        {"day", HIGH}}},
    [FLEET_ROWS] = {"gnomon_row",
                    {{"shard", KEY},
                     {"s", KEY},
                     {"k1", KEY},
                     {"k2", KEY},
                     {"s2", FIXED},
                     {"cost", TEXT},
                     {"module", TEXT},
                     {"build", TEXT},
                     {"name", TEXT},
                     {"file", TEXT},
                     {"source_line", LOW},
                     {"doubt", BITS},
                     {"lost", SUM2},
                     {"lowest", LOW},
                     {"highest", HIGH},
                     {"sequence", HIGH}}},
    [FLEET_BUCKETS] = {"gnomon_bucket",
                       {{"shard", KEY},
                        {"s", KEY},
                        {"k1", KEY},
                        {"k2", KEY},
                        {"log2", KEY},
                        {"calls", SUM2},
                        {"total", SUM2},
                        {"squares", SUM4}}},
    [FLEET_SUBMISSIONS] = {"gnomon_submission",
                           {{"shard", KEY}, {"token", KEY}, {"i1", KEY}, {"i2", KEY}, {"day", FIXED}}},
    [FLEET_SHARDS] = {"gnomon_shard",
                      {{"shard", KEY},
                       {"version", FIXED},
                       {"shards", FIXED},
                       {"sequence", FIXED},
                       {"carried", FIXED},
                       {"submissions", FIXED}}},
};

static unsigned words_of(enum rule rule) {
    return rule == SUM4 ? 4 : rule == SUM2 ? 2 : 1;
}

static bool is_sum(enum rule rule) {
    return rule == SUM2 || rule == SUM4;
}

unsigned fleet_columns(enum fleet_table table) {
    unsigned count = 0;
    for (const struct column *column = tables[table].columns; column->name; column++)
        count += words_of(column->rule);
    return count;
}

/* ---- Names of columns ---- */

static void put_names(FILE *out, const struct column *column) {
    if (!is_sum(column->rule))
        fputs(column->name, out);
    for (unsigned i = 0; is_sum(column->rule) && i < words_of(column->rule); i++)
        fprintf(out, "%s%s%u", i ? ", " : "", column->name, i);
}

static void put_key(FILE *out, const struct table *table) {
    for (const struct column *column = table->columns; column->name && column->rule == KEY; column++)
        fprintf(out, "%s%s", column > table->columns ? ", " : "", column->name);
}

/* ---- Adding ---- */

static void put_values(FILE *out, unsigned columns, unsigned rows) {
    for (unsigned i = 0; i < columns * rows; i++)
        fprintf(out, "%s$%u%s", i % columns ? ", " : (i ? ", (" : "("), i + 1, i % columns == columns - 1 ? ")" : "");
}

static void put_change(FILE *out, const char *table, const struct column *column) {
    const char *name = column->name;
    const unsigned words = words_of(column->rule);
    if (is_sum(column->rule))
        for (unsigned i = 0; i < words; i++)
            fprintf(out, "%s%s%u = %s.%s%u + excluded.%s%u", i ? ", " : "", name, i, table, name, i, name, i);
    else if (column->rule == BITS)
        fprintf(out, "%s = %s.%s | excluded.%s", name, table, name, name);
    else
        fprintf(out, "%s = case when excluded.%s %c %s.%s then excluded.%s else %s.%s end", name, name,
                column->rule == LOW ? '<' : '>', table, name, name, table, name);
}

static bool stays(enum rule rule) {
    return rule == KEY || rule == TEXT || rule == FIXED;
}

static void put_add(FILE *out, const struct table *table, unsigned columns, unsigned rows) {
    bool changes = false;
    fprintf(out, "insert into %s (", table->name);
    for (const struct column *column = table->columns; column->name; column++) {
        fputs(column > table->columns ? ", " : "", out);
        put_names(out, column);
    }
    fputs(") values ", out);
    put_values(out, columns, rows);
    fputs(" on conflict (", out);
    put_key(out, table);
    for (const struct column *column = table->columns; column->name; column++) {
        if (stays(column->rule))
            continue;
        fputs(changes ? ", " : ") do update set ", out);
        put_change(out, table->name, column);
        changes = true;
    }
    if (!changes)
        fputs(") do nothing", out);
}

/* ---- Carries ---- */

#define CARRY_FROM "1152921504606846976" /* 2^60 */
#define WORD_MASK "4294967295"
#define ABOVE_WORD "4294967296" /* in the last word: the sum is at its largest value */

static void put_carry_of(FILE *out, const struct column *column) {
    const char *name = column->name;
    const unsigned last = words_of(column->rule) - 1;
    fprintf(out, "%s0 = %s0 & " WORD_MASK, name, name);
    for (unsigned i = 1; i < last; i++)
        fprintf(out, ", %s%u = (%s%u & " WORD_MASK ") + (%s%u / " ABOVE_WORD ")", name, i, name, i, name, i - 1);
    fprintf(out,
            ", %s%u = case when %s%u + (%s%u / " ABOVE_WORD ") > " ABOVE_WORD " then " ABOVE_WORD
            " else %s%u + (%s%u / " ABOVE_WORD ") end",
            name, last, name, last, name, last - 1, name, last, name, last - 1);
}

static void put_large(FILE *out, const struct column *column, bool first) {
    for (unsigned i = 0; i < words_of(column->rule); i++)
        fprintf(out, "%s%s%u >= " CARRY_FROM, first && !i ? "" : " or ", column->name, i);
}

static void put_carry(FILE *out, const struct table *table) {
    bool first = true;
    for (const struct column *column = table->columns; column->name; column++) {
        if (!is_sum(column->rule))
            continue;
        if (first)
            fprintf(out, "update %s set ", table->name);
        else
            fputs(", ", out);
        put_carry_of(out, column);
        first = false;
    }
    if (first)
        return;
    fputs(" where shard = $1 and (", out);
    first = true;
    for (const struct column *column = table->columns; column->name; column++)
        if (is_sum(column->rule)) {
            put_large(out, column, first);
            first = false;
        }
    fputs(")", out);
}

/* ---- All ---- */

/* The types of the parameters of one row. */
static void put_types(FILE *out, const struct table *table) {
    for (const struct column *column = table->columns; column->name; column++)
        for (unsigned i = 0; i < words_of(column->rule); i++)
            fputc(column->rule == TEXT ? 't' : 'n', out);
}

/* A text that `put` and its arguments make. */
#define MADE(text, put)                                                                                                \
    do {                                                                                                               \
        char *made = NULL;                                                                                             \
        size_t size;                                                                                                   \
        FILE *out = open_memstream(&made, &size);                                                                      \
        if (!out)                                                                                                      \
            return false;                                                                                              \
        put;                                                                                                           \
        (text) = fclose(out) ? NULL : made;                                                                            \
        if (!(text))                                                                                                   \
            free(made);                                                                                                \
    } while (0)

static bool make_add(struct gnomon_sql_statement *statement, enum fleet_table table, unsigned rows) {
    MADE(statement->text, put_add(out, &tables[table], fleet_columns(table), rows));
    MADE(statement->types, for (unsigned i = 0; i < rows; i++) put_types(out, &tables[table]));
    return statement->text && statement->types;
}

static bool make_carry(struct gnomon_sql_statement *statement, enum fleet_table table) {
    MADE(statement->text, put_carry(out, &tables[table]));
    statement->types = strdup("n");
    return statement->text && statement->types;
}

bool fleet_statements_make(struct fleet_statements *statements) {
    *statements = (struct fleet_statements){0};
    for (enum fleet_table table = 0; table < FLEET_TABLES; table++) {
        for (unsigned i = 0; i < FLEET_BATCHES; i++)
            if (!make_add(&statements->add[table][i], table, fleet_batches[i]))
                return false;
        if (!make_carry(&statements->carry[table], table))
            return false;
    }
    return true;
}

static void free_statement(struct gnomon_sql_statement *statement) {
    free((char *)statement->text);
    free((char *)statement->types);
}

void fleet_statements_free(struct fleet_statements *statements) {
    for (enum fleet_table table = 0; table < FLEET_TABLES; table++) {
        for (unsigned i = 0; i < FLEET_BATCHES; i++)
            free_statement(&statements->add[table][i]);
        free_statement(&statements->carry[table]);
    }
}

static void put_table(FILE *out, const struct table *table, const char *kind) {
    fprintf(out, "create table if not exists %s (\n", table->name);
    for (const struct column *column = table->columns; column->name; column++)
        for (unsigned i = 0; i < words_of(column->rule); i++)
            if (is_sum(column->rule))
                fprintf(out, "    %s%u bigint not null,\n", column->name, i);
            else
                fprintf(out, "    %s %s not null,\n", column->name, column->rule == TEXT ? "text" : "bigint");
    fputs("    primary key (", out);
    put_key(out, table);
    fprintf(out, "))%s;\n", kind);
}

char *fleet_schema(bool sqlite) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (enum fleet_table table = 0; table < FLEET_TABLES; table++)
        put_table(out, &tables[table], sqlite ? " without rowid" : "");
    if (!fclose(out))
        return text;
    free(text);
    return NULL;
}
