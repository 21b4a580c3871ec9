/* SPDX-License-Identifier: Apache-2.0 */
/* What the options choose of a profile. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "cli/api/api.h"
#include "lib/fleet/api_facts.h"

enum gnomon_status api_open(struct api_opened *opened, const struct cli_context *context, const char *path,
                            struct gnomon_error *error) {
    const struct api_values *values = context->values;
    *opened = (struct api_opened){
        .profile = gnomon_api_profile_new(),
        .filter = {.scenario = values->scenario, .device = values->on, .build = values->build, .size = values->size}};
    const enum gnomon_status status =
        opened->profile ? gnomon_api_file_need(opened->profile, path, error) : gnomon_fail_memory(error);
    if (status)
        return status;
    opened->view = gnomon_api_view(opened->profile, &opened->filter);
    opened->facts = gnomon_api_facts(opened->profile);
    return opened->view && opened->facts ? GNOMON_OK : gnomon_fail_memory(error);
}

void api_close(struct api_opened *opened) {
    gnomon_api_profile_free(opened->profile);
    gnomon_api_profile_free(opened->view);
    free(opened->facts);
}

enum gnomon_status api_nothing_passes(const struct api_opened *opened, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "no row passes these options");
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "the profile has %s", opened->facts);
}

bool api_wants_cost(const struct api_values *values, const char *cost) {
    bool wants = !values->costs.count && !gnomon_api_of_runs(cost);
    for (size_t i = 0; i < values->costs.count && !wants; i++)
        wants = !strcmp(values->costs.items[i], cost);
    return wants;
}

bool api_wants(const struct api_values *values, const char *symbol, const char *name) {
    bool wants = !values->functions.count;
    for (size_t i = 0; i < values->functions.count && !wants; i++)
        wants = !fnmatch(values->functions.items[i], name, 0) || !fnmatch(values->functions.items[i], symbol, 0);
    return wants;
}

int api_by_cost(const struct gnomon_api_row *a, const struct gnomon_api_row *b) {
    const bool first = !strcmp(a->cost, GNOMON_API_CYCLES), second = !strcmp(b->cost, GNOMON_API_CYCLES);
    return first != second ? second - first : strcmp(a->cost, b->cost);
}
