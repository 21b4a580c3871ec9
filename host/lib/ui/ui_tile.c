/* SPDX-License-Identifier: Apache-2.0 */
/* A part of the time line in as much detail as a screen can show: spans that are shorter than a thousandth of it are
 * put together, with their number and the sum of their cycles. */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/export/json_stream.h"
#include "lib/ui/ui_internal.h"
#include "lib/util/array.h"

#define PLACES 1024 /* in a tile, where short spans are put together */

/* Spans of one depth that are put together. */
struct lane {
    struct ui_span longest;
    uint64_t place, from, to, busy;
    uint64_t count; /* 0: none */
};

struct tile {
    const struct ui_spans *spans;
    FILE *stream;
    uint64_t from, to, step; /* cycles; of a place */
    size_t items;            /* of the present list */
    bool whole;              /* nothing was put together */
    bool failed;             /* out of memory */
    struct lane *lanes;
    /* What single spans of the present list say. */
    struct note {
        size_t item;
        uint32_t detail;
    } * notes;
    size_t note_count, note_room;
};

/* The length of the whole time line for tiles: a power of two. */
static uint64_t whole_length(const struct ui_spans *spans) {
    uint64_t length = PLACES;
    while (length < spans->length && length < UINT64_MAX / 2)
        length *= 2;
    return length;
}

/* [from, cycles, depth, name, category, number, busy cycles]: the first relative to the tile; the last one is 0 for a
 * single span. */
static void put_item(struct tile *tile, const struct ui_span *span, uint64_t from, uint64_t to, uint64_t count,
                     uint64_t busy) {
    const int64_t name = span->name & UI_WORD ? -(int64_t)(span->name & ~UI_WORD) - 1 : (int64_t)span->name;
    fprintf(tile->stream, "%s%" PRId64 ",%" PRIu64 ",%u,%" PRId64 ",%u,%" PRIu64 ",%" PRIu64, tile->items++ ? "," : "",
            (int64_t)(from - tile->from), to - from, span->depth, name, span->category, count, busy);
    tile->whole &= count == 1;
}

static void put_single(struct tile *tile, const struct ui_span *span) {
    if (span->detail && gnomon_array_room(&tile->notes, &tile->note_room, tile->note_count + 1, sizeof *tile->notes))
        tile->notes[tile->note_count++] = (struct note){tile->items, span->detail};
    else if (span->detail)
        tile->failed = true;
    put_item(tile, span, span->from, span->to, 1, 0);
}

static void flush(struct tile *tile, struct lane *lane) {
    if (lane->count == 1)
        put_single(tile, &lane->longest);
    else if (lane->count)
        put_item(tile, &lane->longest, lane->from, lane->to, lane->count, lane->busy);
    lane->count = 0;
}

static void take(struct tile *tile, const struct ui_span *span) {
    struct lane *lane = &tile->lanes[span->depth];
    const uint64_t length = span->to - span->from;
    if (length >= tile->step) {
        flush(tile, lane);
        put_single(tile, span);
        return;
    }
    const uint64_t place = span->from > tile->from ? (span->from - tile->from) / tile->step : 0;
    if (lane->count && lane->place != place)
        flush(tile, lane);
    if (!lane->count)
        *lane = (struct lane){.longest = *span, .place = place, .from = span->from};
    if (length > lane->longest.to - lane->longest.from)
        lane->longest = *span;
    lane->to = span->to;
    lane->busy += length;
    lane->count++;
}

/* The first item whose cycle is at least `cycle`. */
static size_t first_from(const struct ui_span *spans, size_t count, uint64_t cycle) {
    size_t low = 0;
    while (low < count) {
        const size_t middle = low + (count - low) / 2;
        if (spans[middle].from < cycle)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

static void put_spans(struct tile *tile, const struct ui_track *track) {
    const size_t first = first_from(track->spans, track->count, tile->from);
    uint32_t before = first ? (uint32_t)first - 1 : UI_NO_SPAN;
    tile->items = tile->note_count = 0;
    fputs("\"s\":[", tile->stream);
    for (; before != UI_NO_SPAN; before = track->spans[before].parent)
        if (track->spans[before].to > tile->from)
            take(tile, &track->spans[before]);
    for (size_t i = first; i < track->count && track->spans[i].from < tile->to; i++)
        take(tile, &track->spans[i]);
    for (unsigned i = 0; i < track->lanes; i++)
        flush(tile, &tile->lanes[i]);
    fputs("],\"n\":{", tile->stream);
    for (size_t i = 0; i < tile->note_count; i++) {
        fprintf(tile->stream, "%s\"%zu\":", i ? "," : "", tile->notes[i].item);
        json_put_string(tile->stream, tile->spans->details + tile->notes[i].detail);
    }
    fputc('}', tile->stream);
}

static void put_details(struct tile *tile, const struct ui_span *spans, size_t first, size_t count) {
    bool any = false;
    fputs(",\"d\":[", tile->stream);
    for (size_t i = first; i < first + count; i++) {
        fputs(any ? "," : "", tile->stream);
        any = true;
        json_put_string(tile->stream, spans[i].detail ? tile->spans->details + spans[i].detail : "");
    }
    fputc(']', tile->stream);
}

/* Instants one by one if they are few, with what they say; else those of a place together. */
static void put_instants(struct tile *tile, const struct ui_track *track) {
    const size_t first = first_from(track->instants, track->instant_count, tile->from);
    const size_t count = first_from(track->instants, track->instant_count, tile->to) - first;
    tile->items = 0;
    fputs(",\"m\":[", tile->stream);
    for (size_t i = 0; i < count; i++) {
        const struct ui_span *instant = &track->instants[first + i];
        size_t after = i + 1;
        const uint64_t place = (instant->from - tile->from) / tile->step;
        while (count > PLACES && after < count &&
               (track->instants[first + after].from - tile->from) / tile->step == place)
            after++;
        put_item(tile, instant, instant->from, track->instants[first + after - 1].from, after - i, 0);
        i = after - 1;
    }
    fputc(']', tile->stream);
    if (count <= PLACES)
        put_details(tile, track->instants, first, count);
}

static size_t first_value(const struct ui_track *track, uint64_t cycle) {
    size_t low = 0, high = track->value_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (track->values[middle].cycle < cycle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* [from, number, least, most, last] of each place that has values; the first is that before the tile, if there is one.
 */
static void put_values(struct tile *tile, const struct ui_track *track) {
    const size_t first = first_value(track, tile->from), after = first_value(track, tile->to);
    const char *comma = "";
    fputs(",\"v\":[", tile->stream);
    for (size_t i = first ? first - 1 : 0; i < after;) {
        const struct ui_value *value = &track->values[i];
        uint32_t least = value->value, most = least, last = least;
        size_t next = i + 1;
        const uint64_t place = value->cycle < tile->from ? PLACES : (value->cycle - tile->from) / tile->step;
        for (; next < after && track->values[next].cycle >= tile->from &&
               (track->values[next].cycle - tile->from) / tile->step == place;
             next++) {
            last = track->values[next].value;
            least = last < least ? last : least;
            most = last > most ? last : most;
        }
        fprintf(tile->stream, "%s%" PRId64 ",%zu,%" PRIu32 ",%" PRIu32 ",%" PRIu32, comma,
                (int64_t)(value->cycle - tile->from), next - i, least, most, last);
        comma = ",";
        tile->whole &= next == i + 1;
        i = next;
    }
    fputc(']', tile->stream);
}

static bool put_tile(struct tile *tile, unsigned level, uint64_t index) {
    unsigned lanes = 1;
    for (size_t i = 0; i < tile->spans->track_count; i++)
        lanes = tile->spans->tracks[i].lanes > lanes ? tile->spans->tracks[i].lanes : lanes;
    tile->lanes = calloc(lanes, sizeof *tile->lanes);
    if (!tile->lanes)
        return false;
    tile->whole = true;
    fprintf(tile->stream,
            "{\"level\":%u,\"index\":%" PRIu64 ",\"from\":%" PRIu64 ",\"cycles\":%" PRIu64 ",\"tracks\":[", level,
            index, tile->from, tile->to - tile->from);
    for (size_t i = 0; i < tile->spans->track_count; i++) {
        const struct ui_track *track = &tile->spans->tracks[i];
        fprintf(tile->stream, "%s{", i ? "," : "");
        put_spans(tile, track);
        put_instants(tile, track);
        put_values(tile, track);
        fputc('}', tile->stream);
    }
    fprintf(tile->stream, "],\"whole\":%s}", tile->whole ? "true" : "false");
    free(tile->lanes);
    free(tile->notes);
    return !tile->failed;
}

static bool write_tile(const struct gnomon_ui *ui, unsigned level, uint64_t index, FILE *stream, bool *whole) {
    const uint64_t length = whole_length(&ui->spans);
    char name[64];
    if (level > 53 || index >> level || length >> level < PLACES)
        return false;
    struct tile tile = {.spans = &ui->spans, .stream = stream, .step = (length >> level) / PLACES};
    tile.from = index * (length >> level);
    tile.to = tile.from + (length >> level);
    snprintf(name, sizeof name, "tile-%u-%" PRIu64, level, index);
    ui_begin(stream, name);
    const bool good = put_tile(&tile, level, index);
    ui_end(stream);
    *whole = tile.whole;
    return good;
}

bool gnomon_ui_write_tile(const struct gnomon_ui *ui, unsigned level, uint64_t index, FILE *stream) {
    bool whole;
    return write_tile(ui, level, index, stream, &whole);
}

/* The tile and, if it is not whole, those of the two halves of it. False: out of memory. */
static bool put_levels(const struct gnomon_ui *ui, unsigned level, uint64_t index, unsigned levels, FILE *stream) {
    bool whole;
    if (!write_tile(ui, level, index, stream, &whole))
        return false;
    if (whole || level + 1 >= levels || whole_length(&ui->spans) >> (level + 1) < PLACES)
        return true;
    return put_levels(ui, level + 1, 2 * index, levels, stream) &&
           put_levels(ui, level + 1, 2 * index + 1, levels, stream);
}

/* [harts]: of a hart's track its own, of a thread's those on which it ran; null: of another track. */
static void put_harts(const struct ui_spans *spans, const struct ui_track *track, FILE *stream) {
    unsigned harts = 0;
    if (track->group == TIMELINE_HARTS)
        harts = 1u << track->rank / TIMELINE_HART_TRACKS;
    else if (track->group == TIMELINE_THREADS && track->rank < spans->thread_count)
        harts = spans->thread_harts[track->rank];
    fputs(",\"harts\":", stream);
    if (!harts)
        fputs("null", stream);
    else
        fprintf(stream, "[%s]", harts == 1 ? "0" : harts == 2 ? "1" : "0,1");
}

static void put_head(const struct gnomon_ui *ui, unsigned levels, FILE *stream) {
    const struct ui_spans *spans = &ui->spans;
    ui_begin(stream, "timeline");
    fprintf(stream, "{\"cycles\":%" PRIu64 ",\"length\":%" PRIu64 ",\"levels\":%u,\"places\":%d,\"categories\":[",
            spans->length, whole_length(spans), levels, PLACES);
    for (size_t i = 0; i < TIMELINE_CATEGORIES; i++)
        fprintf(stream, "%s\"%s\"", i ? "," : "", timeline_categories[i]);
    fputs("],\"words\":[", stream);
    for (size_t i = 0; i < spans->word_count; i++) {
        fputs(i ? "," : "", stream);
        json_put_string(stream, spans->words[i]);
    }
    fputs("],\"tracks\":[", stream);
    for (size_t i = 0; i < spans->track_count; i++) {
        const struct ui_track *track = &spans->tracks[i];
        fprintf(stream,
                "%s{\"group\":\"%s\",\"rank\":%" PRIu64
                ",\"lanes\":%u,\"spans\":%zu,\"instants\":%zu,\"values\":%zu,\"name\":",
                i ? "," : "", timeline_groups[track->group], track->rank, track->lanes, track->count,
                track->instant_count, track->value_count);
        json_put_string(stream, track->name);
        put_harts(spans, track, stream);
        fputc('}', stream);
    }
    fputs("]}", stream);
    ui_end(stream);
}

enum gnomon_status gnomon_ui_write_timeline(struct gnomon_ui *ui, unsigned levels, FILE *stream,
                                            struct gnomon_error *error) {
    if (!ui->with_spans)
        return GNOMON_OK;
    put_head(ui, levels, stream);
    return !levels || put_levels(ui, 0, 0, levels, stream) ? GNOMON_OK : gnomon_fail_memory(error);
}
