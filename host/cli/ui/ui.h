/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of `gnomon ui` share. */
#ifndef GNOMON_CLI_UI_H
#define GNOMON_CLI_UI_H

#include "cli/cli.h"
#include "lib/http/http.h"
#include "lib/ui/ui.h"
#include "lib/ui/ui_api.h"

/* ---- ui_serve.c: the page, and whoever has its data ---- */

struct ui_service {
    struct gnomon_http *http;
    /* Writes the data at this path; false: there are none. Called in threads of their own, several at a time. */
    bool (*write)(void *context, const char *path, FILE *stream, enum gnomon_status *status,
                  struct gnomon_error *error);
    void *context;
};

/* `port` 0: any that is free. The caller closes `http`, and does not move the structure before. */
enum gnomon_status ui_service_open(struct ui_service *service, uint64_t port, struct gnomon_error *error);
/* Prints where the page of `what` is. */
void ui_service_say(const struct ui_service *service, const char *what);

/* ---- Files of data ---- */

struct ui_file {
    const char *name; /* NULL: the last one, which is none */
    enum gnomon_status (*write)(void *data, FILE *stream, struct gnomon_error *error);
};

/* Serves the page with these files until the user stops that. `more` writes what is at another path, in several threads
 * at a time; false: there is nothing. It may be NULL. Returns the exit status. */
int ui_serve_files(const struct cli_context *context, const char *what, uint64_t port, const struct ui_file *files,
                   bool (*more)(void *data, const char *path, FILE *stream), void *data);
/* Writes the page and these files to a directory. Returns the exit status. */
int ui_export(const struct cli_context *context, const char *directory, const struct ui_file *files, void *data);

/* ---- What is shown. These return the exit status ---- */

int ui_serve_recording(const struct cli_context *context, struct gnomon_ui *ui, uint64_t port);
int ui_export_recording(const struct cli_context *context, struct gnomon_ui *ui, const char *directory);

/* Does the file claim to be an API profile? */
bool ui_is_api(const char *path);
/* Reads API profiles, and writes them to `directory`; NULL: serves them. */
int ui_show_api(const struct cli_context *context, struct gnomon_ui_api *api, const char *directory, uint64_t port);

#endif
