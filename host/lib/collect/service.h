/* SPDX-License-Identifier: Apache-2.0 */
/* One request to a fleet's service over HTTP, and its answer (docs/guide/collect.md). Certificates are checked,
 * redirects are not followed, and time and size are limited. */
#ifndef GNOMON_LIB_COLLECT_SERVICE_H
#define GNOMON_LIB_COLLECT_SERVICE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

struct gnomon_service {
    const char *address, *token;
    const char *ca; /* file with certificates of authorities; NULL: those of this machine */
};

/* Is it "https://HOST[:PORT][/PATH]"? http only on this machine, or with `insecure`. */
enum gnomon_status gnomon_service_check(const char *address, bool insecure, struct gnomon_error *error);

/* What is sent; without one it is a GET. */
struct gnomon_service_body {
    const char *id; /* of the submission */
    const void *data;
    size_t size;
};

struct gnomon_service_answer {
    long status;       /* of HTTP */
    uint64_t wait_s;   /* Retry-After; 0: none */
    json_t *json;      /* the answer's text, if it is JSON; NULL: it is not. Owned */
    char summary[240]; /* for people: "201", "400: ...", without control characters */
};

/* An answer of any status is GNOMON_OK; other statuses mean that there was none. The caller frees `answer`, whatever
 * the status is. */
enum gnomon_status gnomon_service_ask(const struct gnomon_service *service, const char *path,
                                      const struct gnomon_service_body *body, struct gnomon_service_answer *answer,
                                      struct gnomon_error *error);
void gnomon_service_answer_free(struct gnomon_service_answer *answer);

#endif
