/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of a running program in the formats of pprof. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/live/serve.h"
#include "lib/export/export.h"

static void describe(const struct serve *serve, const struct gnomon_live_interval *interval, char *text, size_t size) {
    char from[CLI_COUNT_BYTES], to[CLI_COUNT_BYTES], state[LIVE_STATE_BYTES];
    live_target_state(&serve->live, state);
    snprintf(text, size, "cycles %s to %s of a program that %s%s", cli_count(from, interval->from),
             cli_count(to, interval->to),
             serve->over                 ? "has ended: it "
             : !strcmp(state, "running") ? "is "
                                         : "",
             state);
}

static enum gnomon_status write_profile(struct serve *serve, struct serve_job *job,
                                        const struct gnomon_live_interval *interval, struct gnomon_profile *profile,
                                        struct gnomon_error *error) {
    char remark[160];
    const struct gnomon_export_format *format = gnomon_export_find(job->legacy ? "pprof-legacy" : "pprof");
    struct gnomon_export export = {.analysis = serve->live.live.analysis,
                                   .names = {.fd = -1},
                                   .profile = profile,
                                   .exactness = interval->exactness,
                                   .remark = remark,
                                   .remote = true};
    describe(serve, interval, remark, sizeof remark);
    FILE *stream = open_memstream(&job->body, &job->body_bytes);
    enum gnomon_status status = stream ? gnomon_export_made(&export, error) : gnomon_fail_memory(error);
    if (!status)
        status = format->write(&export, stream, error);
    if (stream && fclose(stream) && !status)
        status = gnomon_fail_memory(error);
    export.analysis = (struct gnomon_analysis){0}; /* the program's, not this profile's */
    gnomon_export_close(&export);
    return status;
}

void serve_profile(struct serve *serve, struct serve_job *job, const struct serve_moment *from,
                   const struct serve_moment *to) {
    static const struct gnomon_live_moment start;
    const struct gnomon_live *live = &serve->live.live;
    struct gnomon_live_interval interval;
    struct gnomon_profile *profile;
    job->status = gnomon_live_between(live, from ? &from->moment : &start, &to->moment, &interval, &job->error);
    if (job->status)
        return;
    job->status = gnomon_live_profile(live, &interval, &profile, &job->error);
    if (!job->status)
        job->status = write_profile(serve, job, &interval, profile, &job->error);
    gnomon_live_interval_free(&interval);
}
