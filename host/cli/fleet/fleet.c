/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon fleet: the service that adds what collectors submit. */
#include "cli/fleet/fleet.h"

#include <stdlib.h>
#include <string.h>

#include "lib/service/tokens.h"
#include "lib/store/fleet_store.h"

static const struct cli_option options[] = {
    {0, "listen", "[ADDR:]PORT", "serve: where to listen (default: 127.0.0.1:7878)", CLI_STRING,
     offsetof(struct fleet_values, listen)},
    {0, "db", "WHERE", "serve, export: the file of a SQLite database, or postgres://... (default: " FLEET_DATABASE ")",
     CLI_STRING, offsetof(struct fleet_values, database)},
    {0, "shards", "N",
     "serve, export: parts of a database that a proxy divides among several servers; stays what it was when the store "
     "was made (default: 1)",
     CLI_NUMBER, offsetof(struct fleet_values, shards)},
    {0, "tokens", "FILE", "serve, token: the hashes of the collectors' tokens", CLI_STRING,
     offsetof(struct fleet_values, tokens)},
    {0, "private", NULL, "serve: reading needs a token, too", CLI_FLAG, offsetof(struct fleet_values, private)},
    {0, "allow-host", "NAME", "serve: also answer requests that call this machine NAME; each use adds a name", CLI_LIST,
     offsetof(struct fleet_values, hosts)},
    {0, "retention", "DAYS",
     "serve: delete programs' builds and scenarios that were not submitted for DAYS days, 30 or more (default: keep "
     "all)",
     CLI_NUMBER, offsetof(struct fleet_values, retention)},
    {0, "limits", "NAME=N",
     "serve: body, rows, name, functions, sources, store, compare, rate, volume, clients or seconds; each use sets one",
     CLI_LIST, offsetof(struct fleet_values, limits)},
    {0, "policy", "NAME=N",
     "serve: what collectors may do: binaries, functions, submit_bytes, submit_seconds, load in percent of a "
     "processor, or costs with commas between them (cycles,retired); each use sets one",
     CLI_LIST, offsetof(struct fleet_values, policy)},
    {0, "since", "N", "export: only what has changed after sequence number N", CLI_NUMBER,
     offsetof(struct fleet_values, since)},
    {0, "program", "NAME", "export: only this program", CLI_STRING, offsetof(struct fleet_values, program)},
    {0, "build", "ID", "export: only builds whose id begins with ID", CLI_STRING, offsetof(struct fleet_values, build)},
    {0, "scenario", "NAME", "export: only this scenario", CLI_STRING, offsetof(struct fleet_values, scenario)},
    {0, "on", "DEVICE", "export: only this kind of device", CLI_STRING, offsetof(struct fleet_values, device)},
    {0, "cost", "COST", "export: only this cost", CLI_STRING, offsetof(struct fleet_values, cost)},
    {0, "function", "NAME", "export: only functions of this (linker's) name", CLI_STRING,
     offsetof(struct fleet_values, function)},
    {0},
};

static int make_token(struct cli_context *context) {
    const struct fleet_values *values = context->values;
    struct gnomon_error error;
    char token[GNOMON_TOKEN_BYTES];
    if (!values->tokens)
        return cli_usage(context, "token needs --tokens FILE");
    if (gnomon_token_make(values->tokens, context->argc > 1 ? context->argv[1] : "", token, &error))
        return cli_error(context, &error);
    printf("%s\n", token);
    cli_note(context, "%s has its hash; the token itself is not kept", values->tokens);
    return fflush(stdout) ? CLI_FAILED : CLI_OK;
}

static int print_schema(struct cli_context *context) {
    struct gnomon_error error;
    char *schema = gnomon_fleet_store_schema();
    if (!schema) {
        gnomon_fail_memory(&error);
        return cli_error(context, &error);
    }
    fputs(schema, stdout);
    free(schema);
    return fflush(stdout) ? CLI_FAILED : CLI_OK;
}

static int run_fleet(struct cli_context *context) {
    struct fleet_values *values = context->values;
    const char *action = context->argv[0];
    const bool token = !strcmp(action, "token");
    if (!values->database)
        values->database = FLEET_DATABASE;
    if (!values->shards)
        values->shards = 1;
    if (values->shards > GNOMON_FLEET_MOST_SHARDS)
        return cli_usage(context, "--shards takes a number up to %d", GNOMON_FLEET_MOST_SHARDS);
    if (context->argc > (token ? 2 : 1))
        return cli_usage(context, "too many operands: %s", context->argv[token ? 2 : 1]);
    if (token)
        return make_token(context);
    if (!strcmp(action, "serve"))
        return fleet_serve(context);
    if (!strcmp(action, "export"))
        return fleet_export(context);
    if (!strcmp(action, "schema"))
        return print_schema(context);
    return cli_usage(context, "unknown action %s: it is serve, token, export or schema", action);
}

const struct command command_fleet = {
    .name = "fleet",
    .summary = "add the API profiles that many hosts submit, and publish the sum",
    .synopsis = "serve|token|export|schema [OPTION...] [LABEL]",
    .description =
        "`gnomon fleet serve` takes API profiles (*.gnp) over HTTP, adds them in a database, and gives the sum, whole "
        "or what has changed since. A submission is answered when it is on disk, and is counted once, however often it "
        "is sent. It listens on 127.0.0.1 unless --listen says otherwise, and beyond this machine only with tokens. It "
        "speaks HTTP: a proxy in front of it does TLS. Ctrl-C ends it.\n\n`gnomon fleet token` makes a token for a "
        "collector, prints it, and adds its SHA-256 to the file of --tokens, with a LABEL for you. Delete a line to "
        "shut a collector out; the service sees it at once.\n\n`gnomon fleet export` writes the sum, or what the "
        "options choose of it, as an API profile, read from the database.\n\n`gnomon fleet schema` prints the SQL that "
        "makes the tables. serve makes them itself, except on a database of several --shards.",
    .examples = "gnomon fleet token --tokens tokens.txt board-7\tA token for a collector.\n"
                "gnomon fleet serve --tokens tokens.txt --listen 0.0.0.0:7878 --allow-host fleet.example\tServe a "
                "network.\n"
                "gnomon fleet serve --db postgres://gnomon@/fleet\tKeep the sum in PostgreSQL.\n"
                "gnomon fleet export -o fleet.gnp\tThe sum as a file.\n",
    .common = CLI_OUTPUT,
    .options = options,
    .values_size = sizeof(struct fleet_values),
    .min_operands = 1,
    .max_operands = -1,
    .run = run_fleet,
};
