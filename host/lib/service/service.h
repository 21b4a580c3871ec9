/* SPDX-License-Identifier: Apache-2.0 */
/* The service of a fleet: collectors submit API profiles over HTTP, and it publishes the sum (docs/guide/fleet.md). */
#ifndef GNOMON_LIB_SERVICE_H
#define GNOMON_LIB_SERVICE_H

#include "lib/http/http.h"
#include "lib/service/limits.h"

struct gnomon_fleet_settings {
    const char *where;        /* for gnomon_listen */
    const char *const *hosts; /* further names of this machine */
    size_t host_count;
    const char *database; /* for gnomon_fleet_store_open */
    unsigned shards;
    const char *tokens;      /* file; NULL: everyone on this machine may submit */
    bool private;            /* reading needs a token, too */
    unsigned retention_days; /* 0: nothing is deleted */
    struct gnomon_fleet_limits limits;
    struct gnomon_fleet_policy policy;
};

struct gnomon_fleet_service;

/* Starts to serve. Without tokens it listens only to this machine. The settings' texts stay until the caller closes
 * *service. */
enum gnomon_status gnomon_fleet_service_open(struct gnomon_fleet_service **service,
                                             const struct gnomon_fleet_settings *settings, struct gnomon_error *error);
/* Ends the requests that run, and stores what was accepted; may be NULL. */
void gnomon_fleet_service_close(struct gnomon_fleet_service *service);
const struct gnomon_listener *gnomon_fleet_service_listener(const struct gnomon_fleet_service *service);

#endif
