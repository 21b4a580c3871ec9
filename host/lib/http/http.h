/* SPDX-License-Identifier: Apache-2.0 */
/* A small HTTP server for this machine's user: it listens on loopback unless told otherwise, refuses requests that
 * another web site made the user's browser send (foreign Host and Origin headers), and has limits for the number of
 * clients, their time, headers and bodies. libmicrohttpd does the protocol; each connection has a thread of its own. */
#ifndef GNOMON_LIB_HTTP_H
#define GNOMON_LIB_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/util/error.h"
#include "lib/util/listen.h"

struct gnomon_http_request {
    const char *method; /* "GET", "HEAD", "POST" ...; the answer to HEAD is that to GET, sent without its body */
    const char *path;   /* "/pprof/profile", without what follows "?" */
    const char *body;   /* what a POST sent; a 0 follows it */
    size_t body_bytes;
    void *connection; /* private */
};

/* Of a header's text that is made for one answer. */
#define GNOMON_HTTP_SAID_BYTES 1024

/* What a handler fills. All texts except `body` are borrowed, and must stay until the server is closed. */
struct gnomon_http_reply {
    unsigned status;                  /* 200 unless the handler changes it */
    const char *type;                 /* Content-Type; "text/plain; charset=utf-8" unless the handler changes it */
    const char *encoding;             /* Content-Encoding; NULL: none */
    const char *file;                 /* name under which a browser saves the body; NULL: it shows it */
    const char *policy;               /* Content-Security-Policy; "default-src 'none'" unless the handler changes it */
    const char *allow;                /* with status 405: the methods that are allowed */
    const char *own_name, *own_value; /* a further header; NULL: none */
    const char *said_name;            /* one more, with the text that follows; NULL: none */
    char said[GNOMON_HTTP_SAID_BYTES];
    const void *body;
    size_t body_bytes;
    bool owned; /* `body` was allocated with malloc, and the server frees it */
    bool json;  /* gnomon_http_fail makes JSON: {"error": what failed, "remedy": what to do} */
};

struct gnomon_http_settings {
    const char *where;        /* for gnomon_listen */
    const char *const *hosts; /* further names by which clients may call this server */
    size_t host_count;
    unsigned clients;  /* connections at one time */
    unsigned seconds;  /* a client may take this long to send a request, and this long to take the answer */
    size_t body_bytes; /* the largest body of a request; one that says that it is much larger is not read */
    bool json_errors;  /* failures are told in JSON, also those that the server itself finds */
    /* May be NULL. Called when the headers of a request have arrived: false refuses it with this reply, and its body is
     * thrown away. */
    bool (*admit)(void *context, const struct gnomon_http_request *request, struct gnomon_http_reply *reply);
    /* Called for each request in the thread of its connection, so several calls may run at the same time. It may take
     * its time; it must return soon after the caller has decided to close the server. */
    void (*handle)(void *context, const struct gnomon_http_request *request, struct gnomon_http_reply *reply);
    void *context;
};

struct gnomon_http;

/* Starts to serve. The caller closes `server`. */
enum gnomon_status gnomon_http_open(struct gnomon_http **server, const struct gnomon_http_settings *settings,
                                    struct gnomon_error *error);
/* Ends all connections, and returns when no handler runs. NULL: does nothing. */
void gnomon_http_close(struct gnomon_http *server);
const struct gnomon_listener *gnomon_http_listener(const struct gnomon_http *server);

/* The value of ?KEY=VALUE; "" without "=VALUE"; NULL: there is no such key. */
const char *gnomon_http_query(const struct gnomon_http_request *request, const char *key);
/* The first key that is in none of `known`, whose last entry is NULL; NULL: there is none. */
const char *gnomon_http_unknown(const struct gnomon_http_request *request, const char *const *known);
/* The value of a header; NULL: there is none. */
const char *gnomon_http_header(const struct gnomon_http_request *request, const char *name);
/* True if the client has closed the connection: no one waits for the answer. */
bool gnomon_http_gone(const struct gnomon_http_request *request);

/* Makes the answer a text of the given status: what failed, and in the next line the remedy ("": none). */
void gnomon_http_fail(struct gnomon_http_reply *reply, unsigned status, const char *remedy, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
