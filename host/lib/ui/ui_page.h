/* SPDX-License-Identifier: Apache-2.0 */
/* The page of gnomon ui (host/web), which the build puts into the library as texts. */
#ifndef GNOMON_LIB_UI_PAGE_H
#define GNOMON_LIB_UI_PAGE_H

#include <stddef.h>

/* The Content-Security-Policy with which each file of the page is served. */
#define GNOMON_UI_POLICY                                                                                               \
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "                     \
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
#define GNOMON_UI_SCRIPT "text/javascript; charset=utf-8" /* the type of the page's data, too */

struct gnomon_ui_page {
    const char *path, *type, *text;
    size_t bytes; /* of `text`, without its end */
};

/* Of the page itself: "/", "/gnomon.css", "/gnomon.js". NULL: the path is none of these. */
const struct gnomon_ui_page *gnomon_ui_page(const char *path);
/* The same page for a fleet's service, which has its data at /v1/profile: one more path, "/profile.js", tells it so. */
const struct gnomon_ui_page *gnomon_ui_fleet_page(const char *path);

#endif
