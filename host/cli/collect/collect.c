/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon collect: takes part in a fleet. */
#include "cli/collect/collect.h"

enum gnomon_status collect_member_open(struct collect_member *member, struct gnomon_error *error) {
    *member = (struct collect_member){0};
    const enum gnomon_status status = gnomon_collect_places_find(&member->places, error);
    return status ? status : gnomon_collect_settings_read(&member->settings, member->places.settings, error);
}

void collect_member_close(struct collect_member *member) {
    gnomon_collect_settings_free(&member->settings);
    gnomon_collect_places_free(&member->places);
}

static const struct cli_option options[] = {
    {0, "join", "URL", "take part in the fleet of the service at URL; asks whether that is wanted", CLI_STRING,
     offsetof(struct collect_values, join)},
    {0, "token", "FILE", "--join: a file whose first line is the token that the service gave", CLI_STRING,
     offsetof(struct collect_values, token)},
    {0, "yes", NULL, "--join: do not ask; the user has agreed", CLI_FLAG, offsetof(struct collect_values, yes)},
    {0, "scenario", "NAME", "--join: send NAME as the name of what the programs do (default: collected)", CLI_STRING,
     offsetof(struct collect_values, scenario)},
    {0, "program-name", "NAME", "--join, and for one run: send NAME in place of the name of the program's file",
     CLI_STRING, offsetof(struct collect_values, program)},
    {0, "function", "NAME",
     "--join: measure only functions of this name, or of a pattern such as 'png_*'; each use adds some", CLI_LIST,
     offsetof(struct collect_values, functions)},
    {0, "header", "FILE", "--join: measure functions that this header declares; each use adds some (needs -g)",
     CLI_LIST, offsetof(struct collect_values, headers)},
    {0, "most", "BYTES", "--join: keep submissions of up to BYTES on disk (default: 16M)", CLI_NUMBER,
     offsetof(struct collect_values, most)},
    {0, "ca", "FILE", "--join: trust certificates of the authorities in FILE (default: those of this machine)",
     CLI_STRING, offsetof(struct collect_values, ca)},
    {0, "insecure-http", NULL, "--join: allow http:// to another machine: the token can be read on the way", CLI_FLAG,
     offsetof(struct collect_values, insecure_http)},
    {0, "size", "N", "for one run: how large its input is, in what you count (bytes, elements); it is sent", CLI_NUMBER,
     offsetof(struct collect_values, size)},
    {0, "leave", NULL, "leave the fleet: remove the settings, and what waits to be sent", CLI_FLAG,
     offsetof(struct collect_values, leave)},
    {0, "show", NULL, "print what the next submission holds: all of it", CLI_FLAG,
     offsetof(struct collect_values, show)},
    {0, "status", NULL, "print what waits, what the service said last, and its policy", CLI_FLAG,
     offsetof(struct collect_values, status)},
    {0, "submit", NULL, "send what there is now", CLI_FLAG, offsetof(struct collect_values, submit)},
    {0, "due", NULL, "--submit: send only what is large or old enough, as after each run", CLI_FLAG,
     offsetof(struct collect_values, due)},
    {0, "seed", "N", "choose the functions as N says (default: at random)", CLI_NUMBER,
     offsetof(struct collect_values, seed)},
    TARGET_OPTIONS,
    {0},
};

static int run_collect(struct cli_context *context) {
    const struct collect_values *values = context->values;
    const struct {
        bool asked;
        int (*run)(struct cli_context *context);
    } actions[] = {{values->join, collect_join},     {values->leave, collect_leave},
                   {values->show, collect_show},     {values->status, collect_status},
                   {values->submit, collect_submit}, {context->argc > 0, collect_run}};
    int (*chosen)(struct cli_context * context) = NULL;
    size_t count = 0;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (actions[i].asked) {
            chosen = actions[i].run;
            count++;
        }
    if (!count)
        return cli_missing_operand(context);
    if (count > 1)
        return cli_usage(context, "--join, --leave, --show, --status, --submit and ELF exclude each other");
    if (context->json && !values->show && !values->status)
        return cli_usage(context, "--json is for --show and --status");
    if (!values->join && (values->token || values->scenario || values->functions.count || values->headers.count ||
                          values->most || values->ca || values->yes || values->insecure_http))
        return cli_usage(context, "--token, --yes, --scenario, --function, --header, --most, --ca and --insecure-http "
                                  "are for --join: each start uses what it has agreed to");
    if (values->size && chosen != collect_run)
        return cli_usage(context, "--size is for a run of ELF");
    return chosen(context);
}

const struct command command_collect = {
    .name = "collect",
    .summary = "take part in a fleet: run a program, measure some of its functions",
    .synopsis = "[OPTION...] ELF [--] [ARG...]",
    .description =
        "Runs ELF as gnomon run does: console, standard input and exit status are the program's. At each start the "
        "device also watches some functions of the program, chosen at random, and counts what their calls cost. The "
        "program needs no hooks and takes the same cycles as without.\n\nNothing is measured, and nothing is sent, "
        "before the user of this host has joined a fleet with --join. What is measured is added up on disk, and sent "
        "when 128 KiB have come together or a day is over, as the service's policy says. It has names of programs, "
        "functions and source files, build ids and numbers; no names of people or machines, no arguments and no "
        "times. --show prints all of it before it is sent.\n\nA start is not measured when the load of this host is "
        "above the policy's limit, when as many programs are measured as the policy allows (6), when the disk for "
        "results is nearly full, or when anything else is in the way: the program then runs without, and -v says "
        "why.\n\nSettings are in ~/.config/gnomon/collect.toml, results in ~/.local/state/gnomon/collect "
        "(XDG_CONFIG_HOME, XDG_STATE_HOME).\n\n" TARGET_FILES,
    .examples = "gnomon collect --join https://fleet.example --token token.txt\tJoin a fleet.\n"
                "gnomon collect ./decode.elf -- picture.png out.raw\tRun a program, and measure some of it.\n"
                "gnomon collect --show\tWhat would be sent.\n"
                "gnomon collect --leave\tLeave the fleet.\n",
    .common = CLI_DEVICE | CLI_JSON | CLI_NAMES,
    TARGET_COMMAND(struct collect_values, 0),
    .run = run_collect,
};
