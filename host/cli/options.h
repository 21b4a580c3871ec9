/* SPDX-License-Identifier: Apache-2.0 */
/* What is made from the option tables. Only main.c and manual.c use this header. */
#ifndef GNOMON_CLI_OPTIONS_H
#define GNOMON_CLI_OPTIONS_H

#include "cli/cli.h"

#define CLI_MAX_OPTIONS 64

/* The command's own options, then the common options that it takes; the last entry has no long name. */
size_t cli_all_options(const struct command *command, struct cli_option all[CLI_MAX_OPTIONS]);

enum cli_parse_result { CLI_PARSED, CLI_PARSE_HELP, CLI_PARSE_VERSION, CLI_PARSE_ERROR };

/* Fills the context from argv[1..]; argv[0] is the command's name. On failure it has printed an error. */
enum cli_parse_result cli_parse(struct cli_context *context, int argc, char **argv);
/* Returns how many arguments from argv[1] on are common options before the command: `gnomon -d sim:small record
 * ...`. */
int cli_leading_options(int argc, char **argv);
void cli_free_values(struct cli_context *context);

void cli_print_help(const struct command *command, FILE *stream);
void cli_print_overview(FILE *stream);

/* Writes gnomon.1, gnomon-COMMAND.1 and the completion gnomon.bash into an existing directory. */
enum gnomon_status cli_write_manual(const char *directory, struct gnomon_error *error);

#endif
