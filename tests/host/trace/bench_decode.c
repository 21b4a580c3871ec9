/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmark: events per second through the decoder alone, and through decoder and profile: bench_decode TRACE EVENTS
 * JSON_FILE. Decodes the frames of TRACE repeatedly until that number of events is reached. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/profile/profile.h"
#include "lib/trace/gnt.h"

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint8_t *frames;
static size_t frame_count;

static void load(const char *path) {
    struct gnomon_gnt_reader *reader;
    struct gnomon_error error;
    const uint8_t *frame;
    if (gnomon_gnt_open(&reader, path, &error)) {
        fprintf(stderr, "%s\n", error.what);
        exit(1);
    }
    while (!gnomon_gnt_next(reader, &frame, &error) && frame) {
        frames = realloc(frames, (frame_count + 1) * GNOMON_FRAME_BYTES);
        if (!frames)
            exit(1);
        memcpy(frames + frame_count++ * GNOMON_FRAME_BYTES, frame, GNOMON_FRAME_BYTES);
    }
    gnomon_gnt_close(reader);
}

/* How the trace is decoded: event by event, or many calls at a time, as gnomon report does. */
enum way { EVENTS, CALLS };

/* Decodes what comes next. `profile` NULL: no more than that. False: the frame has no more. */
static bool decode(enum way way, struct gnomon_trace *trace, struct gnomon_profile *profile) {
    static struct gnomon_calls calls;
    struct gnomon_event event;
    bool good = true;
    if (way == CALLS && gnomon_trace_calls(trace, GNOMON_MAX_FUNCTIONS, &calls))
        good = !profile || gnomon_profile_calls(profile, &calls);
    else if (gnomon_trace_next(trace, &event) != GNOMON_TRACE_EVENT)
        return false;
    else
        good = !profile || gnomon_profile_event(profile, &event);
    if (!good)
        exit(1);
    return true;
}

/* Decodes the trace once; returns the number of events. */
static uint64_t pass(enum way way, bool profiled) {
    struct gnomon_trace *trace = gnomon_trace_new(0);
    struct gnomon_profile *profile = gnomon_profile_new();
    for (size_t i = 0; trace && profile && i < frame_count; i++) {
        gnomon_trace_feed(trace, frames + i * GNOMON_FRAME_BYTES);
        while (decode(way, trace, profiled ? profile : NULL))
            ;
    }
    uint64_t events = gnomon_trace_received(gnomon_trace_stats(trace));
    gnomon_profile_free(profile);
    gnomon_trace_free(trace);
    return events;
}

static double rate(enum way way, bool profiled, uint64_t wanted) {
    uint64_t events = 0;
    double start = now();
    while (events < wanted)
        events += pass(way, profiled);
    return (double)events / (now() - start) / 1e6;
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    load(argv[1]);
    uint64_t wanted = strtoull(argv[2], NULL, 0);
    double bytes = (double)frame_count * GNOMON_FRAME_BYTES / (double)pass(CALLS, false);
    double one = rate(EVENTS, false, wanted / 4), decoder = rate(CALLS, false, wanted),
           profile = rate(CALLS, true, wanted / 4);
    printf("%-32s %10s\n", "", "M events/s");
    printf("%-32s %10.1f\n", "decoder, event by event", one);
    printf("%-32s %10.1f\n", "decoder", decoder);
    printf("%-32s %10.1f\n", "decoder and profile", profile);
    printf("%-32s %10.2f\n", "bytes an event, frames included", bytes);
    json_t *json = json_pack("{s:f, s:f, s:f, s:f}", "events_mevents_s", one, "decoder_mevents_s", decoder,
                             "profile_mevents_s", profile, "bytes_per_event", bytes);
    int status = json_dump_file(json, argv[3], JSON_INDENT(1));
    json_decref(json);
    free(frames);
    return status ? 1 : 0;
}
