/* SPDX-License-Identifier: Apache-2.0 */
/* Who may submit: each collector has a token, 256 random bits in hexadecimal digits. The service has a file with the
 * SHA-256 of each, and a label that its administrator chose: who reads the file can submit nothing. */
#ifndef GNOMON_LIB_SERVICE_TOKENS_H
#define GNOMON_LIB_SERVICE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

#define GNOMON_TOKEN_BYTES 72 /* of a token's text, with its end */

/* Makes a token, and adds its hash to the file, which is made if it is not there. The label is one line, and may be
 * empty. */
enum gnomon_status gnomon_token_make(const char *path, const char *label, char token[GNOMON_TOKEN_BYTES],
                                     struct gnomon_error *error);

struct gnomon_tokens;

/* Reads the file, and reads it again whenever it has changed. The caller closes *tokens. */
enum gnomon_status gnomon_tokens_open(struct gnomon_tokens **tokens, const char *path, struct gnomon_error *error);
void gnomon_tokens_close(struct gnomon_tokens *tokens); /* may be NULL */
size_t gnomon_tokens_count(const struct gnomon_tokens *tokens);

/* Is it a token of the file? *id is a number for it. Takes the same time for each that is not. */
bool gnomon_tokens_know(struct gnomon_tokens *tokens, const char *token, int64_t *id);

#endif
