/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU profile of gperftools, with its symbols in front, as google-pprof reads it without the program: words of 64
 * bits; a sample is a cycle. */
#include <string.h>

#include "lib/export/legacy_symbol.h"
#include "lib/export/pprof_legacy.h"
#include "lib/util/bytes.h"

#define WORD_BYTES 8
#define PERIOD 1          /* microseconds of a sample, in the format's own unit: there is none for cycles */
#define MOST_FRAMES 65536 /* the reader refuses more */

/* Places that are no function of the profile follow the functions. */
enum pseudo { UNPROFILED, LOST, PSEUDOS };
static const char *const pseudo_names[PSEUDOS] = {
    [UNPROFILED] = GNOMON_EXPORT_UNPROFILED,
    [LOST] = GNOMON_EXPORT_LOST,
};

void pprof_legacy_word(FILE *stream, uint64_t value) {
    uint8_t little[WORD_BYTES];
    gnomon_put_little(little, WORD_BYTES, value);
    fwrite(little, 1, WORD_BYTES, stream);
}

static uint64_t place_of(const struct gnomon_export *export, uint32_t function) {
    const uint32_t address = function < export->count ? export->functions[function].name.address : 0;
    return legacy_place(function, address);
}

/* ---- For a reader that asks for symbols ---- */

static uint64_t remote_place(const struct gnomon_export *export, uint32_t function, bool caller) {
    const struct gnomon_export_function *of = function < export->count ? &export->functions[function] : NULL;
    const uint32_t id = of                                       ? of->figures->id
                        : function == export->count + UNPROFILED ? LEGACY_UNPROFILED_ID
                                                                 : LEGACY_LOST_ID;
    return legacy_remote_place(id, of ? &of->name : NULL, caller);
}

const char *gnomon_export_remote_name(const struct gnomon_analysis *analysis, uint64_t place,
                                      struct gnomon_name *name) {
    const uint32_t id = (uint32_t)(place >> GNOMON_EXPORT_PLACE_BITS);
    if (!id)
        return NULL;
    if (id == LEGACY_UNPROFILED_ID || id == LEGACY_LOST_ID)
        return pseudo_names[id == LEGACY_LOST_ID ? LOST : UNPROFILED];
    if (id < GNOMON_PROFILE_TRAP || id >= GNOMON_PROFILE_MODULE)
        return "[function of a module]";
    gnomon_name_of(name, analysis, id);
    return name->text;
}

static uint32_t pseudo_of(const struct gnomon_export *export, enum pseudo pseudo) {
    return (uint32_t) export->count + pseudo;
}

/* ---- Symbols ---- */

static void put_symbols(const struct gnomon_export *export, FILE *stream) {
    legacy_begin_symbols(export, stream);
    for (uint32_t i = 0; i < export->count; i++)
        legacy_put_symbol(stream, place_of(export, i), export->functions[i].label);
    for (enum pseudo pseudo = 0; pseudo < PSEUDOS; pseudo++)
        legacy_put_symbol(stream, place_of(export, pseudo_of(export, pseudo)), pseudo_names[pseudo]);
    fputs("---\n--- profile\n", stream);
}

/* ---- Samples ---- */

static void put_place(const struct gnomon_export *export, uint32_t function, bool caller, FILE *stream) {
    pprof_legacy_word(stream, export->remote ? remote_place(export, function, caller) : place_of(export, function));
}

/* The innermost function comes first. Of a path with too many functions the outermost ones are left out. With `last`, a
 * place below the path. */
static void put_sample(const struct gnomon_export *export, const struct gnomon_profile_path *paths, uint32_t index,
                       const enum pseudo *last, const uint64_t cycles[GNOMON_MAX_HARTS], FILE *stream) {
    uint64_t sum = 0, frames = last ? 1 : 0;
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++)
        sum += cycles[i];
    if (!sum)
        return;
    for (uint32_t i = index; paths[i].parent != GNOMON_PROFILE_UNPROFILED && frames < MOST_FRAMES; i = paths[i].parent)
        frames++;
    pprof_legacy_word(stream, sum);
    pprof_legacy_word(stream, frames);
    if (last)
        put_place(export, pseudo_of(export, *last), false, stream);
    for (uint64_t left = frames - (last ? 1 : 0); left > 0; left--, index = paths[index].parent)
        put_place(export, paths[index].function, left < frames, stream);
}

void pprof_legacy_head(FILE *stream, uint64_t period) {
    const uint64_t header[] = {0, 3, 0, period, 0}; /* the second is the number of words after it */
    for (size_t i = 0; i < sizeof header / sizeof *header; i++)
        pprof_legacy_word(stream, header[i]);
}

void pprof_legacy_end(FILE *stream) {
    pprof_legacy_word(stream, 0);
    pprof_legacy_word(stream, 1);
    pprof_legacy_word(stream, 0);
}

static enum gnomon_status write_pprof_legacy(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    static const enum pseudo unprofiled = UNPROFILED, lost = LOST;
    size_t count;
    const struct gnomon_profile_path *paths = gnomon_profile_paths(export->profile, &count);
    (void)error;
    if (export->analysis.sampled) {
        pprof_legacy_samples(export, stream);
        return GNOMON_OK;
    }
    if (!export->remote)
        put_symbols(export, stream);
    pprof_legacy_head(stream, PERIOD);
    for (uint32_t i = 0; i < count; i++) {
        const bool outermost = paths[i].parent == GNOMON_PROFILE_UNPROFILED;
        put_sample(export, paths, i, outermost ? &unprofiled : NULL, paths[i].self, stream);
        put_sample(export, paths, i, &lost, paths[i].lost, stream);
    }
    pprof_legacy_end(stream);
    return GNOMON_OK;
}

const struct gnomon_export_format gnomon_export_pprof_legacy = {
    .name = "pprof-legacy",
    .extension = "prof",
    .description = "call paths with cycles, as gperftools writes them: for google-pprof",
    .needs = GNOMON_EXPORT_PROFILE,
    .binary = true,
    .write = write_pprof_legacy,
};
