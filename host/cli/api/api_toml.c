/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/api/api_toml.h"

#include <stdlib.h>
#include <string.h>

#include "lib/util/file.h"
#include "lib/util/toml.h"

enum gnomon_status api_toml_wrong(const char *key, const char *what, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_FORMAT, "the key %s: %s", key, what);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "docs/guide/api.md describes the file; gnomon api --help, too");
}

enum gnomon_status api_toml_keys(json_t *table, const char *const *keys, struct gnomon_error *error) {
    const char *key;
    json_t *value;
    json_object_foreach(table, key, value) {
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0)
            i++;
        if (!keys[i])
            return api_toml_wrong(key, "there is no such key", error);
    }
    return GNOMON_OK;
}

enum gnomon_status api_toml_list(struct cli_list *list, json_t *table, const char *key, struct gnomon_error *error) {
    json_t *value = json_object_get(table, key), *item;
    const size_t count = json_is_array(value) ? json_array_size(value) : 1;
    size_t i;
    if (!value)
        return GNOMON_OK;
    const char **items = realloc(list->items, (list->count + count + 1) * sizeof *items);
    if (!items)
        return gnomon_fail_memory(error);
    list->items = items;
    if (json_is_string(value)) {
        items[list->count++] = json_string_value(value);
        return GNOMON_OK;
    }
    if (!json_is_array(value))
        return api_toml_wrong(key, "a string or an array of strings is expected", error);
    json_array_foreach(value, i, item) {
        if (!json_is_string(item))
            return api_toml_wrong(key, "an array of strings is expected", error);
        items[list->count++] = json_string_value(item);
    }
    return GNOMON_OK;
}

enum gnomon_status api_toml_text(const char **text, json_t *table, const char *key, struct gnomon_error *error) {
    json_t *value = json_object_get(table, key);
    if (value && !json_is_string(value))
        return api_toml_wrong(key, "a string is expected", error);
    if (value)
        *text = json_string_value(value);
    return GNOMON_OK;
}

char *api_toml_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

enum gnomon_status api_toml_read(json_t **file, const char *path, struct gnomon_error *error) {
    uint8_t *text = NULL;
    size_t size;
    enum gnomon_status status = gnomon_read_file(path, &text, &size, error);
    if (!status) {
        text[size] = '\0'; /* the file's memory has a byte more */
        status = strlen((char *)text) == size ? gnomon_toml_read(file, (char *)text, path, error)
                                              : gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is no text", path);
    }
    free(text);
    return status;
}
