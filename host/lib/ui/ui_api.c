/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/ui/ui_api.h"

#include "lib/fleet/api_file.h"
#include "lib/fleet/api_json.h"
#include "lib/fleet/api_verdict_json.h"
#include "lib/ui/ui_internal.h"
#include "lib/util/file.h"
#include "lib/util/json_text.h"

/* ---- Reading ---- */

static enum gnomon_status read_profile(struct gnomon_api_profile **profile, const char *path,
                                       struct gnomon_error *error) {
    *profile = gnomon_api_profile_new();
    return *profile ? gnomon_api_file_need(*profile, path, error) : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_ui_api_read(struct gnomon_ui_api *api, struct gnomon_error *error) {
    const struct gnomon_api_rule rule = {.level = GNOMON_API_LEVEL};
    enum gnomon_status status = read_profile(&api->profile, api->path, error);
    if (status || !api->other)
        return status;
    status = read_profile(&api->before, api->other, error);
    if (!status) {
        api->verdicts = gnomon_api_compare_json(api->profile, api->before, &rule, api->raw_names);
        status = api->verdicts ? GNOMON_OK : gnomon_fail_memory(error);
    }
    return status;
}

void gnomon_ui_api_close(struct gnomon_ui_api *api) {
    gnomon_api_profile_free(api->profile);
    gnomon_api_profile_free(api->before);
    json_decref(api->verdicts);
}

/* ---- Writing ---- */

static json_t *name_of(const char *path) {
    return gnomon_json_text(path ? gnomon_basename(path) : NULL);
}

enum gnomon_status gnomon_ui_api_write_summary(const struct gnomon_ui_api *api, FILE *stream,
                                               struct gnomon_error *error) {
    json_t *summary =
        json_pack("{s:s, s:o, s:o}", "kind", "api", "profile", name_of(api->path), "before", name_of(api->other));
    return ui_put(stream, "summary", summary) ? GNOMON_OK : gnomon_fail_memory(error);
}

static bool put_profile(const struct gnomon_ui_api *api, const struct gnomon_api_profile *profile, const char *name,
                        FILE *stream) {
    ui_begin(stream, name);
    const bool good = gnomon_api_json(profile, api->raw_names, stream);
    ui_end(stream);
    return good;
}

enum gnomon_status gnomon_ui_api_write(const struct gnomon_ui_api *api, FILE *stream, struct gnomon_error *error) {
    bool good = put_profile(api, api->profile, "api", stream);
    if (api->before)
        good = good && put_profile(api, api->before, "api-before", stream) &&
               ui_put(stream, "verdicts", json_incref(api->verdicts));
    if (api->with_source)
        good = good && ui_put_excerpts(api->profile, stream);
    return good ? GNOMON_OK : gnomon_fail_memory(error);
}
