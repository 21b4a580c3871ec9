/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/api_groups.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "lib/elf/demangle.h"
#include "lib/fleet/saturate.h"

#define NONE "(none)"
#define NOT_KNOWN "(not known)"

bool gnomon_api_exclusive(const char *cost) {
    return gnomon_api_of_runs(cost) || !strcmp(cost, GNOMON_API_OWN_BYTES);
}

/* ---- Folders ---- */

/* The length of the first `depth` names of a path; 0: all of its folders. */
static size_t folders_length(const char *path, unsigned depth) {
    const char *end = strrchr(path, '/');
    if (!end)
        return 0;
    const char *at = path;
    while (depth-- > 0 && at < end) {
        at += strspn(at, "/");
        at += strcspn(at, "/");
        if (!depth)
            return (size_t)(at - path);
    }
    return end == path ? 1 : (size_t)(end - path);
}

static char *folder_of(const struct gnomon_api_row *row, unsigned depth) {
    const size_t length = folders_length(row->file, depth);
    return !*row->file ? strdup(NOT_KNOWN) : length ? strndup(row->file, length) : strdup(".");
}

/* ---- Namespaces ---- */

/* 1: one opens at `at`, which is in the text `from`; -1: one closes. The end of "->" is none. */
static int bracket(const char *from, const char *at) {
    if (*at == '>' && at > from && at[-1] == '-')
        return 0;
    return strchr("<({[", *at) ? 1 : strchr(">)}]", *at) ? -1 : 0;
}

static bool is_operator(const char *name, const char *at) {
    return !strncmp(at, "operator", 8) && !isalnum((unsigned char)at[8]) && at[8] != '_' &&
           (at == name || strchr(": ", at[-1]));
}

/* A part of a name. */
struct piece {
    const char *from, *to;
};

/* What stands before the last "::" outside of brackets, without a type that is returned. */
static struct piece scope_of(const char *name, const char *end) {
    struct piece scope = {name, NULL};
    int depth = 0;
    for (const char *at = name; at < end && !(depth == 0 && is_operator(name, at)); at++) {
        depth += bracket(name, at);
        if (depth == 0 && *at == ' ')
            scope = (struct piece){at + 1, NULL};
        else if (depth == 0 && at[0] == ':' && at[1] == ':')
            scope.to = at;
    }
    if (!scope.to)
        scope.to = scope.from;
    return scope;
}

/* Of Rust's "<&T as Trait>" T. */
static struct piece type_of(struct piece scope) {
    const char *at = ++scope.from;
    for (int depth = 0; at < scope.to && depth >= 0; at++) {
        depth += bracket(scope.from, at);
        if (depth < 0 || (depth == 0 && !strncmp(at, " as ", 4)))
            break;
    }
    scope.to = at;
    while (scope.from < scope.to && strchr("&* ", *scope.from))
        scope.from++;
    return scope;
}

/* Without what is in angle brackets, and no more than `depth` names. `text` has room for the scope. */
static void put_scope(char *text, struct piece scope, unsigned depth) {
    int angles = 0;
    for (const char *at = scope.from; at < scope.to; at++) {
        angles += *at == '<';
        if (!angles && at[0] == ':' && at[1] == ':' && depth && !--depth)
            break;
        if (!angles)
            *text++ = *at;
        angles -= *at == '>' && angles > 0;
    }
    *text = '\0';
}

static char *namespace_of(const struct gnomon_api_row *row, unsigned depth) {
    char *name = gnomon_demangle(row->function);
    char *text = name ? malloc(strlen(name) + 1) : NULL;
    if (text) {
        const size_t length = gnomon_name_length(name);
        struct piece scope = scope_of(name, name + (length ? length : strlen(name)));
        if (*scope.from == '<')
            scope = type_of(scope);
        put_scope(text, scope, depth);
    }
    free(name);
    if (text && *text)
        return text;
    free(text);
    return strdup(NONE);
}

/* ---- Libraries ---- */

/* Does one of the patterns fit? `patterns` is one, or an array. */
static bool fits(const json_t *patterns, const char *text) {
    if (json_is_string(patterns))
        return fnmatch(json_string_value(patterns), text, 0) == 0;
    bool any = false;
    for (size_t i = 0; i < json_array_size(patterns) && !any; i++)
        any = fits(json_array_get(patterns, i), text);
    return any;
}

static const char *library_named(const struct gnomon_api_row *row, const json_t *libraries) {
    const char *text = *row->file ? row->file : row->function;
    for (void *at = json_object_iter((json_t *)libraries); at; at = json_object_iter_next((json_t *)libraries, at))
        if (fits(json_object_iter_value(at), text))
            return json_object_iter_key(at);
    return NULL;
}

/* Folders that hold libraries, each in a folder of its own. */
static bool holds_libraries(const char *name, size_t length) {
    static const char *const holders[] = {
        "third_party", "third-party", "thirdparty", "3rdparty", "vendor", "external", "extern",  "managed_components",
        "deps",        "libraries",   "components", "lib",      "libs",   "modules",  "packages"};
    for (size_t i = 0; i < sizeof holders / sizeof *holders; i++)
        if (strlen(holders[i]) == length && !strncmp(holders[i], name, length))
            return true;
    return false;
}

/* "libgcc", "libpng16" */
static bool is_library(const char *name, size_t length) {
    return length > 3 && !strncmp(name, "lib", 3) && !holds_libraries(name, length);
}

/* The last folder in one that holds libraries, or that is named as one. */
static char *library_of(const struct gnomon_api_row *row, const json_t *libraries) {
    const char *named = library_named(row, libraries);
    struct piece found = {NULL, NULL};
    bool held = false;
    for (const char *at = row->file; *at; at += strspn(at, "/")) {
        const size_t length = strcspn(at, "/");
        if (at[length] && (held || is_library(at, length)))
            found = (struct piece){at, at + length};
        held = holds_libraries(at, length);
        at += length;
    }
    return named        ? strdup(named)
           : found.from ? strndup(found.from, (size_t)(found.to - found.from))
                        : strdup(*row->file ? NONE : NOT_KNOWN);
}

/* ---- Groups ---- */

static bool is_rest(const char *function) {
    return !strcmp(function, GNOMON_API_UNPROFILED) || !strcmp(function, GNOMON_API_LOST);
}

char *gnomon_api_group_name(const struct gnomon_api_row *row, const struct gnomon_api_grouping *grouping) {
    if (is_rest(row->function))
        return strdup(row->function);
    switch (grouping->by) {
    case GNOMON_API_BY_FOLDER:
        return folder_of(row, grouping->depth);
    case GNOMON_API_BY_NAMESPACE:
        return namespace_of(row, grouping->depth);
    case GNOMON_API_BY_LIBRARY:
        return strcmp(row->module, row->source->program) ? strdup(row->module) : library_of(row, grouping->libraries);
    default:
        return strdup(row->module);
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct gnomon_api_group *)a)->name, ((const struct gnomon_api_group *)b)->name);
}

static int by_cost(const void *left, const void *right) {
    const struct gnomon_api_group *a = left, *b = right;
    return a->cost != b->cost ? (a->cost < b->cost) - (a->cost > b->cost) : by_name(a, b);
}

/* Adds groups of one name, which stand side by side. Returns how many are left. */
static size_t join(struct gnomon_api_group *groups, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!kept || strcmp(groups[kept - 1].name, groups[i].name) != 0) {
            groups[kept++] = groups[i];
            continue;
        }
        struct gnomon_api_group *to = &groups[kept - 1];
        to->functions += groups[i].functions;
        to->cost = gnomon_saturate_add(to->cost, groups[i].cost);
        to->exact &= groups[i].exact;
        free(groups[i].name);
    }
    return kept;
}

struct gnomon_api_group *gnomon_api_groups(const struct gnomon_api_profile *profile, const char *cost,
                                           const struct gnomon_api_grouping *grouping, size_t *count) {
    size_t all, made = 0;
    struct gnomon_api_row **rows = gnomon_api_profile_rows(profile, &all);
    struct gnomon_api_group *groups = rows ? malloc((all + 1) * sizeof *groups) : NULL;
    bool good = groups;
    for (size_t i = 0; good && i < all; i++) {
        if (strcmp(rows[i]->cost, cost) != 0)
            continue;
        groups[made] = (struct gnomon_api_group){.name = gnomon_api_group_name(rows[i], grouping),
                                                 .functions = !is_rest(rows[i]->function),
                                                 .cost = gnomon_api_row_sum(rows[i]).cycles,
                                                 .exact = !rows[i]->doubt && !gnomon_api_row_saturated(rows[i])};
        good = groups[made].name;
        made += good;
    }
    free(rows);
    *count = made;
    if (!good) {
        gnomon_api_groups_free(groups, made);
        return NULL;
    }
    qsort(groups, made, sizeof *groups, by_name);
    *count = join(groups, made);
    qsort(groups, *count, sizeof *groups, by_cost);
    return groups;
}

void gnomon_api_groups_free(struct gnomon_api_group *groups, size_t count) {
    for (size_t i = 0; groups && i < count; i++)
        free(groups[i].name);
    free(groups);
}
