/* SPDX-License-Identifier: Apache-2.0 */
/* A web page of another site can make the user's browser send requests to this server. Two headers show it, which no
 * page can forge: Host is the name by which the browser found this server (a site can give its own name this machine's
 * address), Origin is the site of the page. */
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "lib/http/http_internal.h"

#define NAME_BYTES 256

/* Copies the name of "NAME", "NAME:PORT" or "[ADDRESS]:PORT". */
static bool name_of(const char *host, char name[NAME_BYTES]) {
    const char *end = strrchr(host, ':');
    if (host[0] == '[') {
        host++;
        end = strchr(host, ']');
        if (!end || (end[1] && end[1] != ':'))
            return false;
    } else if (!end) {
        end = host + strlen(host);
    }
    const size_t length = (size_t)(end - host);
    if (length == 0 || length >= NAME_BYTES)
        return false;
    memcpy(name, host, length);
    name[length] = 0;
    return true;
}

/* The address under which the client has reached this server. */
static bool local_address(struct MHD_Connection *connection, char text[NI_MAXHOST], bool *loopback) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (!info || getsockname(info->connect_fd, (struct sockaddr *)&address, &size) ||
        getnameinfo((struct sockaddr *)&address, size, text, NI_MAXHOST, NULL, 0, NI_NUMERICHOST))
        return false;
    *loopback = address.ss_family == AF_INET6
                    ? IN6_IS_ADDR_LOOPBACK(&((struct sockaddr_in6 *)&address)->sin6_addr)
                    : ntohl(((struct sockaddr_in *)&address)->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    return true;
}

static bool is_ours(const struct gnomon_http_settings *settings, struct MHD_Connection *connection, const char *host) {
    char name[NAME_BYTES], own[NI_MAXHOST];
    bool loopback = false;
    if (!name_of(host, name))
        return false;
    for (size_t i = 0; i < settings->host_count; i++)
        if (!strcasecmp(name, settings->hosts[i]))
            return true;
    if (!local_address(connection, own, &loopback))
        return false;
    return !strcmp(name, own) || (loopback && !strcasecmp(name, "localhost"));
}

/* "null" is the origin of pages that hide theirs. */
static bool is_our_page(const struct gnomon_http_settings *settings, struct MHD_Connection *connection,
                        const char *origin) {
    static const char scheme[] = "http://";
    const size_t length = sizeof scheme - 1;
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    return !strncasecmp(origin, scheme, length) && host && !strcasecmp(origin + length, host) &&
           is_ours(settings, connection, origin + length);
}

const struct http_refusal *http_check_origin(const struct gnomon_http_settings *settings,
                                             struct MHD_Connection *connection, const char *version) {
    static const struct http_refusal
        no_host = {MHD_HTTP_BAD_REQUEST, "the request has no Host header", "use a client that speaks HTTP/1.1"},
        foreign_host = {MHD_HTTP_MISDIRECTED_REQUEST, "the Host header names another machine",
                        "use the address that gnomon printed, or start gnomon with --allow-host NAME"},
        foreign_page = {MHD_HTTP_FORBIDDEN, "the request comes from the page of another site",
                        "open the address that gnomon printed"};
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    const char *origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin");
    const char *site = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Site");
    if (!host) /* a browser always sends it */
        return strcmp(version, MHD_HTTP_VERSION_1_0) == 0 && !origin ? NULL : &no_host;
    if (!is_ours(settings, connection, host))
        return &foreign_host;
    if ((origin && !is_our_page(settings, connection, origin)) || (site && !strcmp(site, "cross-site")))
        return &foreign_page;
    return NULL;
}
