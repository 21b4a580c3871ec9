/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a recording, as files and from a server. */
#include <inttypes.h>
#include <string.h>

#include "cli/ui/ui.h"

#define LEVELS 8 /* of the time line, in files */

static enum gnomon_status write_profile(void *ui, FILE *stream, struct gnomon_error *error) {
    return gnomon_ui_write_profile(ui, stream, error);
}

static enum gnomon_status write_calls(void *ui, FILE *stream, struct gnomon_error *error) {
    return gnomon_ui_write_calls(ui, stream, error);
}

static enum gnomon_status write_sources(void *ui, FILE *stream, struct gnomon_error *error) {
    return gnomon_ui_write_sources(ui, stream, error);
}

static enum gnomon_status write_api(void *ui, FILE *stream, struct gnomon_error *error) {
    return gnomon_ui_write_api(ui, stream, error);
}

/* ---- A server ---- */

static bool get_tile(const char *path, unsigned *level, uint64_t *index) {
    char ending[4] = "";
    int length = 0;
    return sscanf(path, "/tile-%2u-%" SCNu64 "%3s%n", level, index, ending, &length) == 3 && !strcmp(ending, ".js") &&
           !path[length];
}

static bool write_tile(void *ui, const char *path, FILE *stream) {
    unsigned level;
    uint64_t index;
    return get_tile(path, &level, &index) && gnomon_ui_write_tile(ui, level, index, stream);
}

/* Without tiles: the page asks for them one by one. */
static enum gnomon_status write_timeline(void *ui, FILE *stream, struct gnomon_error *error) {
    return gnomon_ui_write_timeline(ui, 0, stream, error);
}

int ui_serve_recording(const struct cli_context *context, struct gnomon_ui *ui, uint64_t port) {
    static const struct ui_file files[] = {{"profile.js", write_profile},   {"calls.js", write_calls},
                                           {"sources.js", write_sources},   {"api.js", write_api},
                                           {"timeline.js", write_timeline}, {0}};
    return ui_serve_files(context, ui->export.analysis.path, port, files, write_tile, ui);
}

/* ---- Files ---- */

static enum gnomon_status write_levels(void *ui, FILE *stream, struct gnomon_error *error) {
    return gnomon_ui_write_timeline(ui, LEVELS, stream, error);
}

int ui_export_recording(const struct cli_context *context, struct gnomon_ui *ui, const char *directory) {
    const struct ui_file files[] = {{"profile.js", write_profile},          {"calls.js", write_calls},
                                    {"sources.js", write_sources},          {"timeline.js", write_levels},
                                    {ui->api ? "api.js" : NULL, write_api}, {0}};
    return ui_export(context, directory, files, ui);
}
