/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing and --help, both from a command's option table. */
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* Values of the common options, parsed like any command's own. */
struct common_values {
    const char *device, *input, *output, *color;
    bool json, raw_names, quiet, help, version;
    struct cli_list verbose_marks; /* never filled: -v is counted by hand */
};

#define COMMON(member) offsetof(struct common_values, member)

/* The common options, in the order of the help text. `bit` 0: every command takes the option. */
static const struct {
    unsigned bit;
    struct cli_option option;
} common_options[] = {
    {CLI_DEVICE,
     {'d', "device", "ADDR",
      "device: usb[:VID:PID[:SERIAL]], usbip:HOST:PORT[/BUSID], serial:PORT[:BAUD] or sim:CONFIG "
      "(default: "
      "$GNOMON_DEVICE, else an attached board, else sim:full)",
      CLI_STRING, COMMON(device)}},
    {CLI_INPUT, {'i', "input", "FILE", "trace to read (default: gnomon.gnt)", CLI_STRING, COMMON(input)}},
    {CLI_OUTPUT, {'o', "output", "FILE", "file to write", CLI_STRING, COMMON(output)}},
    {CLI_JSON, {0, "json", NULL, "write the result as JSON", CLI_FLAG, COMMON(json)}},
    {CLI_NAMES,
     {0, "no-demangle", NULL, "show the linker's names of functions, not the names in C++ and Rust", CLI_FLAG,
      COMMON(raw_names)}},
    {0, {0, "color", "WHEN", "colours: auto (on a terminal), always or never", CLI_STRING, COMMON(color)}},
    {0, {'q', "quiet", NULL, "print only warnings and errors", CLI_FLAG, COMMON(quiet)}},
    {0, {'v', "verbose", NULL, "print more; -vv prints even more", CLI_FLAG, COMMON(verbose_marks)}},
    {0, {'h', "help", NULL, "show this help", CLI_FLAG, COMMON(help)}},
    {0, {0, "version", NULL, "show the version", CLI_FLAG, COMMON(version)}},
};

#define COMMON_COUNT (sizeof common_options / sizeof *common_options)

static size_t own_options(const struct command *command) {
    size_t count = 0;
    while (command->options && command->options[count].long_name)
        count++;
    return count;
}

size_t cli_all_options(const struct command *command, struct cli_option all[CLI_MAX_OPTIONS]) {
    size_t count = 0;
    for (size_t i = 0; i < own_options(command) && count < CLI_MAX_OPTIONS - COMMON_COUNT - 1; i++)
        all[count++] = command->options[i];
    for (size_t i = 0; i < COMMON_COUNT; i++)
        if (!common_options[i].bit || (command->common & common_options[i].bit))
            all[count++] = common_options[i].option;
    memset(&all[count], 0, sizeof all[count]);
    return count;
}

static bool parse_number(const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 0);
    if (errno || end == text || *text == '-')
        return false;
    uint64_t unit = *end == 'k' || *end == 'K' ? 1u << 10 : *end == 'M' ? 1u << 20 : *end == 'G' ? 1u << 30 : 1;
    if (unit > 1)
        end++;
    return *end == '\0' && !__builtin_mul_overflow(*value, unit, value);
}

static bool append(struct cli_list *list, const char *item) {
    const char **items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items)
        return false;
    list->items = items;
    list->items[list->count++] = item;
    return true;
}

static bool store(const struct cli_context *context, const struct cli_option *option, void *values,
                  const char *argument) {
    void *place = (char *)values + option->offset;
    switch (option->type) {
    case CLI_FLAG:
        *(bool *)place = true;
        return true;
    case CLI_STRING:
        *(const char **)place = argument;
        return true;
    case CLI_NUMBER:
        if (parse_number(argument, place))
            return true;
        cli_usage(context, "--%s needs a number, not \"%s\"", option->long_name, argument);
        return false;
    case CLI_LIST:
        if (append(place, argument))
            return true;
        cli_usage(context, "out of memory");
        return false;
    }
    return false;
}

/* The two tables for getopt_long, made from our option tables. */
struct getopt_tables {
    struct option longs[CLI_MAX_OPTIONS + 1];
    char shorts[2 * CLI_MAX_OPTIONS + 3];
};

static void fill_tables(struct getopt_tables *tables, const struct cli_option *all, size_t count, bool stop) {
    char *shorts = tables->shorts;
    if (stop)
        *shorts++ = '+';
    *shorts++ = ':';
    for (size_t i = 0; i < count; i++) {
        tables->longs[i] = (struct option){.name = all[i].long_name,
                                           .has_arg = all[i].argument ? required_argument : no_argument,
                                           .val = 256 + (int)i};
        if (all[i].short_name) {
            *shorts++ = all[i].short_name;
            if (all[i].argument)
                *shorts++ = ':';
        }
    }
    memset(&tables->longs[count], 0, sizeof tables->longs[count]);
    *shorts = '\0';
}

static const struct cli_option *find_option(const struct cli_option *all, size_t count, int code, size_t *index) {
    for (*index = 0; *index < count; ++*index)
        if (code == 256 + (int)*index || (all[*index].short_name && code == all[*index].short_name))
            return &all[*index];
    return NULL;
}

static enum cli_parse_result take_common(struct cli_context *context, const struct common_values *common) {
    const char *environment = getenv("GNOMON_DEVICE");
    context->device = common->device ? common->device : environment && *environment ? environment : NULL;
    context->input = common->input ? common->input : "gnomon.gnt";
    context->output = common->output;
    context->json = common->json;
    context->raw_names = common->raw_names;
    context->quiet = common->quiet;
    if (common->color && !strcmp(common->color, "always"))
        context->color = CLI_COLOR_ALWAYS;
    else if (common->color && !strcmp(common->color, "never"))
        context->color = CLI_COLOR_NEVER;
    else if (common->color && strcmp(common->color, "auto") != 0) {
        cli_usage(context, "--color takes auto, always or never, not \"%s\"", common->color);
        return CLI_PARSE_ERROR;
    }
    if (common->help)
        return CLI_PARSE_HELP;
    return common->version ? CLI_PARSE_VERSION : CLI_PARSED;
}

static enum cli_parse_result take_operands(struct cli_context *context, int argc, char **argv) {
    const struct command *command = context->command;
    context->argc = argc;
    context->argv = argv;
    if (command->program_arguments && argc > 1 && !strcmp(argv[1], "--")) {
        memmove(&argv[1], &argv[2], ((size_t)argc - 1) * sizeof *argv); /* includes the NULL at the end */
        context->argc--;
    }
    if (context->argc < command->min_operands) {
        cli_missing_operand(context);
        return CLI_PARSE_ERROR;
    }
    if (command->max_operands >= 0 && context->argc > command->max_operands) {
        cli_usage(context, "unexpected operand \"%s\"", argv[command->max_operands]);
        return CLI_PARSE_ERROR;
    }
    return CLI_PARSED;
}

enum cli_parse_result cli_parse(struct cli_context *context, int argc, char **argv) {
    struct cli_option all[CLI_MAX_OPTIONS];
    size_t count = cli_all_options(context->command, all), own = own_options(context->command), index;
    struct getopt_tables tables;
    fill_tables(&tables, all, count, context->command->program_arguments);

    struct common_values common = {0};
    opterr = 0;
    optind = 0; /* restarts getopt, with the argument order that these tables ask for */
    for (int code; (code = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1;) {
        const struct cli_option *option = find_option(all, count, code, &index);
        if (!option) {
            const char *given = argv[optind - 1];
            if (code == ':')
                cli_usage(context, "%s needs an argument", given);
            else if (optopt && optopt < 256)
                cli_usage(context, "unknown option -%c", optopt);
            else
                cli_usage(context, "unknown or ambiguous option %s", given);
            return CLI_PARSE_ERROR;
        }
        if (option->offset == COMMON(verbose_marks) && index >= own)
            context->verbose++;
        else if (!store(context, option, index < own ? context->values : &common, optarg))
            return CLI_PARSE_ERROR;
    }
    enum cli_parse_result result = take_common(context, &common);
    return result == CLI_PARSED ? take_operands(context, argc - optind, argv + optind) : result;
}

int cli_leading_options(int argc, char **argv) {
    struct cli_option all[COMMON_COUNT];
    for (size_t i = 0; i < COMMON_COUNT; i++)
        all[i] = common_options[i].option;
    struct getopt_tables tables;
    fill_tables(&tables, all, COMMON_COUNT, true);
    opterr = 0;
    optind = 0;
    int code, before = 1;
    while ((code = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1 && code != '?' && code != ':')
        before = optind;
    return before - 1;
}

void cli_free_values(struct cli_context *context) {
    for (size_t i = 0; context->values && i < own_options(context->command); i++)
        if (context->command->options[i].type == CLI_LIST)
            free(((struct cli_list *)((char *)context->values + context->command->options[i].offset))->items);
    free(context->values);
    context->values = NULL;
}

/* Prints `text` from column `column` on, and breaks lines at spaces before column 100. */
static void print_wrapped(FILE *stream, const char *text, int column) {
    int at = column;
    while (*text) {
        int word = (int)strcspn(text, " \n");
        if (at > column && at + 1 + word > 100) {
            fprintf(stream, "\n%*s", column, "");
            at = column;
        } else if (at > column) {
            fputc(' ', stream);
            at++;
        }
        fprintf(stream, "%.*s", word, text);
        at += word;
        text += word;
        if (*text == '\n') {
            fprintf(stream, "\n%*s", column, "");
            at = column;
        }
        if (*text)
            text++;
    }
    fputc('\n', stream);
}

static void print_option(FILE *stream, const struct cli_option *option) {
    char names[80];
    int length = option->short_name
                     ? snprintf(names, sizeof names, "  -%c, --%s", option->short_name, option->long_name)
                     : snprintf(names, sizeof names, "      --%s", option->long_name);
    if (option->argument && length > 0 && (size_t)length < sizeof names)
        length += snprintf(names + length, sizeof names - (size_t)length, " %s", option->argument);
    fprintf(stream, "%-30s", names);
    if (length > 29)
        fprintf(stream, "\n%30s", "");
    print_wrapped(stream, option->help, 30);
}

void cli_print_help(const struct command *command, FILE *stream) {
    fprintf(stream, "usage: gnomon %s %s\n\n", command->name, command->synopsis);
    print_wrapped(stream, command->description ? command->description : command->summary, 0);
    fprintf(stream, "\nOptions:\n");
    struct cli_option all[CLI_MAX_OPTIONS];
    size_t count = cli_all_options(command, all);
    for (size_t i = 0; i < count; i++)
        print_option(stream, &all[i]);
    if (!command->examples)
        return;
    fprintf(stream, "\nExamples:\n");
    for (const char *at = command->examples; *at;) {
        int line = (int)strcspn(at, "\t\n");
        fprintf(stream, "  %.*s\n", line, at);
        at += line;
        if (*at == '\t') {
            int text = (int)strcspn(++at, "\n");
            fprintf(stream, "      %.*s\n", text, at);
            at += text;
        }
        if (*at == '\n')
            at++;
    }
}

const struct cli_exit_meaning cli_exit_meanings[] = {
    {CLI_OK, "success; gnomon run returns the program's own status"},
    {CLI_FAILED, "failure: one line says what failed, the next line what to do; or the program died"},
    {CLI_USAGE, "wrong usage"},
    {CLI_INCOMPLETE, "figures are not exact or not complete, with --strict"},
    {CLI_GATE, "a gate failed"},
    {CLI_INTERRUPTED, "interrupted by Ctrl-C: the results so far were printed, and a file that was written is valid"},
    {0, NULL},
};

void cli_print_overview(FILE *stream) {
    fprintf(stream, "usage: gnomon [OPTION...] COMMAND [OPTION...]\n\nShows where every cycle of a program on a Gnomon "
                    "system-on-chip went.\n\nCommands:\n");
    for (const struct command *const *command = gnomon_commands; *command; command++)
        fprintf(stream, "  %-12s %s\n", (*command)->name, (*command)->summary);
    fprintf(stream, "\n`gnomon COMMAND --help` describes a command; `gnomon --version` shows the version.\n\nExit "
                    "status:\n");
    for (const struct cli_exit_meaning *exit = cli_exit_meanings; exit->meaning; exit++)
        fprintf(stream, "  %-12d %s\n", exit->status, exit->meaning);
}
