/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/service/limits.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/fleet/api_redact.h"

const struct gnomon_fleet_limits gnomon_fleet_usual_limits = {
    .body = 4 << 20,
    .rows = 16384,
    .name = 1024,
    .functions = 65536,
    .sources = 65536,
    .store = 4 << 20,
    .compare = 2000,
    .rate = 60,
    .volume = 32 << 20,
    .clients = 512,
    .seconds = 30,
};

const struct gnomon_fleet_policy gnomon_fleet_usual_policy = {
    .binaries = 6,
    .functions = 32,
    .submit_bytes = 131072,
    .submit_seconds = 86400,
    .load = 70,
    .costs = {1, {GNOMON_API_CYCLES}},
};

/* ---- NAME=VALUE ---- */

struct value {
    const char *name;
    size_t offset;
    uint64_t most;
};

#define LIMIT(name, most)                                                                                              \
    { #name, offsetof(struct gnomon_fleet_limits, name), most }
static const struct value limit_values[] = {
    LIMIT(body, 1 << 30),         LIMIT(rows, 1 << 24),       LIMIT(name, 65536),
    LIMIT(functions, UINT32_MAX), LIMIT(sources, UINT32_MAX), LIMIT(store, UINT64_C(1) << 40),
    LIMIT(compare, UINT32_MAX),   LIMIT(rate, UINT32_MAX),    LIMIT(volume, UINT64_C(1) << 40),
    LIMIT(clients, 16384),        LIMIT(seconds, 3600),       {NULL, 0, 0},
};

#define POLICY(name, most)                                                                                             \
    { #name, offsetof(struct gnomon_fleet_policy, name), most }
static const struct value policy_values[] = {
    POLICY(binaries, 1000),           POLICY(functions, 65536), POLICY(submit_bytes, 1 << 30),
    POLICY(submit_seconds, 31536000), POLICY(load, 10000),      {NULL, 0, 0},
};

static enum gnomon_status set(const struct value *values, void *to, const char *text, struct gnomon_error *error) {
    const char *sign = strchr(text, '=');
    const size_t length = sign ? (size_t)(sign - text) : strlen(text);
    while (values->name && (strlen(values->name) != length || memcmp(values->name, text, length) != 0))
        values++;
    if (!values->name)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "there is no value %.*s", (int)length, text);
    char *end = NULL;
    const uint64_t value = sign ? strtoull(sign + 1, &end, 10) : 0;
    if (!sign || sign[1] < '0' || sign[1] > '9' || *end || value > values->most)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s is not %s=N with N from 0 to %" PRIu64, text, values->name,
                           values->most);
    memcpy((char *)to + values->offset, &value, sizeof value);
    return GNOMON_OK;
}

enum gnomon_status gnomon_fleet_limits_set(struct gnomon_fleet_limits *limits, const char *text,
                                           struct gnomon_error *error) {
    return set(limit_values, limits, text, error);
}

enum gnomon_status gnomon_fleet_policy_set(struct gnomon_fleet_policy *policy, const char *text,
                                           struct gnomon_error *error) {
    static const char costs[] = "costs=";
    if (!strncmp(text, costs, sizeof costs - 1))
        return gnomon_cost_names_parse(&policy->costs, text + sizeof costs - 1, error);
    return set(policy_values, policy, text, error);
}

/* ---- Submissions ---- */

struct checking {
    const struct gnomon_fleet_limits *limits;
    struct gnomon_error *error;
};

static enum gnomon_status check_sizes(const struct checking *checking, const char *const *texts, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strlen(texts[i]) > checking->limits->name) {
            gnomon_fail(checking->error, GNOMON_ERR_TOO_BIG, "a name in the submission has %zu bytes",
                        strlen(texts[i]));
            return gnomon_remedy(checking->error, GNOMON_ERR_TOO_BIG, "at most %" PRIu64 " bytes are stored",
                                 checking->limits->name);
        }
    return GNOMON_OK;
}

static enum gnomon_status check_source(const struct checking *checking, const struct gnomon_api_source *source) {
    const char *const texts[] = {source->program, source->build, source->scenario, source->device};
    return check_sizes(checking, texts, sizeof texts / sizeof *texts);
}

static enum gnomon_status check_row(const struct checking *checking, const struct gnomon_api_row *row) {
    const char *const texts[] = {row->module, row->build, row->function, row->file, row->cost};
    return check_sizes(checking, texts, sizeof texts / sizeof *texts);
}

static enum gnomon_status check_all(const struct checking *checking, struct gnomon_api_source **sources,
                                    size_t source_count, struct gnomon_api_row **rows, size_t row_count) {
    if (!sources || !rows)
        return gnomon_fail_memory(checking->error);
    if (row_count > checking->limits->rows || source_count > checking->limits->rows) {
        gnomon_fail(checking->error, GNOMON_ERR_TOO_BIG, "the submission has %zu rows and %zu sources", row_count,
                    source_count);
        return gnomon_remedy(checking->error, GNOMON_ERR_TOO_BIG, "send at most %" PRIu64 " at one time",
                             checking->limits->rows);
    }
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < source_count && !status; i++)
        status = check_source(checking, sources[i]);
    for (size_t i = 0; i < row_count && !status; i++)
        status = check_row(checking, rows[i]);
    return status;
}

enum gnomon_status gnomon_fleet_check(const struct gnomon_api_profile *profile,
                                      const struct gnomon_fleet_limits *limits, struct gnomon_error *error) {
    const struct checking checking = {limits, error};
    size_t source_count, row_count;
    struct gnomon_api_source **sources = gnomon_api_profile_sources(profile, &source_count);
    struct gnomon_api_row **rows = gnomon_api_profile_rows(profile, &row_count);
    const enum gnomon_status status = check_all(&checking, sources, source_count, rows, row_count);
    free(sources);
    free(rows);
    return status ? status : gnomon_api_redact_check(profile, error);
}
