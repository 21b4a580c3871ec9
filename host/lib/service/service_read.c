/* SPDX-License-Identifier: Apache-2.0 */
/* What the service tells. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/fleet/api_file.h"
#include "lib/fleet/api_json.h"
#include "lib/service/service_internal.h"
#include "lib/util/json_text.h"

/* ---- /v1/profile ---- */

static const char *const profile_keys[] = {"since", "program",  "build",  "scenario", "device",
                                           "cost",  "function", "format", NULL};

/* What the query asks for, and in which form; false: `reply` says what is wrong with it. */
static bool read_query(const struct gnomon_http_request *request, struct gnomon_fleet_wanted *wanted, bool *json,
                       struct gnomon_http_reply *reply) {
    const char *format = gnomon_http_query(request, "format");
    const char *since = gnomon_http_query(request, "since"), *unknown = gnomon_http_unknown(request, profile_keys);
    char *end = NULL;
    *wanted = (struct gnomon_fleet_wanted){.program = gnomon_http_query(request, "program"),
                                           .build = gnomon_http_query(request, "build"),
                                           .scenario = gnomon_http_query(request, "scenario"),
                                           .device = gnomon_http_query(request, "device"),
                                           .cost = gnomon_http_query(request, "cost"),
                                           .function = gnomon_http_query(request, "function")};
    if (unknown) {
        gnomon_http_fail(reply, 400, "/openapi.yaml says what there is", "there is no parameter %s", unknown);
        return false;
    }
    *json = format && !strcmp(format, "json");
    if (format && !*json && strcmp(format, "gnp") != 0) {
        gnomon_http_fail(reply, 400, "format is gnp or json", "no profile has this format");
        return false;
    }
    wanted->since = since ? strtoull(since, &end, 10) : 0;
    if (since && (*since < '0' || *since > '9' || *end || wanted->since > INT64_MAX)) {
        gnomon_http_fail(reply, 400, "give the number that Gnomon-Sequence said", "since is no sequence number");
        return false;
    }
    return true;
}

static enum gnomon_status write_json(const struct gnomon_api_profile *profile, char **text, size_t *size,
                                     struct gnomon_error *error) {
    FILE *stream = open_memstream(text, size);
    bool good = stream && gnomon_api_json(profile, false, stream);
    if (stream && fclose(stream))
        good = false;
    return good ? GNOMON_OK : gnomon_fail_memory(error);
}

static enum gnomon_status write_reply(const struct gnomon_api_profile *profile, bool json,
                                      struct gnomon_http_reply *reply, struct gnomon_error *error) {
    char *text = NULL;
    uint8_t *data = NULL;
    size_t size = 0;
    const enum gnomon_status status =
        json ? write_json(profile, &text, &size, error) : gnomon_api_file_write(profile, &data, &size, error);
    if (status) {
        free(text);
        free(data);
        return status;
    }
    reply->type = json ? "application/json" : "application/vnd.gnomon.gnp";
    reply->file = json ? NULL : "fleet.gnp";
    reply->body = json ? (const void *)text : data;
    reply->body_bytes = size;
    reply->owned = true;
    return GNOMON_OK;
}

/* One at a time: a profile takes much memory. */
static enum gnomon_status read_profile(struct gnomon_fleet_service *service, const struct gnomon_fleet_wanted *wanted,
                                       bool json, struct gnomon_http_reply *reply, struct gnomon_error *error) {
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    uint64_t sequence = 0;
    if (!profile)
        return gnomon_fail_memory(error);
    pthread_mutex_lock(&service->reading);
    enum gnomon_status status = gnomon_fleet_store_read(service->reader, wanted, profile, &sequence, error);
    if (!status)
        status = write_reply(profile, json, reply, error);
    pthread_mutex_unlock(&service->reading);
    gnomon_api_profile_free(profile);
    reply->said_name = "Gnomon-Sequence";
    snprintf(reply->said, sizeof reply->said, "%" PRIu64, sequence);
    return status;
}

void service_profile(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                     struct gnomon_http_reply *reply) {
    struct gnomon_fleet_wanted wanted;
    struct gnomon_error error;
    bool json;
    if (!read_query(request, &wanted, &json, reply))
        return;
    const enum gnomon_status status = read_profile(service, &wanted, json, reply, &error);
    if (status)
        service_fail(service, reply, status, &error);
}

/* ---- The rest ---- */

void service_policy(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                    struct gnomon_http_reply *reply) {
    const struct gnomon_fleet_policy *policy = &service->settings.policy;
    (void)request;
    service_reply_json(
        reply, 200,
        gnomon_json_dump(json_pack("{s:I, s:I, s:I, s:I, s:f, s:o}", "binaries", (json_int_t)policy->binaries,
                                   "functions", (json_int_t)policy->functions, "submit_bytes",
                                   (json_int_t)policy->submit_bytes, "submit_seconds",
                                   (json_int_t)policy->submit_seconds, "load", (double)policy->load / 100, "costs",
                                   gnomon_cost_names_json(&policy->costs)),
                         JSON_COMPACT | JSON_REAL_PRECISION(6)));
}

void service_status(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                    struct gnomon_http_reply *reply) {
    struct gnomon_fleet_counts counts;
    struct gnomon_error error;
    (void)request;
    const enum gnomon_status status = gnomon_quota_counts(service->quota, &counts, &error);
    if (status) {
        service_fail(service, reply, status, &error);
        return;
    }
    service_reply_json(
        reply, 200,
        gnomon_json_dump(json_pack("{s:i, s:s, s:i, s:I, s:I}", "version", 1, "storage",
                                   gnomon_sql_is_postgres(service->settings.database) ? "postgresql" : "sqlite",
                                   "shards", (int)service->settings.shards, "submissions",
                                   (json_int_t)counts.submissions, "sequence", (json_int_t)counts.sequence),
                         JSON_COMPACT));
}
