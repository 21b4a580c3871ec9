/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/screen.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/util/json_text.h"

#define USUAL_WIDTH 80
#define LEAST_WIDTH 40
#define DOTS "..."

/* ---- Pager ---- */

/* The pager is a child that reads from a pipe; with "FRX", less ends at once if the text fits the screen. While the
 * pager runs, this process ignores Ctrl-C: less handles it and continues, and must not be left alone with the
 * terminal. */
static struct {
    pid_t child;
    FILE *stream;
    void (*on_interrupt)(int); /* handler before the pager was started */
} pager;

static FILE *start_pager(const char *command) {
    int ends[2];
    if (pipe(ends))
        return NULL;
    fflush(stdout);
    pager.on_interrupt = signal(SIGINT, SIG_IGN);
    pager.child = fork();
    if (pager.child == 0) {
        signal(SIGINT, SIG_DFL);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        close(ends[1]);
        setenv("LESS", "FRX", 0);
        execlp("/bin/sh", "sh", "-c", command, (char *)NULL); /* $PAGER may have arguments, as in other programs */
        _exit(127);
    }
    close(ends[0]);
    FILE *stream = pager.child > 0 ? fdopen(ends[1], "w") : NULL;
    if (!stream) {
        close(ends[1]);
        signal(SIGINT, pager.on_interrupt);
    }
    return stream;
}

static const char *choose_pager(void) {
    const char *own = getenv("GNOMON_PAGER"), *general = getenv("PAGER");
    const char *chosen = own ? own : general ? general : "less";
    return *chosen && strcmp(chosen, "cat") != 0 ? chosen : NULL;
}

FILE *cli_pager_begin(struct cli_context *context) {
    const char *command = choose_pager();
    if (!isatty(STDOUT_FILENO) || context->json || !command)
        return stdout;
    bool colored = cli_colored(context, stdout);
    pager.stream = start_pager(command);
    if (!pager.stream)
        return stdout;
    context->color = colored ? CLI_COLOR_ALWAYS : CLI_COLOR_NEVER;
    return pager.stream;
}

int cli_pager_end(struct cli_context *context, FILE *stream) {
    bool failed = fflush(stream) != 0 || ferror(stream);
    int reason = errno;
    if (stream == pager.stream && stream) {
        fclose(stream); /* it is no error if the reader leaves the pager early */
        waitpid(pager.child, NULL, 0);
        signal(SIGINT, pager.on_interrupt);
        pager.stream = NULL;
        return CLI_OK;
    }
    if (!failed)
        return CLI_OK;
    struct gnomon_error error;
    errno = reason;
    gnomon_fail_errno(&error, GNOMON_ERR_SYSTEM, "cannot write to standard output");
    return cli_error(context, &error);
}

int cli_print_json(struct cli_context *context, json_t *json) {
    char *text = gnomon_json_dump(json, JSON_INDENT(2));
    if (!text) {
        struct gnomon_error error;
        gnomon_fail_memory(&error);
        return cli_error(context, &error);
    }
    puts(text);
    free(text);
    return cli_pager_end(context, stdout);
}

/* ---- Width ---- */

int screen_width(FILE *stream) {
    int fd = stream == pager.stream ? STDOUT_FILENO : fileno(stream);
    if (!isatty(fd))
        return 0;
    const char *given = getenv("COLUMNS");
    long width = given ? strtol(given, NULL, 10) : 0;
    struct winsize size;
    if (width <= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (width <= 0)
        return USUAL_WIDTH;
    return width < LEAST_WIDTH ? LEAST_WIDTH : width > INT16_MAX ? INT16_MAX : (int)width;
}

static bool starts_character(char byte) {
    return ((unsigned char)byte & 0xC0) != 0x80;
}

int screen_length(const char *text) {
    int length = 0;
    for (; *text; text++)
        length += starts_character(*text);
    return length;
}

/* Where character number `count` of `text` begins, or the end of `text`. */
static const char *skip(const char *text, int count) {
    for (; *text; text++)
        if (starts_character(*text) && count-- == 0)
            break;
    return text;
}

const char *screen_shorten(char buffer[SCREEN_TEXT_BYTES], const char *text, int width) {
    int length = screen_length(text), dots = (int)strlen(DOTS);
    if (width <= 0 || length <= width)
        return text;
    int kept = width > dots ? width - dots : 0, front = (kept + 1) / 2, back = kept - front;
    snprintf(buffer, SCREEN_TEXT_BYTES, "%.*s%.*s%s", (int)(skip(text, front) - text), text,
             width < dots ? width : dots, DOTS, skip(text, length - back));
    return buffer;
}

/* Prints words with a space between them, and breaks full lines; `at` characters are already on the first line. */
static void put_words(FILE *stream, const char *text, const char *indent, int at) {
    const int width = screen_width(stream);
    for (bool first = true; *text; first = false) {
        const char *space = strchr(text, ' ');
        int bytes = space ? (int)(space - text) : (int)strlen(text), length = 0;
        for (int i = 0; i < bytes; i++)
            length += starts_character(text[i]);
        if (!first && width && at + 1 + length > width)
            at = fprintf(stream, "\n%s", indent) - 1;
        else if (!first)
            at += fprintf(stream, " ");
        fwrite(text, 1, (size_t)bytes, stream);
        at += length;
        text += bytes + (space ? 1 : 0);
    }
    fputc('\n', stream);
}

void screen_sentence(FILE *stream, const char *text, const char *indent) {
    put_words(stream, text, indent, 0);
}

void screen_item(FILE *stream, const char *text, int column) {
    char indent[64];
    snprintf(indent, sizeof indent, "%*s", column, "");
    put_words(stream, text, indent, column);
}

void screen_reasons(FILE *stream, const struct gnomon_exactness *exactness) {
    char text[sizeof exactness->reasons[0].text + 2];
    for (size_t i = 0; i < exactness->count; i++) {
        snprintf(text, sizeof text, "%s.", exactness->reasons[i].text);
        if (text[0] >= 'a' && text[0] <= 'z')
            text[0] = (char)(text[0] - 'a' + 'A');
        screen_sentence(stream, text, "");
    }
}
