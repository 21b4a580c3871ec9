/* SPDX-License-Identifier: Apache-2.0 */
/* A sentence that is put together from parts, and fits the terminal. */
#ifndef GNOMON_CLI_LOCKS_SENTENCE_H
#define GNOMON_CLI_LOCKS_SENTENCE_H

#include "cli/cli.h"

#define SENTENCE_BYTES 4096

struct sentence {
    size_t used;
    char text[SENTENCE_BYTES];
};

/* Appends; what has no place is cut off. */
void say(struct sentence *sentence, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints the sentence and a newline; `indent` is before each further line. */
void put_sentence(const struct cli_context *context, FILE *stream, enum cli_style style,
                  const struct sentence *sentence, const char *indent);

#endif
