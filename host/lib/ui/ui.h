/* SPDX-License-Identifier: Apache-2.0 */
/* A recording as the data of the page of gnomon ui (host/web). The data are a few files of lines; each line is a call
 * `gnomonData("NAME",JSON)`, so that a page reads them as scripts from a disk, and as JSON from a server. Lists of
 * many rows are columns: an array for each figure. docs/guide/ui.md says what the page shows. */
#ifndef GNOMON_LIB_UI_H
#define GNOMON_LIB_UI_H

#include <jansson.h>

#include "lib/compare/comparison.h"
#include "lib/export/export.h"
#include "lib/ui/ui_api.h"
#include "lib/ui/ui_spans.h"

struct gnomon_ui {
    struct gnomon_export export; /* the caller opens `analysis`, fills `tables` and `names`, and may set `stop` */
    const char *state;           /* what a running program does; NULL: it is a recording */
    bool over;                   /* that program has ended */
    bool with_source;            /* the text of source files is part of the data; set by the caller */
    /* The recording to compare with; the caller sets `other` (NULL: none), `other_elf`, and `hart` for both. */
    const char *other, *other_elf;
    uint64_t hart;
    const struct gnomon_ui_api *api; /* highlights in the flame graph; NULL: none. Set by the caller */
    bool with_spans;                 /* the recording has events: there is a time line */
    struct ui_spans spans;
    struct timeline_unknown unknown;
    json_t *locks; /* NULL: there are none */
    struct gnomon_figures figures[GNOMON_SIDES];
    struct gnomon_comparison comparison;
};

/* Reads everything. The caller closes `ui`, whatever the status is. */
enum gnomon_status gnomon_ui_read(struct gnomon_ui *ui, struct gnomon_error *error);
void gnomon_ui_close(struct gnomon_ui *ui);

/* The files. Errors of `stream` need no check: the caller finds them. GNOMON_ERR_MEMORY is the only failure. */
enum gnomon_status gnomon_ui_write_profile(struct gnomon_ui *ui, FILE *stream, struct gnomon_error *error);
/* Who called whom, and histograms. */
enum gnomon_status gnomon_ui_write_calls(struct gnomon_ui *ui, FILE *stream, struct gnomon_error *error);
enum gnomon_status gnomon_ui_write_sources(struct gnomon_ui *ui, FILE *stream, struct gnomon_error *error);
/* The API profile, and the linker's name of each function; nothing without a profile. */
enum gnomon_status gnomon_ui_write_api(struct gnomon_ui *ui, FILE *stream, struct gnomon_error *error);
/* With `levels` 0 the tiles are not part of it: the page asks for them one by one. Otherwise it has the tiles of the
 * first `levels` levels. */
enum gnomon_status gnomon_ui_write_timeline(struct gnomon_ui *ui, unsigned levels, FILE *stream,
                                            struct gnomon_error *error);
/* A tile of the time line: part `index` of the 2^level equal parts of its length. False: there is no such tile, or out
 * of memory. */
bool gnomon_ui_write_tile(const struct gnomon_ui *ui, unsigned level, uint64_t index, FILE *stream);

#endif
