/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/api_json.h"

#include <stdlib.h>
#include <string.h>

#include "lib/elf/demangle.h"
#include "lib/fleet/api_facts.h"
#include "lib/util/json_text.h"

/* ---- A row ---- */

static json_t *wide(gnomon_uint128 value) {
    char text[40], *at = &text[sizeof text - 1];
    *at = '\0';
    do
        *--at = (char)('0' + (int)(value % 10));
    while (value /= 10);
    return json_string(at);
}

static json_t *buckets_of(const struct gnomon_api_row *row) {
    json_t *list = json_array();
    for (unsigned i = 0; i < GNOMON_BUCKETS; i++) {
        const struct gnomon_bucket *bucket = gnomon_api_row_bucket(row, i);
        if (bucket)
            json_array_append_new(list, json_pack("{s:i, s:o, s:o, s:o}", "log2", (int)i, "count", wide(bucket->calls),
                                                  "sum", wide(bucket->cycles), "squares", wide(bucket->squares)));
    }
    return list;
}

static json_t *doubts_of(unsigned doubt) {
    static const struct {
        enum gnomon_api_doubt bit;
        const char *name;
    } names[] = {
        {GNOMON_API_LOSS, "loss"},
        {GNOMON_API_COUNTS, "counts"},
        {GNOMON_API_UNSEEN, "unseen"},
        {GNOMON_API_DEEP, "deep"},
    };
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (doubt & names[i].bit)
            json_array_append_new(list, json_string(names[i].name));
    return list;
}

json_t *gnomon_api_name_json(const char *symbol, bool raw_names) {
    char *readable = raw_names ? NULL : gnomon_demangle(symbol);
    json_t *json = gnomon_json_text(readable ? readable : symbol);
    free(readable);
    return json;
}

json_t *gnomon_api_row_json(const struct gnomon_api_row *row, bool raw_names) {
    const struct gnomon_bucket sum = gnomon_api_row_sum(row);
    const bool limits = row->least <= row->most, saturated = gnomon_api_row_saturated(row);
    json_t *json =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:b, s:o, s:b, s:o, s:f, s:f}", "function",
                  gnomon_api_name_json(row->function, raw_names), "symbol", gnomon_json_text(row->function), "cost",
                  gnomon_json_text(row->cost), "module", gnomon_json_text(row->module), "module_build",
                  gnomon_json_text(row->build), "file", *row->file ? gnomon_json_text(row->file) : json_null(), "line",
                  (int)row->line, "program", gnomon_json_text(row->source->program), "build",
                  gnomon_json_text(row->source->build), "exact", !row->doubt && !saturated, "doubt",
                  doubts_of(row->doubt), "saturated", saturated, "lost", wide(row->lost), "mean",
                  gnomon_bucket_mean(&sum), "deviation", gnomon_bucket_deviation(&sum));
    json_object_set_new(json, "count", wide(sum.calls));
    json_object_set_new(json, "sum", wide(sum.cycles));
    json_object_set_new(json, "least", limits ? wide(row->least) : json_null());
    json_object_set_new(json, "most", limits ? wide(row->most) : json_null());
    json_object_set_new(json, "buckets", buckets_of(row));
    return json;
}

/* ---- A profile ---- */

json_t *gnomon_api_source_json(const struct gnomon_api_source *source) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "program", gnomon_json_text(source->program), "build",
                     gnomon_json_text(source->build), "scenario", gnomon_json_text(source->scenario), "size",
                     wide(source->size), "device", gnomon_json_text(source->device), "runs", wide(source->runs),
                     "cycles", wide(source->cycles));
}

/* Takes the reference. False: out of memory. A whole profile as one tree would take some 100 bytes for each number. */
static bool put(FILE *stream, json_t *json) {
    char *text = gnomon_json_dump(json, JSON_COMPACT | JSON_ENCODE_ANY);
    const bool good = text;
    if (good)
        fputs(text, stream);
    free(text);
    return good;
}

static bool put_sources(struct gnomon_api_source *const *sources, size_t count, FILE *stream) {
    bool good = true;
    fputs(",\"sources\":[", stream);
    for (size_t i = 0; i < count && good; i++) {
        fputs(i ? "," : "", stream);
        good = put(stream, gnomon_api_source_json(sources[i]));
    }
    fputc(']', stream);
    return good;
}

/* Rows are in the order of their sources. */
static bool put_rows(struct gnomon_api_source *const *sources, struct gnomon_api_row *const *rows, size_t count,
                     bool raw_names, FILE *stream) {
    bool good = true;
    size_t source = 0;
    fputs(",\"rows\":[", stream);
    for (size_t i = 0; i < count && good; i++) {
        while (sources[source] != rows[i]->source)
            source++;
        json_t *json = gnomon_api_row_json(rows[i], raw_names);
        json_object_set_new(json, "source", json_integer((json_int_t)source));
        fputs(i ? "," : "", stream);
        good = put(stream, json);
    }
    fputc(']', stream);
    return good;
}

static bool all_exact(struct gnomon_api_row *const *rows, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (rows[i]->doubt || gnomon_api_row_saturated(rows[i]))
            return false;
    return true;
}

bool gnomon_api_json(const struct gnomon_api_profile *profile, bool raw_names, FILE *stream) {
    size_t source_count, row_count;
    struct gnomon_api_source **sources = gnomon_api_profile_sources(profile, &source_count);
    struct gnomon_api_row **rows = gnomon_api_profile_rows(profile, &row_count);
    char *facts = gnomon_api_facts(profile);
    bool good = sources && rows && facts;
    if (good) {
        fputs("{\"about\":", stream);
        good = put(stream, gnomon_json_text(facts));
        fprintf(stream, ",\"exact\":%s", all_exact(rows, row_count) ? "true" : "false");
        good =
            good && put_sources(sources, source_count, stream) && put_rows(sources, rows, row_count, raw_names, stream);
        fputc('}', stream);
    }
    free(facts);
    free(sources);
    free(rows);
    return good;
}
