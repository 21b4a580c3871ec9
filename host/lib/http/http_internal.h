/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the HTTP server share. */
#ifndef GNOMON_LIB_HTTP_INTERNAL_H
#define GNOMON_LIB_HTTP_INTERNAL_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdint.h>

#include "lib/http/http.h"

/* Why a request is refused before its handler sees it; NULL: it is not. */
struct http_refusal {
    unsigned status;
    const char *what, *remedy;
};

/* Is the request meant for this server, and does it not come from the page of another site? */
const struct http_refusal *http_check_origin(const struct gnomon_http_settings *settings,
                                             struct MHD_Connection *connection, const char *version);

/* The connections that are open, and since when each waits for its client. */
struct http_client {
    struct http_client *next, *before;
    int socket;
    enum http_state {
        HTTP_ASKING,  /* it sends a request, or may do so */
        HTTP_WAITING, /* for the answer */
        HTTP_TAKING,  /* the answer */
        HTTP_LEAVING, /* was sent away */
    } state;
    uint64_t since;
};

struct http_clients {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pthread_t watcher;
    bool closing;
    unsigned count, most, seconds;
    struct http_client first; /* head of the ring */
};

bool http_clients_open(struct http_clients *clients, unsigned most, unsigned seconds);
/* Lets clients take their answers, for a moment, and then ends all connections. */
void http_clients_end(struct http_clients *clients);
/* After the last connection. */
void http_clients_close(struct http_clients *clients);
/* NULL: out of memory. If there are too many clients, the one that has waited longest is sent away. */
struct http_client *http_client_add(struct http_clients *clients, int socket);
void http_client_is(struct http_clients *clients, struct http_client *client, enum http_state state);
void http_client_remove(struct http_clients *clients, struct http_client *client);

#endif
