/* SPDX-License-Identifier: Apache-2.0 */
/* Common Trace Format 1.8: a directory with a stream of packets for each hart, and metadata that describe them. Each
 * event says what its hart did up to then. Packets count the events that were lost before their end. */
#include "lib/export/ctf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/locks/lock_message.h"
#include "lib/util/bytes.h"

#define MAGIC 0xC1FC1FC1u
#define PACKET_BYTES 65536
#define EVENT_BYTES 256 /* more than any event has */
#define TEXT_BYTES 128  /* of an event's text */

/* Where a packet's header has what is known only at its end; ctf_metadata.c describes it. */
enum { AT_BEGIN = 8, AT_END = 16, AT_CONTENT = 24, AT_SIZE = 32, AT_DISCARDED = 40, AT_SEQUENCE = 48, AT_HART = 56 };
enum { HEADER_BYTES = 60 };

/* The stream of one hart. */
struct stream {
    FILE *file;
    unsigned hart;
    uint8_t bytes[PACKET_BYTES];
    size_t size; /* 0: no packet is open */
    uint64_t begin, end;
    uint64_t discarded, sequence;
    struct gnomon_event_lost lost; /* since the last event */
    bool losing;
};

struct ctf_writer {
    struct ctf ctf;
    struct stream streams[GNOMON_MAX_HARTS];
};

/* ---- Packets ---- */

static void put(struct stream *stream, unsigned bytes, uint64_t value) {
    gnomon_put_little(stream->bytes + stream->size, bytes, value);
    stream->size += bytes;
}

static void put_at(struct stream *stream, size_t at, uint64_t value) {
    gnomon_put_little(stream->bytes + at, 8, value);
}

static void open_packet(struct stream *stream, uint64_t begin) {
    stream->begin = begin;
    put(stream, 4, MAGIC);
    put(stream, 4, 0); /* the number of the class of streams: there is one */
    stream->size = AT_HART;
    put(stream, 4, stream->hart);
}

static void close_packet(struct stream *stream) {
    if (!stream->size)
        return;
    put_at(stream, AT_BEGIN, stream->begin);
    put_at(stream, AT_END, stream->end);
    put_at(stream, AT_CONTENT, stream->size * 8);
    put_at(stream, AT_SIZE, stream->size * 8);
    put_at(stream, AT_DISCARDED, stream->discarded);
    put_at(stream, AT_SEQUENCE, stream->sequence++);
    fwrite(stream->bytes, 1, stream->size, stream->file);
    stream->size = 0;
}

static void put_empty(struct stream *stream, uint64_t end) {
    open_packet(stream, stream->end);
    stream->end = end;
    close_packet(stream);
}

/* An empty packet from the last event to `cycle`: readers see between which events the lost ones were. They see missing
 * packets only after another one. */
static void put_loss(struct stream *stream, uint64_t cycle, uint64_t events, uint64_t packets) {
    close_packet(stream);
    if (!stream->sequence)
        put_empty(stream, stream->end);
    stream->discarded += events;
    stream->sequence += packets;
    if (events)
        put_empty(stream, cycle);
}

/* ---- Events ---- */

static void begin_event(struct stream *stream, enum ctf_event type, const struct gnomon_moment *moment) {
    const uint64_t cycle = moment->event.cycle;
    const bool first = !moment->before.begun && stream->hart;
    const struct gnomon_profile_running *ran = first ? &moment->after : &moment->before;
    if (stream->size > PACKET_BYTES - EVENT_BYTES)
        close_packet(stream);
    if (!stream->size)
        open_packet(stream, cycle);
    stream->end = cycle;
    put(stream, 1, type);
    put(stream, 8, cycle);
    put(stream, 4, ran->thread);
    put(stream, 4, ran->function);
    put(stream, 8, moment->lost);
}

static void put_function(struct stream *stream, enum ctf_event type, const struct gnomon_moment *moment,
                         uint32_t function) {
    begin_event(stream, type, moment);
    put(stream, 4, function);
}

static void put_exit(struct stream *stream, enum ctf_event type, const struct gnomon_moment *moment, uint32_t ended) {
    put_function(stream, type, moment, moment->before.function);
    put(stream, 4, ended);
}

static void put_next(struct stream *stream, enum ctf_event type, const struct gnomon_moment *moment) {
    begin_event(stream, type, moment);
    put(stream, 4, moment->after.thread);
}

static void put_two(struct stream *stream, enum ctf_event type, const struct gnomon_moment *moment, uint32_t first,
                    uint32_t second) {
    begin_event(stream, type, moment);
    put(stream, 4, first);
    put(stream, 4, second);
}

static bool is_entry(const struct gnomon_event *event) {
    return event->number == GNOMON_CHANNEL_CALL_MCOUNT || event->number == GNOMON_CHANNEL_CALL_PATCHED;
}

static void put_message(struct stream *stream, const struct gnomon_moment *moment) {
    const struct gnomon_event *event = &moment->event;
    uint32_t number;
    if (moment->called != GNOMON_PROFILE_UNPROFILED)
        put_function(stream, is_entry(event) ? CTF_ENTRY : CTF_ENTER, moment, moment->called);
    else if (event->number == GNOMON_CHANNEL_CALL_EXIT)
        put_exit(stream, CTF_EXIT, moment, 1);
    else if (event->number == GNOMON_CHANNEL_THREAD)
        put_next(stream, CTF_THREAD, moment);
    else if (gnomon_moment_is_mark(event, &number))
        put_two(stream, CTF_MARK, moment, number, event->value);
    else if (gnomon_moment_is_value(event, &number))
        put_two(stream, CTF_VALUE, moment, number, event->value);
    else
        put_two(stream, CTF_MESSAGE, moment, event->number, event->value);
}

static void put_lock(struct ctf *ctf, struct stream *stream, const struct gnomon_moment *moment) {
    const struct gnomon_lock_message message = gnomon_lock_message_of(&moment->event);
    ctf->locks[message.lock] = true;
    ctf->lock_threads[message.thread] = true;
    begin_event(stream, CTF_LOCK, moment);
    put(stream, 1, message.action);
    put(stream, 4, message.lock);
    put(stream, 4, message.thread);
    put(stream, 4, message.caller);
}

static void put_lost(struct stream *stream, const struct gnomon_moment *moment) {
    const struct gnomon_event_lost *lost = &stream->lost;
    begin_event(stream, CTF_LOST, moment);
    put(stream, 8, lost->enters);
    put(stream, 8, lost->exits);
    put(stream, 8, lost->others);
    put(stream, 8, lost->cycles);
}

/* The text is from this program, not from the recording. */
static void put_damage(struct stream *stream, const struct gnomon_moment *moment) {
    begin_event(stream, CTF_DAMAGE, moment);
    for (const char *at = moment->event.damage; *at && at - moment->event.damage < TEXT_BYTES; at++)
        put(stream, 1, (uint8_t)*at);
    put(stream, 1, 0);
}

static void put_end(struct stream *stream, const struct gnomon_moment *moment) {
    begin_event(stream, CTF_END, moment);
    put(stream, 4, moment->event.value);
    put(stream, 1, moment->event.end.how);
    put(stream, 8, moment->event.end.instructions);
}

static void put_event(struct ctf *ctf, struct stream *stream, const struct gnomon_moment *moment) {
    const struct gnomon_event *event = &moment->event;
    switch (event->type) {
    case GNOMON_EVENT_BEGIN:
        begin_event(stream, CTF_BEGIN, moment);
        put(stream, 4, event->value);
        break;
    case GNOMON_EVENT_ENTER:
        put_function(stream, CTF_ENTER, moment, moment->called);
        break;
    case GNOMON_EVENT_TRAP_ENTER:
        put_function(stream, CTF_TRAP_ENTER, moment, moment->called);
        break;
    case GNOMON_EVENT_EXIT:
        put_exit(stream, CTF_EXIT, moment, event->popped);
        break;
    case GNOMON_EVENT_TRAP_LEAVE:
        put_exit(stream, CTF_TRAP_LEAVE, moment, event->popped);
        break;
    case GNOMON_EVENT_CHANNEL:
        put_message(stream, moment);
        break;
    case GNOMON_EVENT_LOCK:
        put_lock(ctf, stream, moment);
        break;
    case GNOMON_EVENT_MODULE:
        put_two(stream, CTF_MODULE, moment, event->number, event->value);
        break;
    case GNOMON_EVENT_ACCESS:
        put_two(stream, CTF_ACCESS, moment, event->number, event->value);
        break;
    case GNOMON_EVENT_GAP:
        put_next(stream, CTF_GAP, moment);
        put(stream, 8, event->gap.frames);
        break;
    case GNOMON_EVENT_DAMAGE:
        put_damage(stream, moment);
        break;
    case GNOMON_EVENT_END:
        put_end(stream, moment);
        break;
    case GNOMON_EVENT_LOST:
        break; /* it waits for the next event */
    }
}

/* A damaged event has no time of its own. */
static void give_time(const struct stream *stream, struct gnomon_moment *moment) {
    if (moment->event.type == GNOMON_EVENT_DAMAGE || moment->event.cycle < stream->end)
        moment->event.cycle = stream->end;
}

/* The time of the loss ends with the event that tells of it, directly before the next event. */
static void flush_lost(struct stream *stream, struct gnomon_moment *moment) {
    const struct gnomon_event_lost *lost = &stream->lost;
    if (!stream->losing)
        return;
    put_loss(stream, moment->event.cycle, lost->enters + lost->exits + lost->others, 0);
    put_lost(stream, moment);
    moment->lost = 0;
    stream->lost = (struct gnomon_event_lost){0};
    stream->losing = false;
}

static void take(struct ctf *ctf, struct stream *stream, struct gnomon_moment *moment) {
    const struct gnomon_event *event = &moment->event;
    give_time(stream, moment);
    if (event->type == GNOMON_EVENT_LOST) {
        stream->lost.enters += event->lost.enters;
        stream->lost.exits += event->lost.exits;
        stream->lost.others += event->lost.others;
        stream->lost.cycles += event->lost.cycles;
        stream->losing = true;
        return;
    }
    flush_lost(stream, moment);
    const uint64_t rest = gnomon_moments_missing(ctf->export, event, stream->discarded);
    if (rest || event->type == GNOMON_EVENT_GAP)
        put_loss(stream, event->cycle, rest, event->type == GNOMON_EVENT_GAP ? event->gap.frames : 0);
    put_event(ctf, stream, moment);
}

static enum gnomon_status take_all(struct ctf_writer *writer, struct gnomon_error *error) {
    struct ctf *ctf = &writer->ctf;
    struct gnomon_moment moment = {0};
    bool got = true;
    enum gnomon_status status = gnomon_moments_begin(ctf->export, error);
    while (!status && !(status = gnomon_moments_next(ctf->export, &moment, &got, error)) && got)
        take(ctf, &writer->streams[moment.event.hart], &moment);
    for (unsigned i = 0; !status && i < GNOMON_MAX_HARTS; i++) {
        struct stream *stream = &writer->streams[i];
        moment.event.cycle = stream->end;
        moment.lost = 0;
        moment.before = moment.after = gnomon_profile_running(ctf->export->profile, i);
        flush_lost(stream, &moment);
        close_packet(stream);
    }
    return status ? status : gnomon_moments_end(ctf->export, error);
}

static enum gnomon_status write_ctf(struct gnomon_export *export, FILE *const *streams, struct gnomon_error *error) {
    struct ctf_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return gnomon_fail_memory(error);
    writer->ctf.export = export;
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++)
        writer->streams[i] = (struct stream){.file = streams[CTF_FILE_HART0 + i], .hart = i};
    enum gnomon_status status = take_all(writer, error);
    if (!status)
        status = ctf_put_metadata(&writer->ctf, streams[CTF_FILE_METADATA], error);
    free(writer);
    return status;
}

static const char *const files[] = {
    [CTF_FILE_METADATA] = "metadata", [CTF_FILE_HART0] = "hart0", [CTF_FILE_HART1] = "hart1", NULL};

const struct gnomon_export_format gnomon_export_ctf = {
    .name = "ctf",
    .extension = "ctf",
    .description = "all events, a directory in the Common Trace Format 1.8: for babeltrace2",
    .needs = GNOMON_EXPORT_EVENTS,
    .binary = true,
    .files = files,
    .write_files = write_ctf,
};
