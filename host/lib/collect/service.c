/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/collect/service.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONNECT_S 10L
#define ANSWER_S 120L
#define SILENCE_S 20L
#define MOST_ANSWER ((size_t)64 << 10) /* bytes */
#define MOST_WAIT_S ((curl_off_t)86400)

/* ---- The address ---- */

static bool is_loopback(const char *host) {
    struct in_addr address;
    return !strcmp(host, "localhost") || !strcmp(host, "[::1]") ||
           (inet_pton(AF_INET, host, &address) == 1 && ntohl(address.s_addr) >> 24 == 127);
}

/* What is wrong; NULL: nothing. */
static const char *wrong_address(CURLU *url, const char *address, bool insecure) {
    char *scheme = NULL, *host = NULL, *other = NULL;
    const char *wrong = NULL;
    if (curl_url_set(url, CURLUPART_URL, address, 0) || curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) ||
        curl_url_get(url, CURLUPART_HOST, &host, 0))
        wrong = "it is no address of a service";
    else if (strcmp(scheme, "https") != 0 && strcmp(scheme, "http") != 0)
        wrong = "only https is spoken";
    else if (!strcmp(scheme, "http") && !is_loopback(host) && !insecure)
        wrong = "http shows the token to everyone on the way";
    else if (!curl_url_get(url, CURLUPART_USER, &other, 0) || !curl_url_get(url, CURLUPART_QUERY, &other, 0) ||
             !curl_url_get(url, CURLUPART_FRAGMENT, &other, 0))
        wrong = "it has a user, a query or a fragment";
    curl_free(scheme);
    curl_free(host);
    curl_free(other);
    return wrong;
}

enum gnomon_status gnomon_service_check(const char *address, bool insecure, struct gnomon_error *error) {
    CURLU *url = curl_url();
    const char *wrong = url ? wrong_address(url, address, insecure) : "out of memory";
    curl_url_cleanup(url);
    if (!wrong)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s: %s", address, wrong);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                         "write https://HOST[:PORT][/PATH]; http is for a service on this machine, or with "
                         "--insecure-http");
}

/* ---- The answer ---- */

struct received {
    size_t size;
    char *text; /* MOST_ANSWER + 1 bytes */
    bool too_long;
};

static size_t on_data(char *data, size_t one, size_t count, void *context) {
    struct received *received = context;
    const size_t size = one * count;
    received->too_long = size > MOST_ANSWER - received->size;
    if (received->too_long)
        return 0; /* ends the transfer */
    memcpy(received->text + received->size, data, size);
    received->size += size;
    return size;
}

/* "503: the storage is full", from {"error":"..."}. */
static void summarize(struct gnomon_service_answer *answer) {
    const char *said = json_string_value(json_object_get(answer->json, "error"));
    snprintf(answer->summary, sizeof answer->summary, "%ld%s%s", answer->status, said ? ": " : "", said ? said : "");
    for (char *at = answer->summary; *at; at++)
        if ((unsigned char)*at < 0x20 || (unsigned char)*at > 0x7E)
            *at = '?';
}

static enum gnomon_status take(CURL *curl, CURLcode result, const struct received *received, const char *why,
                               const struct gnomon_service *service, struct gnomon_service_answer *answer,
                               struct gnomon_error *error) {
    curl_off_t wait = 0;
    if (received->too_long)
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s: its answer is longer than %zu bytes", service->address,
                           MOST_ANSWER);
    if (result)
        return gnomon_fail(error, GNOMON_ERR_DISCONNECTED, "%s: %s", service->address,
                           *why ? why : curl_easy_strerror(result));
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer->status);
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &wait);
    answer->wait_s = (uint64_t)(wait < 0 ? 0 : wait > MOST_WAIT_S ? MOST_WAIT_S : wait);
    answer->json = json_loadb(received->text, received->size, 0, NULL);
    summarize(answer);
    return GNOMON_OK;
}

/* ---- The request ---- */

static struct curl_slist *headers_of(const struct gnomon_service *service, const struct gnomon_service_body *body) {
    char line[4200];
    struct curl_slist *list, *longer;
    snprintf(line, sizeof line, "Authorization: Bearer %s", service->token);
    list = curl_slist_append(NULL, line);
    if (!list || !body)
        return list;
    snprintf(line, sizeof line, "Submission-Id: %s", body->id);
    const char *const more[] = {line, "Content-Type: application/vnd.gnomon.gnp", "Expect:"};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        if (!(longer = curl_slist_append(list, more[i]))) {
            curl_slist_free_all(list);
            return NULL;
        }
        list = longer;
    }
    return list;
}

static bool set_up(CURL *curl, const struct gnomon_service *service, const char *url, struct curl_slist *headers,
                   const struct gnomon_service_body *body, struct received *received, char *why) {
    const bool plain = !strncmp(url, "http:", 5);
    bool good =
        !curl_easy_setopt(curl, CURLOPT_URL, url) && !curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers) &&
        !curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, plain ? "http" : "https") &&
        !curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) && !curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) &&
        !curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_S) &&
        !curl_easy_setopt(curl, CURLOPT_TIMEOUT, ANSWER_S) && !curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L) &&
        !curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, SILENCE_S) &&
        !curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L) && !curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L) &&
        !curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why) && !curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_data) &&
        !curl_easy_setopt(curl, CURLOPT_WRITEDATA, received);
    if (plain) /* the token is for this machine, or for the way that the user has allowed */
        good = good && !curl_easy_setopt(curl, CURLOPT_PROXY, "");
    if (service->ca)
        good = good && !curl_easy_setopt(curl, CURLOPT_CAINFO, service->ca);
    if (body)
        good = good && !curl_easy_setopt(curl, CURLOPT_POST, 1L) &&
               !curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body->size) &&
               !curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body->data);
    return good;
}

enum gnomon_status gnomon_service_ask(const struct gnomon_service *service, const char *path,
                                      const struct gnomon_service_body *body, struct gnomon_service_answer *answer,
                                      struct gnomon_error *error) {
    char why[CURL_ERROR_SIZE] = "", *url = NULL;
    struct received received = {.text = malloc(MOST_ANSWER + 1)};
    size_t length = strlen(service->address);
    *answer = (struct gnomon_service_answer){0};
    while (length && service->address[length - 1] == '/')
        length--;
    if (asprintf(&url, "%.*s%s", (int)length, service->address, path) < 0)
        url = NULL;
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = headers_of(service, body);
    enum gnomon_status status;
    if (!curl || !headers || !url || !received.text || !set_up(curl, service, url, headers, body, &received, why)) {
        status = gnomon_fail_memory(error);
    } else {
        const CURLcode result = curl_easy_perform(curl);
        status = take(curl, result, &received, why, service, answer, error);
    }
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    free(url);
    free(received.text);
    return status;
}

void gnomon_service_answer_free(struct gnomon_service_answer *answer) {
    json_decref(answer->json);
    *answer = (struct gnomon_service_answer){0};
}
