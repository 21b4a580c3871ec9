/* SPDX-License-Identifier: Apache-2.0 */
/* What the options choose of a profile. */
#include <fnmatch.h>
#include <string.h>

#include "cli/api/api.h"
#include "lib/fleet/api_facts.h"
#include "lib/fleet/api_view.h"

enum gnomon_status api_open_view(const struct cli_context *context, const char *path, struct gnomon_api_profile **view,
                                 char **facts, struct gnomon_error *error) {
    const struct api_values *values = context->values;
    const struct gnomon_api_filter filter = {.scenario = values->scenario,
                                             .device = values->devices.count ? values->devices.items[0] : NULL,
                                             .build = values->build};
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    bool is_profile = true;
    enum gnomon_status status =
        profile ? gnomon_api_file_add(profile, path, &is_profile, error) : gnomon_fail_memory(error);
    if (!status && !is_profile) {
        gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is no API profile", path);
        status =
            gnomon_remedy(error, GNOMON_ERR_FORMAT, "gnomon merge -o PROFILE.gnp %s makes one of a recording", path);
    }
    *view = status ? NULL : gnomon_api_view(profile, &filter);
    *facts = status ? NULL : gnomon_api_facts(profile);
    gnomon_api_profile_free(profile);
    return !status && (!*view || !*facts) ? gnomon_fail_memory(error) : status;
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
