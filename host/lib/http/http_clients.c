/* SPDX-License-Identifier: Apache-2.0 */
/* Sends away clients that are too slow. libmicrohttpd ends connections on which nothing happens; a client that sends a
 * byte now and then would keep its place for ever. */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "lib/http/http_internal.h"
#include "lib/util/clock.h"

#define LOOK_NS 200000000 /* between two looks at the clients */

static void send_away(struct http_client *client) {
    shutdown(client->socket, SHUT_RDWR);
}

static void look(struct http_clients *clients) {
    const uint64_t now = gnomon_now_ms(), patience = (uint64_t)clients->seconds * 1000;
    for (struct http_client *client = clients->first.next; client != &clients->first; client = client->next)
        if (client->waiting && (clients->closing || now - client->since > patience))
            send_away(client);
}

static void *watch(void *context) {
    struct http_clients *clients = context;
    pthread_mutex_lock(&clients->mutex);
    while (!clients->closing) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += LOOK_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&clients->closing_changed, &clients->mutex, &until);
        look(clients);
    }
    pthread_mutex_unlock(&clients->mutex);
    return NULL;
}

bool http_clients_open(struct http_clients *clients, unsigned most, unsigned seconds) {
    pthread_condattr_t attributes;
    *clients = (struct http_clients){.most = most, .seconds = seconds};
    clients->first.next = clients->first.before = &clients->first;
    pthread_mutex_init(&clients->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&clients->closing_changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return pthread_create(&clients->watcher, NULL, watch, clients) == 0;
}

void http_clients_end(struct http_clients *clients) {
    pthread_mutex_lock(&clients->mutex);
    clients->closing = true;
    pthread_cond_signal(&clients->closing_changed);
    pthread_mutex_unlock(&clients->mutex);
    pthread_join(clients->watcher, NULL);
}

void http_clients_close(struct http_clients *clients) {
    pthread_cond_destroy(&clients->closing_changed);
    pthread_mutex_destroy(&clients->mutex);
}

/* The one that has waited longest for its client; NULL: none waits. */
static struct http_client *slowest(const struct http_clients *clients) {
    struct http_client *found = NULL;
    for (struct http_client *client = clients->first.next; client != &clients->first; client = client->next)
        if (client->waiting && (!found || client->since < found->since))
            found = client;
    return found;
}

struct http_client *http_client_add(struct http_clients *clients, int socket) {
    struct http_client *client = malloc(sizeof *client);
    if (!client)
        return NULL;
    pthread_mutex_lock(&clients->mutex);
    struct http_client *slow = clients->count >= clients->most ? slowest(clients) : NULL;
    if (slow) {
        send_away(slow);
        slow->waiting = false; /* its thread ends it; it is not sent away twice */
    }
    *client = (struct http_client){.next = clients->first.next,
                                   .before = &clients->first,
                                   .socket = socket,
                                   .waiting = true,
                                   .since = gnomon_now_ms()};
    client->next->before = client;
    clients->first.next = client;
    clients->count++;
    if (clients->closing)
        send_away(client);
    pthread_mutex_unlock(&clients->mutex);
    return client;
}

void http_client_waits(struct http_clients *clients, struct http_client *client, bool waits) {
    if (!client)
        return;
    pthread_mutex_lock(&clients->mutex);
    client->waiting = waits;
    client->since = gnomon_now_ms();
    pthread_mutex_unlock(&clients->mutex);
}

void http_client_remove(struct http_clients *clients, struct http_client *client) {
    if (!client)
        return;
    pthread_mutex_lock(&clients->mutex);
    client->next->before = client->before;
    client->before->next = client->next;
    clients->count--;
    pthread_mutex_unlock(&clients->mutex);
    free(client);
}
