/* SPDX-License-Identifier: Apache-2.0 */
/* API profiles as data of the page of gnomon ui: alone, compared with an earlier one, or beside a recording. */
#ifndef GNOMON_LIB_UI_API_H
#define GNOMON_LIB_UI_API_H

#include <jansson.h>
#include <stdio.h>

#include "lib/fleet/api_profile.h"
#include "lib/util/error.h"

struct gnomon_ui_api {
    const char *path; /* of `profile`; NULL: there is none */
    struct gnomon_api_profile *profile;
    const char *other;                 /* of `before`; NULL: there is none */
    struct gnomon_api_profile *before; /* the earlier one */
    json_t *verdicts;                  /* about both */
    bool raw_names;
    bool with_source; /* lines of the functions' source files are part of the data, where the files are at hand */
};

/* Reads both profiles. The caller fills the rest, and closes `api`, whatever the status is. */
enum gnomon_status gnomon_ui_api_read(struct gnomon_ui_api *api, struct gnomon_error *error);
void gnomon_ui_api_close(struct gnomon_ui_api *api);

/* The files. Errors of `stream` need no check: the caller finds them. GNOMON_ERR_MEMORY is the only failure.
 * profile.js: what the page is about. */
enum gnomon_status gnomon_ui_api_write_summary(const struct gnomon_ui_api *api, FILE *stream,
                                               struct gnomon_error *error);
/* api.js: the profiles, the verdicts about them, and lines of source files. */
enum gnomon_status gnomon_ui_api_write(const struct gnomon_ui_api *api, FILE *stream, struct gnomon_error *error);

#endif
