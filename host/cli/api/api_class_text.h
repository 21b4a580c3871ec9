/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of costs in words, for gnomon api classes and gnomon api doc. */
#ifndef GNOMON_CLI_API_CLASS_TEXT_H
#define GNOMON_CLI_API_CLASS_TEXT_H

#include <stdio.h>

#include "lib/fleet/api_classes.h"

/* "n log n", "start-up, constant", "not told". */
void api_put_class(FILE *stream, const struct gnomon_api_class *class);
/* "41 + 12.1 n log2 n", or why nothing is told: "n or n log n", "1 size, 3 are needed". */
void api_put_formula(FILE *stream, const struct gnomon_api_class *class);
/* "a call", "the most expensive call", "all calls together": whose cost `best` is. */
const char *api_measure_text(const struct gnomon_api_class *class);
/* A clause for a manual: "grows with n: 12.1 n cycles, error 2 %, for n = 16 to 2,048"; nothing if nothing is told.
 * `unit` is " cycles", or "". False: it has put nothing. `before` is put before it. */
bool api_put_class_clause(FILE *stream, const struct gnomon_api_class *class, const char *unit, const char *before);
/* Is there a law, of at least three sizes? */
bool api_class_told(const struct gnomon_api_class *class);

#endif
