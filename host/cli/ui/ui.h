/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of `gnomon ui` share. */
#ifndef GNOMON_CLI_UI_H
#define GNOMON_CLI_UI_H

#include "cli/cli.h"
#include "lib/http/http.h"
#include "lib/ui/ui.h"

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

/* ---- A recording ---- */

/* Serves it until the user stops that. Returns the exit status. */
int ui_serve_recording(const struct cli_context *context, struct gnomon_ui *ui, uint64_t port);
/* Writes page and data to a directory. Returns the exit status. */
int ui_export(const struct cli_context *context, struct gnomon_ui *ui, const char *directory);

#endif
