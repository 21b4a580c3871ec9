/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon collect --join and --leave: a host takes part in a fleet only after its user has said so. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/collect/collect.h"
#include "cli/screen.h"
#include "lib/collect/durable.h"
#include "lib/util/file.h"

/* The first line of the file. */
static enum gnomon_status read_token(const char *path, char **token, struct gnomon_error *error) {
    uint8_t *data = NULL;
    size_t size;
    const enum gnomon_status status = gnomon_read_stream(path, &data, &size, error);
    *token = status ? NULL : strndup((const char *)data, size);
    free(data);
    if (!status && *token)
        (*token)[strcspn(*token, "\r\n")] = '\0';
    return !status && !*token ? gnomon_fail_memory(error) : status;
}

static void explain(const struct gnomon_collect_settings *settings) {
    char text[600];
    snprintf(text, sizeof text,
             "Programs that this host starts with gnomon collect would be measured: at each start some functions, "
             "chosen at random. The results go to %s:",
             settings->service);
    screen_sentence(stderr, text, "");
    snprintf(text, sizeof text,
             "  - of a program: %s%s, its build id, \"%s\" as the name of what it did, the size of its input if --size "
             "says it, the kind of device, how many runs and cycles",
             settings->program ? "the name " : "the name of its file", settings->program ? settings->program : "",
             settings->scenario);
    screen_sentence(stderr, text, "    ");
    screen_sentence(
        stderr,
        "  - of a function: its name, the name of its module, its source file below the folder of its "
        "compilation and its line, how many calls there were, and what they cost, in cycles or in what the "
        "service asks for in their place, such as instructions, misses of a cache, bytes sent, or bytes allocated",
        "    ");
    screen_sentence(stderr,
                    "Nothing else: no names of people or machines, no arguments, no input, no console, no times. "
                    "gnomon collect --show prints it before it is sent, and --leave ends it.",
                    "");
}

/* Is the answer yes? Everything else is no. */
static bool agrees(void) {
    char line[16] = "";
    fputs("Join? [y/N] ", stderr);
    fflush(stderr);
    return fgets(line, sizeof line, stdin) && (!strcmp(line, "y\n") || !strcmp(line, "yes\n"));
}

/* Results that were collected for one service are not for another one. */
static enum gnomon_status check_earlier(const struct gnomon_collect_settings *settings,
                                        const struct gnomon_collect_places *places, struct gnomon_error *error) {
    struct gnomon_collect_settings earlier;
    enum gnomon_status status = GNOMON_OK;
    if (!gnomon_collect_settings_read(&earlier, places->settings, NULL) &&
        strcmp(earlier.service, settings->service) != 0) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "this host has joined %s", earlier.service);
        status = gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "leave it first: gnomon collect --leave");
    }
    gnomon_collect_settings_free(&earlier);
    return status;
}

static void leave(const struct gnomon_collect_places *places) {
    char lock[PATH_MAX];
    unlink(places->settings);
    snprintf(lock, sizeof lock, "%s/sending", places->state);
    const int held = gnomon_durable_lock(lock, true); /* what is being sent now is not taken away */
    gnomon_spool_remove(places->state);
    if (held >= 0)
        close(held);
}

/* Joins, unless the service does not know the token. A service that cannot be reached now may be reached later. */
static int join(const struct cli_context *context, const struct gnomon_collect_settings *settings,
                const struct gnomon_collect_places *places) {
    struct gnomon_error error;
    struct gnomon_sending sending;
    if (gnomon_collect_settings_write(settings, places->settings, &error))
        return cli_error(context, &error);
    const enum gnomon_status status = gnomon_collect_send(settings, places, true, &sending, &error);
    if (status == GNOMON_ERR_PERMISSION) {
        leave(places);
        return cli_error(context, &error);
    }
    if (status)
        cli_warn(context, "%s; joined nevertheless", error.what);
    cli_note(context, "joined %s. Next: gnomon collect ELF", settings->service);
    return CLI_OK;
}

static int ask_and_join(struct cli_context *context, const struct gnomon_collect_settings *settings,
                        const struct gnomon_collect_places *places) {
    const struct collect_values *values = context->values;
    struct gnomon_error error;
    if (gnomon_collect_settings_check(settings, &error) || check_earlier(settings, places, &error))
        return cli_error(context, &error);
    if (!values->yes && !isatty(STDIN_FILENO))
        return cli_usage(context, "--join asks on a terminal; in a script, --yes says that the user has agreed");
    if (!context->quiet || !values->yes)
        explain(settings);
    if (!values->yes && !agrees()) {
        cli_warn(context, "not joined: nothing is measured, and nothing is sent");
        return CLI_FAILED;
    }
    return join(context, settings, places);
}

int collect_join(struct cli_context *context) {
    const struct collect_values *values = context->values;
    struct gnomon_error error;
    struct gnomon_collect_places places;
    char *token = NULL, *ca = values->ca ? realpath(values->ca, NULL) : NULL;
    if (!values->token)
        return cli_usage(context, "--join needs --token FILE: a file with the token that the service gave you");
    enum gnomon_status status = gnomon_collect_places_find(&places, &error);
    if (!status && values->ca && !ca)
        status = gnomon_fail_errno(&error, GNOMON_ERR_SYSTEM, "cannot open %s", values->ca);
    if (!status)
        status = read_token(values->token, &token, &error);
    const struct gnomon_collect_settings settings = {
        .service = values->join,
        .token = token,
        .ca = ca,
        .program = values->program,
        .scenario = values->scenario ? values->scenario : GNOMON_COLLECT_SCENARIO,
        .filter = {values->functions.items, values->functions.count, values->headers.items, values->headers.count},
        .most_bytes = values->most ? values->most : GNOMON_COLLECT_MOST_BYTES,
        .insecure_http = values->insecure_http};
    const int result = status ? cli_error(context, &error) : ask_and_join(context, &settings, &places);
    gnomon_collect_places_free(&places);
    free(token);
    free(ca);
    return result;
}

int collect_leave(struct cli_context *context) {
    struct gnomon_error error;
    struct gnomon_collect_places places;
    int result = CLI_OK;
    if (gnomon_collect_places_find(&places, &error)) {
        result = cli_error(context, &error);
    } else if (access(places.settings, F_OK) && access(places.state, F_OK)) {
        gnomon_fail(&error, GNOMON_ERR_NOT_FOUND, "this host takes part in no fleet");
        result = cli_error(context, &error);
    } else {
        leave(&places);
        cli_note(context, "left: nothing is measured any more, and what waited is removed");
    }
    gnomon_collect_places_free(&places);
    return result;
}
