/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon api list --by: what each module, folder, namespace or library costs. */
#include <stdlib.h>
#include <string.h>

#include "cli/api/api.h"
#include "cli/api/api_toml.h"
#include "cli/print_names.h"
#include "cli/screen.h"
#include "lib/fleet/api_groups.h"
#include "lib/fleet/saturate.h"
#include "lib/util/json_text.h"

struct by {
    struct cli_context *context;
    struct api_opened opened;
    struct gnomon_api_grouping grouping;
    json_t *libraries;
};

struct groups {
    const char *cost;
    size_t count;
    struct gnomon_api_group *list; /* owned */
    uint64_t sum;
    bool exact;
};

/* ---- Options ---- */

static const char *const kinds[] = {[GNOMON_API_BY_MODULE] = "module",
                                    [GNOMON_API_BY_FOLDER] = "folder",
                                    [GNOMON_API_BY_NAMESPACE] = "namespace",
                                    [GNOMON_API_BY_LIBRARY] = "library"};

static bool find_kind(const char *name, enum gnomon_api_by *by) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i], name)) {
            *by = (enum gnomon_api_by)i;
            return true;
        }
    return false;
}

static bool is_patterns(const json_t *value) {
    bool good = json_is_string(value) || json_is_array(value);
    for (size_t i = 0; i < json_array_size(value) && good; i++)
        good = json_is_string(json_array_get(value, i));
    return good;
}

static enum gnomon_status read_libraries(struct by *by, const char *path, struct gnomon_error *error) {
    enum gnomon_status status = api_toml_read(&by->libraries, path, error);
    const char *name;
    json_t *value;
    json_object_foreach(by->libraries, name, value) {
        if (status || is_patterns(value))
            continue;
        gnomon_fail(error, GNOMON_ERR_FORMAT, "%s: the library %s has no pattern", path, name);
        status = gnomon_remedy(error, GNOMON_ERR_FORMAT, "write NAME = \"*/folder/*\", or an array of patterns");
    }
    by->grouping.libraries = by->libraries;
    return status;
}

/* ---- The groups ---- */

/* Own cycles come first. */
static int compare_costs(const void *a, const void *b) {
    const char *left = *(const char *const *)a, *right = *(const char *const *)b;
    const bool first = !strcmp(left, GNOMON_API_OWN_CYCLES), second = !strcmp(right, GNOMON_API_OWN_CYCLES);
    return first != second ? second - first : strcmp(left, right);
}

/* The profile's costs whose rows add up. The caller frees the list. NULL: out of memory. */
static const char **exclusive_costs(const struct by *by, size_t *count) {
    size_t all, kept = 0;
    struct gnomon_api_row **rows = gnomon_api_profile_rows(by->opened.view, &all);
    const char **costs = rows ? malloc((all + 1) * sizeof *costs) : NULL;
    for (size_t i = 0; costs && i < all; i++)
        if (gnomon_api_exclusive(rows[i]->cost))
            costs[kept++] = rows[i]->cost;
    if (kept)
        qsort(costs, kept, sizeof *costs, compare_costs);
    *count = 0;
    for (size_t i = 0; costs && i < kept; i++)
        if (!*count || strcmp(costs[*count - 1], costs[i]) != 0)
            costs[(*count)++] = costs[i];
    free(rows);
    return costs;
}

/* False: out of memory. */
static bool make_groups(const struct by *by, struct groups *groups, const char *cost) {
    *groups = (struct groups){.cost = cost, .exact = true};
    groups->list = gnomon_api_groups(by->opened.view, cost, &by->grouping, &groups->count);
    for (size_t i = 0; groups->list && i < groups->count; i++) {
        groups->sum = gnomon_saturate_add(groups->sum, groups->list[i].cost);
        groups->exact &= groups->list[i].exact;
    }
    return groups->list;
}

/* The runs of which there is this cost. */
static uint64_t count_runs(const struct by *by, const char *cost) {
    size_t count;
    uint64_t runs = 0;
    struct gnomon_api_row **rows = gnomon_api_profile_rows(by->opened.view, &count);
    for (size_t i = 0; rows && i < count; i++)
        if (!strcmp(rows[i]->function, GNOMON_API_UNPROFILED) && !strcmp(rows[i]->cost, cost))
            runs = gnomon_saturate_add(runs, gnomon_api_row_sum(rows[i]).calls);
    free(rows);
    return runs;
}

/* ---- Text ---- */

enum column { COST, SHARE, FUNCTIONS, NAME, COLUMNS };

static void put_group(struct screen_table *table, const struct groups *groups, const struct gnomon_api_group *group) {
    char text[CLI_CLEAN_BYTES], share[16];
    screen_count(table, group->cost);
    snprintf(share, sizeof share, "%.2f", groups->sum ? 100.0 * (double)group->cost / (double)groups->sum : 0);
    screen_cell(table, share);
    if (group->functions)
        screen_count(table, group->functions);
    else
        screen_none(table);
    if (!group->exact)
        screen_next_mark(table, '+');
    screen_cell(table, cli_clean(text, group->name));
}

static bool put_groups(const struct by *by, const struct groups *groups, FILE *stream) {
    const struct screen_column columns[COLUMNS] = {
        [COST] = {.title = groups->cost},
        [SHARE] = {.title = "%"},
        [FUNCTIONS] = {.title = "functions", .gives = 1},
        [NAME] = {.title = kinds[by->grouping.by], .left = true, .least = 12},
    };
    struct gnomon_api_group sum = {.name = (char *)"(sum)", .cost = groups->sum, .exact = groups->exact};
    struct screen_table *table = screen_table_new(columns, COLUMNS);
    for (size_t i = 0; i < groups->count; i++) {
        put_group(table, groups, &groups->list[i]);
        sum.functions += groups->list[i].functions;
    }
    put_group(table, groups, &sum);
    const bool good = table && screen_table_print(table, by->context, stream);
    screen_table_free(table);
    return good;
}

static void put_head(const struct by *by, const struct groups *groups, size_t count, FILE *stream) {
    char *text = NULL, number[CLI_COUNT_BYTES], clean[CLI_CLEAN_BYTES];
    size_t size;
    FILE *line = open_memstream(&text, &size);
    if (!line)
        return;
    fprintf(line, "# %s", by->opened.facts);
    const char *comma = "; ";
    for (size_t i = 0; i < count; i++, comma = ", ") {
        const uint64_t runs = count_runs(by, groups[i].cost);
        if (gnomon_api_of_runs(groups[i].cost))
            fprintf(line, "%s%s of %s run%s", comma, cli_clean(clean, groups[i].cost), cli_count(number, runs),
                    runs == 1 ? "" : "s");
    }
    fclose(line);
    screen_sentence(stream, text, "#   ");
    free(text);
}

static int print_text(const struct by *by, const struct groups *groups, size_t count) {
    FILE *stream = cli_pager_begin(by->context);
    put_head(by, groups, count, stream);
    for (size_t i = 0; i < count; i++) {
        if (i)
            fputc('\n', stream);
        if (!put_groups(by, &groups[i], stream))
            cli_warn(by->context, "out of memory: a table is not shown");
    }
    return cli_pager_end(by->context, stream);
}

/* ---- JSON ---- */

static json_t *number(uint64_t value) {
    return json_sprintf("%llu", (unsigned long long)value);
}

static json_t *groups_json(const struct by *by, const struct groups *groups) {
    json_t *list = json_array();
    for (size_t i = 0; i < groups->count; i++)
        json_array_append_new(list, json_pack("{s:o, s:o, s:I, s:b}", "name", gnomon_json_text(groups->list[i].name),
                                              "sum", number(groups->list[i].cost), "functions",
                                              (json_int_t)groups->list[i].functions, "exact", groups->list[i].exact));
    json_t *json = json_pack("{s:o, s:o, s:b, s:o}", "cost", gnomon_json_text(groups->cost), "sum", number(groups->sum),
                             "exact", groups->exact, "groups", list);
    if (gnomon_api_of_runs(groups->cost))
        json_object_set_new(json, "runs", number(count_runs(by, groups->cost)));
    return json;
}

static int print_json(const struct by *by, const struct groups *groups, size_t count) {
    json_t *costs = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(costs, groups_json(by, &groups[i]));
    return cli_print_json(by->context, json_pack("{s:o, s:s, s:o, s:o}", "about", gnomon_json_text(by->opened.facts),
                                                 "by", kinds[by->grouping.by], "runs",
                                                 number(count_runs(by, GNOMON_API_OWN_CYCLES)), "costs", costs));
}

/* ---- The action ---- */

static enum gnomon_status nothing(const struct by *by, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND,
                "no run of the profile has own cycles, bytes or events, whose sum is the run's");
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                         "gnomon merge adds them from a recording of all functions (gnomon record, with no "
                         "--watch-only). The profile has %s",
                         by->opened.facts);
}

static int show(const struct by *by) {
    const struct api_values *values = by->context->values;
    struct gnomon_error error;
    size_t all, count = 0;
    const char **costs = exclusive_costs(by, &all);
    struct groups *groups = costs ? calloc(all + 1, sizeof *groups) : NULL;
    enum gnomon_status status = groups ? GNOMON_OK : gnomon_fail_memory(&error);
    for (size_t i = 0; i < all && !status; i++) {
        if (values->costs.count && !api_wants_cost(values, costs[i]))
            continue;
        if (make_groups(by, &groups[count], costs[i]))
            count++;
        else
            status = gnomon_fail_memory(&error);
    }
    if (!status && !count)
        status = nothing(by, &error);
    const int result = status              ? cli_error(by->context, &error)
                       : by->context->json ? print_json(by, groups, count)
                                           : print_text(by, groups, count);
    while (count > 0) {
        count--;
        gnomon_api_groups_free(groups[count].list, groups[count].count);
    }
    free(groups);
    free(costs);
    return result;
}

int api_list_by(struct cli_context *context, const char *path) {
    const struct api_values *values = context->values;
    struct by by = {.context = context, .grouping = {.depth = (unsigned)values->depth}};
    struct gnomon_error error;
    if (!find_kind(values->by, &by.grouping.by))
        return cli_usage(context, "--by is module, folder, namespace or library, not \"%s\"", values->by);
    for (size_t i = 0; i < values->costs.count; i++)
        if (!gnomon_api_exclusive(values->costs.items[i]))
            return cli_usage(context,
                             "--by adds own-cycles, own-bytes and the like: %s of a function has what it called in it",
                             values->costs.items[i]);
    if (values->functions.count || values->sort || values->histogram || values->limit)
        return cli_usage(context, "--by adds all functions: leave out --function, --sort, --histogram and --limit");
    enum gnomon_status status = api_open(&by.opened, context, path, &error);
    if (!status && values->libraries)
        status = read_libraries(&by, values->libraries, &error);
    const int result = status ? cli_error(context, &error) : show(&by);
    json_decref(by.libraries);
    api_close(&by.opened);
    return result;
}
