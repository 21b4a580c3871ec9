/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/api_file.h"

#include <gnp.pb-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "lib/util/array.h"
#include "lib/util/file.h"
#include "lib/util/output.h"

#define MAGIC "gnp"
#define VERSION 1

static const char begins[] = {0x0A, sizeof MAGIC - 1, 'g', 'n', 'p'}; /* field 1, its length, its text */

bool gnomon_api_file_is(const void *data, size_t size) {
    return size >= sizeof begins && !memcmp(data, begins, sizeof begins);
}

/* With the magic: so a file that ends before its profile is told from one with an empty profile. */
static uint32_t sum_of(const ProtobufCBinaryData *profile) {
    const uLong start = crc32_z(0, (const uint8_t *)MAGIC, sizeof MAGIC - 1);
    return (uint32_t)(profile->len ? crc32_z(start, profile->data, profile->len) : start); /* NULL would begin again */
}

/* ---- Reading ---- */

struct input {
    const Gnomon__ApiProfile *file;
    struct gnomon_api_profile *profile;
    struct gnomon_api_source **sources; /* by their index in the file */
};

static const char *text_at(const struct input *in, uint32_t index) {
    return index < in->file->n_text ? in->file->text[index] : NULL;
}

/* What is wrong; NULL: nothing. */
static const char *take_source(struct input *in, size_t index) {
    const Gnomon__ApiSource *from = in->file->source[index];
    const struct gnomon_api_source wanted = {.program = text_at(in, from->program),
                                             .build = text_at(in, from->build),
                                             .scenario = text_at(in, from->scenario),
                                             .size = from->size,
                                             .device = text_at(in, from->device)};
    if (!wanted.program || !wanted.build || !wanted.scenario || !wanted.device)
        return "a source names a text that is not there";
    struct gnomon_api_source *source = in->sources[index] = gnomon_api_profile_source(in->profile, &wanted);
    if (!source)
        return "out of memory";
    gnomon_api_source_add(source, from->runs, from->cycles);
    return NULL;
}

static const char *take_bucket(struct gnomon_api_row *row, const Gnomon__ApiBucket *from) {
    const struct gnomon_bucket numbers = {from->count, from->sum,
                                          (gnomon_uint128)from->squares_high << 64 | from->squares};
    if (from->log2 >= GNOMON_BUCKETS)
        return "a bucket has a number that is too large";
    if (!from->count)
        return "a bucket is empty";
    return gnomon_api_row_add(row, from->log2, &numbers) ? NULL : "out of memory";
}

static const char *take_row(struct input *in, const Gnomon__ApiRow *from) {
    if (from->source >= in->file->n_source)
        return "a row names a source that is not there";
    const struct gnomon_api_row wanted = {.source = in->sources[from->source],
                                          .cost = text_at(in, from->cost),
                                          .module = text_at(in, from->module),
                                          .build = text_at(in, from->build),
                                          .function = text_at(in, from->function),
                                          .file = text_at(in, from->file)};
    if (!wanted.cost || !wanted.module || !wanted.build || !wanted.function || !wanted.file)
        return "a row names a text that is not there";
    struct gnomon_api_row *row = gnomon_api_profile_row(in->profile, &wanted);
    const struct gnomon_api_row rest = {
        .line = from->line, .doubt = from->doubt, .lost = from->lost, .least = from->least, .most = from->most};
    if (!row || !gnomon_api_row_join(row, &rest))
        return "out of memory";
    const char *wrong = NULL;
    for (size_t i = 0; i < from->n_bucket && !wrong; i++)
        wrong = take_bucket(row, from->bucket[i]);
    return wrong;
}

static const char *take_all(struct input *in) {
    const char *wrong = NULL;
    in->sources = calloc(in->file->n_source + 1, sizeof *in->sources);
    if (!in->sources)
        return "out of memory";
    for (size_t i = 0; i < in->file->n_source && !wrong; i++)
        wrong = take_source(in, i);
    for (size_t i = 0; i < in->file->n_row && !wrong; i++)
        wrong = take_row(in, in->file->row[i]);
    return wrong;
}

static enum gnomon_status read_profile(struct gnomon_api_profile *profile, const ProtobufCBinaryData *data,
                                       uint32_t crc, const char *name, struct gnomon_error *error) {
    struct input in = {.profile = profile};
    Gnomon__ApiProfile *file = sum_of(data) == crc ? gnomon__api_profile__unpack(NULL, data->len, data->data) : NULL;
    if (!file)
        return gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is damaged: its check sum is wrong", name);
    in.file = file;
    const char *wrong = take_all(&in);
    free(in.sources);
    gnomon__api_profile__free_unpacked(file, NULL);
    return wrong ? gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is damaged: %s", name, wrong) : GNOMON_OK;
}

enum gnomon_status gnomon_api_file_read(struct gnomon_api_profile *profile, const void *data, size_t size,
                                        const char *name, struct gnomon_error *error) {
    if (!gnomon_api_file_is(data, size))
        return gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is not an API profile (*.gnp)", name);
    Gnomon__ApiFile *file = gnomon__api_file__unpack(NULL, size, data);
    if (!file)
        return gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is damaged: it is no whole API profile", name);
    enum gnomon_status status =
        file->version == VERSION
            ? read_profile(profile, &file->profile, file->crc, name, error)
            : gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has version %u of the format; this command knows %d", name,
                          file->version, VERSION);
    gnomon__api_file__free_unpacked(file, NULL);
    return status;
}

/* False: it cannot be opened. What is no regular file can be read only once, and counts as a profile. */
static bool begins_profile(const char *path, bool *is_profile) {
    struct stat about;
    uint8_t start[8];
    *is_profile = true;
    if (!stat(path, &about) && !S_ISREG(about.st_mode))
        return true;
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    *is_profile = gnomon_api_file_is(start, fread(start, 1, sizeof start, file));
    fclose(file);
    return true;
}

enum gnomon_status gnomon_api_file_add(struct gnomon_api_profile *profile, const char *path, bool *is_profile,
                                       struct gnomon_error *error) {
    if (!begins_profile(path, is_profile))
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot open %s", path);
    if (!*is_profile)
        return GNOMON_OK;
    uint8_t *data = NULL;
    size_t size;
    enum gnomon_status status = gnomon_read_stream(path, &data, &size, error);
    if (!status)
        status = gnomon_api_file_read(profile, data, size, path, error);
    free(data);
    return status;
}

/* ---- Writing ---- */

struct output {
    Gnomon__ApiProfile file;
    Gnomon__ApiSource *sources;
    Gnomon__ApiRow *rows;
    Gnomon__ApiBucket *buckets;
    size_t text_room, bucket_count;
};

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add_text(struct output *out, const char *text) {
    if (!gnomon_array_room(&out->file.text, &out->text_room, out->file.n_text + 1, sizeof *out->file.text))
        return false;
    out->file.text[out->file.n_text++] = (char *)text;
    return true;
}

static bool collect_texts(struct output *out, struct gnomon_api_source **sources, struct gnomon_api_row **rows) {
    bool good = true;
    for (size_t i = 0; i < out->file.n_source && good; i++)
        good = add_text(out, sources[i]->program) && add_text(out, sources[i]->build) &&
               add_text(out, sources[i]->scenario) && add_text(out, sources[i]->device);
    for (size_t i = 0; i < out->file.n_row && good; i++)
        good = add_text(out, rows[i]->cost) && add_text(out, rows[i]->module) && add_text(out, rows[i]->build) &&
               add_text(out, rows[i]->function) && add_text(out, rows[i]->file);
    if (!good || !out->file.n_text)
        return good;
    qsort(out->file.text, out->file.n_text, sizeof *out->file.text, compare_texts);
    size_t kept = 1;
    for (size_t i = 1; i < out->file.n_text; i++)
        if (strcmp(out->file.text[i], out->file.text[kept - 1]) != 0)
            out->file.text[kept++] = out->file.text[i];
    out->file.n_text = kept;
    return true;
}

static uint32_t index_of(const struct output *out, const char *text) {
    char *const *found = bsearch(&text, out->file.text, out->file.n_text, sizeof *out->file.text, compare_texts);
    return (uint32_t)(found - out->file.text);
}

static void put_source(struct output *out, size_t index, const struct gnomon_api_source *source) {
    Gnomon__ApiSource *to = out->file.source[index] = &out->sources[index];
    gnomon__api_source__init(to);
    to->program = index_of(out, source->program);
    to->build = index_of(out, source->build);
    to->scenario = index_of(out, source->scenario);
    to->device = index_of(out, source->device);
    to->runs = source->runs;
    to->cycles = source->cycles;
    to->size = source->size;
}

static void put_buckets(struct output *out, Gnomon__ApiRow *to, const struct gnomon_api_row *row,
                        Gnomon__ApiBucket **list) {
    to->bucket = list;
    for (unsigned i = 0; i < GNOMON_BUCKETS; i++) {
        const struct gnomon_bucket *from = gnomon_api_row_bucket(row, i);
        if (!from)
            continue;
        Gnomon__ApiBucket *bucket = to->bucket[to->n_bucket++] = &out->buckets[out->bucket_count++];
        gnomon__api_bucket__init(bucket);
        bucket->log2 = i;
        bucket->count = from->calls;
        bucket->sum = from->cycles;
        bucket->squares = (uint64_t)from->squares;
        bucket->squares_high = (uint64_t)(from->squares >> 64);
    }
}

static void put_row(struct output *out, size_t index, const struct gnomon_api_row *row, uint32_t source,
                    Gnomon__ApiBucket **list) {
    Gnomon__ApiRow *to = out->file.row[index] = &out->rows[index];
    gnomon__api_row__init(to);
    to->source = source;
    to->cost = index_of(out, row->cost);
    to->module = index_of(out, row->module);
    to->build = index_of(out, row->build);
    to->function = index_of(out, row->function);
    to->file = index_of(out, row->file);
    to->line = row->line;
    to->doubt = row->doubt;
    to->lost = row->lost;
    to->least = row->least;
    to->most = row->most;
    put_buckets(out, to, row, list);
}

/* Rows are sorted by their source first, so that the index of the source only grows. */
static bool put_all(struct output *out, struct gnomon_api_source **sources, struct gnomon_api_row **rows,
                    Gnomon__ApiBucket **list) {
    if (!collect_texts(out, sources, rows))
        return false;
    for (size_t i = 0; i < out->file.n_source; i++)
        put_source(out, i, sources[i]);
    uint32_t source = 0;
    for (size_t i = 0; i < out->file.n_row; i++) {
        while (sources[source] != rows[i]->source)
            source++;
        put_row(out, i, rows[i], source, list + out->bucket_count);
    }
    return true;
}

static bool pack(const Gnomon__ApiProfile *profile, uint8_t **data, size_t *size) {
    Gnomon__ApiFile file = GNOMON__API_FILE__INIT;
    file.magic = (char *)MAGIC;
    file.version = VERSION;
    file.profile.len = gnomon__api_profile__get_packed_size(profile);
    file.profile.data = malloc(file.profile.len + 1);
    *data = NULL;
    if (file.profile.data) {
        gnomon__api_profile__pack(profile, file.profile.data);
        file.crc = sum_of(&file.profile);
        *size = gnomon__api_file__get_packed_size(&file);
        if ((*data = malloc(*size)))
            gnomon__api_file__pack(&file, *data);
    }
    free(file.profile.data);
    return *data;
}

static size_t count_buckets(struct gnomon_api_row **rows, size_t count) {
    size_t buckets = 0;
    for (size_t i = 0; i < count; i++)
        buckets += (size_t)__builtin_popcount(rows[i]->used);
    return buckets;
}

enum gnomon_status gnomon_api_file_write(const struct gnomon_api_profile *profile, uint8_t **data, size_t *size,
                                         struct gnomon_error *error) {
    struct output out = {0};
    gnomon__api_profile__init(&out.file);
    struct gnomon_api_source **sources = gnomon_api_profile_sources(profile, &out.file.n_source);
    struct gnomon_api_row **rows = gnomon_api_profile_rows(profile, &out.file.n_row);
    const size_t buckets = rows ? count_buckets(rows, out.file.n_row) : 0;
    Gnomon__ApiBucket **list = calloc(buckets + 1, sizeof *list);
    out.file.source = calloc(out.file.n_source + 1, sizeof *out.file.source);
    out.file.row = calloc(out.file.n_row + 1, sizeof *out.file.row);
    out.sources = calloc(out.file.n_source + 1, sizeof *out.sources);
    out.rows = calloc(out.file.n_row + 1, sizeof *out.rows);
    out.buckets = calloc(buckets + 1, sizeof *out.buckets);
    const bool good = sources && rows && list && out.file.source && out.file.row && out.sources && out.rows &&
                      out.buckets && put_all(&out, sources, rows, list) && pack(&out.file, data, size);
    free(sources);
    free(rows);
    free(list);
    free(out.file.text);
    free(out.file.source);
    free(out.file.row);
    free(out.sources);
    free(out.rows);
    free(out.buckets);
    return good ? GNOMON_OK : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_api_file_save(const struct gnomon_api_profile *profile, const char *path,
                                        struct gnomon_error *error) {
    struct gnomon_output output;
    uint8_t *data = NULL;
    size_t size;
    enum gnomon_status status = gnomon_api_file_write(profile, &data, &size, error);
    if (!status)
        status = gnomon_output_open(&output, path, NULL, NULL, error);
    if (!status) {
        fwrite(data, 1, size, output.streams[0]); /* the output remembers a failure */
        status = gnomon_output_close(&output, true, error);
    }
    free(data);
    return status;
}
