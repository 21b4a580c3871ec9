/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the page of gnomon ui. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/ui/ui.h"
#include "gnomon/ui_page_css.h"
#include "gnomon/ui_page_html.h"
#include "gnomon/ui_page_js.h"
#include "lib/http/http.h"

#define SCRIPT "text/javascript; charset=utf-8"
#define POLICY "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:"
#define CLIENTS 32
#define CLIENT_SECONDS 60

struct service {
    struct gnomon_ui *ui;
    pthread_mutex_t lock; /* files of the whole recording are made one at a time */
};

static const struct page {
    const char *path, *type, *text;
} pages[] = {
    {"/", "text/html; charset=utf-8", GNOMON_UI_HTML},
    {"/gnomon.css", "text/css; charset=utf-8", GNOMON_UI_CSS},
    {"/gnomon.js", SCRIPT, GNOMON_UI_JS},
};

/* Of one recording, so their time is short; a time line without tiles. */
static enum gnomon_status write_timeline(struct gnomon_ui *ui, FILE *stream, struct gnomon_error *error) {
    return gnomon_ui_write_timeline(ui, 0, stream, error);
}

static const struct data {
    const char *path;
    enum gnomon_status (*write)(struct gnomon_ui *ui, FILE *stream, struct gnomon_error *error);
} data[] = {
    {"/profile.js", gnomon_ui_write_profile},
    {"/calls.js", gnomon_ui_write_calls},
    {"/sources.js", gnomon_ui_write_sources},
    {"/timeline.js", write_timeline},
};

static bool get_tile(const char *path, unsigned *level, uint64_t *index) {
    char ending[4] = "";
    int length = 0;
    return sscanf(path, "/tile-%2u-%" SCNu64 "%3s%n", level, index, ending, &length) == 3 && !strcmp(ending, ".js") &&
           !path[length];
}

/* False: there is no such data. */
static bool write_data(struct service *service, const char *path, FILE *stream, enum gnomon_status *status,
                       struct gnomon_error *error) {
    unsigned level;
    uint64_t index;
    if (get_tile(path, &level, &index))
        return gnomon_ui_write_tile(service->ui, level, index, stream);
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        if (strcmp(path, data[i].path) != 0)
            continue;
        pthread_mutex_lock(&service->lock);
        *status = data[i].write(service->ui, stream, error);
        pthread_mutex_unlock(&service->lock);
        return true;
    }
    return false;
}

static void answer_data(struct service *service, const char *path, struct gnomon_http_reply *reply) {
    char *text = NULL;
    size_t size = 0;
    struct gnomon_error error;
    enum gnomon_status status = GNOMON_OK;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        status = gnomon_fail_memory(&error);
    const bool known = stream && write_data(service, path, stream, &status, &error);
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

int ui_serve(const struct cli_context *context, struct gnomon_ui *ui, uint64_t port) {
    struct service service = {.ui = ui, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct gnomon_http *server = NULL;
    struct gnomon_error error;
    char where[16];
    snprintf(where, sizeof where, "%" PRIu64, port);
    const struct gnomon_http_settings settings = {
        .where = where, .clients = CLIENTS, .seconds = CLIENT_SECONDS, .handle = handle, .context = &service};
    if (gnomon_http_open(&server, &settings, &error))
        return cli_error(context, &error);
    printf("%s is at http://%s/ until Ctrl-C\n", ui->export.analysis.path, gnomon_http_listener(server)->address);
    fflush(stdout);
    while (!ui_interrupted()) {
        const struct timespec pause = {.tv_nsec = 100000000};
        nanosleep(&pause, NULL);
    }
    gnomon_http_close(server);
    return CLI_OK;
}
