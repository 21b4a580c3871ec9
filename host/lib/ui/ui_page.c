/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/ui/ui_page.h"

#include <string.h>

#include "gnomon/ui_page_css.h"
#include "gnomon/ui_page_html.h"
#include "gnomon/ui_page_js.h"

#define FLEET "gnomonData(\"summary\",{\"kind\":\"fleet\"})\n"

static const struct gnomon_ui_page pages[] = {
    {"/", "text/html; charset=utf-8", GNOMON_UI_HTML, sizeof GNOMON_UI_HTML - 1},
    {"/gnomon.css", "text/css; charset=utf-8", GNOMON_UI_CSS, sizeof GNOMON_UI_CSS - 1},
    {"/gnomon.js", GNOMON_UI_SCRIPT, GNOMON_UI_JS, sizeof GNOMON_UI_JS - 1},
};
static const struct gnomon_ui_page fleet = {"/profile.js", GNOMON_UI_SCRIPT, FLEET, sizeof FLEET - 1};

const struct gnomon_ui_page *gnomon_ui_page(const char *path) {
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (!strcmp(path, pages[i].path))
            return &pages[i];
    return NULL;
}

const struct gnomon_ui_page *gnomon_ui_fleet_page(const char *path) {
    return strcmp(path, fleet.path) != 0 ? gnomon_ui_page(path) : &fleet;
}
