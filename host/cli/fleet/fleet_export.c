/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon fleet export. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli/fleet/fleet.h"
#include "lib/fleet/api_file.h"
#include "lib/store/fleet_store.h"

static enum gnomon_status export(const struct cli_context *context, uint64_t *sequence, struct gnomon_error *error) {
    const struct fleet_values *values = context->values;
    const struct gnomon_fleet_wanted wanted = {.since = values->since,
                                               .program = values->program,
                                               .build = values->build,
                                               .scenario = values->scenario,
                                               .device = values->device,
                                               .cost = values->cost,
                                               .function = values->function};
    struct gnomon_fleet_store *store = NULL;
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    enum gnomon_status status = profile ? gnomon_fleet_store_open(&store, values->database, (unsigned)values->shards,
                                                                  false, error)
                                        : gnomon_fail_memory(error);
    if (!status) status = gnomon_fleet_store_read(store, &wanted, profile, sequence, error);
    if (!status) status = gnomon_api_file_save(profile, context->output, error);
    gnomon_api_profile_free(profile);
    gnomon_fleet_store_close(store);
    return status;
}

int fleet_export(struct cli_context *context) {
    struct gnomon_error error;
    uint64_t sequence;
    if (!context->output)
        return cli_usage(context, "export needs -o FILE");
    if (!strcmp(context->output, "-") && isatty(STDOUT_FILENO))
        return cli_usage(context, "an API profile is binary, and standard output is a terminal: give -o FILE");
    if (export(context, &sequence, &error))
        return cli_error(context, &error);
    if (strcmp(context->output, "-") != 0)
        cli_note(context, "wrote %s, of sequence number %" PRIu64, context->output, sequence);
    return CLI_OK;
}
