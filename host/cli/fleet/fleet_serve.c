/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon fleet serve. */
#include <poll.h>
#include <string.h>

#include "cli/fleet/fleet.h"
#include "cli/interrupt.h"
#include "lib/device/event_clock.h"
#include "lib/service/service.h"

#define LISTEN "127.0.0.1:7878"
#define LEAST_RETENTION 30 /* days: a collector may send a submission again for so long */
#define LOOK_MS 200

/* Collectors leave out what they do not know: a wrong name would never be said. */
static enum gnomon_status check_costs(const struct gnomon_cost_names *costs, struct gnomon_error *error) {
    const struct gnomon_pmu_event *event;
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < costs->count && !status; i++)
        if (strcmp(costs->names[i], GNOMON_API_BYTES) != 0)
            status = gnomon_event_clock_parse(costs->names[i], &event, error);
    return status;
}

static enum gnomon_status set_all(const struct fleet_values *values, struct gnomon_fleet_settings *settings,
                                  struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < values->limits.count && !status; i++)
        status = gnomon_fleet_limits_set(&settings->limits, values->limits.items[i], error);
    for (size_t i = 0; i < values->policy.count && !status; i++)
        status = gnomon_fleet_policy_set(&settings->policy, values->policy.items[i], error);
    return status ? status : check_costs(&settings->policy.costs, error);
}

static void say(void *context, const struct gnomon_error *error) {
    cli_warn(context, "%s", error->what);
}

int fleet_serve(struct cli_context *context) {
    const struct fleet_values *values = context->values;
    struct gnomon_fleet_service *service;
    struct gnomon_error error;
    struct gnomon_fleet_settings settings = {.where = values->listen ? values->listen : LISTEN,
                                             .hosts = values->hosts.items,
                                             .host_count = values->hosts.count,
                                             .database = values->database,
                                             .shards = (unsigned)values->shards,
                                             .tokens = values->tokens,
                                             .private = values->private,
                                             .retention_days = (unsigned)values->retention,
                                             .limits = gnomon_fleet_usual_limits,
                                             .policy = gnomon_fleet_usual_policy,
                                             .note = say,
                                             .context = context};
    if (set_all(values, &settings, &error))
        return cli_usage(context, "%s", error.what);
    if (values->retention && (values->retention < LEAST_RETENTION || values->retention > 100000))
        return cli_usage(context, "--retention takes %d days or more", LEAST_RETENTION);
    cli_watch_interrupts(false);
    if (gnomon_fleet_service_open(&service, &settings, &error))
        return cli_error(context, &error);
    printf("the fleet's service is at http://%s/ until Ctrl-C\n", gnomon_fleet_service_listener(service)->address);
    fflush(stdout);
    while (!cli_interrupted())
        poll(NULL, 0, LOOK_MS);
    gnomon_fleet_service_close(service);
    return CLI_OK;
}
