/* SPDX-License-Identifier: Apache-2.0 */
/* Prints events as lines of text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/dump.h"
#include "cli/screen.h"
#include "gnomon/heap.h"
#include "lib/locks/lock_message.h"

#define FIGURES_WIDTH 33 /* characters of a line before the event */
#define HART_WIDTH 6     /* with the events of both harts: more */

void dump_text_head(const struct dump *dump) {
    fprintf(dump->stream, "%s       cycle      delta%s  thread  event%s\n",
            cli_style(dump->context, dump->stream, CLI_BOLD), dump->analysis.other ? "  hart" : "",
            cli_style(dump->context, dump->stream, CLI_PLAIN));
}

/* On a terminal at least half of the width after the figures is left for the event. Returns the number of characters.
 */
static int put_indent(const struct dump *dump, uint32_t depth) {
    const int figures = FIGURES_WIDTH + (dump->analysis.other ? HART_WIDTH : 0);
    int most = dump->width ? (dump->width - figures) / 4 : DUMP_MOST_INDENT;
    if (most > DUMP_MOST_INDENT)
        most = DUMP_MOST_INDENT;
    if (depth > (uint32_t)most)
        return fprintf(dump->stream, "%*s[%" PRIu32 "] ", 2 * most, "", depth);
    return fprintf(dump->stream, "%*s", (int)(2 * depth), "");
}

static bool begins_call(const struct gnomon_event *event) {
    return event->type == GNOMON_EVENT_ENTER || event->type == GNOMON_EVENT_TRAP_ENTER;
}

static void put_call(const struct dump *dump, const struct gnomon_event *event) {
    struct gnomon_name name;
    dump_name(dump, event, &name);
    bool begins = begins_call(event);
    fprintf(dump->stream, "%c %s", begins ? '>' : '<', name.text);
    if (!begins && event->popped == 0)
        fputs("  (was not open)", dump->stream);
    if (!begins && event->popped > 1)
        fprintf(dump->stream, "  (ends %" PRIu32 " calls)", event->popped);
}

static void put_text_message(FILE *stream, uint32_t value) {
    fputs("text \"", stream);
    for (unsigned i = 0; i < 4 && (value >> (8 * i) & 0xFF); i++) {
        unsigned byte = value >> (8 * i) & 0xFF;
        if (byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\')
            fputc((int)byte, stream);
        else
            fprintf(stream, "\\x%02x", byte);
    }
    fputc('"', stream);
}

/* Prints a call that the runtime reports with an address: the address is in a function without hooks. */
static void put_foreign_call(const struct dump *dump, uint32_t channel, uint32_t address) {
    struct gnomon_name name;
    gnomon_name_of(&name, &dump->analysis, address);
    fprintf(dump->stream, "%c %s  (message)", channel == GNOMON_CHANNEL_CALL_EXIT ? '<' : '>', name.text);
}

static void put_landed(const struct dump *dump, uint32_t id) {
    struct gnomon_name name;
    gnomon_name_of(&name, &dump->analysis, id);
    fprintf(dump->stream, "%s runs: calls above it have ended", name.text);
}

static void put_module(FILE *stream, uint32_t what, uint32_t value) {
    const uint32_t first = value & 0xFFFF, last = first + (value >> 16) - 1;
    if (what == GNOMON_MODULE_KEY)
        fprintf(stream, "module of build id %02x%02x%02x%02x...", value & 0xFF, value >> 8 & 0xFF, value >> 16 & 0xFF,
                value >> 24);
    else if (what == GNOMON_MODULE_RANGE)
        fprintf(stream, "module's functions: numbers %" PRIu32 " to %" PRIu32, first, last);
    else if (what == GNOMON_MODULE_GONE)
        fprintf(stream, "module unloaded: numbers %" PRIu32 " to %" PRIu32, first, last);
    else if (what == GNOMON_MODULE_FIRST)
        fprintf(stream, "module's functions: numbers from %" PRIu32, value);
    else if (what == GNOMON_MODULE_COUNT)
        fprintf(stream, "module's functions: %" PRIu32 " of them", value);
    else if (what == GNOMON_MODULE_GONE_FIRST)
        fprintf(stream, "module unloaded: numbers from %" PRIu32, value);
    else if (what >= GNOMON_MODULE_LOADED)
        fprintf(stream, "module loaded at 0x%08" PRIx32 ", load %" PRIu32, value, what - GNOMON_MODULE_LOADED);
    else
        fprintf(stream, "module %" PRIu32 " = 0x%08" PRIx32, what, value);
}

static void put_thread(const struct dump *dump, uint32_t number) {
    char name[GNOMON_LOCK_NAME_BYTES], text[CLI_CLEAN_BYTES];
    fprintf(dump->stream, "thread %" PRIu32, number);
    if (number < GNOMON_THREADS_MOST && dump->tables.threads[number].known)
        fprintf(dump->stream, ": %s", cli_clean(text, gnomon_thread_name(&dump->names, number, name)));
}

/* The instruction that changed MIE or MPIE has 4 bytes. */
static void put_interrupts(const struct dump *dump, uint32_t value) {
    char caller[GNOMON_LOCK_NAME_BYTES], text[CLI_CLEAN_BYTES];
    fprintf(dump->stream, "interrupts %s in %s", value & 1 ? "on" : "off",
            cli_clean(text, gnomon_lock_caller_text(&dump->names, (value & ~1u) + 4, caller)));
}

/* What comes with the address of a block; 0: an allocation that failed. */
static void put_heap(FILE *stream, uint32_t address, uint32_t value) {
    static const char *const found[] = {
        [GNOMON_HEAP_AFTER_END] = "written after its end",   [GNOMON_HEAP_BEFORE_START] = "written before its start",
        [GNOMON_HEAP_AFTER_FREE] = "written after its free", [GNOMON_HEAP_IGNORED] = "left out of leak checks",
        [GNOMON_HEAP_UNIGNORED] = "in leak checks again",    [GNOMON_HEAP_LEAKS_OFF] = "leak checks off",
        [GNOMON_HEAP_LEAKS_ON] = "leak checks on",           [GNOMON_HEAP_EMPTIED] = "table of words emptied",
        [GNOMON_HEAP_WATCHED] = "words are watched",         [GNOMON_HEAP_FORGOTTEN] = "no longer watched",
    };
    const uint32_t kind = GNOMON_HEAP_FOUND_KIND(value);
    if (!address || value < GNOMON_HEAP_GREW)
        fprintf(stream, "heap allocated %" PRIu32 " bytes", value);
    else if (value < GNOMON_HEAP_FOUND(0, 0))
        fprintf(stream, "heap grew by %" PRIu32 " bytes", value - GNOMON_HEAP_GREW);
    else if (kind < sizeof found / sizeof *found && found[kind])
        fprintf(stream, "heap: %s", found[kind]);
    else
        fprintf(stream, "heap message 0x%08" PRIx32, value);
}

static void put_channel(const struct dump *dump, const struct gnomon_event *event) {
    FILE *stream = dump->stream;
    const uint32_t channel = event->number, value = event->value;
    switch (channel) {
    case GNOMON_CHANNEL_THREAD:
        put_thread(dump, value);
        return;
    case GNOMON_CHANNEL_HEAP_ADDR:
        fprintf(stream, "heap block 0x%08" PRIx32, value);
        return;
    case GNOMON_CHANNEL_HEAP_ALLOC:
        put_heap(stream, dump->heap_address[event->hart], value);
        return;
    case GNOMON_CHANNEL_HEAP_FREE:
        fprintf(stream, "heap freed 0x%08" PRIx32, value);
        return;
    case GNOMON_CHANNEL_INTERRUPTS:
    case GNOMON_CHANNEL_INTERRUPTS_MPIE:
        put_interrupts(dump, value);
        return;
    case GNOMON_CHANNEL_INTERRUPT_WAIT:
        fprintf(stream, "interrupt %" PRIu32 " had waited %" PRIu32 " cycles%s",
                value & ((1u << GNOMON_INTERRUPT_WAIT_CYCLES_AT) - 1), value >> GNOMON_INTERRUPT_WAIT_CYCLES_AT,
                value >> GNOMON_INTERRUPT_WAIT_CYCLES_AT == GNOMON_INTERRUPT_WAIT_MOST ? " or more" : "");
        return;
    case GNOMON_CHANNEL_REGISTER:
        fprintf(stream, "register 0x%08" PRIx32, value);
        return;
    case GNOMON_CHANNEL_LOCK_WORD:
        fprintf(stream, "lock word 0x%08" PRIx32, value & ~3u);
        return;
    case GNOMON_CHANNEL_LANDED:
        put_landed(dump, UINT32_MAX - value);
        return;
    case GNOMON_CHANNEL_LONGJMP:
        fprintf(stream, "longjmp, sp 0x%08" PRIx32, value);
        return;
    case GNOMON_CHANNEL_CALL_ENTER:
    case GNOMON_CHANNEL_CALL_EXIT:
    case GNOMON_CHANNEL_CALL_MCOUNT:
    case GNOMON_CHANNEL_CALL_PATCHED:
        if (value < GNOMON_PROFILE_ADDRESS)
            break;
        put_foreign_call(dump, channel, value);
        return;
    case GNOMON_CHANNEL_TEXT:
        put_text_message(stream, value);
        return;
    }
    if (channel >= GNOMON_CHANNEL_VALUE && channel < GNOMON_CHANNEL_VALUE_END)
        fprintf(stream, "value %" PRIu32 " = %" PRIu32, channel - GNOMON_CHANNEL_VALUE, value);
    else if (channel >= GNOMON_CHANNEL_MARK && channel < GNOMON_CHANNEL_VALUE)
        fprintf(stream, "mark %" PRIu32 " = %" PRIu32, channel - GNOMON_CHANNEL_MARK, value);
    else
        fprintf(stream, "channel %" PRIu32 " = 0x%08" PRIx32, channel, value);
}

/* What happened to a lock: its name, a verb, who did it and where, the latter two with their prepositions or empty. */
struct lock_line {
    char lock[CLI_CLEAN_BYTES], thread[CLI_CLEAN_BYTES + 4], place[CLI_CLEAN_BYTES + 4];
    const char *verb;
};

#define LEAST_TEXT 16 /* characters to which a text is shortened */

/* Shortens the text, if it is longer than `width`. Returns its length. */
static int shorten(char text[CLI_CLEAN_BYTES], int width) {
    char buffer[SCREEN_TEXT_BYTES];
    const char *shorter = screen_shorten(buffer, text, width < LEAST_TEXT ? LEAST_TEXT : width);
    if (shorter == buffer)
        strcpy(text, buffer);
    return screen_length(text);
}

/* The terminal has `room` characters for the line. The thread gives way first if a column has it; then the place is
 * shortened, and left out if little would remain; then the thread and the lock are shortened. */
static void fit_lock(struct lock_line *line, int room, bool thread_in_column) {
    const int lock = screen_length(line->lock), place = screen_length(line->place);
    room -= 1 + screen_length(line->verb);
    if (thread_in_column && lock + screen_length(line->thread) + place > room)
        line->thread[0] = '\0';
    const int rest = room - lock - screen_length(line->thread);
    if (rest < place && rest < LEAST_TEXT)
        line->place[0] = '\0';
    room -= shorten(line->place, rest);
    room -= shorten(line->thread, room - lock);
    shorten(line->lock, room);
}

/* A lock or thread that the program's tables do not name has only its number. `at`: characters before it. */
static void put_lock(const struct dump *dump, const struct gnomon_event *event, int at) {
    static const char *const did[] = {
        [GNOMON_LOCK_REQUEST] = "asked for",
        [GNOMON_LOCK_ACQUIRED] = "acquired",
        [GNOMON_LOCK_REFUSED] = "refused",
        [GNOMON_LOCK_RELEASED] = "released",
    };
    const struct gnomon_lock_message message = gnomon_lock_message_of(event);
    char lock[GNOMON_LOCK_NAME_BYTES], thread[GNOMON_LOCK_NAME_BYTES], caller[GNOMON_LOCK_NAME_BYTES],
        text[CLI_CLEAN_BYTES];
    FILE *stream = dump->stream;
    if (message.lock == GNOMON_LOCKS_LOCK_NONE && message.action == GNOMON_LOCK_REQUEST) {
        fprintf(stream, "%s blocks", cli_clean(text, gnomon_thread_name(&dump->names, message.thread, thread)));
        return;
    }
    struct lock_line line = {.verb = did[message.action]};
    const char *load = event->number & GNOMON_LOCK_WRITE ? "" : " (by a load)";
    cli_clean(line.lock, gnomon_lock_name(&dump->names, message.lock, lock));
    snprintf(line.thread, sizeof line.thread, " by %s",
             cli_clean(text, gnomon_thread_name(&dump->names, message.thread, thread)));
    if (message.caller)
        snprintf(line.place, sizeof line.place, " in %s",
                 cli_clean(text, gnomon_lock_caller_text(&dump->names, message.caller, caller)));
    if (dump->width)
        fit_lock(&line, dump->width - at - screen_length(load), message.thread == event->thread);
    fprintf(stream, "%s %s%s%s%s", line.lock, line.verb, line.thread, line.place, load);
}

static void put_access(const struct dump *dump, const struct gnomon_event *event) {
    FILE *stream = dump->stream;
    struct dump_access access = dump_access_of(event);
    const bool atomic = access.write && event->number & GNOMON_ACCESS_READ;
    fprintf(stream, "%-11s %s", access.port, atomic ? "amo  " : access.write ? "write" : "read ");
    if (access.size)
        fprintf(stream, " %u", access.size);
    else
        fputs("  ", stream);
    if (event->number & GNOMON_ACCESS_UNPLACED)
        fprintf(stream, "  place %-4" PRIu32, event->value);
    else
        fprintf(stream, "  0x%08" PRIx32, access.address);
    if (event->number & GNOMON_ACCESS_DATA)
        fprintf(stream, " = 0x%0*" PRIx32, (int)(2 * access.size), access.data);
    uint32_t offset;
    const char *name =
        event->number & GNOMON_ACCESS_UNPLACED ? NULL : gnomon_places_at(dump->places, access.address, &offset);
    if (name)
        fprintf(stream, "%*s  %s", event->number & GNOMON_ACCESS_DATA ? (int)(8 - 2 * access.size) : 13, "", name);
    if (name && offset)
        fprintf(stream, "+%" PRIu32, offset);
}

static void put_end(FILE *stream, const struct gnomon_event *event) {
    static const char *const how[] = {"the program ended", "stopped by the host", "stopped: not read for too long"};
    fprintf(stream, "end: %s", how[event->end.how]);
    if (event->end.how == 0)
        fprintf(stream, " with status %" PRIu32, event->value & 0xFF);
    fprintf(stream, ", %" PRIu64 " instructions, %" PRIu64 " events produced, %" PRIu64 " lost",
            event->end.instructions, event->end.produced, event->end.lost);
}

static void put_trouble(const struct dump *dump, const struct gnomon_event *event) {
    FILE *stream = dump->stream;
    if (event->type == GNOMON_EVENT_LOST) {
        fprintf(stream, "! lost %" PRIu64 " enters, %" PRIu64 " exits, %" PRIu64 " others, with %" PRIu64 " cycles",
                event->lost.enters, event->lost.exits, event->lost.others, event->lost.cycles);
        if (event->lost.bus)
            fprintf(stream, "; %" PRIu32 " lock messages or accesses missing", event->lost.bus);
    }
    if (event->type == GNOMON_EVENT_GAP)
        fprintf(stream, "! gap: %" PRIu64 " frames missing, %" PRIu32 " calls are open that are not known",
                event->gap.frames, event->gap.unknown);
    if (event->type == GNOMON_EVENT_DAMAGE)
        fprintf(stream, "! damaged: %s", event->damage);
}

/* Prints an event without the source location of its function. */
static void put_event(const struct dump *dump, const struct gnomon_event *event) {
    FILE *stream = dump->stream;
    uint64_t delta = event->cycle >= dump->last ? event->cycle - dump->last : 0;
    int at = fprintf(stream, "%12" PRIu64 " %10" PRIu64, event->cycle, delta);
    if (dump->analysis.other)
        at += fprintf(stream, "  %4u", event->hart);
    at += fprintf(stream, "  %6" PRIu32 "  ", event->thread);
    at += put_indent(dump, event->depth);
    switch (event->type) {
    case GNOMON_EVENT_BEGIN:
        fputs("begin", stream);
        if (event->value)
            fprintf(stream, " at 0x%08" PRIx32, event->value);
        break;
    case GNOMON_EVENT_ENTER:
    case GNOMON_EVENT_EXIT:
    case GNOMON_EVENT_TRAP_ENTER:
    case GNOMON_EVENT_TRAP_LEAVE:
        put_call(dump, event);
        break;
    case GNOMON_EVENT_CHANNEL:
        put_channel(dump, event);
        break;
    case GNOMON_EVENT_LOCK:
        put_lock(dump, event, at);
        break;
    case GNOMON_EVENT_ACCESS:
        put_access(dump, event);
        break;
    case GNOMON_EVENT_MODULE:
        put_module(stream, event->number, event->value);
        break;
    case GNOMON_EVENT_END:
        put_end(stream, event);
        break;
    case GNOMON_EVENT_LOST:
    case GNOMON_EVENT_GAP:
    case GNOMON_EVENT_DAMAGE:
        put_trouble(dump, event);
        break;
    }
}

/* Prints an event, shortened to the width of a terminal. Returns its number of columns; 0: they were not counted. */
static int put_fitted(struct dump *dump, const struct gnomon_event *event) {
    char *text = NULL, buffer[SCREEN_TEXT_BYTES];
    size_t size;
    FILE *stream = dump->stream, *line = dump->width ? open_memstream(&text, &size) : NULL;
    dump->stream = line ? line : stream;
    put_event(dump, event);
    dump->stream = stream;
    if (!line)
        return 0;
    fclose(line);
    const char *fitted = screen_shorten(buffer, text, dump->width);
    fputs(fitted, stream);
    int length = screen_length(fitted);
    free(text);
    return length;
}

static void put_where(const struct dump *dump, const struct gnomon_event *event, int used) {
    struct gnomon_name name;
    char where[CLI_WHERE_BYTES];
    dump_name(dump, event, &name);
    if (!*cli_where(where, &name) || (dump->width && used + 2 + screen_length(where) > dump->width))
        return;
    fprintf(dump->stream, "  %s%s%s", cli_style(dump->context, dump->stream, CLI_DIM), where,
            cli_style(dump->context, dump->stream, CLI_PLAIN));
}

void dump_text_call(const struct dump *dump, const struct gnomon_event *event) {
    put_call(dump, event);
    if (begins_call(event))
        put_where(dump, event, 0);
    fputc('\n', dump->stream);
}

void dump_text_event(struct dump *dump, const struct gnomon_event *event) {
    FILE *stream = dump->stream;
    bool trouble =
        event->type == GNOMON_EVENT_LOST || event->type == GNOMON_EVENT_GAP || event->type == GNOMON_EVENT_DAMAGE;
    if (event->type == GNOMON_EVENT_CHANNEL && event->number == GNOMON_CHANNEL_HEAP_ADDR)
        dump->heap_address[event->hart] = event->value;
    fputs(trouble ? cli_style(dump->context, stream, CLI_RED) : "", stream);
    int used = put_fitted(dump, event);
    fputs(trouble ? cli_style(dump->context, stream, CLI_PLAIN) : "", stream);
    if (begins_call(event))
        put_where(dump, event, used);
    fputc('\n', stream);
}
