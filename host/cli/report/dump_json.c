/* SPDX-License-Identifier: Apache-2.0 */
/* Prints events as JSON, one object per line (docs/guide/report.md). */
#include <jansson.h>
#include <string.h>

#include "cli/report/dump.h"
#include "cli/screen.h"
#include "lib/locks/lock_message.h"
#include "lib/util/bytes.h"
#include "lib/util/json_text.h"

static const char *const kinds[] = {
    [GNOMON_EVENT_BEGIN] = "begin",
    [GNOMON_EVENT_ENTER] = "enter",
    [GNOMON_EVENT_EXIT] = "exit",
    [GNOMON_EVENT_TRAP_ENTER] = "trap_enter",
    [GNOMON_EVENT_TRAP_LEAVE] = "trap_leave",
    [GNOMON_EVENT_CHANNEL] = "channel",
    [GNOMON_EVENT_LOCK] = "lock",
    [GNOMON_EVENT_MODULE] = "module",
    [GNOMON_EVENT_LOST] = "lost",
    [GNOMON_EVENT_END] = "end",
    [GNOMON_EVENT_DAMAGE] = "damage",
    [GNOMON_EVENT_GAP] = "gap",
    [GNOMON_EVENT_ACCESS] = "access",
};

static void set_count(json_t *object, const char *key, uint64_t value) {
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void set_text(json_t *object, const char *key, const char *text) {
    json_object_set_new(object, key, gnomon_json_text(text));
}

static void set_call(const struct dump *dump, json_t *object, const struct gnomon_event *event) {
    struct gnomon_name name;
    dump_name(dump, event, &name);
    set_text(object, "function", name.text);
    if (name.symbol && strcmp(name.symbol, name.text) != 0)
        set_text(object, "symbol", name.symbol);
    if (event->type == GNOMON_EVENT_TRAP_ENTER || event->type == GNOMON_EVENT_TRAP_LEAVE)
        set_count(object, "number", event->number);
    if (name.number != GNOMON_NO_NUMBER)
        set_count(object, "number", name.number);
    if (name.module)
        set_text(object, "module", name.module);
    if (name.file)
        set_text(object, "file", name.file);
    if (name.line)
        set_count(object, "line", name.line);
    if (event->type == GNOMON_EVENT_EXIT || event->type == GNOMON_EVENT_TRAP_LEAVE)
        set_count(object, "ended", event->popped);
}

/* The code that called the lock function: its address and, if known, its function and line. */
static void set_caller(const struct dump *dump, json_t *object, uint32_t caller) {
    struct gnomon_code code;
    struct gnomon_line line;
    gnomon_lock_caller(&dump->names, caller, &code, &line);
    set_count(object, "caller", caller);
    if (code.function)
        set_text(object, "caller_function", code.function->name);
    if (line.line) {
        set_text(object, "caller_file", line.file);
        set_count(object, "caller_line", line.line);
    }
}

static void set_lock(const struct dump *dump, json_t *object, const struct gnomon_event *event) {
    const struct gnomon_lock_message message = gnomon_lock_message_of(event);
    char text[GNOMON_LOCK_NAME_BYTES];
    set_count(object, "address", event->value);
    set_count(object, "segment", (event->number & GNOMON_LOCK_SEGMENT) != 0);
    set_count(object, "by_thread", message.thread);
    set_count(object, "lock", message.lock);
    json_object_set_new(object, "locks", json_boolean(event->value >> 3 & 1));
    json_object_set_new(object, "write", json_boolean(event->number & GNOMON_LOCK_WRITE));
    set_text(object, "message", gnomon_lock_action_name(message.action));
    if (dump->tables.locks[message.lock].state != GNOMON_LOCK_UNUSED) {
        set_text(object, "lock_name", gnomon_lock_name(&dump->names, message.lock, text));
        set_text(object, "lock_kind", gnomon_lock_kind_name(dump->tables.locks[message.lock].kind));
    }
    if (dump->tables.threads[message.thread].known)
        set_text(object, "thread_name", gnomon_thread_name(&dump->names, message.thread, text));
    if (event->number & GNOMON_LOCK_DATA)
        set_count(object, "data", event->data);
    if (message.caller)
        set_caller(dump, object, message.caller);
}

static void set_access(const struct dump *dump, json_t *object, const struct gnomon_event *event) {
    struct dump_access access = dump_access_of(event);
    set_text(object, "port", access.port);
    json_object_set_new(object, "write", json_boolean(access.write));
    if (event->number & GNOMON_ACCESS_WORD)
        json_object_set_new(object, "read", json_boolean(event->number & GNOMON_ACCESS_READ));
    set_count(object, event->number & GNOMON_ACCESS_UNPLACED ? "place" : "address", access.address);
    if (access.size) {
        set_count(object, "lanes", GNOMON_ACCESS_LANES(event->number));
        set_count(object, "size", access.size);
    }
    if (event->number & GNOMON_ACCESS_DATA)
        set_count(object, "data", access.data);
    uint32_t offset;
    const char *name =
        event->number & GNOMON_ACCESS_UNPLACED ? NULL : gnomon_places_at(dump->places, access.address, &offset);
    if (name) {
        set_text(object, "name", name);
        set_count(object, "offset", offset);
    }
}

static void set_fields(const struct dump *dump, json_t *object, const struct gnomon_event *event) {
    switch (event->type) {
    case GNOMON_EVENT_BEGIN:
        if (event->value)
            set_count(object, "pc", event->value);
        break;
    case GNOMON_EVENT_ENTER:
    case GNOMON_EVENT_EXIT:
    case GNOMON_EVENT_TRAP_ENTER:
    case GNOMON_EVENT_TRAP_LEAVE:
        set_call(dump, object, event);
        break;
    case GNOMON_EVENT_CHANNEL:
    case GNOMON_EVENT_MODULE:
        set_count(object, "number", event->number);
        set_count(object, "value", event->value);
        break;
    case GNOMON_EVENT_LOCK:
        set_lock(dump, object, event);
        break;
    case GNOMON_EVENT_ACCESS:
        set_access(dump, object, event);
        break;
    case GNOMON_EVENT_LOST:
        set_count(object, "enters", event->lost.enters);
        set_count(object, "exits", event->lost.exits);
        set_count(object, "others", event->lost.others);
        set_count(object, "cycles", event->lost.cycles);
        if (event->lost.counts_bus)
            set_count(object, "bus", event->lost.bus);
        break;
    case GNOMON_EVENT_END:
        set_count(object, "how", event->end.how);
        set_count(object, "status", event->value);
        set_count(object, "instructions", event->end.instructions);
        set_count(object, "produced", event->end.produced);
        set_count(object, "lost", event->end.lost);
        if (event->end.counts_bus)
            set_count(object, "bus_lost", event->end.bus_lost);
        break;
    case GNOMON_EVENT_GAP:
        set_count(object, "frames", event->gap.frames);
        set_count(object, "unknown", event->gap.unknown);
        break;
    case GNOMON_EVENT_DAMAGE:
        set_text(object, "text", event->damage);
        break;
    }
}

static void put_object(const struct dump *dump, json_t *object) {
    json_dumpf(object, dump->stream, JSON_COMPACT);
    fputc('\n', dump->stream);
    json_decref(object);
}

void dump_json_event(const struct dump *dump, const struct gnomon_event *event) {
    json_t *object = json_object();
    set_text(object, "event", kinds[event->type]);
    if (dump->analysis.hart || dump->analysis.other)
        set_count(object, "hart", event->hart);
    set_count(object, "cycle", event->cycle);
    set_count(object, "delta", event->cycle >= dump->last ? event->cycle - dump->last : 0);
    set_count(object, "thread", event->thread);
    set_count(object, "depth", event->depth);
    set_fields(dump, object, event);
    put_object(dump, object);
}

/* ---- Frames ---- */

struct frame_header {
    unsigned magic, version, hart, first, depth, thread, flags;
    uint32_t sequence, lost;
    uint64_t cycle;
};

static struct frame_header header_of(const uint8_t *frame) {
    return (struct frame_header){
        .magic = (unsigned)gnomon_little(frame, 2),
        .version = frame[GNOMON_FRAME_AT_VERSION],
        .hart = frame[GNOMON_FRAME_AT_HART],
        .sequence = (uint32_t)gnomon_little(frame + GNOMON_FRAME_AT_SEQUENCE, 4),
        .cycle = gnomon_little(frame + GNOMON_FRAME_AT_CYCLE, 8),
        .first = (unsigned)gnomon_little(frame + GNOMON_FRAME_AT_FIRST, 2),
        .depth = (unsigned)gnomon_little(frame + GNOMON_FRAME_AT_DEPTH, 2),
        .thread = (unsigned)gnomon_little(frame + GNOMON_FRAME_AT_THREAD, 2),
        .flags = (unsigned)gnomon_little(frame + GNOMON_FRAME_AT_FLAGS, 2),
        .lost = (uint32_t)gnomon_little(frame + GNOMON_FRAME_AT_LOST, 4),
    };
}

static size_t without_padding(const uint8_t *frame) {
    size_t end = GNOMON_FRAME_BYTES;
    while (end > GNOMON_FRAME_HEADER_BYTES && frame[end - 1] == GNOMON_PACKET_PAD)
        end--;
    return end;
}

void dump_raw_json(const struct dump *dump, uint64_t index, const uint8_t *frame) {
    struct frame_header header = header_of(frame);
    char bytes[2 * GNOMON_FRAME_BYTES + 1] = "";
    for (size_t i = GNOMON_FRAME_HEADER_BYTES; i < GNOMON_FRAME_BYTES; i++)
        snprintf(&bytes[2 * (i - GNOMON_FRAME_HEADER_BYTES)], 3, "%02x", frame[i]);
    json_t *object = json_object();
    set_count(object, "frame", index);
    set_count(object, "magic", header.magic);
    set_count(object, "version", header.version);
    set_count(object, "hart", header.hart);
    set_count(object, "sequence", header.sequence);
    set_count(object, "cycle", header.cycle);
    set_count(object, "first", header.first);
    set_count(object, "depth", header.depth);
    set_count(object, "thread", header.thread);
    set_count(object, "flags", header.flags);
    set_count(object, "lost", header.lost);
    set_text(object, "packets", bytes);
    put_object(dump, object);
}

void dump_raw_text(const struct dump *dump, uint64_t index, const uint8_t *frame) {
    struct frame_header header = header_of(frame);
    FILE *stream = dump->stream;
    char text[240];
    snprintf(
        text, sizeof text,
        "frame %llu: magic %04x version %u hart %u sequence %u cycle %llu first %u depth %u thread %u flags %04x lost "
        "%u",
        (unsigned long long)index, header.magic, header.version, header.hart, header.sequence,
        (unsigned long long)header.cycle, header.first, header.depth, header.thread, header.flags, header.lost);
    fputs(cli_style(dump->context, stream, CLI_BOLD), stream);
    screen_sentence(stream, text, "  ");
    fputs(cli_style(dump->context, stream, CLI_PLAIN), stream);
    size_t end = without_padding(frame);
    for (size_t at = GNOMON_FRAME_HEADER_BYTES; at < end; at += 16) {
        fprintf(stream, "  %3zu ", at);
        for (size_t i = at; i < at + 16 && i < end; i++)
            fprintf(stream, " %02x", frame[i]);
        fputc('\n', stream);
    }
}
