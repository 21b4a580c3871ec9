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
#define CLOSING_LOOKS 10  /* until the server closes although clients still take answers */

/* Its thread ends it. */
static void send_away(struct http_client *client) {
    shutdown(client->socket, SHUT_RDWR);
    client->state = HTTP_LEAVING;
}

static bool is_slow(const struct http_client *client) {
    return client->state == HTTP_ASKING || client->state == HTTP_TAKING;
}

static void look(struct http_clients *clients) {
    const uint64_t now = gnomon_now_ms(), patience = (uint64_t)clients->seconds * 1000;
    for (struct http_client *client = clients->first.next; client != &clients->first; client = client->next)
        if (is_slow(client) && now - client->since > patience)
            send_away(client);
}

static void sleep_a_look(struct http_clients *clients) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&clients->changed, &clients->mutex, &until);
}

static void *watch(void *context) {
    struct http_clients *clients = context;
    pthread_mutex_lock(&clients->mutex);
    while (!clients->closing) {
        sleep_a_look(clients);
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
    pthread_cond_init(&clients->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return pthread_create(&clients->watcher, NULL, watch, clients) == 0;
}

static bool any_answered(const struct http_clients *clients) {
    for (const struct http_client *client = clients->first.next; client != &clients->first; client = client->next)
        if (client->state == HTTP_WAITING || client->state == HTTP_TAKING)
            return true;
    return false;
}

void http_clients_end(struct http_clients *clients) {
    pthread_mutex_lock(&clients->mutex);
    clients->closing = true;
    pthread_cond_broadcast(&clients->changed);
    for (int looks = 0; looks < CLOSING_LOOKS && any_answered(clients); looks++)
        sleep_a_look(clients);
    for (struct http_client *client = clients->first.next; client != &clients->first; client = client->next)
        if (client->state != HTTP_WAITING)
            send_away(client);
    pthread_mutex_unlock(&clients->mutex);
    pthread_join(clients->watcher, NULL);
}

void http_clients_close(struct http_clients *clients) {
    pthread_cond_destroy(&clients->changed);
    pthread_mutex_destroy(&clients->mutex);
}

/* The one that has waited longest for its client; NULL: none waits. */
static struct http_client *slowest(const struct http_clients *clients) {
    struct http_client *found = NULL;
    for (struct http_client *client = clients->first.next; client != &clients->first; client = client->next)
        if (is_slow(client) && (!found || client->since < found->since))
            found = client;
    return found;
}

struct http_client *http_client_add(struct http_clients *clients, int socket) {
    struct http_client *client = malloc(sizeof *client);
    if (!client)
        return NULL;
    pthread_mutex_lock(&clients->mutex);
    struct http_client *slow = clients->count >= clients->most ? slowest(clients) : NULL;
    if (slow)
        send_away(slow);
    *client = (struct http_client){.next = clients->first.next,
                                   .before = &clients->first,
                                   .socket = socket,
                                   .state = HTTP_ASKING,
                                   .since = gnomon_now_ms()};
    client->next->before = client;
    clients->first.next = client;
    clients->count++;
    if (clients->closing)
        send_away(client);
    pthread_mutex_unlock(&clients->mutex);
    return client;
}

void http_client_is(struct http_clients *clients, struct http_client *client, enum http_state state) {
    if (!client)
        return;
    pthread_mutex_lock(&clients->mutex);
    client->state = client->state == HTTP_LEAVING ? HTTP_LEAVING : state;
    client->since = gnomon_now_ms();
    if (clients->closing)
        pthread_cond_broadcast(&clients->changed);
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
