/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon: finds the subcommand, parses its options, runs it. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"

extern const struct command command_list, command_info, command_run, command_record, command_stat, command_annotate,
    command_tag, command_hot, command_scan, command_report, command_dump, command_cc, command_cxx, command_callers,
    command_flash, command_install_udev, command_trace, command_locks, command_calibrate, command_export, command_diff,
    command_check, command_heap, command_top, command_serve, command_ui, command_merge, command_api, command_fleet;

const struct command *const gnomon_commands[] = {
    &command_list,    &command_info,   &command_cc,        &command_cxx,   &command_run,          &command_record,
    &command_stat,    &command_top,    &command_trace,     &command_tag,   &command_hot,          &command_scan,
    &command_callers, &command_report, &command_locks,     &command_heap,  &command_annotate,     &command_dump,
    &command_diff,    &command_check,  &command_export,    &command_serve, &command_ui,           &command_merge,
    &command_api,     &command_fleet,  &command_calibrate, &command_flash, &command_install_udev, NULL,
};

static const struct command *find_command(const char *name) {
    for (const struct command *const *command = gnomon_commands; *command; command++)
        if (!strcmp((*command)->name, name))
            return *command;
    return NULL;
}

static int unknown_command(const char *name) {
    return name[0] == '-' ? cli_usage(NULL, "unknown option %s", name) : cli_usage(NULL, "unknown command %s", name);
}

static int run_raw(struct cli_context *context, int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "--help")) {
        cli_print_help(context->command, stdout);
        return cli_pager_end(context, stdout);
    }
    context->argc = argc - 1;
    context->argv = argv + 1;
    return context->command->run(context);
}

static int run_command(const struct command *command, int argc, char **argv) {
    struct cli_context context = {.command = command};
    if (command->raw)
        return run_raw(&context, argc, argv);
    context.values = calloc(1, command->values_size ? command->values_size : 1);
    if (!context.values)
        return cli_usage(&context, "out of memory");
    int status = CLI_USAGE;
    switch (cli_parse(&context, argc, argv)) {
    case CLI_PARSED:
        status = command->run(&context);
        break;
    case CLI_PARSE_HELP:
        cli_print_help(command, stdout);
        status = cli_pager_end(&context, stdout);
        break;
    case CLI_PARSE_VERSION:
        printf("gnomon %s\n", GNOMON_VERSION);
        status = cli_pager_end(&context, stdout);
        break;
    case CLI_PARSE_ERROR:
        break;
    }
    cli_free_values(&context);
    return status;
}

static int generate_manual(const char *directory) {
    struct gnomon_error error;
    return cli_write_manual(directory, &error) ? cli_error(NULL, &error) : CLI_OK;
}

/* Turns `gnomon -d X COMMAND ...` into `gnomon COMMAND -d X ...`. Returns the number of arguments before the
 * command. */
static int move_command_first(int argc, char **argv) {
    int leading = cli_leading_options(argc, argv);
    if (leading + 1 >= argc)
        return leading;
    char *command = argv[leading + 1];
    memmove(&argv[2], &argv[1], (size_t)leading * sizeof *argv);
    argv[1] = command;
    return leading;
}

/* Opens each closed standard stream as /dev/null. Otherwise the next opened file, a device or the program's input,
 * would take its place. */
static void open_standard_streams(void) {
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

int main(int argc, char **argv) {
    open_standard_streams();
    if (argc < 2) {
        cli_print_overview(stderr);
        return CLI_USAGE;
    }
    int moved = move_command_first(argc, argv);
    const char *name = argv[1];
    if (!strcmp(name, "--version")) {
        printf("gnomon %s\n", GNOMON_VERSION);
        return cli_pager_end(NULL, stdout);
    }
    if (moved && moved == argc - 1 && strcmp(name, "--help") != 0 && strcmp(name, "-h") != 0)
        return cli_usage(NULL, "missing operand: COMMAND");
    if (!strcmp(name, "--generate-man") && argc == 3)
        return generate_manual(argv[2]);
    bool help = !strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help");
    if (help && argc == 2) {
        cli_print_overview(stdout);
        return cli_pager_end(NULL, stdout);
    }
    const struct command *command = find_command(help ? argv[2] : name);
    if (!command)
        return unknown_command(help ? argv[2] : name);
    if (help) {
        cli_print_help(command, stdout);
        return cli_pager_end(NULL, stdout);
    }
    if (moved && command->raw)
        return cli_usage(NULL, "gnomon %s takes no option before its name: \"%s\" would be the compiler's", name,
                         argv[2]);
    return run_command(command, argc - 1, argv + 1);
}
