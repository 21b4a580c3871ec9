/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of calls that are not for a terminal. Nearly all lines of a dump are such, and differ from others of the same
 * function only in figures and indent, so the rest of a line is made once for each function. */
#include <stdlib.h>
#include <string.h>

#include "cli/report/dump.h"

#define LINES_BYTES 65536
#define MOST_FIGURES 80 /* bytes of a line before its indent: three numbers of up to 20 digits, and spaces */

struct dump_lines {
    size_t functions;
    struct rest {
        char *text; /* NULL: not made yet */
        size_t size;
    } * rests; /* two for each function: of its enter, of its exit */
    size_t used;
    char bytes[LINES_BYTES];
};

void dump_lines_open(struct dump *dump) {
    const bool plain = !dump->width && !dump->analysis.other;
    dump->lines = plain ? calloc(1, sizeof *dump->lines) : NULL;
    if (!dump->lines)
        return;
    dump->lines->functions = gnomon_modules_first(dump->analysis.modules);
    dump->lines->rests = calloc(2 * dump->lines->functions + 1, sizeof *dump->lines->rests);
    if (!dump->lines->rests)
        dump_lines_close(dump);
}

void dump_lines_close(struct dump *dump) {
    struct dump_lines *lines = dump->lines;
    if (!lines)
        return;
    dump_lines_flush(dump);
    for (size_t i = 0; lines->rests && i < 2 * lines->functions; i++)
        free(lines->rests[i].text);
    free(lines->rests);
    free(lines);
    dump->lines = NULL;
}

void dump_lines_flush(struct dump *dump) {
    if (!dump->lines)
        return;
    fwrite(dump->lines->bytes, 1, dump->lines->used, dump->stream);
    dump->lines->used = 0;
}

/* Right-justified in at least `width` characters. */
static char *put_number(char *to, uint64_t value, unsigned width) {
    char digits[20];
    unsigned count = 0;
    do
        digits[sizeof digits - ++count] = (char)('0' + value % 10);
    while (value /= 10);
    for (; width > count; width--)
        *to++ = ' ';
    memcpy(to, digits + sizeof digits - count, count);
    return to + count;
}

/* NULL: out of memory. */
static const struct rest *rest_of(struct dump *dump, const struct gnomon_event *event) {
    struct rest *rest = &dump->lines->rests[2 * event->number + (event->type == GNOMON_EVENT_EXIT)];
    if (rest->text)
        return rest;
    FILE *stream = dump->stream, *memory = open_memstream(&rest->text, &rest->size);
    if (!memory)
        return NULL;
    dump->stream = memory;
    dump_text_call(dump, event);
    dump->stream = stream;
    return fclose(memory) ? NULL : rest;
}

bool dump_lines_put(struct dump *dump, const struct gnomon_event *event) {
    struct dump_lines *lines = dump->lines;
    const bool plain = event->type == GNOMON_EVENT_ENTER || (event->type == GNOMON_EVENT_EXIT && event->popped == 1);
    if (!lines || !plain || event->number >= lines->functions || event->depth > DUMP_MOST_INDENT)
        return false;
    const struct rest *rest = rest_of(dump, event);
    if (!rest || MOST_FIGURES + 2 * DUMP_MOST_INDENT + rest->size > sizeof lines->bytes)
        return false;
    if (lines->used + MOST_FIGURES + 2 * DUMP_MOST_INDENT + rest->size > sizeof lines->bytes)
        dump_lines_flush(dump);
    char *at = put_number(lines->bytes + lines->used, event->cycle, 12);
    at = put_number(at, event->cycle - dump->last, 11);
    at = put_number(at, event->thread, 8);
    memset(at, ' ', 2 + 2 * event->depth);
    at += 2 + 2 * event->depth;
    memcpy(at, rest->text, rest->size);
    lines->used = (size_t)(at + rest->size - lines->bytes);
    return true;
}
