/* SPDX-License-Identifier: Apache-2.0 */
/* Perfetto's trace: packets of track events. Names are interned. The remarks are at the end, as instants of the track
 * "recording". */
#include "lib/export/protobuf.h"
#include "lib/export/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"

/* Numbers of fields, from Perfetto's trace_packet.proto, track_descriptor.proto, counter_descriptor.proto,
 * track_event.proto, debug_annotation.proto and interned_data.proto. */
enum { TRACE_PACKET = 1 };
enum { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_EVENT, PACKET_INTERNED, PACKET_FLAGS, PACKET_TRACK = 60 };
enum { STATE_CLEARED = 1, NEEDS_STATE = 2 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PARENT = 5, TRACK_COUNTER = 8, TRACK_ORDERING = 11, TRACK_RANK };
enum { ORDERING_EXPLICIT = 3 };
enum { EVENT_CATEGORY = 3, EVENT_ANNOTATION, EVENT_TYPE = 9, EVENT_NAME, EVENT_TRACK, EVENT_COUNTER = 30 };
enum { TYPE_BEGIN = 1, TYPE_END, TYPE_INSTANT, TYPE_COUNTER };
enum { ANNOTATION_KEY = 1, ANNOTATION_NUMBER = 3, ANNOTATION_TEXT = 6 };
enum { INTERNED_CATEGORY = 1, INTERNED_NAME, INTERNED_KEY };
enum { INTERNED_ID = 1, INTERNED_TEXT };

#define SEQUENCE 1
#define FLUSH_BYTES 65536

/* Keys and names of the file itself come after those of the time line. */
enum { KEY_CLOCK = TIMELINE_KEYS, KEY_EXACT, KEY_REMARK, KEYS };
static const char *const own_keys[] = {"clock_hz", "exact", "remark"};

/* Some bytes of a packet. All of them are copied, because that is faster. */
#define PIECE_BYTES 16
struct piece {
    uint8_t size, bytes[PIECE_BYTES];
};

struct perfetto {
    const struct gnomon_export *export;
    FILE *stream;
    struct timeline_unknown unknown;
    struct export_clock clock;
    struct protobuf out, packet, part, inner, interned;
    uint64_t last; /* cycle of the latest event */
    /* What the calls of a name, or of a track, have in common. */
    struct piece *names, (*tracks)[TYPE_END + 1]; /* of a track: by type */
    size_t name_count, track_count, name_room, track_room;
    bool failed; /* out of memory */
};

/* Ids are not 0. The groups' tracks come first. */
static uint64_t group_id(enum timeline_group group) {
    return (uint64_t)group + 1;
}

static uint64_t track_id(uint32_t track) {
    return TIMELINE_GROUPS + (uint64_t)track + 1;
}

/* What an event is, and then where it is. */
static void put_label(struct protobuf *event, enum timeline_category category, uint32_t name) {
    protobuf_number(event, EVENT_CATEGORY, (uint64_t)category + 1);
    protobuf_number(event, EVENT_NAME, (uint64_t)name + 1);
}

static void put_place(struct protobuf *event, unsigned type, uint64_t track) {
    protobuf_number(event, EVENT_TYPE, type);
    protobuf_number(event, EVENT_TRACK, track);
}

static void flush(struct perfetto *perfetto) {
    fwrite(perfetto->out.bytes, 1, perfetto->out.count, perfetto->stream);
    protobuf_clear(&perfetto->out);
}

static void end_packet(struct perfetto *perfetto, uint64_t flags) {
    protobuf_number(&perfetto->packet, PACKET_SEQUENCE, SEQUENCE);
    protobuf_number(&perfetto->packet, PACKET_FLAGS, flags);
    protobuf_message(&perfetto->out, TRACE_PACKET, &perfetto->packet);
    if (perfetto->out.count >= FLUSH_BYTES)
        flush(perfetto);
}

/* A text that packets from now on can name by its id. It goes into the packet that is written next. */
static void intern(struct perfetto *perfetto, unsigned field, uint64_t id, const char *text) {
    protobuf_number(&perfetto->inner, INTERNED_ID, id);
    protobuf_string(&perfetto->inner, INTERNED_TEXT, text);
    protobuf_message(&perfetto->interned, field, &perfetto->inner);
}

static void put_head(struct perfetto *perfetto) {
    for (unsigned i = 0; i < TIMELINE_CATEGORIES; i++)
        intern(perfetto, INTERNED_CATEGORY, i + 1, timeline_categories[i]);
    for (unsigned i = 0; i < KEYS; i++)
        intern(perfetto, INTERNED_KEY, i + 1, i < TIMELINE_KEYS ? timeline_keys[i] : own_keys[i - TIMELINE_KEYS]);
    protobuf_message(&perfetto->packet, PACKET_INTERNED, &perfetto->interned);
    end_packet(perfetto, STATE_CLEARED);
}

static void put_track(struct perfetto *perfetto, uint64_t id, uint64_t parent, uint64_t rank, const char *name,
                      bool counter) {
    protobuf_number(&perfetto->part, TRACK_UUID, id);
    protobuf_string(&perfetto->part, TRACK_NAME, name);
    if (parent)
        protobuf_number(&perfetto->part, TRACK_PARENT, parent);
    if (counter)
        protobuf_message(&perfetto->part, TRACK_COUNTER, &perfetto->inner);
    protobuf_number(&perfetto->part, TRACK_ORDERING, ORDERING_EXPLICIT);
    protobuf_number(&perfetto->part, TRACK_RANK, rank);
    protobuf_message(&perfetto->packet, PACKET_TRACK, &perfetto->part);
    end_packet(perfetto, NEEDS_STATE);
}

/* Takes `message`, which is then empty. It has no more than two or three small numbers. */
static void take_piece(struct protobuf *message, struct piece *piece) {
    piece->size = (uint8_t)(message->count < PIECE_BYTES ? message->count : PIECE_BYTES);
    if (piece->size)
        memcpy(piece->bytes, message->bytes, piece->size);
    protobuf_clear(message);
}

static void on_track(void *context, const struct timeline_track *track) {
    struct perfetto *perfetto = context;
    if (!gnomon_array_room(&perfetto->tracks, &perfetto->track_room, perfetto->track_count + 1,
                           sizeof *perfetto->tracks)) {
        perfetto->failed = true;
        return;
    }
    for (unsigned type = TYPE_BEGIN; type <= TYPE_END; type++) {
        put_place(&perfetto->part, type, track_id(track->number));
        take_piece(&perfetto->part, &perfetto->tracks[perfetto->track_count][type]);
    }
    perfetto->track_count++;
    put_track(context, track_id(track->number), group_id(track->group), track->rank, track->name,
              track->group == TIMELINE_VALUES);
}

static void on_name(void *context, const struct timeline_name *name) {
    struct perfetto *perfetto = context;
    intern(perfetto, INTERNED_NAME, (uint64_t)name->number + 1, name->text);
    if (!gnomon_array_room(&perfetto->names, &perfetto->name_room, perfetto->name_count + 1, sizeof *perfetto->names)) {
        perfetto->failed = true;
        return;
    }
    put_label(&perfetto->part, TIMELINE_CALL, name->number);
    take_piece(&perfetto->part, &perfetto->names[perfetto->name_count++]);
}

static void note_cycle(struct perfetto *perfetto, uint64_t cycle) {
    if (cycle > perfetto->last)
        perfetto->last = cycle;
}

/* `part` has the rest of the event. */
static void put_event(struct perfetto *perfetto, unsigned type, uint64_t track, uint64_t cycle) {
    put_place(&perfetto->part, type, track);
    protobuf_number(&perfetto->packet, PACKET_TIMESTAMP, export_clock_nanoseconds(&perfetto->clock, cycle));
    if (perfetto->interned.count)
        protobuf_message(&perfetto->packet, PACKET_INTERNED, &perfetto->interned);
    protobuf_message(&perfetto->packet, PACKET_EVENT, &perfetto->part);
    end_packet(perfetto, NEEDS_STATE);
    note_cycle(perfetto, cycle);
}

static uint8_t *put_piece(uint8_t *to, const struct piece *piece) {
    memcpy(to, piece->bytes, PIECE_BYTES);
    return to + piece->size;
}

/* The same packet as put_event makes, of a call: the event is `name`, which may be empty, and `place`. It is so short
 * that its length has one byte, and takes up to CALL_BYTES. Returns the place after it. */
#define CALL_BYTES 96
static inline uint8_t *put_call(uint8_t *start, const struct piece *name, const struct piece *place, uint64_t time) {
    static const uint8_t end[] = {PROTOBUF_TAG(PACKET_SEQUENCE, PROTOBUF_NUMBER), SEQUENCE,
                                  PROTOBUF_TAG(PACKET_FLAGS, PROTOBUF_NUMBER), NEEDS_STATE};
    uint8_t *to = start + 2;
    *to++ = PROTOBUF_TAG(PACKET_TIMESTAMP, PROTOBUF_NUMBER);
    to = protobuf_write(to, time);
    *to++ = PROTOBUF_TAG(PACKET_EVENT, PROTOBUF_BYTES);
    *to++ = name->size + place->size;
    to = put_piece(put_piece(to, name), place);
    memcpy(to, end, sizeof end);
    to += sizeof end;
    start[0] = PROTOBUF_TAG(TRACE_PACKET, PROTOBUF_BYTES);
    start[1] = (uint8_t)(to - start - 2);
    return to;
}

static void put_text(struct perfetto *perfetto, unsigned key, const char *text) {
    protobuf_number(&perfetto->inner, ANNOTATION_KEY, (uint64_t)key + 1);
    protobuf_string(&perfetto->inner, ANNOTATION_TEXT, text);
    protobuf_message(&perfetto->part, EVENT_ANNOTATION, &perfetto->inner);
}

static void put_number(struct perfetto *perfetto, unsigned key, uint64_t number) {
    protobuf_number(&perfetto->inner, ANNOTATION_KEY, (uint64_t)key + 1);
    protobuf_number(&perfetto->inner, ANNOTATION_NUMBER, number);
    protobuf_message(&perfetto->part, EVENT_ANNOTATION, &perfetto->inner);
}

static void put_named(struct perfetto *perfetto, unsigned type, const struct timeline_event *event) {
    put_label(&perfetto->part, event->category, event->name.number);
    for (size_t i = 0; i < event->count; i++) {
        const struct timeline_argument *argument = &event->arguments[i];
        if (argument->text)
            put_text(perfetto, argument->key, argument->text);
        else
            put_number(perfetto, argument->key, argument->number);
    }
    put_event(perfetto, type, track_id(event->track), event->cycle);
}

static void on_begin(void *context, const struct timeline_event *event) {
    put_named(context, TYPE_BEGIN, event);
}

static void on_end(void *context, uint32_t track, uint64_t cycle) {
    put_event(context, TYPE_END, track_id(track), cycle);
}

/* A name that has just come is in the first one's packet. */
static void put_first(struct perfetto *perfetto, uint32_t track, const struct timeline_call *call) {
    if (call->name)
        on_begin(perfetto, &(struct timeline_event){TIMELINE_CALL, track, call->cycle, *call->name, NULL, 0});
    else
        on_end(perfetto, track, call->cycle);
}

static void on_calls(void *context, uint32_t track, const struct timeline_call *calls, size_t count) {
    static const struct piece none = {0};
    struct perfetto *perfetto = context;
    struct protobuf *out = &perfetto->out;
    const struct timeline_call *call = calls, *const end = calls + count;
    if (call < end && perfetto->interned.count)
        put_first(perfetto, track, call++);
    if (call == end || perfetto->failed || !protobuf_room(out, count * CALL_BYTES))
        return;
    const struct piece *places = perfetto->tracks[track];
    uint8_t *to = out->bytes + out->count;
    for (; call < end; call++) {
        const struct piece *name = call->name ? &perfetto->names[call->name->number] : &none;
        to = put_call(to, name, &places[call->name ? TYPE_BEGIN : TYPE_END],
                      export_clock_nanoseconds(&perfetto->clock, call->cycle));
    }
    out->count = (size_t)(to - out->bytes);
    note_cycle(perfetto, end[-1].cycle);
    if (out->count >= FLUSH_BYTES)
        flush(perfetto);
}

static void on_instant(void *context, const struct timeline_event *event) {
    put_named(context, TYPE_INSTANT, event);
}

static void on_value(void *context, uint32_t track, uint64_t cycle, uint32_t value) {
    struct perfetto *perfetto = context;
    protobuf_number(&perfetto->part, EVENT_COUNTER, value);
    put_event(perfetto, TYPE_COUNTER, track_id(track), cycle);
}

/* ---- The end ---- */

static void put_remark(void *context, const char *line) {
    struct perfetto *perfetto = context;
    put_label(&perfetto->part, TIMELINE_MESSAGE, (uint32_t)perfetto->name_count);
    put_text(perfetto, KEY_REMARK, line);
    put_event(perfetto, TYPE_INSTANT, group_id(TIMELINE_RECORDING), perfetto->last);
}

static void put_metadata(struct perfetto *perfetto) {
    const struct gnomon_export *export = perfetto->export;
    intern(perfetto, INTERNED_NAME, (uint64_t)perfetto->name_count + 1, "remark");
    intern(perfetto, INTERNED_NAME, (uint64_t)perfetto->name_count + 2, "recording");
    put_label(&perfetto->part, TIMELINE_MESSAGE, (uint32_t)perfetto->name_count + 1);
    put_number(perfetto, KEY_CLOCK, export->analysis.clock_hz);
    put_number(perfetto, KEY_EXACT, gnomon_exactness_exact(&export->exactness));
    put_event(perfetto, TYPE_INSTANT, group_id(TIMELINE_RECORDING), perfetto->last);
    timeline_remarks(export, &perfetto->unknown, put_remark, perfetto);
}

static enum gnomon_status write_perfetto(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    static const struct timeline_writer writer = {.track = on_track,
                                                  .name = on_name,
                                                  .begin = on_begin,
                                                  .end = on_end,
                                                  .calls = on_calls,
                                                  .instant = on_instant,
                                                  .value = on_value};
    struct perfetto perfetto = {.export = export, .stream = stream, .clock.hz = export->analysis.clock_hz};
    put_head(&perfetto);
    for (enum timeline_group group = 0; group < TIMELINE_GROUPS; group++)
        put_track(&perfetto, group_id(group), 0, group, timeline_groups[group], false);
    enum gnomon_status status = timeline_read(export, &writer, &perfetto, stream, &perfetto.unknown, error);
    if (!status)
        put_metadata(&perfetto);
    flush(&perfetto);
    if (!status && (perfetto.failed || perfetto.out.failed))
        status = gnomon_fail_memory(error);
    protobuf_free(&perfetto.out);
    protobuf_free(&perfetto.packet);
    protobuf_free(&perfetto.part);
    protobuf_free(&perfetto.inner);
    protobuf_free(&perfetto.interned);
    free(perfetto.names);
    free(perfetto.tracks);
    return status;
}

const struct gnomon_export_format gnomon_export_perfetto = {
    .name = "perfetto",
    .extension = "pftrace",
    .description = "time line of threads, calls, interrupts, locks: for ui.perfetto.dev, trace_processor",
    .needs = GNOMON_EXPORT_EVENTS,
    .binary = true,
    .write = write_perfetto,
};
