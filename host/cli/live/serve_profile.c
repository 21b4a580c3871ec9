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

static enum gnomon_status write_kind(const struct serve *serve, const struct serve_job *job,
                                     struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    static const char *const names[][2] = {
        [SERVE_HEAP] = {"pprof-heap", "pprof-heap-legacy"}, [SERVE_GROWTH] = {"pprof-growth", "pprof-growth-legacy"}};
    if (job->kind == SERVE_CONTENTION)
        return gnomon_export_contention(export, gnomon_contention_results(serve->live.live.contention), job->legacy,
                                        stream, error);
    if (export->heap)
        return gnomon_export_find(names[job->kind][job->legacy])->write(export, stream, error);
    const enum gnomon_status status = gnomon_export_made(export, error);
    return status ? status : gnomon_export_find(job->legacy ? "pprof-legacy" : "pprof")->write(export, stream, error);
}

/* Writes the export of the program, and lets go of what is not the program's. */
static enum gnomon_status write_export(const struct serve *serve, struct serve_job *job, struct gnomon_export *export,
                                       struct gnomon_error *error) {
    FILE *stream = open_memstream(&job->body, &job->body_bytes);
    enum gnomon_status status = stream ? write_kind(serve, job, export, stream, error) : gnomon_fail_memory(error);
    if (stream && fclose(stream) && !status)
        status = gnomon_fail_memory(error);
    gnomon_exactness_phrase(&export->exactness, NULL, job->exactness);
    export->analysis = (struct gnomon_analysis){0};
    export->names = (struct gnomon_lock_names){.fd = -1};
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
    struct gnomon_export export = {.analysis = live->analysis, .names = live->names, .remark = remark, .remote = true};
    job->status = gnomon_live_between(live, from ? &from->moment : &start, &to->moment, &interval, &job->error);
    if (job->status)
        return;
    job->status = gnomon_live_profile(live, &interval, &export.profile, &job->error);
    if (!job->status) {
        describe(serve, interval.from, interval.to, remark, sizeof remark);
        export.exactness = interval.exactness;
        job->status = write_export(serve, job, &export, &job->error);
    }
    gnomon_live_interval_free(&interval);
}

void serve_account(struct serve *serve, struct serve_job *job, const struct serve_moment *now) {
    const struct gnomon_live *live = &serve->live.live;
    const bool contention = job->kind == SERVE_CONTENTION;
    char remark[REMARK_BYTES];
    struct gnomon_export export = {.analysis = live->analysis, .names = {.fd = -1}, .remark = remark, .remote = true};
    if (!contention && !(export.heap = gnomon_heap_finish(live->heap))) {
        job->status = gnomon_fail_memory(&job->error);
        return;
    }
    describe(serve, 0, now->moment.cycle, remark, sizeof remark);
    if (contention)
        gnomon_live_judge_contention(live, &now->moment, &export.exactness);
    else
        gnomon_live_judge(live, &now->moment, &export.exactness);
    job->status = write_export(serve, job, &export, &job->error);
}
