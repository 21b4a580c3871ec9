/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the page of gnomon ui. */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/interrupt.h"
#include "cli/ui/ui.h"
#include "lib/ui/ui_page.h"

#define CLIENTS 32
#define CLIENT_SECONDS 60

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
    reply->type = GNOMON_UI_SCRIPT;
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
    reply->policy = GNOMON_UI_POLICY;
    const struct gnomon_ui_page *page = gnomon_ui_page(request->path);
    if (!page) {
        answer_data(context, request->path, reply);
        return;
    }
    reply->type = page->type;
    reply->body = page->text;
    reply->body_bytes = page->bytes;
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

/* ---- Files that are made when they are asked for ---- */

struct served {
    const struct ui_file *files;
    bool (*more)(void *data, const char *path, FILE *stream);
    void *data;
    pthread_mutex_t lock; /* files are made one at a time */
};

static bool write_file(void *context, const char *path, FILE *stream, enum gnomon_status *status,
                       struct gnomon_error *error) {
    struct served *served = context;
    for (const struct ui_file *file = served->files; file->name; file++) {
        if (*path != '/' || strcmp(path + 1, file->name) != 0)
            continue;
        pthread_mutex_lock(&served->lock);
        *status = file->write(served->data, stream, error);
        pthread_mutex_unlock(&served->lock);
        return true;
    }
    return served->more && served->more(served->data, path, stream);
}

int ui_serve_files(const struct cli_context *context, const char *what, uint64_t port, const struct ui_file *files,
                   bool (*more)(void *data, const char *path, FILE *stream), void *data) {
    struct served served = {.files = files, .more = more, .data = data, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct ui_service service = {.write = write_file, .context = &served};
    struct gnomon_error error;
    if (ui_service_open(&service, port, &error))
        return cli_error(context, &error);
    ui_service_say(&service, what);
    while (!cli_interrupted()) {
        const struct timespec pause = {.tv_nsec = 100000000};
        nanosleep(&pause, NULL);
    }
    gnomon_http_close(service.http);
    return CLI_OK;
}
