/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/collect/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/collect/durable.h"
#include "lib/collect/service.h"
#include "lib/fleet/api_redact.h"
#include "lib/util/file.h"
#include "lib/util/toml.h"

/* ---- Places ---- */

/* "BASE/NAME", where BASE is an absolute path in the environment, or HOME/USUAL. */
static enum gnomon_status find_place(char **place, const char *variable, const char *usual, const char *name,
                                     struct gnomon_error *error) {
    const char *base = getenv(variable), *home = getenv("HOME");
    const bool given = base && base[0] == '/';
    if (!given && (!home || home[0] != '/')) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "there is no folder for settings and results: HOME is not set");
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "set HOME, or XDG_CONFIG_HOME and XDG_STATE_HOME");
    }
    const int length = given ? asprintf(place, "%s/%s", base, name) : asprintf(place, "%s/%s/%s", home, usual, name);
    if (length >= 0)
        return GNOMON_OK;
    *place = NULL;
    return gnomon_fail_memory(error);
}

enum gnomon_status gnomon_collect_places_find(struct gnomon_collect_places *places, struct gnomon_error *error) {
    *places = (struct gnomon_collect_places){0};
    enum gnomon_status status =
        find_place(&places->settings, "XDG_CONFIG_HOME", ".config", "gnomon/collect.toml", error);
    return status ? status : find_place(&places->state, "XDG_STATE_HOME", ".local/state", "gnomon/collect", error);
}

void gnomon_collect_places_free(struct gnomon_collect_places *places) {
    free(places->settings);
    free(places->state);
    *places = (struct gnomon_collect_places){0};
}

/* ---- Reading ---- */

static const char *text_of(const json_t *root, const char *key) {
    return json_string_value(json_object_get(root, key));
}

/* The texts stay the array's. False: out of memory. */
static bool take_list(const json_t *root, const char *key, const char *const **list, size_t *count) {
    const json_t *array = json_object_get(root, key), *item;
    const char **texts = calloc(json_array_size(array) + 1, sizeof *texts);
    size_t i;
    json_array_foreach(array, i, item) if (texts && json_is_string(item)) texts[(*count)++] = json_string_value(item);
    *list = texts;
    return texts;
}

static enum gnomon_status take(struct gnomon_collect_settings *settings, struct gnomon_error *error) {
    const json_t *root = settings->root;
    const json_int_t most = json_integer_value(json_object_get(root, "most_bytes"));
    settings->service = text_of(root, "service");
    settings->token = text_of(root, "token");
    settings->ca = text_of(root, "ca");
    settings->program = text_of(root, "program_name");
    settings->scenario = text_of(root, "scenario");
    settings->insecure_http = json_is_true(json_object_get(root, "insecure_http"));
    settings->most_bytes = most > 0 ? (uint64_t)most : GNOMON_COLLECT_MOST_BYTES;
    if (!settings->scenario)
        settings->scenario = GNOMON_COLLECT_SCENARIO;
    return take_list(root, "functions", &settings->filter.functions, &settings->filter.function_count) &&
                   take_list(root, "headers", &settings->filter.headers, &settings->filter.header_count)
               ? GNOMON_OK
               : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_collect_settings_read(struct gnomon_collect_settings *settings, const char *path,
                                                struct gnomon_error *error) {
    uint8_t *data = NULL;
    size_t size;
    *settings = (struct gnomon_collect_settings){0};
    enum gnomon_status status = gnomon_read_file(path, &data, &size, error);
    if (status == GNOMON_ERR_NOT_FOUND) {
        gnomon_fail(error, status, "this host takes part in no fleet");
        return gnomon_remedy(error, status, "gnomon collect --join https://SERVICE --token FILE joins one");
    }
    if (!status) {
        data[size] = '\0';
        status = gnomon_toml_read(&settings->root, (const char *)data, path, error);
    }
    free(data);
    if (!status)
        status = take(settings, error);
    return status ? status : gnomon_collect_settings_check(settings, error);
}

void gnomon_collect_settings_free(struct gnomon_collect_settings *settings) {
    if (settings->root) {
        free((void *)settings->filter.functions);
        free((void *)settings->filter.headers);
    }
    json_decref(settings->root);
    *settings = (struct gnomon_collect_settings){0};
}

/* ---- Checking ---- */

/* A token goes into a line of a request. */
static bool token_fits(const char *token) {
    for (const char *at = token; *at; at++)
        if (*at <= ' ' || *at > '~')
            return false;
    return *token && strlen(token) <= 4096;
}

enum gnomon_status gnomon_collect_settings_check(const struct gnomon_collect_settings *settings,
                                                 struct gnomon_error *error) {
    if (!settings->service || !settings->token) {
        gnomon_fail(error, GNOMON_ERR_FORMAT, "the settings have no %s", settings->service ? "token" : "service");
        return gnomon_remedy(error, GNOMON_ERR_FORMAT, "join again with gnomon collect --join");
    }
    if (!token_fits(settings->token)) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the token is none: it has spaces, is empty, or is longer than 4096");
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "--token names a file with the token in its only line");
    }
    const char *const names[] = {settings->program, settings->scenario};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && (!*names[i] || !gnomon_api_redact_name_fits(names[i]))) {
            gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%s\" cannot be sent as a name of the %s", names[i],
                        i ? "scenario" : "program");
            return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "take a name without slashes");
        }
    return gnomon_service_check(settings->service, settings->insecure_http, error);
}

/* ---- Writing ---- */

static void put_string(FILE *stream, const char *text) {
    fputc('"', stream);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(stream, "\\%c", *text);
        else if ((unsigned char)*text < 0x20 || *text == 0x7F)
            fprintf(stream, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            fputc(*text, stream);
    fputc('"', stream);
}

static void put_text(FILE *stream, const char *key, const char *text) {
    if (!text)
        return;
    fprintf(stream, "%s = ", key);
    put_string(stream, text);
    fputc('\n', stream);
}

static void put_list(FILE *stream, const char *key, const char *const *list, size_t count) {
    if (!count)
        return;
    fprintf(stream, "%s = [", key);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", stream);
        put_string(stream, list[i]);
    }
    fputs("]\n", stream);
}

enum gnomon_status gnomon_collect_settings_write(const struct gnomon_collect_settings *settings, const char *path,
                                                 struct gnomon_error *error) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return gnomon_fail_memory(error);
    fputs("# Made by gnomon collect --join. gnomon collect --leave removes it.\n", stream);
    put_text(stream, "service", settings->service);
    put_text(stream, "token", settings->token);
    put_text(stream, "ca", settings->ca);
    put_text(stream, "program_name", settings->program);
    put_text(stream, "scenario", settings->scenario);
    put_list(stream, "functions", settings->filter.functions, settings->filter.function_count);
    put_list(stream, "headers", settings->filter.headers, settings->filter.header_count);
    fprintf(stream, "most_bytes = %llu\n", (unsigned long long)settings->most_bytes);
    if (settings->insecure_http)
        fputs("insecure_http = true\n", stream);
    const bool good = !ferror(stream);
    fclose(stream);
    enum gnomon_status status = good ? gnomon_durable_folder_of(path, error) : gnomon_fail_memory(error);
    if (!status)
        status = gnomon_durable_write(path, text, size, error);
    free(text);
    return status;
}
