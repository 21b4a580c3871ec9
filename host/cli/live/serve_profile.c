/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of a running program in the formats of pprof. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/live/serve.h"
#include "lib/export/export.h"

static void describe(const struct serve *serve, uint64_t first, uint64_t last, char *text, size_t size) {
    char from[CLI_COUNT_BYTES], to[CLI_COUNT_BYTES], state[LIVE_STATE_BYTES];
    live_target_state(&serve->live, state);
    snprintf(text, size, "cycles %s to %s of a program that %s%s", cli_count(from, first), cli_count(to, last),
             serve->over                 ? "has ended: it "
             : !strcmp(state, "running") ? "is "
                                         : "",
             state);
}

/* Writes the export of the program, and lets go of what belongs to the program. */
static enum gnomon_status write_export(struct serve_job *job, struct gnomon_export *export, const char *name,
                                       struct gnomon_error *error) {
    char *word = NULL;
    if (asprintf(&word, "%s%s", name, job->legacy ? "-legacy" : "") < 0)
        return gnomon_fail_memory(error);
    const struct gnomon_export_format *format = gnomon_export_find(word);
    free(word);
    FILE *stream = open_memstream(&job->body, &job->body_bytes);
    enum gnomon_status status = stream ? GNOMON_OK : gnomon_fail_memory(error);
    if (!status && export->profile)
        status = gnomon_export_made(export, error);
    if (!status)
        status = format->write(export, stream, error);
    if (stream && fclose(stream) && !status)
        status = gnomon_fail_memory(error);
    export->analysis = (struct gnomon_analysis){0};
    gnomon_export_close(export);
    return status;
}

#define REMARK_BYTES 160

void serve_profile(struct serve *serve, struct serve_job *job, const struct serve_moment *from,
                   const struct serve_moment *to) {
    static const struct gnomon_live_moment start;
    const struct gnomon_live *live = &serve->live.live;
    struct gnomon_live_interval interval;
    char remark[REMARK_BYTES];
    struct gnomon_export export = {.analysis = live->analysis, .names = {.fd = -1}, .remark = remark, .remote = true};
    job->status = gnomon_live_between(live, from ? &from->moment : &start, &to->moment, &interval, &job->error);
    if (job->status)
        return;
    job->status = gnomon_live_profile(live, &interval, &export.profile, &job->error);
    if (!job->status) {
        describe(serve, interval.from, interval.to, remark, sizeof remark);
        export.exactness = interval.exactness;
        job->status = write_export(job, &export, "pprof", &job->error);
    }
    gnomon_live_interval_free(&interval);
}

void serve_heap(struct serve *serve, struct serve_job *job, const struct serve_moment *now) {
    const struct gnomon_live *live = &serve->live.live;
    char remark[REMARK_BYTES];
    struct gnomon_export export = {.analysis = live->analysis,
                                   .names = {.fd = -1},
                                   .remark = remark,
                                   .remote = true,
                                   .heap = gnomon_heap_finish(live->heap)};
    if (!export.heap) {
        job->status = gnomon_fail_memory(&job->error);
        return;
    }
    describe(serve, 0, now->moment.cycle, remark, sizeof remark);
    gnomon_live_judge(live, &now->moment, &export.exactness);
    job->status = write_export(job, &export, job->kind == SERVE_HEAP ? "pprof-heap" : "pprof-growth", &job->error);
}
