/* SPDX-License-Identifier: Apache-2.0 */
/* POST /v1/submissions */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/fleet/api_file.h"
#include "lib/service/service_internal.h"
#include "lib/util/clock.h"

enum { ID_DIGITS = 32, STORED = 201, BAD_REQUEST = 400, NO_LENGTH = 411, TOO_OFTEN = 429 };

/* Lower-case hexadecimal digits, so that an id has one form. */
static bool read_id(const char *text, int64_t id[2]) {
    static const char digits[] = "0123456789abcdef";
    uint64_t halves[2] = {0};
    if (!text || strlen(text) != ID_DIGITS)
        return false;
    for (unsigned i = 0; i < ID_DIGITS; i++) {
        const char *digit = strchr(digits, text[i]);
        if (!digit)
            return false;
        halves[i / 16] = halves[i / 16] << 4 | (uint64_t)(digit - digits);
    }
    id[0] = (int64_t)halves[0];
    id[1] = (int64_t)halves[1];
    return true;
}

bool service_admit_submission(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                              struct gnomon_http_reply *reply) {
    const char *length = gnomon_http_header(request, "Content-Length");
    int64_t id[2], token;
    if (!length) {
        gnomon_http_fail(reply, NO_LENGTH, "send Content-Length", "the request does not say how long its body is");
        return false;
    }
    if (!read_id(gnomon_http_header(request, "Submission-Id"), id)) {
        gnomon_http_fail(reply, BAD_REQUEST, "send \"Submission-Id: \" and 32 hexadecimal digits in lower case",
                         "the request has no id");
        return false;
    }
    if (!service_knows(service, request, &token, reply))
        return false;
    const unsigned wait = gnomon_rate_take(service->rate, token, strtoull(length, NULL, 10), gnomon_now_ms());
    if (wait)
        service_unavailable(reply, TOO_OFTEN, wait, "this token has submitted too much in the last minute");
    return !wait;
}

static void wait_for_place(struct gnomon_fleet_service *service) {
    while (sem_wait(&service->unpacking) && errno == EINTR) {
    }
}

/* What the body has, if it may be stored. */
static enum gnomon_status unpack(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                                 struct gnomon_api_profile *profile, struct gnomon_error *error) {
    wait_for_place(service);
    enum gnomon_status status =
        gnomon_api_file_read(profile, request->body, request->body_bytes, "the submission", error);
    if (!status)
        status = gnomon_fleet_check(profile, &service->settings.limits, error);
    sem_post(&service->unpacking);
    return status;
}

static enum gnomon_status store(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                                const struct gnomon_api_profile *profile, int64_t token, bool *stored,
                                struct gnomon_error *error) {
    struct gnomon_fleet_submission submission = {.profile = profile, .token = token};
    read_id(gnomon_http_header(request, "Submission-Id"), submission.id); /* it is one: it was admitted */
    const enum gnomon_status status = gnomon_quota_take(service->quota, profile, error);
    return status ? status : gnomon_writer_store(service->writer, &submission, stored, error);
}

void service_submit(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                    struct gnomon_http_reply *reply) {
    struct gnomon_error error;
    int64_t token;
    if (!service_knows(service, request, &token, reply))
        return;
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    bool stored = false;
    enum gnomon_status status = profile ? unpack(service, request, profile, &error) : gnomon_fail_memory(&error);
    if (!status)
        status = store(service, request, profile, token, &stored, &error);
    gnomon_api_profile_free(profile);
    if (status)
        service_fail(reply, status, &error);
    else
        service_reply_json(reply, stored ? STORED : 200, strdup(stored ? "{\"stored\":true}" : "{\"stored\":false}"));
}
