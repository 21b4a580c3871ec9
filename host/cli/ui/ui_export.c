/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page and the data of a recording as files. */
#include "cli/interrupt.h"
#include "cli/ui/ui.h"
#include "gnomon/ui_page_css.h"
#include "gnomon/ui_page_html.h"
#include "gnomon/ui_page_js.h"
#include "lib/util/output.h"

#define LEVELS 8 /* of the time line */

enum { FILE_HTML, FILE_CSS, FILE_JS, FILE_PROFILE, FILE_CALLS, FILE_SOURCES, FILE_TIMELINE };
static const char *const files[] = {
    [FILE_HTML] = "index.html",      [FILE_CSS] = "gnomon.css",  [FILE_JS] = "gnomon.js",
    [FILE_PROFILE] = "profile.js",   [FILE_CALLS] = "calls.js",  [FILE_SOURCES] = "sources.js",
    [FILE_TIMELINE] = "timeline.js", [FILE_TIMELINE + 1] = NULL,
};

static enum gnomon_status write_files(struct gnomon_ui *ui, FILE *const *streams, struct gnomon_error *error) {
    fputs(GNOMON_UI_HTML, streams[FILE_HTML]);
    fputs(GNOMON_UI_CSS, streams[FILE_CSS]);
    fputs(GNOMON_UI_JS, streams[FILE_JS]);
    enum gnomon_status status = gnomon_ui_write_profile(ui, streams[FILE_PROFILE], error);
    if (!status)
        status = gnomon_ui_write_calls(ui, streams[FILE_CALLS], error);
    if (!status)
        status = gnomon_ui_write_sources(ui, streams[FILE_SOURCES], error);
    if (!status)
        status = gnomon_ui_write_timeline(ui, LEVELS, streams[FILE_TIMELINE], error);
    return status;
}

int ui_export(const struct cli_context *context, struct gnomon_ui *ui, const char *directory) {
    struct gnomon_output output;
    struct gnomon_error error, closing;
    char count[CLI_COUNT_BYTES];
    if (gnomon_output_open(&output, directory, files, cli_interrupted, &error))
        return cli_error(context, &error);
    const enum gnomon_status status = write_files(ui, output.streams, &error);
    const enum gnomon_status closed = gnomon_output_close(&output, !status, &closing);
    if (status || closed)
        return cli_error(context, status ? &error : &closing);
    cli_note(context, "wrote %s (%s bytes): open %s/index.html", directory, cli_count(count, output.written),
             directory);
    return CLI_OK;
}
