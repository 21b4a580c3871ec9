/* SPDX-License-Identifier: Apache-2.0 */
/* Folded stacks: "thread;caller;callee cycles" in each line, as flame graph programs read them. */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/export/export.h"

/* The separator of frames may not be in a frame. */
static void put_frame(FILE *stream, const char *text) {
    for (; *text; text++)
        fputc(*text == ';' ? ':' : *text, stream);
}

/* The frames of a path, from the outermost one on. */
static void put_path(const struct gnomon_export *export, const struct gnomon_profile_path *paths, uint32_t index,
                     FILE *stream) {
    const struct gnomon_profile_path *path = &paths[index];
    if (path->parent != GNOMON_PROFILE_UNPROFILED) {
        put_path(export, paths, path->parent, stream);
        fputc(';', stream);
        put_frame(stream, gnomon_export_label(export, path->function));
        return;
    }
    char name[GNOMON_LOCK_NAME_BYTES];
    put_frame(stream, path->thread == GNOMON_PROFILE_ALL_THREADS
                          ? "[all threads]"
                          : gnomon_thread_name(&export->names, path->thread, name));
}

static void put_line(const struct gnomon_export *export, const struct gnomon_profile_path *paths, uint32_t index,
                     const char *last, const uint64_t cycles[GNOMON_MAX_HARTS], FILE *stream) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++)
        sum += cycles[i];
    if (!sum)
        return;
    put_path(export, paths, index, stream);
    fprintf(stream, "%s%s %" PRIu64 "\n", last ? ";" : "", last ? last : "", sum);
}

static enum gnomon_status write_stacks(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    size_t count;
    const struct gnomon_profile_path *paths = gnomon_profile_paths(export->profile, &count);
    (void)error;
    for (uint32_t i = 0; i < count; i++) {
        const bool outermost = paths[i].parent == GNOMON_PROFILE_UNPROFILED;
        put_line(export, paths, i, outermost ? GNOMON_EXPORT_UNPROFILED : NULL, paths[i].self, stream);
        put_line(export, paths, i, GNOMON_EXPORT_LOST, paths[i].lost, stream);
    }
    return GNOMON_OK;
}

const struct gnomon_export_format gnomon_export_stacks = {
    .name = "folded",
    .extension = "folded",
    .description = "one line for each call path, with what it took: for flamegraph.pl, inferno, speedscope",
    .needs = GNOMON_EXPORT_PROFILE,
    .units = true,
    .write = write_stacks,
};
