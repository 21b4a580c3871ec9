/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the page's data share. */
#ifndef GNOMON_LIB_UI_INTERNAL_H
#define GNOMON_LIB_UI_INTERNAL_H

#include "lib/fleet/api_profile.h"
#include "lib/ui/ui.h"

/* A line of a file; what is written between the two is its JSON. */
void ui_begin(FILE *stream, const char *name);
void ui_end(FILE *stream);
/* A whole line; takes the reference. False: out of memory. */
bool ui_put(FILE *stream, const char *name, json_t *json);

/* A text of the recording, which can be anything, as a JSON string; NULL: null. */
void ui_put_text(FILE *stream, const char *text);

/* Lines `first` to `last` of a file's text, as an array. The first line is 1. */
void ui_put_lines(FILE *stream, const uint8_t *data, size_t size, unsigned first, unsigned last);
/* Lines around the declarations of the profile's functions, of the files that are at hand. False: out of memory. */
bool ui_put_excerpts(const struct gnomon_api_profile *profile, FILE *stream);

/* {exact, complete, end, reasons, phrase}; NULL: out of memory. */
json_t *ui_exactness(const struct gnomon_exactness *exactness);

void ui_put_functions(const struct gnomon_ui *ui, FILE *stream);
void ui_put_arcs(const struct gnomon_ui *ui, FILE *stream);
void ui_put_paths(const struct gnomon_ui *ui, FILE *stream);
void ui_put_histograms(const struct gnomon_ui *ui, FILE *stream);
/* False: out of memory. */
bool ui_put_costs(struct gnomon_ui *ui, FILE *stream);
bool ui_put_comparison(const struct gnomon_ui *ui, FILE *stream);

/* A new object; NULL: out of memory. */
json_t *ui_locks(const struct gnomon_lock_run *run, const struct gnomon_analysis *analysis);

#endif
