/* SPDX-License-Identifier: Apache-2.0 */
/* /v1/compare: the permutation test of two builds, of what the store has of them. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "lib/fleet/api_verdict_json.h"
#include "lib/service/service_internal.h"
#include "lib/util/json_text.h"

static const char *const compare_keys[] = {"old", "new", "program", "scenario", "device", NULL};

static bool read_query(const struct gnomon_http_request *request, struct gnomon_fleet_wanted wanted[2],
                       struct gnomon_http_reply *reply) {
    const char *unknown = gnomon_http_unknown(request, compare_keys);
    for (int i = 0; i < 2; i++)
        wanted[i] = (struct gnomon_fleet_wanted){.program = gnomon_http_query(request, "program"),
                                                 .build = gnomon_http_query(request, i ? "old" : "new"),
                                                 .scenario = gnomon_http_query(request, "scenario"),
                                                 .device = gnomon_http_query(request, "device")};
    if (unknown)
        gnomon_http_fail(reply, 400, "/openapi.yaml says what there is", "there is no parameter %s", unknown);
    else if (!wanted[0].build || !*wanted[0].build || !wanted[1].build || !*wanted[1].build)
        gnomon_http_fail(reply, 400, "give old and new: the first digits of build ids", "two builds are needed");
    else
        return true;
    return false;
}

static enum gnomon_status read_builds(struct gnomon_fleet_service *service, const struct gnomon_fleet_wanted wanted[2],
                                      struct gnomon_api_profile *const builds[2], struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    uint64_t sequence;
    pthread_mutex_lock(&service->reading);
    for (int i = 0; i < 2 && !status; i++)
        status = gnomon_fleet_store_read(service->reader, &wanted[i], builds[i], &sequence, error);
    pthread_mutex_unlock(&service->reading);
    return status;
}

static bool is_closing(void *context) {
    struct gnomon_fleet_service *service = context;
    return atomic_load(&service->closing);
}

/* False: `reply` says which of them is not as it must be. */
static bool may_compare(const struct gnomon_fleet_service *service, const struct gnomon_fleet_wanted wanted[2],
                        struct gnomon_api_profile *const builds[2], struct gnomon_http_reply *reply) {
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        struct gnomon_api_row **rows = gnomon_api_profile_rows(builds[i], &count);
        free(rows);
        if (!rows) {
            service_unavailable(reply, 503, 60, "out of memory");
        } else if (!count) {
            gnomon_http_fail(reply, 404, "/v1/profile has the builds that there are", "there is no build %s",
                             wanted[i].build);
        } else if (count > service->settings.limits.compare) {
            gnomon_http_fail(reply, 413, "choose a program, scenario or device; or use gnomon check --against",
                             "build %s has %zu rows, and at most %" PRIu64 " are compared", wanted[i].build, count,
                             service->settings.limits.compare);
        } else {
            continue;
        }
        return false;
    }
    return true;
}

static void compare(struct gnomon_fleet_service *service, const struct gnomon_fleet_wanted wanted[2],
                    struct gnomon_api_profile *const builds[2], struct gnomon_http_reply *reply) {
    const struct gnomon_api_rule rule = {.level = GNOMON_API_LEVEL, .stop = is_closing, .context = service};
    struct gnomon_error error;
    const enum gnomon_status status = read_builds(service, wanted, builds, &error);
    if (status) {
        service_fail(service, reply, status, &error);
    } else if (may_compare(service, wanted, builds, reply)) {
        service_reply_json(reply, 200,
                           gnomon_json_dump(gnomon_api_compare_json(builds[0], builds[1], &rule, false), JSON_COMPACT));
    }
}

/* One at a time: a comparison can take a minute of a processor. */
void service_compare(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                     struct gnomon_http_reply *reply) {
    struct gnomon_fleet_wanted wanted[2];
    if (!read_query(request, wanted, reply))
        return;
    if (pthread_mutex_trylock(&service->comparing)) {
        service_unavailable(reply, 503, 10, "another comparison runs");
        return;
    }
    struct gnomon_api_profile *builds[2] = {gnomon_api_profile_new(), gnomon_api_profile_new()};
    if (builds[0] && builds[1])
        compare(service, wanted, builds, reply);
    else
        service_unavailable(reply, 503, 60, "out of memory");
    gnomon_api_profile_free(builds[0]);
    gnomon_api_profile_free(builds[1]);
    pthread_mutex_unlock(&service->comparing);
}
