/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the page of gnomon ui. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/ui/ui.h"
#include "gnomon/ui_page_css.h"
#include "gnomon/ui_page_html.h"
#include "gnomon/ui_page_js.h"

#define SCRIPT "text/javascript; charset=utf-8"
#define POLICY "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:"
#define CLIENTS 32
#define CLIENT_SECONDS 60

static const struct page {
    const char *path, *type, *text;
} pages[] = {
    {"/", "text/html; charset=utf-8", GNOMON_UI_HTML},
    {"/gnomon.css", "text/css; charset=utf-8", GNOMON_UI_CSS},
    {"/gnomon.js", SCRIPT, GNOMON_UI_JS},
};

static void answer_data(const struct ui_service *service, const char *path, struct gnomon_http_reply *reply) {
    char *text = NULL;
    size_t size = 0;
    struct gnomon_error error;
    enum gnomon_status status = GNOMON_OK;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        status = gnomon_fail_memory(&error);
    const bool known = stream && service->write(service->context, path, stream, &status, &error);
    if (stream && (ferror(stream) | fclose(stream)) && !status)
        status = gnomon_fail_memory(&error);
    if (status || !known) {
        free(text);
        if (status)
            gnomon_http_fail(reply, 500, "", "%s", error.what);
        else
            gnomon_http_fail(reply, 404, "", "there is no %s", path);
        return;
    }
    reply->type = SCRIPT;
    reply->body = text;
    reply->body_bytes = size;
    reply->owned = true;
}

static void handle(void *context, const struct gnomon_http_request *request, struct gnomon_http_reply *reply) {
    if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0) {
        gnomon_http_fail(reply, 405, "", "%s is not supported", request->method);
        reply->allow = "GET, HEAD";
        return;
    }
    reply->policy = POLICY;
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        if (strcmp(request->path, pages[i].path) != 0)
            continue;
        reply->type = pages[i].type;
        reply->body = pages[i].text;
        reply->body_bytes = strlen(pages[i].text);
        return;
    }
    answer_data(context, request->path, reply);
}

enum gnomon_status ui_service_open(struct ui_service *service, uint64_t port, struct gnomon_error *error) {
    char where[16];
    snprintf(where, sizeof where, "%" PRIu64, port);
    const struct gnomon_http_settings settings = {
        .where = where, .clients = CLIENTS, .seconds = CLIENT_SECONDS, .handle = handle, .context = service};
    return gnomon_http_open(&service->http, &settings, error);
}

void ui_service_say(const struct ui_service *service, const char *what) {
    printf("%s is at http://%s/ until Ctrl-C\n", what, gnomon_http_listener(service->http)->address);
    fflush(stdout);
}
