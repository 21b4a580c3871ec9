/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/http/http.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/http/http_internal.h"
#include "lib/util/json_text.h"

#define HEADER_BYTES ((size_t)32 << 10) /* of a request, at most */
#define MOST_UNREAD ((size_t)1 << 20)   /* of a body that is too large and did not say so, before the answer */
#define SPARE_CLIENTS 64                /* connections above twice the limit, until slow ones have been ended */

struct gnomon_http {
    struct gnomon_http_settings settings;
    struct gnomon_listener listener;
    struct http_clients clients;
    struct MHD_Daemon *daemon;
};

/* A request whose headers have arrived. */
struct incoming {
    char *body;
    size_t bytes, room;
    size_t unread; /* bytes of a body that were not kept: it is too large, or was refused */
    bool no_memory, refused;
    struct gnomon_http_reply refusal; /* its owned body is freed with this, unless it was sent */
};

/* ---- Replies ---- */

/* What failed, and in a second line the remedy. NULL: out of memory. */
static char *failure_text(const char *what, const char *remedy) {
    char *text = NULL;
    return asprintf(&text, "%s\n%s%s", what, remedy, *remedy ? "\n" : "") < 0 ? NULL : text;
}

static char *failure_json(const char *what, const char *remedy) {
    return gnomon_json_dump(
        json_pack("{s:o*, s:o*}", "error", gnomon_json_text(what), "remedy", gnomon_json_text(remedy)), JSON_COMPACT);
}

void gnomon_http_fail(struct gnomon_http_reply *reply, unsigned status, const char *remedy, const char *format, ...) {
    va_list arguments;
    char *what = NULL, *text = NULL;
    va_start(arguments, format);
    const int length = vasprintf(&what, format, arguments);
    va_end(arguments);
    if (reply->owned)
        free((void *)reply->body);
    if (length >= 0) {
        text = reply->json ? failure_json(what, remedy) : failure_text(what, remedy);
        free(what);
    }
    *reply = (struct gnomon_http_reply){.status = status,
                                        .type = reply->json && text ? "application/json" : "text/plain; charset=utf-8",
                                        .policy = "default-src 'none'",
                                        .allow = reply->allow,
                                        .own_name = reply->own_name,
                                        .own_value = reply->own_value,
                                        .body = text ? text : "out of memory\n",
                                        .body_bytes = strlen(text ? text : "out of memory\n"),
                                        .owned = text,
                                        .json = reply->json};
}

static void add_header(struct MHD_Response *response, const char *name, const char *value) {
    if (value)
        MHD_add_response_header(response, name, value);
}

/* What has no place in a header is sent as "?". */
static void add_said(struct MHD_Response *response, const struct gnomon_http_reply *reply) {
    char text[GNOMON_HTTP_SAID_BYTES];
    size_t length = 0;
    for (; length + 1 < sizeof text && reply->said[length]; length++)
        text[length] = reply->said[length] < 0x20 || reply->said[length] == 0x7F ? '?' : reply->said[length];
    text[length] = 0;
    MHD_add_response_header(response, reply->said_name, text);
}

static enum MHD_Result send_reply(struct MHD_Connection *connection, const struct gnomon_http_reply *reply) {
    struct MHD_Response *response = MHD_create_response_from_buffer(
        reply->body_bytes, (void *)reply->body, reply->owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (!response) {
        if (reply->owned)
            free((void *)reply->body);
        return MHD_NO;
    }
    char file[128];
    add_header(response, "Content-Type", reply->type);
    add_header(response, "Content-Encoding", reply->encoding);
    add_header(response, "Content-Security-Policy", reply->policy);
    add_header(response, "X-Content-Type-Options", "nosniff");
    add_header(response, "Referrer-Policy", "no-referrer");
    add_header(response, "Cache-Control", "no-store");
    add_header(response, "Allow", reply->allow);
    if (reply->own_name)
        add_header(response, reply->own_name, reply->own_value);
    if (reply->said_name)
        add_said(response, reply);
    if (reply->file && snprintf(file, sizeof file, "attachment; filename=\"%s\"", reply->file) < (int)sizeof file)
        add_header(response, "Content-Disposition", file);
    const enum MHD_Result result = MHD_queue_response(connection, reply->status, response);
    MHD_destroy_response(response);
    return result;
}

static struct gnomon_http_reply new_reply(const struct gnomon_http *server) {
    return (struct gnomon_http_reply){.status = MHD_HTTP_OK,
                                      .type = "text/plain; charset=utf-8",
                                      .policy = "default-src 'none'",
                                      .json = server->settings.json_errors};
}

/* ---- Requests ---- */

static void take_body(const struct gnomon_http *server, struct incoming *incoming, const char *data, size_t bytes) {
    if (incoming->refused || incoming->unread || bytes > server->settings.body_bytes - incoming->bytes) {
        incoming->unread += bytes;
        return;
    }
    if (incoming->no_memory)
        return;
    if (incoming->bytes + bytes >= incoming->room) {
        const size_t room = 2 * (incoming->bytes + bytes) + 1;
        char *body = realloc(incoming->body, room);
        if (!body) {
            incoming->no_memory = true;
            return;
        }
        incoming->body = body;
        incoming->room = room;
    }
    memcpy(incoming->body + incoming->bytes, data, bytes);
    incoming->bytes += bytes;
    incoming->body[incoming->bytes] = 0;
}

static struct http_client *client_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static void fail_too_large(const struct gnomon_http *server, struct gnomon_http_reply *reply) {
    gnomon_http_fail(reply, MHD_HTTP_CONTENT_TOO_LARGE, "send less at one time", "the body has more than %zu bytes",
                     server->settings.body_bytes);
}

static enum MHD_Result answer(struct gnomon_http *server, struct MHD_Connection *connection, const char *path,
                              const char *method, struct incoming *incoming) {
    const struct gnomon_http_request request = {.method = method,
                                                .path = path,
                                                .body = incoming->body ? incoming->body : "",
                                                .body_bytes = incoming->bytes,
                                                .connection = connection};
    struct gnomon_http_reply reply = new_reply(server);
    if (incoming->refused) {
        reply = incoming->refusal;
        incoming->refusal.owned = false;
    } else if (incoming->unread)
        fail_too_large(server, &reply);
    else if (incoming->no_memory)
        gnomon_http_fail(&reply, MHD_HTTP_INTERNAL_SERVER_ERROR, "", "out of memory");
    else {
        http_client_is(&server->clients, client_of(connection), HTTP_WAITING);
        server->settings.handle(server->settings.context, &request, &reply);
        http_client_is(&server->clients, client_of(connection), HTTP_TAKING);
    }
    return send_reply(connection, &reply);
}

/* Does the request say that its body is much too large? A client that sends a body reads the answer when it has sent
 * all: so what is not that large is received, and thrown away. */
static bool says_too_large(const struct gnomon_http *server, struct MHD_Connection *connection) {
    const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return length && strtoull(length, NULL, 10) > server->settings.body_bytes + MOST_UNREAD;
}

/* The headers have arrived. False: `reply` is the answer, and nothing more is read. */
static bool admit(const struct gnomon_http *server, struct MHD_Connection *connection, const char *path,
                  const char *method, const char *version, struct incoming *incoming, struct gnomon_http_reply *reply) {
    const struct gnomon_http_request request = {.method = method, .path = path, .body = "", .connection = connection};
    const struct http_refusal *refusal = http_check_origin(&server->settings, connection, version);
    if (refusal) {
        gnomon_http_fail(reply, refusal->status, refusal->remedy, "%s", refusal->what);
        return false;
    }
    incoming->refused = server->settings.admit && !server->settings.admit(server->settings.context, &request, reply);
    if (!says_too_large(server, connection)) {
        incoming->refusal = *reply;
        return true;
    }
    if (!incoming->refused)
        fail_too_large(server, reply);
    return false;
}

static void free_incoming(struct incoming *incoming) {
    if (incoming && incoming->refusal.owned)
        free((void *)incoming->refusal.body);
    if (incoming)
        free(incoming->body);
    free(incoming);
}

/* NULL in *own: it is refused, or out of memory. */
static enum MHD_Result begin(const struct gnomon_http *server, struct MHD_Connection *connection, const char *path,
                             const char *method, const char *version, void **own) {
    struct incoming *incoming = calloc(1, sizeof *incoming);
    struct gnomon_http_reply reply = new_reply(server);
    if (!incoming)
        return MHD_NO;
    if (admit(server, connection, path, method, version, incoming, &reply)) {
        *own = incoming;
        return MHD_YES;
    }
    free_incoming(incoming);
    return send_reply(connection, &reply);
}

/* Called when the headers have arrived, then with parts of the body, then for the answer. */
static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *data, size_t *bytes,
                                  void **own) {
    struct gnomon_http *server = context;
    struct incoming *incoming = *own;
    if (!incoming)
        return begin(server, connection, path, method, version, own);
    if (*bytes) {
        take_body(server, incoming, data, *bytes);
        *bytes = 0;
        return incoming->unread > server->settings.body_bytes + MOST_UNREAD ? MHD_NO
                                                                            : MHD_YES; /* MHD_NO: the connection ends */
    }
    return answer(server, connection, path, method, incoming);
}

static void on_completed(void *context, struct MHD_Connection *connection, void **own,
                         enum MHD_RequestTerminationCode how) {
    struct gnomon_http *server = context;
    struct incoming *incoming = *own;
    (void)how;
    http_client_is(&server->clients, client_of(connection), HTTP_ASKING);
    free_incoming(incoming);
    *own = NULL;
}

static void on_connection(void *context, struct MHD_Connection *connection, void **own,
                          enum MHD_ConnectionNotificationCode code) {
    struct gnomon_http *server = context;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        *own = info ? http_client_add(&server->clients, info->connect_fd) : NULL;
    else
        http_client_remove(&server->clients, *own);
}

const char *gnomon_http_query(const struct gnomon_http_request *request, const char *key) {
    const char *value = NULL;
    size_t bytes;
    if (MHD_lookup_connection_value_n(request->connection, MHD_GET_ARGUMENT_KIND, key, strlen(key), &value, &bytes) !=
        MHD_YES)
        return NULL;
    return value ? value : "";
}

struct search {
    const char *const *known;
    const char *found;
};

static enum MHD_Result see_key(void *context, enum MHD_ValueKind kind, const char *key, const char *value) {
    struct search *search = context;
    (void)kind;
    (void)value;
    for (const char *const *known = search->known; *known; known++)
        if (!strcmp(*known, key))
            return MHD_YES;
    search->found = key;
    return MHD_NO;
}

const char *gnomon_http_unknown(const struct gnomon_http_request *request, const char *const *known) {
    struct search search = {.known = known};
    MHD_get_connection_values(request->connection, MHD_GET_ARGUMENT_KIND, see_key, &search);
    return search.found;
}

const char *gnomon_http_header(const struct gnomon_http_request *request, const char *name) {
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

bool gnomon_http_gone(const struct gnomon_http_request *request) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    char byte;
    return !info || recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* ---- The server ---- */

/* Slow clients are for http_clients.c: the library's own limit would also end connections whose handler takes long. */
static struct MHD_Daemon *start(struct gnomon_http *server) {
    const unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC;
    return MHD_start_daemon(flags, 0, NULL, NULL, on_request, server, MHD_OPTION_LISTEN_SOCKET, server->listener.socket,
                            MHD_OPTION_CONNECTION_LIMIT, 2 * server->settings.clients + SPARE_CLIENTS,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, HEADER_BYTES, MHD_OPTION_STRICT_FOR_CLIENT, 1,
                            MHD_OPTION_NOTIFY_COMPLETED, on_completed, server, MHD_OPTION_NOTIFY_CONNECTION,
                            on_connection, server, MHD_OPTION_END);
}

enum gnomon_status gnomon_http_open(struct gnomon_http **server, const struct gnomon_http_settings *settings,
                                    struct gnomon_error *error) {
    struct gnomon_http *made = calloc(1, sizeof *made);
    *server = NULL;
    if (!made)
        return gnomon_fail_memory(error);
    made->settings = *settings;
    enum gnomon_status status = gnomon_listen(&made->listener, settings->where, error);
    if (status) {
        free(made);
        return status;
    }
    if (http_clients_open(&made->clients, settings->clients, settings->seconds)) {
        made->daemon = start(made);
        if (made->daemon) {
            *server = made;
            return GNOMON_OK;
        }
        http_clients_end(&made->clients);
    }
    gnomon_fail(error, GNOMON_ERR_SYSTEM, "cannot start the HTTP server on %s", made->listener.address);
    http_clients_close(&made->clients);
    close(made->listener.socket);
    free(made);
    return gnomon_given(GNOMON_ERR_SYSTEM);
}

void gnomon_http_close(struct gnomon_http *server) {
    if (!server)
        return;
    http_clients_end(&server->clients);
    MHD_stop_daemon(server->daemon); /* also closes the listening socket */
    http_clients_close(&server->clients);
    free(server);
}

const struct gnomon_listener *gnomon_http_listener(const struct gnomon_http *server) {
    return &server->listener;
}
