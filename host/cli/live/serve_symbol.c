/* SPDX-License-Identifier: Apache-2.0 */
/* What pprof asks of a program that it has no file of: its command line, and names of addresses. */
#include <stdlib.h>
#include <string.h>

#include "cli/live/serve.h"
#include "lib/export/export.h"

/* Returns `text`. The reply owns what is written. */
static void give(struct gnomon_http_reply *reply, FILE *stream, char **text, size_t *bytes) {
    if (!stream || fclose(stream)) {
        gnomon_http_fail(reply, 500, "", "out of memory");
        return;
    }
    reply->body = *text;
    reply->body_bytes = *bytes;
    reply->owned = true;
}

/* Arguments in lines of their own: google-pprof takes the first one as the program's name. */
void serve_cmdline(const struct serve *serve, struct gnomon_http_reply *reply) {
    const struct target *target = &serve->live.target;
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    for (int i = 0; stream && i < target->argc; i++)
        fprintf(stream, "%s\n", target->argv[i]);
    give(reply, stream, &text, &bytes);
}

static void put_name(const struct gnomon_analysis *analysis, const char *word, int length, FILE *stream) {
    struct gnomon_name own;
    const uint64_t place = strtoull(word, NULL, 16);
    const char *name = gnomon_export_remote_name(analysis, place, &own);
    const struct gnomon_function *function = name ? NULL : gnomon_symbols_at(analysis->symbols, (uint32_t)place);
    if (function)
        name = function->name;
    if (name)
        fprintf(stream, "%.*s\t%s\n", length, word, name);
}

static void put_names(const struct gnomon_analysis *analysis, const char *list, FILE *stream) {
    while (*list) {
        const size_t length = strcspn(list, "+ \r\n");
        if (length > 2 && !strncmp(list, "0x", 2))
            put_name(analysis, list, (int)length, stream);
        list += length + (list[length] ? 1 : 0);
    }
}

/* GET and HEAD only say that there are symbols. */
void serve_symbol(const struct serve *serve, const struct gnomon_http_request *request,
                  struct gnomon_http_reply *reply) {
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream && strcmp(request->method, "POST") != 0)
        fputs("num_symbols: 1\n", stream);
    else if (stream)
        put_names(&serve->live.live.analysis, request->body, stream);
    give(reply, stream, &text, &bytes);
}
