/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/api_view.h"

#include <stdlib.h>
#include <string.h>

bool gnomon_api_passes(const struct gnomon_api_filter *filter, const struct gnomon_api_source *source) {
    return (!filter->scenario || !strcmp(filter->scenario, source->scenario)) &&
           (!filter->size || filter->size == source->size) &&
           (!filter->device || !strcmp(filter->device, source->device)) &&
           (!filter->build || !strncmp(filter->build, source->build, strlen(filter->build)));
}

/* NULL: out of memory. */
static struct gnomon_api_source *source_for(struct gnomon_api_profile *view, const struct gnomon_api_source *source) {
    const struct gnomon_api_source wanted = {
        .program = source->program, .build = source->build, .scenario = "", .device = ""};
    return gnomon_api_profile_source(view, &wanted);
}

static bool add_sources(struct gnomon_api_profile *view, const struct gnomon_api_profile *profile,
                        const struct gnomon_api_filter *filter) {
    size_t count;
    struct gnomon_api_source **sources = gnomon_api_profile_sources(profile, &count);
    bool good = sources;
    for (size_t i = 0; i < count && good; i++) {
        struct gnomon_api_source *to = gnomon_api_passes(filter, sources[i]) ? source_for(view, sources[i]) : NULL;
        good = to || !gnomon_api_passes(filter, sources[i]);
        if (to)
            gnomon_api_source_add(to, sources[i]->runs, sources[i]->cycles);
    }
    free(sources);
    return good;
}

static bool add_row(struct gnomon_api_profile *view, const struct gnomon_api_row *from) {
    struct gnomon_api_row wanted = *from;
    wanted.source = source_for(view, from->source);
    struct gnomon_api_row *row = wanted.source ? gnomon_api_profile_row(view, &wanted) : NULL;
    return row && gnomon_api_row_join(row, from);
}

struct gnomon_api_profile *gnomon_api_view(const struct gnomon_api_profile *profile,
                                           const struct gnomon_api_filter *filter) {
    size_t count;
    struct gnomon_api_profile *view = gnomon_api_profile_new();
    struct gnomon_api_row **rows = gnomon_api_profile_rows(profile, &count);
    bool good = view && rows && add_sources(view, profile, filter);
    for (size_t i = 0; i < count && good; i++)
        good = !gnomon_api_passes(filter, rows[i]->source) || add_row(view, rows[i]);
    free(rows);
    if (good)
        return view;
    gnomon_api_profile_free(view);
    return NULL;
}
