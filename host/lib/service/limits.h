/* SPDX-License-Identifier: Apache-2.0 */
/* What a fleet's service takes at most, and what it asks of its collectors. */
#ifndef GNOMON_LIB_SERVICE_LIMITS_H
#define GNOMON_LIB_SERVICE_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/fleet/api_profile.h"
#include "lib/fleet/cost_names.h"
#include "lib/util/error.h"

/* A value with a name: "rows=1000". */
struct gnomon_fleet_limits {
    uint64_t body;      /* bytes of a submission */
    uint64_t rows;      /* of a submission */
    uint64_t name;      /* bytes of a text */
    uint64_t functions; /* rows of a source in the store */
    uint64_t sources;   /* in the store */
    uint64_t store;     /* rows in the store */
    uint64_t compare;   /* rows of a build that is compared with another one */
    uint64_t rate;      /* submissions a minute of one token */
    uint64_t volume;    /* bytes a minute of one token */
    uint64_t clients;   /* connections at a time */
    uint64_t seconds;   /* that a client may take for its request, and for its answer */
};

struct gnomon_fleet_policy {
    uint64_t binaries, functions, submit_bytes, submit_seconds;
    uint64_t load; /* hundredths */
    struct gnomon_cost_names costs;
};

/* The usual values. */
extern const struct gnomon_fleet_limits gnomon_fleet_usual_limits;
extern const struct gnomon_fleet_policy gnomon_fleet_usual_policy;

/* Sets what "NAME=VALUE" says; of "costs=NAMES" only that they are names. */
enum gnomon_status gnomon_fleet_limits_set(struct gnomon_fleet_limits *limits, const char *text,
                                           struct gnomon_error *error);
enum gnomon_status gnomon_fleet_policy_set(struct gnomon_fleet_policy *policy, const char *text,
                                           struct gnomon_error *error);

/* May this be stored? GNOMON_ERR_TOO_BIG: it has too much; GNOMON_ERR_FORMAT: it has what must not be sent. */
enum gnomon_status gnomon_fleet_check(const struct gnomon_api_profile *profile,
                                      const struct gnomon_fleet_limits *limits, struct gnomon_error *error);

#endif
