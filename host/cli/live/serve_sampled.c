/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles that are sampled: ?frequency=N, ?event=NAME&period=N. The device has one sampler, so all that are taken at
 * one time have the same event and period. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/live/serve.h"
#include "lib/export/pprof_samples.h"

#define LEAST_PERIOD 64 /* cycles */
#define USUAL_PERIOD 1000

static bool is_same(const struct serve_sampling *one, const struct gnomon_live_samples *samples) {
    return one->event == samples->event && one->period == samples->period;
}

enum gnomon_status serve_sampling_join(struct serve *serve, struct serve_sampling *sampling,
                                       struct gnomon_error *error) {
    struct gnomon_live_samples *samples = &serve->samples;
    enum gnomon_status status = GNOMON_OK;
    if (serve->over) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "the program has ended, and takes no samples any more");
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "leave out frequency, event and period");
    }
    if (!samples->tags.device)
        status = gnomon_live_samples_open(samples, serve->live.target.device, &serve->live.target.board, error);
    if (!status && serve->samplers && !is_same(sampling, samples)) {
        gnomon_fail(error, GNOMON_ERR_BUSY, "another profile samples %s, one every %" PRIu32, samples->event->name,
                    samples->period);
        return gnomon_remedy(error, GNOMON_ERR_BUSY, "wait for its end, or take the same event and period");
    }
    if (!status && !serve->samplers)
        status = gnomon_live_samples_begin(samples, sampling->event, sampling->period, error);
    if (!status)
        status = gnomon_live_samples_take(samples, error);
    if (status)
        return status;
    serve->samplers++;
    sampling->joined = true;
    sampling->first = samples->count;
    sampling->lost = samples->lost;
    return GNOMON_OK;
}

enum gnomon_status serve_sampling_leave(struct serve *serve, struct serve_sampling *sampling,
                                        struct gnomon_error *error) {
    if (!sampling->joined)
        return GNOMON_OK;
    sampling->joined = false;
    return --serve->samplers || serve->over ? GNOMON_OK : gnomon_live_samples_end(&serve->samples, error);
}

enum gnomon_status serve_sampling_rate(struct serve *serve, uint32_t period, struct gnomon_error *error) {
    struct serve_sampling *sampling = &serve->controlled;
    if (!serve->control || !sampling->joined || serve->over) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "no sampled profile has been started");
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "start one: POST /pprof/start?frequency=N");
    }
    if (serve->samplers > 1) {
        gnomon_fail(error, GNOMON_ERR_BUSY, "another profile has samples with this period");
        return gnomon_remedy(error, GNOMON_ERR_BUSY, "wait for its end");
    }
    sampling->period = period;
    sampling->rated = true;
    return gnomon_live_samples_begin(&serve->samples, sampling->event, period, error);
}

/* ---- What a client asks for ---- */

enum { BAD_REQUEST = 400 };

/* A whole number from `least` to UINT32_MAX. */
static bool read_number(const char *text, uint32_t least, uint32_t *number) {
    char *end;
    const unsigned long long value = strtoull(text, &end, 10);
    *number = (uint32_t)value;
    return *text >= '0' && *text <= '9' && !*end && value >= least && value <= UINT32_MAX;
}

static bool read_event(const char *text, struct serve_sampling *sampling, struct gnomon_http_reply *reply) {
    struct gnomon_pmu_setting setting;
    struct gnomon_error error;
    if (strpbrk(text, ":,"))
        gnomon_http_fail(reply, BAD_REQUEST, "gnomon stat -e counts events with filters", "samples have no filters");
    else if (gnomon_pmu_parse(text, &setting, &error))
        gnomon_http_fail(reply, BAD_REQUEST, error.remedy, "%s", error.what);
    else {
        sampling->event = setting.event;
        return true;
    }
    return false;
}

bool serve_sampling_parse(const struct serve *serve, const struct gnomon_http_request *request,
                          struct serve_sampling *sampling, struct gnomon_http_reply *reply) {
    const char *event = gnomon_http_query(request, "event"), *period = gnomon_http_query(request, "period"),
               *frequency = gnomon_http_query(request, "frequency");
    const uint32_t hz = serve->live.target.board.clock_hz;
    const bool cycles = !event || !strcmp(event, "cycles");
    uint32_t number = 0;
    *sampling = (struct serve_sampling){.period = USUAL_PERIOD};
    if (cycles && !period && !frequency && strcmp(request->path, SERVE_SAMPLED_PAGE) != 0)
        return true;
    if (!read_event(event ? event : "cycles", sampling, reply))
        return false;
    if (frequency && (period || !cycles))
        gnomon_http_fail(reply, BAD_REQUEST, "event=NAME&period=N takes every N-th",
                         "a frequency is for samples of cycles, without a period");
    else if (frequency && (!read_number(frequency, 1, &number) || number > hz / LEAST_PERIOD))
        gnomon_http_fail(reply, BAD_REQUEST, "as in frequency=1000", "frequency is a number of samples a second, to %u",
                         (unsigned)(hz / LEAST_PERIOD));
    else if (period && !read_number(period, cycles ? LEAST_PERIOD : 1, &sampling->period))
        gnomon_http_fail(reply, BAD_REQUEST, "as in period=1000", "period is a number of events from %d",
                         cycles ? LEAST_PERIOD : 1);
    else {
        sampling->period = frequency ? hz / number : sampling->period;
        return true;
    }
    return false;
}

/* ---- Profiles ---- */

static void describe(const struct serve *serve, const struct serve_sampling *sampling, size_t count, char *text,
                     size_t size) {
    const struct gnomon_live_samples *samples = &serve->samples;
    const double half = count ? 50 / sqrt((double)count) : 50;
    snprintf(text, size,
             "%s on %s: estimated from %zu samples of %s, %sone every %" PRIu32
             "; the standard error of a share of 50 %% is %.1f %%; %" PRIu64 " samples lost",
             serve->live.target.argv[0], serve->live.target.board.address, count, sampling->event->name,
             sampling->rated ? "at last " : "", samples->period, half, samples->lost - sampling->lost);
}

void serve_sampled_profile(struct serve *serve, struct serve_job *job, const struct serve_sampling *sampling) {
    const struct gnomon_live_samples *samples = &serve->samples;
    const size_t count = samples->count - sampling->first;
    char remark[512];
    const char *const remarks[] = {remark, NULL};
    const struct gnomon_export export = {.analysis = serve->live.live.analysis};
    struct gnomon_export_samples what = {.export = &export,
                                         .event = sampling->event->name,
                                         .period = samples->period,
                                         .remarks = remarks,
                                         .count = count,
                                         .list = calloc(count + 1, sizeof *what.list)};
    describe(serve, sampling, count, remark, sizeof remark);
    snprintf(job->exactness, sizeof job->exactness, "%s", remark);
    FILE *stream = what.list ? open_memstream(&job->body, &job->body_bytes) : NULL;
    for (size_t i = 0; stream && i < count; i++) {
        const struct gnomon_live_sample *sample = &samples->list[sampling->first + i];
        what.list[i] = (struct gnomon_export_sample){sample->pc, 1, sample->period};
    }
    job->status =
        stream ? gnomon_export_write_samples(&what, job->legacy, stream, &job->error) : gnomon_fail_memory(&job->error);
    if (stream && fclose(stream) && !job->status)
        job->status = gnomon_fail_memory(&job->error);
    free(what.list);
}
