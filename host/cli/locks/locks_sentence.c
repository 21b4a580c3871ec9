/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/locks/locks_sentence.h"

#include <stdarg.h>

#include "cli/screen.h"

void say(struct sentence *sentence, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(sentence->text + sentence->used, SENTENCE_BYTES - sentence->used, format, arguments);
    va_end(arguments);
    sentence->used += length > 0 ? (size_t)length : 0;
    if (sentence->used >= SENTENCE_BYTES)
        sentence->used = SENTENCE_BYTES - 1;
}

void put_sentence(const struct cli_context *context, FILE *stream, enum cli_style style,
                  const struct sentence *sentence, const char *indent) {
    fputs(style ? cli_style(context, stream, style) : "", stream);
    screen_sentence(stream, sentence->text, indent);
    fputs(style ? cli_style(context, stream, CLI_PLAIN) : "", stream);
}
