/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, colours and progress, the same for all commands. The pager is in screen.c. */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/screen.h"
#include "lib/util/clock.h"

static struct cli_progress *on_screen; /* the progress whose line is on the screen */

static void prefix(const struct cli_context *context, const char *kind) {
    bool named = context && context->command;
    if (on_screen)
        cli_progress_end(on_screen);
    fprintf(stderr, "%sgnomon:%s %s%s%s", cli_style(context, stderr, CLI_BOLD), cli_style(context, stderr, CLI_PLAIN),
            named ? context->command->name : "", named ? ": " : "", kind);
}

int cli_error(const struct cli_context *context, const struct gnomon_error *error) {
    prefix(context, "");
    fprintf(stderr, "%s\n", error->what);
    if (error->remedy[0])
        fprintf(stderr, "        %s\n", error->remedy);
    if (error->status == GNOMON_ERR_ARGUMENT)
        return CLI_USAGE;
    return error->status == GNOMON_ERR_INTERRUPTED ? CLI_INTERRUPTED : CLI_FAILED;
}

int cli_usage(const struct cli_context *context, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    prefix(context, "");
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    if (context && context->command)
        fprintf(stderr, "\n        see gnomon %s --help\n", context->command->name);
    else
        fprintf(stderr, "\n        see gnomon --help\n");
    return CLI_USAGE;
}

/* Length of the operand at `text` in a synopsis; 0: an option, or an operand that may be left out. *word is the length
 * of the word. */
static size_t operand_length(const char *text, size_t *word) {
    int depth = 0;
    for (*word = 0; text[*word] && (depth > 0 || text[*word] != ' '); ++*word)
        depth += (text[*word] == '[') - (text[*word] == ']');
    return text[0] == '[' ? 0 : *word;
}

int cli_missing_operand(const struct cli_context *context) {
    const struct command *command = context->command;
    int operand = 0;
    size_t word;
    for (const char *at = command->synopsis; *at; at += word + (at[word] == ' ')) {
        size_t length = operand_length(at, &word);
        if (length && operand++ == context->argc)
            return cli_usage(context, "missing operand: %.*s; usage: gnomon %s %s", (int)length, at, command->name,
                             command->synopsis);
    }
    return cli_usage(context, "missing operand; usage: gnomon %s %s", command->name, command->synopsis);
}

void cli_warn(const struct cli_context *context, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    prefix(context, "warning: ");
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void cli_note(const struct cli_context *context, const char *format, ...) {
    if (context && context->quiet)
        return;
    if (on_screen)
        cli_progress_end(on_screen);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void cli_note_sentence(const struct cli_context *context, const char *text) {
    if (context && context->quiet)
        return;
    if (on_screen)
        cli_progress_end(on_screen);
    screen_sentence(stderr, text, "  ");
}

bool cli_colored(const struct cli_context *context, FILE *stream) {
    if (context && context->color != CLI_COLOR_AUTO)
        return context->color == CLI_COLOR_ALWAYS;
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if ((no_color && *no_color) || !terminal || !strcmp(terminal, "dumb"))
        return false;
    return isatty(fileno(stream));
}

const char *cli_style(const struct cli_context *context, FILE *stream, enum cli_style style) {
    static const char *const escapes[] = {
        [CLI_PLAIN] = "\033[0m",  [CLI_BOLD] = "\033[1m",    [CLI_DIM] = "\033[2m",   [CLI_RED] = "\033[31m",
        [CLI_GREEN] = "\033[32m", [CLI_YELLOW] = "\033[33m", [CLI_BLUE] = "\033[34m", [CLI_MAGENTA] = "\033[35m",
    };
    return cli_colored(context, stream) ? escapes[style] : "";
}

static double now(void) {
    return (double)gnomon_now_us() * 1e-6;
}

void cli_progress_begin(struct cli_progress *progress, const struct cli_context *context) {
    progress->shown = false;
    progress->enabled = !context->quiet && isatty(STDERR_FILENO);
    progress->started = progress->last = now();
}

bool cli_progress_due(struct cli_progress *progress) {
    if (!progress->enabled || now() - progress->last < 0.1)
        return false;
    progress->last = now();
    return true;
}

void cli_progress_draw(struct cli_progress *progress, const char *format, ...) {
    if (!progress->enabled)
        return;
    va_list arguments;
    va_start(arguments, format);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fflush(stderr);
    progress->shown = true;
    on_screen = progress;
}

void cli_progress_end(struct cli_progress *progress) {
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
    if (on_screen == progress)
        on_screen = NULL;
}

double cli_progress_seconds(const struct cli_progress *progress) {
    return now() - progress->started;
}

const char *cli_count(char *buffer, uint64_t value) {
    return gnomon_digits(buffer, value);
}
