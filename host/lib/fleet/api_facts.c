/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/api_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/fleet/api_view.h"
#include "lib/fleet/saturate.h"
#include "lib/util/digits.h"

const char *gnomon_api_doubt_text(unsigned doubt, bool saturated) {
    return saturated                   ? "some sums too large: at least"
           : doubt & GNOMON_API_LOSS   ? "not exact: events were lost"
           : doubt & GNOMON_API_DEEP   ? "bytes of outer functions too small: some stacks have 64 calls or more"
           : doubt & GNOMON_API_COUNTS ? "sums of some runs not known"
           : doubt & GNOMON_API_UNSEEN ? "counted exactly, except calls that did not end"
                                       : "counted exactly";
}

/* The sources have this text in common, or that many different ones. */
struct common {
    const char *text;
    size_t count;
};

static int compare_pointers(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static struct common common_of(struct gnomon_api_source *const *sources, size_t count, size_t member) {
    struct common common = {0};
    const char **texts = malloc((count + 1) * sizeof *texts);
    for (size_t i = 0; texts && i < count; i++)
        texts[i] = *(const char *const *)((const char *)sources[i] + member);
    if (texts)
        qsort(texts, count, sizeof *texts, compare_pointers);
    for (size_t i = 0; texts && i < count; i++)
        common.count += i == 0 || strcmp(texts[i], texts[i - 1]) != 0;
    common.text = common.count == 1 ? texts[0] : NULL;
    free(texts);
    return common;
}

/* The line may go to a terminal: no control characters. */
static void put_clean(FILE *stream, const char *text) {
    for (; *text; text++)
        fputc((unsigned char)*text < 0x20 || *text == 0x7F ? '?' : *text, stream);
}

/* `before` and the text, or how many. */
static void put_common(FILE *stream, const char *before, struct common common, const char *before_many,
                       const char *many) {
    if (common.text && *common.text) {
        fputs(before, stream);
        put_clean(stream, common.text);
    } else if (common.count > 1) {
        fprintf(stream, "%s%zu %s", before_many, common.count, many);
    }
}

/* ", size 10" or ", sizes 10 to 1,000"; nothing if none is said. */
static void put_sizes(FILE *stream, struct gnomon_api_source *const *sources, size_t count) {
    uint64_t least = UINT64_MAX, most = 0;
    char from[GNOMON_DIGITS_BYTES], to[GNOMON_DIGITS_BYTES];
    for (size_t i = 0; i < count; i++)
        if (sources[i]->size) {
            least = sources[i]->size < least ? sources[i]->size : least;
            most = sources[i]->size > most ? sources[i]->size : most;
        }
    if (most)
        fprintf(stream, least == most ? ", size %s" : ", sizes %s to %s", gnomon_digits(from, least),
                gnomon_digits(to, most));
}

/* Of each program and build. */
static size_t count_functions(const struct gnomon_api_profile *profile) {
    const struct gnomon_api_filter all = {0};
    struct gnomon_api_profile *view = gnomon_api_view(profile, &all);
    size_t count = 0, functions = 0;
    struct gnomon_api_row **rows = view ? gnomon_api_profile_rows(view, &count) : NULL;
    const struct gnomon_api_row *last = NULL;
    for (size_t i = 0; rows && i < count; i++) {
        if (gnomon_api_of_runs(rows[i]->cost)) /* also of what is no function */
            continue;
        functions += !last || rows[i]->function != last->function || rows[i]->file != last->file ||
                     rows[i]->module != last->module || rows[i]->source != last->source;
        last = rows[i];
    }
    free(rows);
    gnomon_api_profile_free(view);
    return functions;
}

static void put_facts(FILE *stream, struct gnomon_api_source *const *sources, size_t source_count,
                      struct gnomon_api_row *const *rows, size_t row_count, size_t functions) {
    uint64_t runs = 0;
    unsigned doubt = 0;
    bool saturated = false;
    char count[GNOMON_DIGITS_BYTES];
    for (size_t i = 0; i < source_count; i++)
        runs = gnomon_saturate_add(runs, sources[i]->runs);
    for (size_t i = 0; i < row_count; i++) {
        doubt |= rows[i]->doubt;
        saturated |= gnomon_api_row_saturated(rows[i]);
    }
    fprintf(stream, "%s%s run%s", runs == UINT64_MAX ? ">=" : "", gnomon_digits(count, runs), runs == 1 ? "" : "s");
    put_common(stream, " of ", common_of(sources, source_count, offsetof(struct gnomon_api_source, program)), " of ",
               "programs");
    put_common(stream, " on ", common_of(sources, source_count, offsetof(struct gnomon_api_source, device)), " on ",
               "devices");
    const struct common builds = common_of(sources, source_count, offsetof(struct gnomon_api_source, build));
    if (builds.count > 1)
        put_common(stream, ", ", builds, ", ", "builds");
    put_common(stream, ", scenario ", common_of(sources, source_count, offsetof(struct gnomon_api_source, scenario)),
               ", ", "scenarios");
    put_sizes(stream, sources, source_count);
    fprintf(stream, ", %s function%s, %s", gnomon_digits(count, functions), functions == 1 ? "" : "s",
            gnomon_api_doubt_text(doubt, saturated));
}

char *gnomon_api_facts(const struct gnomon_api_profile *profile) {
    size_t source_count, row_count, size;
    char *text = NULL;
    struct gnomon_api_source **sources = gnomon_api_profile_sources(profile, &source_count);
    struct gnomon_api_row **rows = gnomon_api_profile_rows(profile, &row_count);
    FILE *stream = sources && rows ? open_memstream(&text, &size) : NULL;
    if (stream) {
        put_facts(stream, sources, source_count, rows, row_count, count_functions(profile));
        fclose(stream);
    }
    free(sources);
    free(rows);
    return text;
}
