/* SPDX-License-Identifier: Apache-2.0 */
/* What the actions of `gnomon fleet` share. */
#ifndef GNOMON_CLI_FLEET_H
#define GNOMON_CLI_FLEET_H

#include "cli/cli.h"

struct fleet_values {
    const char *listen, *database, *tokens;
    struct cli_list hosts, limits, policy;
    uint64_t shards, retention, since;
    bool private;
    const char *program, *build, *scenario, *device, *cost, *function;
};

#define FLEET_DATABASE "gnomon-fleet.db"

int fleet_serve(struct cli_context *context);
int fleet_export(struct cli_context *context);

#endif
