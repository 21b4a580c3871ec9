/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/toml.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_TEXT 4096 /* bytes of a key or string */
#define DEEPEST 16        /* arrays in arrays */

/* What later lines may not change. Tables that only a longer name has mentioned have no mark, nor have arrays that are
 * values. */
enum mark { UNMARKED, BY_HEADER, BY_DOTS, TABLES };

struct reader {
    const char *at, *name;
    unsigned line;
    json_t *root, *table; /* borrowed: what keys go into */
    json_t *marks;        /* how tables and arrays came to be, by their addresses: enum mark */
    struct gnomon_error *error;
};

static enum gnomon_status wrong(const struct reader *in, const char *what) {
    return gnomon_fail(in->error, GNOMON_ERR_FORMAT, "%s, line %u: %s", in->name, in->line, what);
}

/* ---- Space ---- */

static void skip_blanks(struct reader *in) {
    while (*in->at == ' ' || *in->at == '\t')
        in->at++;
}

static void skip_comment(struct reader *in) {
    skip_blanks(in);
    if (*in->at == '#')
        in->at += strcspn(in->at, "\n");
    if (in->at[0] == '\r' && in->at[1] == '\n')
        in->at++;
}

/* Also over ends of lines, as within an array. */
static void skip_lines(struct reader *in) {
    for (skip_comment(in); *in->at == '\n'; skip_comment(in)) {
        in->at++;
        in->line++;
    }
}

/* ---- Texts ---- */

struct text {
    char bytes[LONGEST_TEXT];
    size_t length;
};

static bool put(struct text *text, char byte) {
    if (text->length + 1 >= sizeof text->bytes)
        return false;
    text->bytes[text->length++] = byte;
    text->bytes[text->length] = '\0';
    return true;
}

static bool put_character(struct text *text, unsigned long code) {
    if (!code || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        return false;
    if (code < 0x80)
        return put(text, (char)code);
    if (code < 0x800)
        return put(text, (char)(0xC0 | code >> 6)) && put(text, (char)(0x80 | (code & 0x3F)));
    if (code < 0x10000)
        return put(text, (char)(0xE0 | code >> 12)) && put(text, (char)(0x80 | (code >> 6 & 0x3F))) &&
               put(text, (char)(0x80 | (code & 0x3F)));
    return put(text, (char)(0xF0 | code >> 18)) && put(text, (char)(0x80 | (code >> 12 & 0x3F))) &&
           put(text, (char)(0x80 | (code >> 6 & 0x3F))) && put(text, (char)(0x80 | (code & 0x3F)));
}

/* After the backslash. */
static bool take_escape(struct reader *in, struct text *text) {
    static const char from[] = "btnfr\"\\", to[] = "\b\t\n\f\r\"\\";
    const char kind = *in->at++;
    const char *found = kind ? strchr(from, kind) : NULL;
    if (found)
        return put(text, to[found - from]);
    char digits[9] = "";
    const size_t count = kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
    if (!count || strspn(in->at, "0123456789abcdefABCDEF") < count)
        return false;
    memcpy(digits, in->at, count);
    in->at += count;
    return put_character(text, strtoul(digits, NULL, 16));
}

/* At a quote. */
static enum gnomon_status take_string(struct reader *in, struct text *text) {
    const char quote = *in->at++;
    text->length = 0;
    text->bytes[0] = '\0';
    if (in->at[0] == quote && in->at[1] == quote)
        return wrong(in, "strings of several lines are not taken");
    while (*in->at != quote) {
        const unsigned char byte = (unsigned char)*in->at;
        if (!byte || byte == '\n' || byte == '\r')
            return wrong(in, "a string does not end on its line");
        if ((byte < ' ' && byte != '\t') || byte == 0x7F)
            return wrong(in, "a control character in a string");
        in->at++;
        const bool good = byte == '\\' && quote == '"' ? take_escape(in, text) : put(text, (char)byte);
        if (!good)
            return wrong(in, text->length + 5 > sizeof text->bytes ? "a string is too long" : "an unknown escape");
    }
    in->at++;
    return GNOMON_OK;
}

static enum gnomon_status take_key(struct reader *in, struct text *text) {
    if (*in->at == '"' || *in->at == '\'')
        return take_string(in, text);
    text->length = 0;
    while (isalnum((unsigned char)*in->at) || *in->at == '_' || *in->at == '-')
        if (!put(text, *in->at++))
            return wrong(in, "a key is too long");
    return text->length ? GNOMON_OK : wrong(in, "a key is expected here");
}

/* ---- Values ---- */

static enum gnomon_status take_value(struct reader *in, unsigned depth, json_t **value);

static enum gnomon_status take_array(struct reader *in, unsigned depth, json_t **value) {
    enum gnomon_status status = GNOMON_OK;
    *value = json_array();
    in->at++;
    for (skip_lines(in); !status && *in->at != ']'; skip_lines(in)) {
        json_t *item = NULL;
        status = take_value(in, depth + 1, &item);
        if (!status && json_array_append(*value, item))
            status = gnomon_fail_memory(in->error);
        json_decref(item);
        skip_lines(in);
        if (!status && *in->at == ',')
            in->at++;
        else if (!status && *in->at != ']')
            status = wrong(in, "a comma or ] is expected in an array");
    }
    in->at += !status;
    return status;
}

/* Decimal, without leading zeros; "_" between digits. */
static enum gnomon_status take_number(struct reader *in, json_t **value) {
    char digits[24];
    size_t count = 0;
    if (*in->at == '+' || *in->at == '-')
        digits[count++] = *in->at++;
    const char *first = in->at;
    while (count + 1 < sizeof digits && (isdigit((unsigned char)*in->at) ||
                                         (*in->at == '_' && in->at > first && isdigit((unsigned char)in->at[1])))) {
        if (*in->at != '_')
            digits[count++] = *in->at;
        in->at++;
    }
    digits[count] = '\0';
    errno = 0;
    const long long number = strtoll(digits, NULL, 10);
    if (in->at == first || errno || (*first == '0' && in->at > first + 1))
        return wrong(in, "this is no string, whole number, true, false or array");
    if (*in->at && strchr("._eExXoObB:-", *in->at))
        return wrong(in, "only whole decimal numbers are taken");
    *value = json_integer(number);
    return GNOMON_OK;
}

static bool take_word(struct reader *in, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(in->at, word, length) != 0 || isalnum((unsigned char)in->at[length]))
        return false;
    in->at += length;
    return true;
}

static enum gnomon_status take_value(struct reader *in, unsigned depth, json_t **value) {
    struct text text;
    *value = NULL;
    if (depth > DEEPEST)
        return wrong(in, "arrays are nested too deep");
    if (*in->at == '[')
        return take_array(in, depth, value);
    if (*in->at == '{')
        return wrong(in, "tables in braces are not taken: write [table] and its keys below it");
    if (*in->at == '"' || *in->at == '\'') {
        const enum gnomon_status status = take_string(in, &text);
        *value = status ? NULL : json_stringn(text.bytes, text.length);
        return status || *value ? status : wrong(in, "a string is not UTF-8");
    }
    if (take_word(in, "true") || take_word(in, "false")) {
        *value = json_boolean(in->at[-2] == 'u');
        return GNOMON_OK;
    }
    return take_number(in, value);
}

/* ---- Tables ---- */

struct address {
    char text[24];
};

static struct address address_of(const json_t *json) {
    struct address address;
    snprintf(address.text, sizeof address.text, "%p", (const void *)json);
    return address;
}

static enum mark mark_of(const struct reader *in, const json_t *json) {
    return (enum mark)json_integer_value(json_object_get(in->marks, address_of(json).text));
}

static void set_mark(const struct reader *in, const json_t *json, enum mark mark) {
    json_object_set_new(in->marks, address_of(json).text, json_integer(mark));
}

/* The table `key` of *table, made if there is none; of an array of tables the last one. `dots`: for a key with dots,
 * which may not change a table that has a header. */
static enum gnomon_status enter(struct reader *in, json_t **table, const char *key, bool dots) {
    json_t *found = json_object_get(*table, key);
    if (json_is_array(found) && mark_of(in, found) == TABLES)
        found = dots ? found : json_array_get(found, json_array_size(found) - 1);
    if (!found) {
        if (json_object_set_new(*table, key, found = json_object()))
            return gnomon_fail_memory(in->error);
        if (dots)
            set_mark(in, found, BY_DOTS);
    }
    if (!json_is_object(found))
        return wrong(in, "a key is used as a table and as a value");
    if (dots && mark_of(in, found) == BY_HEADER)
        return wrong(in, "this table has a [header], and its keys belong there");
    *table = found;
    return GNOMON_OK;
}

/* Reads "a.b.c" up to the last key, which is left in `key`; *table becomes that of a.b. */
static enum gnomon_status take_path(struct reader *in, json_t **table, struct text *key, bool dots) {
    enum gnomon_status status = take_key(in, key);
    for (skip_blanks(in); !status && *in->at == '.'; skip_blanks(in)) {
        in->at++;
        skip_blanks(in);
        status = enter(in, table, key->bytes, dots);
        if (!status)
            status = take_key(in, key);
    }
    return status;
}

static enum gnomon_status begin_array_table(struct reader *in, json_t *parent, const char *key) {
    json_t *array = json_object_get(parent, key);
    if (!array) {
        if (json_object_set_new(parent, key, array = json_array()))
            return gnomon_fail_memory(in->error);
        set_mark(in, array, TABLES);
    }
    if (mark_of(in, array) != TABLES)
        return wrong(in, "a name is used as an array of tables and as something else");
    in->table = json_object();
    return json_array_append_new(array, in->table) ? gnomon_fail_memory(in->error) : GNOMON_OK;
}

static enum gnomon_status begin_table(struct reader *in, json_t *parent, const char *key) {
    in->table = parent;
    if (json_is_array(json_object_get(parent, key)))
        return wrong(in, "a name is used as an array and as a table");
    const enum gnomon_status status = enter(in, &in->table, key, false);
    if (!status && mark_of(in, in->table) != UNMARKED)
        return wrong(in, "this table is there already");
    set_mark(in, in->table, BY_HEADER);
    return status;
}

/* At "[" or "[[". */
static enum gnomon_status take_header(struct reader *in) {
    const bool array = in->at[1] == '[';
    json_t *parent = in->root;
    struct text key;
    in->at += array ? 2 : 1;
    skip_blanks(in);
    const enum gnomon_status status = take_path(in, &parent, &key, false);
    if (status)
        return status;
    if (strncmp(in->at, array ? "]]" : "]", array ? 2 : 1) != 0)
        return wrong(in, "the name of a table does not end with ]");
    in->at += array ? 2 : 1;
    return array ? begin_array_table(in, parent, key.bytes) : begin_table(in, parent, key.bytes);
}

static enum gnomon_status take_pair(struct reader *in) {
    json_t *table = in->table, *value = NULL;
    struct text key;
    enum gnomon_status status = take_path(in, &table, &key, true);
    if (status)
        return status;
    if (*in->at != '=')
        return wrong(in, "= is expected after a key");
    in->at++;
    skip_blanks(in);
    if (json_object_get(table, key.bytes))
        return wrong(in, "this key is there already");
    status = take_value(in, 0, &value);
    if (!status && json_object_set(table, key.bytes, value))
        status = wrong(in, "a key is not UTF-8");
    json_decref(value);
    return status;
}

static enum gnomon_status take_line(struct reader *in) {
    const enum gnomon_status status = *in->at == '[' ? take_header(in) : take_pair(in);
    skip_comment(in);
    return !status && *in->at && *in->at != '\n' ? wrong(in, "something follows that does not belong here") : status;
}

enum gnomon_status gnomon_toml_read(json_t **root, const char *text, const char *name, struct gnomon_error *error) {
    struct reader in = {.at = text, .name = name, .line = 1, .root = json_object(), .error = error};
    in.table = in.root;
    in.marks = json_object();
    enum gnomon_status status = in.root && in.marks ? GNOMON_OK : gnomon_fail_memory(error);
    for (skip_lines(&in); !status && *in.at; skip_lines(&in))
        status = take_line(&in);
    json_decref(in.marks);
    *root = status ? NULL : in.root;
    if (status)
        json_decref(in.root);
    return status;
}
