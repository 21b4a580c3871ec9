/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/listen.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LOOPBACK "127.0.0.1"
#define WAITING 128 /* connections that the system keeps until they are accepted */
#define MOST_PORT 65535
#define PORT_BYTES 8

static enum gnomon_status bad(const char *where, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s is no address to listen on", where);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                         "write PORT, ADDRESS:PORT or [IPv6 ADDRESS]:PORT; port 0 takes one that is free");
}

/* Splits "ADDRESS:PORT". Both parts are copied. */
static bool split(const char *where, char host[GNOMON_LISTEN_BYTES], char port[PORT_BYTES]) {
    const char *colon = strrchr(where, ':'), *digits = colon ? colon + 1 : where;
    size_t length = colon ? (size_t)(colon - where) : 0;
    char *end;
    const unsigned long number = strtoul(digits, &end, 10);
    if (digits[0] < '0' || digits[0] > '9' || *end || number > MOST_PORT || (colon && length == 0))
        return false;
    snprintf(port, PORT_BYTES, "%lu", number);
    if (length >= 2 && where[0] == '[' && where[length - 1] == ']')
        where++, length -= 2;
    else if (memchr(where, ':', length))
        return false;
    if (length >= GNOMON_LISTEN_BYTES)
        return false;
    snprintf(host, GNOMON_LISTEN_BYTES, "%.*s", (int)length, where);
    if (!colon)
        strcpy(host, LOOPBACK);
    return true;
}

static bool is_loopback(const struct sockaddr_storage *address) {
    if (address->ss_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

/* Reads back where the socket listens. */
static bool describe(struct gnomon_listener *listener) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    char host[NI_MAXHOST], port[PORT_BYTES];
    if (getsockname(listener->socket, (struct sockaddr *)&address, &size) ||
        getnameinfo((struct sockaddr *)&address, size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV))
        return false;
    const bool six = address.ss_family == AF_INET6;
    listener->port = (uint16_t)strtoul(port, NULL, 10);
    listener->loopback = is_loopback(&address);
    snprintf(listener->address, sizeof listener->address, "%s%.100s%s:%s", six ? "[" : "", host, six ? "]" : "", port);
    return true;
}

static bool try_listen(struct gnomon_listener *listener, const struct addrinfo *info) {
    const int yes = 1;
    listener->socket = socket(info->ai_family, info->ai_socktype | SOCK_CLOEXEC, info->ai_protocol);
    if (listener->socket < 0)
        return false;
    setsockopt(listener->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    return bind(listener->socket, info->ai_addr, info->ai_addrlen) == 0 && listen(listener->socket, WAITING) == 0 &&
           describe(listener);
}

enum gnomon_status gnomon_listen(struct gnomon_listener *listener, const char *where, struct gnomon_error *error) {
    char host[GNOMON_LISTEN_BYTES], port[PORT_BYTES];
    const struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
    struct addrinfo *info;
    *listener = (struct gnomon_listener){.socket = -1};
    if (!split(where, host, port))
        return bad(where, error);
    const int failure = getaddrinfo(host, port, &hints, &info);
    if (failure) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "cannot listen on %s: %s", where, gai_strerror(failure));
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "give an address of this machine");
    }
    const bool good = try_listen(listener, info);
    freeaddrinfo(info);
    if (good)
        return GNOMON_OK;
    gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot listen on %s", where);
    if (listener->socket >= 0)
        close(listener->socket);
    listener->socket = -1;
    return gnomon_remedy(error, GNOMON_ERR_SYSTEM,
                         "give another port (0 takes one that is free), or an address of "
                         "this machine");
}
