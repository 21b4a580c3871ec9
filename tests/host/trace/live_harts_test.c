/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of two harts, as they come from a running device, in any order that the device can send them: their events
 * are those of gnomon_merge_next, in the same order. Frames that come too late are counted. Damaged ones do no harm.
 * usage: live_harts_test TRACE... (recordings of two harts) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/live/live_harts.h"
#include "lib/trace/trace_merge.h"
#include "lib/util/bytes.h"

enum { ORDERS = 20, DAMAGED = 200, WINDOW = 20000, MOST_FRAMES = 1 << 14, MOST_EVENTS = 1 << 20 };

struct sequence {
    size_t count;
    struct gnomon_event *list;
};

static uint8_t frames[GNOMON_MAX_HARTS][MOST_FRAMES][GNOMON_FRAME_BYTES];
static size_t counts[GNOMON_MAX_HARTS];
static uint32_t state;

static void fail(const char *path, const char *what) {
    printf("FAIL %s: %s\n", path, what);
    exit(1);
}

static uint32_t draw(uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

static void add(struct sequence *sequence, const struct gnomon_event *event) {
    if (sequence->count == MOST_EVENTS)
        fail("", "too many events");
    sequence->list[sequence->count++] = *event;
}

static uint64_t begins(const uint8_t *frame) {
    return gnomon_little(frame + GNOMON_FRAME_AT_CYCLE, 8);
}

static void read_frames(const char *path) {
    struct gnomon_gnt_reader *file;
    struct gnomon_error error;
    const uint8_t *frame;
    counts[0] = counts[1] = 0;
    if (gnomon_gnt_open(&file, path, &error))
        fail(path, error.what);
    while (!gnomon_gnt_next(file, &frame, &error) && frame) {
        const unsigned hart = frame[GNOMON_FRAME_AT_HART];
        if (hart >= GNOMON_MAX_HARTS || counts[hart] == MOST_FRAMES)
            fail(path, "a frame of no hart, or too many");
        memcpy(frames[hart][counts[hart]++], frame, GNOMON_FRAME_BYTES);
    }
    gnomon_gnt_close(file);
}

static void open_traces(struct gnomon_trace *traces[GNOMON_MAX_HARTS]) {
    traces[0] = gnomon_trace_new(0);
    traces[1] = gnomon_trace_new(0);
    if (!gnomon_trace_select(traces[1], 1) || !gnomon_trace_join(traces[1], traces[0]))
        fail("", "out of memory");
}

static void close_traces(struct gnomon_trace *traces[GNOMON_MAX_HARTS]) {
    gnomon_trace_free(traces[1]);
    gnomon_trace_free(traces[0]);
}

/* As a file has them. */
static void merge(const char *path, struct sequence *sequence) {
    struct gnomon_trace *traces[GNOMON_MAX_HARTS];
    struct gnomon_merge harts[GNOMON_MAX_HARTS] = {0};
    struct gnomon_event event;
    struct gnomon_error error;
    bool got = true;
    open_traces(traces);
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++) {
        harts[i].trace = traces[i];
        if (gnomon_gnt_open(&harts[i].file, path, &error))
            fail(path, error.what);
    }
    while (!gnomon_merge_next(harts, path, &event, &got, &error) && got)
        add(sequence, &event);
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++)
        gnomon_gnt_close(harts[i].file);
    close_traces(traces);
}

/* The hart that sends next. None sends a frame that begins more than WINDOW cycles after the other's next one, unless
 * `apart`: then all frames of hart 0 come first. */
static unsigned next_hart(const size_t sent[GNOMON_MAX_HARTS], bool apart) {
    if (sent[0] == counts[0] || sent[1] == counts[1])
        return sent[0] == counts[0];
    const uint64_t one = begins(frames[0][sent[0]]), other = begins(frames[1][sent[1]]);
    if (apart)
        return 0;
    return one > other + WINDOW ? 1 : other > one + WINDOW ? 0 : draw(2);
}

/* As they come. Returns how many events were late. */
static uint64_t receive(struct sequence *sequence, bool apart, bool damaged) {
    struct gnomon_trace *traces[GNOMON_MAX_HARTS];
    struct gnomon_live_harts harts;
    struct gnomon_event event;
    size_t sent[GNOMON_MAX_HARTS] = {0};
    open_traces(traces);
    if (!gnomon_live_harts_open(&harts, traces[0], traces[1], WINDOW))
        fail("", "out of memory");
    while (!harts.over) {
        uint8_t frame[GNOMON_FRAME_BYTES];
        const unsigned hart = next_hart(sent, apart);
        harts.over = sent[hart] == counts[hart];
        if (!harts.over) {
            memcpy(frame, frames[hart][sent[hart]++], sizeof frame);
            for (unsigned i = draw(damaged ? 4 : 1); i > 0; i--)
                frame[draw(i % 2 ? sizeof frame : GNOMON_FRAME_AT_LOST)] = (uint8_t)draw(256);
            if (!gnomon_live_harts_feed(&harts, frame))
                fail("", "out of memory");
        }
        while (gnomon_live_harts_next(&harts, &event) == GNOMON_TRACE_EVENT)
            if (sequence)
                add(sequence, &event);
    }
    const uint64_t late = harts.late;
    gnomon_live_harts_close(&harts);
    close_traces(traces);
    return late;
}

static bool is_same(const struct gnomon_event *one, const struct gnomon_event *other) {
    return one->type == other->type && one->hart == other->hart && one->thread == other->thread &&
           one->cycle == other->cycle && one->number == other->number && one->value == other->value &&
           one->popped == other->popped;
}

static void check(const char *path) {
    struct sequence wanted = {.list = calloc(MOST_EVENTS, sizeof *wanted.list)},
                    got = {.list = calloc(MOST_EVENTS, sizeof *got.list)};
    if (!wanted.list || !got.list)
        fail(path, "out of memory");
    read_frames(path);
    merge(path, &wanted);
    if (!counts[1] || wanted.count < 1000)
        fail(path, "it is no recording of two harts");
    for (state = 1; state <= ORDERS; state++) {
        const uint32_t seed = state;
        got.count = 0;
        if (receive(&got, false, false))
            fail(path, "events are late");
        if (got.count != wanted.count)
            fail(path, "another number of events");
        for (size_t i = 0; i < got.count; i++)
            if (!is_same(&got.list[i], &wanted.list[i]))
                fail(path, "another event");
        state = seed;
    }
    if (!receive(NULL, true, false))
        fail(path, "no event is late");
    for (state = 1; state <= DAMAGED; state++) {
        const uint32_t seed = state;
        receive(NULL, false, true);
        state = seed;
    }
    printf("%s: %zu events of %zu and %zu frames, in %d orders\n", path, wanted.count, counts[0], counts[1], ORDERS);
    free(wanted.list);
    free(got.list);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        check(argv[i]);
    return argc < 2;
}
