/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page and its data as files. */
#include "cli/interrupt.h"
#include "cli/ui/ui.h"
#include "lib/ui/ui_page.h"
#include "lib/util/output.h"

static const struct {
    const char *name, *path;
} pages[] = {{"index.html", "/"}, {"gnomon.css", "/gnomon.css"}, {"gnomon.js", "/gnomon.js"}};
enum { PAGES = sizeof pages / sizeof *pages };

static enum gnomon_status write_files(const struct ui_file *files, void *data, FILE *const *streams,
                                      struct gnomon_error *error) {
    for (size_t i = 0; i < PAGES; i++)
        fputs(gnomon_ui_page(pages[i].path)->text, streams[i]);
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; files[i].name && !status; i++)
        status = files[i].write(data, streams[PAGES + i], error);
    return status;
}

int ui_export(const struct cli_context *context, const char *directory, const struct ui_file *files, void *data) {
    const char *names[GNOMON_OUTPUT_FILES + 1] = {NULL};
    struct gnomon_output output;
    struct gnomon_error error, closing;
    char count[CLI_COUNT_BYTES];
    for (size_t i = 0; i < PAGES; i++)
        names[i] = pages[i].name;
    for (size_t i = 0; files[i].name; i++)
        names[PAGES + i] = files[i].name;
    if (gnomon_output_open(&output, directory, names, cli_interrupted, &error))
        return cli_error(context, &error);
    const enum gnomon_status status = write_files(files, data, output.streams, &error);
    const enum gnomon_status closed = gnomon_output_close(&output, !status, &closing);
    if (status || closed)
        return cli_error(context, status ? &error : &closing);
    cli_note(context, "wrote %s (%s bytes): open %s/index.html", directory, cli_count(count, output.written),
             directory);
    return CLI_OK;
}
