/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of calls that are not for a terminal. Nearly all lines of a dump are such, and differ from others of the same
 * function only in figures and indent, so the rest of a line is made once for each function. */
#include <stdlib.h>
#include <string.h>

#include "cli/report/dump.h"
#include "lib/util/text_buffer.h"

#define THREAD_BYTES 16 /* a number with up to 10 digits, and spaces */
#define REST_BYTES 64   /* copied at least, because that is faster */

/* What may be written for a line, without its rest. */
#define MOST_BYTES (2 * GNOMON_DECIMAL_ROOM + THREAD_BYTES + 3 * DUMP_MOST_INDENT + REST_BYTES)

struct dump_lines {
    size_t functions;
    struct rest {
        char *text; /* NULL: not made yet */
        size_t size;
    } * rests; /* two for each function: of its enter, of its exit */
    struct gnomon_decimal_near cycle;
    size_t thread_size;
    char thread_text[THREAD_BYTES];
    struct gnomon_text_buffer text;
};

void dump_lines_open(struct dump *dump) {
    const bool plain = !dump->width && !dump->analysis.other;
    dump->lines = plain ? calloc(1, sizeof *dump->lines) : NULL;
    if (!dump->lines)
        return;
    dump->lines->cycle.width = 12;
    dump->lines->text.stream = dump->stream;
    dump->lines->functions = gnomon_modules_first(dump->analysis.modules);
    dump->lines->rests = calloc(2 * dump->lines->functions + 1, sizeof *dump->lines->rests);
    if (!dump->lines->rests)
        dump_lines_close(dump);
}

void dump_lines_close(struct dump *dump) {
    struct dump_lines *lines = dump->lines;
    if (!lines)
        return;
    gnomon_text_flush(&lines->text);
    for (size_t i = 0; lines->rests && i < 2 * lines->functions; i++)
        free(lines->rests[i].text);
    free(lines->rests);
    free(lines);
    dump->lines = NULL;
}

/* NULL: out of memory. */
static const struct rest *make_rest(struct dump *dump, uint32_t number, bool ends) {
    struct rest *rest = &dump->lines->rests[2 * number + ends];
    FILE *stream = dump->stream, *memory = open_memstream(&rest->text, &rest->size);
    if (!memory)
        return NULL;
    dump->stream = memory;
    dump_text_call(dump, &(struct gnomon_event){
                             .type = ends ? GNOMON_EVENT_EXIT : GNOMON_EVENT_ENTER, .number = number, .popped = ends});
    dump->stream = stream;
    fflush(memory);
    const size_t size = rest->size;
    for (size_t i = size; i < REST_BYTES; i++)
        putc('\0', memory);
    const bool good = !fclose(memory);
    rest->size = size;
    return good ? rest : NULL;
}

static void name_thread(struct dump_lines *lines, uint32_t thread) {
    char *end = gnomon_decimal_justify(lines->thread_text, thread, 8);
    *end++ = ' ';
    *end++ = ' ';
    lines->thread_size = (size_t)(end - lines->thread_text);
}

/* The rest of the line of a call that begins, or ends in turn. NULL: it has no line of this form, or out of memory. */
static inline const struct rest *find_rest(struct dump *dump, uint32_t number, bool ends, uint32_t depth) {
    const struct rest *rest = &dump->lines->rests[2 * number + ends];
    if (depth > DUMP_MOST_INDENT || (!rest->text && !make_rest(dump, number, ends)))
        return NULL;
    return rest->size <= GNOMON_TEXT_BYTES / 2 ? rest : NULL;
}

static inline char *put_line(struct dump_lines *lines, char *at, uint64_t cycle, uint64_t passed, uint32_t depth,
                             const struct rest *rest) {
    static const char spaces[32] = "                                ";
    at = gnomon_decimal_put_near(&lines->cycle, at, cycle);
    at = gnomon_decimal_column(at, passed, 11);
    memcpy(at, lines->thread_text, THREAD_BYTES);
    at += lines->thread_size;
    for (uint32_t done = 0; done < 2 * depth; done += sizeof spaces)
        memcpy(at + done, spaces, sizeof spaces);
    at += 2 * depth;
    if (rest->size <= REST_BYTES)
        memcpy(at, rest->text, REST_BYTES);
    else
        memcpy(at, rest->text, rest->size);
    return at + rest->size;
}

static void put_other(struct dump *dump, const struct gnomon_event *event) {
    gnomon_text_flush(&dump->lines->text);
    dump_text_event(dump, event);
}

void dump_lines_event(struct dump *dump, const struct gnomon_event *event) {
    struct dump_lines *lines = dump->lines;
    const bool ends = event->type == GNOMON_EVENT_EXIT && event->popped == 1;
    const bool plain = (event->type == GNOMON_EVENT_ENTER || ends) && event->number < lines->functions;
    const struct rest *rest = plain ? find_rest(dump, event->number, ends, event->depth) : NULL;
    if (!rest) {
        put_other(dump, event);
        return;
    }
    name_thread(lines, event->thread);
    gnomon_text_end(&lines->text, put_line(lines, gnomon_text_room(&lines->text, MOST_BYTES + rest->size), event->cycle,
                                           event->cycle - dump->last, event->depth, rest));
}

void dump_lines_calls(struct dump *dump, const struct gnomon_calls *calls, size_t count) {
    struct dump_lines *lines = dump->lines;
    uint64_t cycle = calls->from;
    uint32_t depth = calls->depth;
    char *at = gnomon_text_room(&lines->text, 0);
    name_thread(lines, calls->thread);
    for (size_t i = 0; i < count; i++) {
        const struct gnomon_call *call = &calls->calls[i];
        depth -= call->ends;
        cycle += call->cycles;
        const struct rest *rest = find_rest(dump, call->number, call->ends, depth);
        if (!rest || gnomon_text_left(&lines->text, at) < MOST_BYTES + rest->size) {
            gnomon_text_end(&lines->text, at);
            gnomon_text_flush(&lines->text);
            at = gnomon_text_room(&lines->text, 0);
        }
        if (rest) {
            at = put_line(lines, at, cycle, cycle - dump->last, depth, rest);
        } else {
            struct gnomon_event event = gnomon_calls_event(calls, i, cycle - call->cycles);
            event.depth = depth;
            dump_text_event(dump, &event);
        }
        dump->last = cycle;
        depth += !call->ends;
    }
    gnomon_text_end(&lines->text, at);
}
