/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "gnomon/fleet_yaml.h"
#include "lib/service/service_internal.h"
#include "lib/ui/ui_page.h"
#include "lib/util/clock.h"

enum { UNAUTHORIZED = 401, NOT_FOUND = 404, WRONG_METHOD = 405, UNAVAILABLE = 503, FULL = 507 };

#define RETRY_SECONDS 5 /* when the database cannot be used */
#define NOTE_MS 5000    /* between two notes for the administrator */

/* ---- Failures ---- */

static unsigned status_of(enum gnomon_status status) {
    switch (status) {
    case GNOMON_ERR_FORMAT:
    case GNOMON_ERR_UNSUPPORTED:
    case GNOMON_ERR_ARGUMENT:
        return 400;
    case GNOMON_ERR_TOO_BIG:
        return 413;
    case GNOMON_ERR_FULL:
        return FULL;
    case GNOMON_ERR_DISCONNECTED:
    case GNOMON_ERR_BUSY:
    case GNOMON_ERR_MEMORY:
        return UNAVAILABLE;
    default:
        return 500;
    }
}

static void retry_after(struct gnomon_http_reply *reply, unsigned seconds) {
    reply->said_name = "Retry-After";
    snprintf(reply->said, sizeof reply->said, "%u", seconds);
}

static void note(struct gnomon_fleet_service *service, const struct gnomon_error *error) {
    const uint64_t now_ms = gnomon_now_ms();
    pthread_mutex_lock(&service->noting);
    if (service->settings.note && (!service->noted_ms || now_ms - service->noted_ms >= NOTE_MS)) {
        service->noted_ms = now_ms;
        service->settings.note(service->settings.context, error);
    }
    pthread_mutex_unlock(&service->noting);
}

void service_fail(struct gnomon_fleet_service *service, struct gnomon_http_reply *reply, enum gnomon_status status,
                  const struct gnomon_error *error) {
    const unsigned code = status_of(status);
    if (code < 500) {
        gnomon_http_fail(reply, code, error->remedy, "%s", error->what);
        return;
    }
    note(service, error);
    service_unavailable(reply, code, RETRY_SECONDS,
                        code == FULL ? "the storage is full" : "the service cannot do this now");
}

void service_unavailable(struct gnomon_http_reply *reply, unsigned status, unsigned seconds, const char *what) {
    gnomon_http_fail(reply, status, "send it again after the time that Retry-After says", "%s", what);
    retry_after(reply, seconds);
}

void service_reply_json(struct gnomon_http_reply *reply, unsigned status, char *text) {
    if (!text) {
        service_unavailable(reply, UNAVAILABLE, RETRY_SECONDS, "out of memory");
        return;
    }
    reply->status = status;
    reply->type = "application/json";
    reply->body = text;
    reply->body_bytes = strlen(text);
    reply->owned = true;
}

/* ---- Who ---- */

bool service_knows(struct gnomon_fleet_service *service, const struct gnomon_http_request *request, int64_t *token,
                   struct gnomon_http_reply *reply) {
    static const char scheme[] = "Bearer ";
    const char *header = gnomon_http_header(request, "Authorization");
    *token = 0;
    if (!service->tokens)
        return true;
    if (header && !strncasecmp(header, scheme, strlen(scheme)) &&
        gnomon_tokens_know(service->tokens, header + strlen(scheme), token))
        return true;
    gnomon_http_fail(reply, UNAUTHORIZED, "send \"Authorization: Bearer TOKEN\"; gnomon fleet token makes tokens",
                     header ? "the token is not known" : "the request has no token");
    reply->own_name = "WWW-Authenticate";
    reply->own_value = "Bearer";
    return false;
}

/* ---- Paths ---- */

static void openapi(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                    struct gnomon_http_reply *reply) {
    (void)service;
    (void)request;
    reply->type = "application/yaml";
    reply->body = GNOMON_FLEET_YAML;
    reply->body_bytes = strlen(GNOMON_FLEET_YAML);
}

/* The page of gnomon ui, which shows what the service publishes. */
static void page(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                 struct gnomon_http_reply *reply) {
    const struct gnomon_ui_page *found = gnomon_ui_fleet_page(request->path);
    (void)service;
    reply->policy = GNOMON_UI_POLICY;
    reply->type = found->type;
    reply->body = found->text;
    reply->body_bytes = found->bytes;
}

static const struct path {
    const char *path;
    const char *methods; /* for Allow; HEAD is for what can be asked with GET */
    enum { OPEN, READING, COLLECTORS } who;
    void (*answer)(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                   struct gnomon_http_reply *reply);
} paths[] = {
    {"/v1/submissions", "POST", COLLECTORS, service_submit},
    {"/v1/policy", "GET, HEAD", COLLECTORS, service_policy},
    {"/v1/profile", "GET, HEAD", READING, service_profile},
    {"/v1/status", "GET, HEAD", READING, service_status},
    {"/v1/compare", "GET, HEAD", READING, service_compare},
    {"/openapi.yaml", "GET, HEAD", OPEN, openapi},
    {0},
};
static const struct path page_path = {"the page", "GET, HEAD", OPEN, page};

/* NULL: there is none. */
static const struct path *find_path(const char *path) {
    const struct path *found = paths;
    if (gnomon_ui_fleet_page(path))
        return &page_path;
    while (found->path && strcmp(found->path, path) != 0)
        found++;
    return found->path ? found : NULL;
}

static bool allows(const struct path *path, const char *method) {
    return !strcmp(path->methods, "POST") ? !strcmp(method, "POST") : !strcmp(method, "GET") || !strcmp(method, "HEAD");
}

/* Refuses what needs no body to be refused. */
static bool admit(void *context, const struct gnomon_http_request *request, struct gnomon_http_reply *reply) {
    struct gnomon_fleet_service *service = context;
    const struct path *path = find_path(request->path);
    int64_t token;
    if (!path) {
        gnomon_http_fail(reply, NOT_FOUND, "/openapi.yaml says what there is", "there is no %s", request->path);
        return false;
    }
    if (!allows(path, request->method)) {
        gnomon_http_fail(reply, WRONG_METHOD, "", "%s does not take %s", path->path, request->method);
        reply->allow = path->methods;
        return false;
    }
    const bool asks = path->who == COLLECTORS || (path->who == READING && service->settings.private);
    if (asks && !service_knows(service, request, &token, reply))
        return false;
    return path->answer != service_submit || service_admit_submission(service, request, reply);
}

static void handle(void *context, const struct gnomon_http_request *request, struct gnomon_http_reply *reply) {
    find_path(request->path)->answer(context, request, reply); /* it was admitted */
}

/* ---- Opening ---- */

static enum gnomon_status open_tokens(struct gnomon_fleet_service *service, struct gnomon_error *error) {
    if (!service->settings.tokens)
        return GNOMON_OK;
    const enum gnomon_status status = gnomon_tokens_open(&service->tokens, service->settings.tokens, error);
    if (status || gnomon_tokens_count(service->tokens))
        return status;
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s has no tokens", service->settings.tokens);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "make one with gnomon fleet token --tokens %s",
                         service->settings.tokens);
}

/* Other machines may reach it only if there are tokens. */
static enum gnomon_status check_reach(const struct gnomon_fleet_service *service, struct gnomon_error *error) {
    struct gnomon_listener listener;
    const enum gnomon_status status = gnomon_listen(&listener, service->settings.where, error);
    if (status)
        return status;
    close(listener.socket);
    if (listener.loopback || service->tokens)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s can be reached by other machines, and there are no tokens",
                service->settings.where);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                         "give --tokens FILE with a token for each collector (gnomon fleet token)");
}

static enum gnomon_status open_database(struct gnomon_fleet_service *service, struct gnomon_error *error) {
    const struct gnomon_fleet_settings *settings = &service->settings;
    const struct gnomon_writer_settings writer = {settings->database, settings->shards, settings->retention_days};
    enum gnomon_status status = gnomon_writer_open(&service->writer, &writer, error);
    if (!status)
        status = gnomon_quota_open(&service->quota, settings->database, settings->shards, &settings->limits, error);
    return status ? status
                  : gnomon_fleet_store_open(&service->reader, settings->database, settings->shards, false, error);
}

static enum gnomon_status open_http(struct gnomon_fleet_service *service, struct gnomon_error *error) {
    const struct gnomon_fleet_settings *settings = &service->settings;
    const struct gnomon_http_settings http = {.where = settings->where,
                                              .hosts = settings->hosts,
                                              .host_count = settings->host_count,
                                              .clients = (unsigned)settings->limits.clients,
                                              .seconds = (unsigned)settings->limits.seconds,
                                              .body_bytes = settings->limits.body,
                                              .json_errors = true,
                                              .admit = admit,
                                              .handle = handle,
                                              .context = service};
    return gnomon_http_open(&service->http, &http, error);
}

static enum gnomon_status open_all(struct gnomon_fleet_service *service, struct gnomon_error *error) {
    service->rate = gnomon_rate_new(service->settings.limits.rate, service->settings.limits.volume);
    enum gnomon_status status = service->rate ? open_tokens(service, error) : gnomon_fail_memory(error);
    if (!status)
        status = check_reach(service, error);
    if (!status)
        status = open_database(service, error);
    return status ? status : open_http(service, error);
}

enum gnomon_status gnomon_fleet_service_open(struct gnomon_fleet_service **service,
                                             const struct gnomon_fleet_settings *settings, struct gnomon_error *error) {
    struct gnomon_fleet_service *made = calloc(1, sizeof *made);
    *service = NULL;
    if (!made)
        return gnomon_fail_memory(error);
    made->settings = *settings;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    sem_init(&made->unpacking, 0, processors > 0 ? (unsigned)processors : 1);
    pthread_mutex_init(&made->reading, NULL);
    pthread_mutex_init(&made->comparing, NULL);
    pthread_mutex_init(&made->noting, NULL);
    const enum gnomon_status status = open_all(made, error);
    if (status)
        gnomon_fleet_service_close(made);
    else
        *service = made;
    return status;
}

void gnomon_fleet_service_close(struct gnomon_fleet_service *service) {
    if (!service)
        return;
    atomic_store(&service->closing, true);
    gnomon_http_close(service->http);
    gnomon_fleet_store_close(service->reader);
    gnomon_quota_close(service->quota);
    gnomon_writer_close(service->writer);
    gnomon_tokens_close(service->tokens);
    gnomon_rate_free(service->rate);
    pthread_mutex_destroy(&service->reading);
    pthread_mutex_destroy(&service->comparing);
    pthread_mutex_destroy(&service->noting);
    sem_destroy(&service->unpacking);
    free(service);
}

const struct gnomon_listener *gnomon_fleet_service_listener(const struct gnomon_fleet_service *service) {
    return gnomon_http_listener(service->http);
}
