/* SPDX-License-Identifier: Apache-2.0 */
/* An API profile as JSON: for `gnomon api list --json`, the page of `gnomon ui` and a fleet's service. Numbers that can
 * need 64 bits or more are decimal text, because readers of JSON take others as floating point. */
#ifndef GNOMON_LIB_API_JSON_H
#define GNOMON_LIB_API_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "lib/fleet/api_profile.h"

/* The readable name of a symbol, with `raw_names` the symbol itself. NULL: out of memory. */
json_t *gnomon_api_name_json(const char *symbol, bool raw_names);

/* A row: {function, symbol, cost, module, module_build, file, line, program, build, exact, doubt, saturated, lost,
 * mean, deviation, count, sum, least, most, buckets: [{log2, count, sum, squares}]}. `function` is as
 * gnomon_api_name_json says; `doubt` is a list of "loss", "counts", "unseen", "deep". `file`, `least`, `most` are null
 * where they are not known. NULL: out of memory. */
json_t *gnomon_api_row_json(const struct gnomon_api_row *row, bool raw_names);

/* {program, build, scenario, size, device, runs, cycles}. NULL: out of memory. */
json_t *gnomon_api_source_json(const struct gnomon_api_source *source);

/* Writes {about, exact, sources, rows} as one line. `about` is the text of gnomon_api_facts. `exact`: all rows are.
 * `source` of a row is its index in `sources`. Errors of `stream` are the caller's to find. False: out of
 * memory. */
bool gnomon_api_json(const struct gnomon_api_profile *profile, bool raw_names, FILE *stream);

#endif
