/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, colours, progress and pager, the same for all commands. */
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void prefix(const struct cli_context *context, const char *kind) {
    bool named = context && context->command;
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
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
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
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
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
}

void cli_progress_end(struct cli_progress *progress) {
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

double cli_progress_seconds(const struct cli_progress *progress) {
    return now() - progress->started;
}

const char *cli_count(char *buffer, uint64_t value) {
    char digits[CLI_COUNT_BYTES];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    char *to = buffer;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return buffer;
}

/* The pager is a child that reads from a pipe; "-FRX" lets less give up at once where the text fits the screen. */
static pid_t pager_child = -1;

static FILE *start_pager(const char *pager) {
    int ends[2];
    if (pipe(ends))
        return NULL;
    pager_child = fork();
    if (pager_child == 0) {
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        close(ends[1]);
        setenv("LESS", "FRX", 0);
        execlp("/bin/sh", "sh", "-c", pager, (char *)NULL); /* $PAGER may hold arguments, as everywhere */
        _exit(127);
    }
    close(ends[0]);
    FILE *stream = pager_child > 0 ? fdopen(ends[1], "w") : NULL;
    if (!stream)
        close(ends[1]);
    return stream;
}

FILE *cli_pager_begin(struct cli_context *context) {
    const char *pager = getenv("PAGER");
    if (!isatty(STDOUT_FILENO) || context->json || (pager && !*pager))
        return stdout;
    bool colored = cli_colored(context, stdout);
    FILE *stream = start_pager(pager ? pager : "less");
    if (!stream)
        return stdout;
    context->color = colored ? CLI_COLOR_ALWAYS : CLI_COLOR_NEVER;
    return stream;
}

int cli_pager_end(struct cli_context *context, FILE *stream) {
    bool failed = fflush(stream) != 0 || ferror(stream);
    int reason = errno;
    if (stream != stdout) {
        fclose(stream); /* a reader who leaves the pager early is no error */
        waitpid(pager_child, NULL, 0);
        return CLI_OK;
    }
    if (!failed)
        return CLI_OK;
    struct gnomon_error error;
    errno = reason;
    gnomon_fail_errno(&error, GNOMON_ERR_SYSTEM, "cannot write to standard output");
    return cli_error(context, &error);
}
