/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/api/exhaust_recipe.h"

#include <stdlib.h>
#include <string.h>

#include "cli/api/api_toml.h"

/* As the driver reads them. */
static bool is_list_of_numbers(const char *text) {
    char *end;
    for (const char *at = text; *at; at = end + (*end == ',')) {
        strtol(at, &end, 10);
        if (end == at || (*end && *end != ','))
            return false;
    }
    return *text;
}

static enum gnomon_status read_recipe(struct exhaust_recipes *recipes, json_t *table, struct gnomon_error *error) {
    static const char *const keys[] = {"name", "arguments", "before", "after", "skip", "values", NULL};
    struct exhaust_recipe *recipe = &recipes->list[recipes->count++];
    const struct {
        const char *key, **text;
    } texts[] = {{"name", &recipe->function},
                 {"before", &recipe->before},
                 {"after", &recipe->after},
                 {"skip", &recipe->skip},
                 {"values", &recipe->values}};
    enum gnomon_status status = api_toml_keys(table, keys, error);
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !status; i++)
        status = api_toml_text(texts[i].text, table, texts[i].key, error);
    recipe->has_arguments = json_object_get(table, "arguments");
    if (!status)
        status = api_toml_list(&recipe->arguments, table, "arguments", error);
    if (!status && !recipe->function)
        status = api_toml_wrong("function", "it has no name", error);
    if (!status && recipe->values && !is_list_of_numbers(recipe->values))
        status = api_toml_wrong("values", "numbers with commas between them are expected: \"0,1,-1\"", error);
    return status;
}

static enum gnomon_status read_code(struct exhaust_recipes *recipes, const char *path, struct gnomon_error *error) {
    enum gnomon_status status = api_toml_list(&recipes->code, recipes->file, "code", error);
    char *folder = api_toml_folder(path);
    for (size_t i = 0; i < recipes->code.count; i++) { /* owned from here on, all of them */
        char *below = NULL, *whole = NULL;
        const char *name = recipes->code.items[i];
        if (folder && asprintf(&below, "%s/%s", *name == '/' ? "" : folder, name) < 0)
            below = NULL;
        whole = below ? realpath(below, NULL) : NULL;
        if (!status && !whole)
            status = below
                         ? gnomon_fail_errno(error, GNOMON_ERR_NOT_FOUND, "cannot open %s, which %s names", below, path)
                         : gnomon_fail_memory(error);
        recipes->code.items[i] = whole;
        free(below);
    }
    free(folder);
    return status;
}

enum gnomon_status exhaust_recipes_read(struct exhaust_recipes *recipes, const char *path, struct gnomon_error *error) {
    static const char *const keys[] = {"code", "function", NULL};
    size_t i;
    json_t *table;
    enum gnomon_status status = api_toml_read(&recipes->file, path, error);
    json_t *list = status ? NULL : json_object_get(recipes->file, "function");
    if (!status)
        status = api_toml_keys(recipes->file, keys, error);
    if (!status && list && !json_is_array(list))
        status = api_toml_wrong("function", "[[function]] is expected", error);
    recipes->list = calloc(json_array_size(list) + 1, sizeof *recipes->list);
    if (!status && !recipes->list)
        status = gnomon_fail_memory(error);
    if (status)
        return status;
    json_array_foreach(list, i, table) {
        if (!status)
            status = json_is_object(table) ? read_recipe(recipes, table, error)
                                           : api_toml_wrong("function", "[[function]] is expected", error);
    }
    return status ? status : read_code(recipes, path, error);
}

const struct exhaust_recipe *exhaust_recipe_of(const struct exhaust_recipes *recipes, const char *function) {
    for (size_t i = 0; i < recipes->count; i++)
        if (!strcmp(recipes->list[i].function, function))
            return &recipes->list[i];
    return NULL;
}

void exhaust_recipes_close(struct exhaust_recipes *recipes) {
    for (size_t i = 0; i < recipes->count; i++)
        free(recipes->list[i].arguments.items);
    for (size_t i = 0; i < recipes->code.count; i++)
        free((char *)recipes->code.items[i]);
    free(recipes->code.items);
    free(recipes->list);
    json_decref(recipes->file);
}
