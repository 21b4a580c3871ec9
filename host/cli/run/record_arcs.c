/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/record_arcs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/interrupt.h"
#include "gnomon/registers.h"
#include "lib/device/read_records.h"
#include "lib/run/measure.h"

#define MOST_PARTS 64
#define HASHES UINT32_C(0x9E3779B1) /* spreads the numbers of the runs over the hash's bits */

struct arcs {
    struct cli_context *context;
    const struct target *target;
    struct gnomon_session session;
    struct cli_progress progress;
    struct gnomon_records *kept; /* of a hart */
    uint64_t cycles;             /* cycles of the recorded run, or what its time counts */
    const char *unit;            /* what they are */
    uint64_t *missing;           /* for each function number: calls without a caller */
    uint32_t *called;            /* numbers of functions that were called */
    size_t called_count;
    uint64_t run, runs; /* number of the current run, from 1; maximum number of runs */
    uint32_t first, last, hash;
    bool stopped; /* another run would gain nothing */
};

static bool on_tick(void *context) {
    struct arcs *arcs = context;
    if (cli_progress_due(&arcs->progress))
        cli_progress_draw(&arcs->progress, "  run %" PRIu64 " of at most %" PRIu64 ", for the call graph", arcs->run,
                          arcs->runs);
    return cli_interrupted();
}

static enum gnomon_status set_part(void *context, struct gnomon_error *error) {
    const struct arcs *arcs = context;
    uint32_t part = arcs->first | arcs->last << GNOMON_PROFILE_ARC_PART_LAST_SHIFT;
    const uint32_t blocks = GNOMON_BLOCKS_OF_HART(arcs->kept->hart);
    struct gnomon_device *device = arcs->target->device;
    enum gnomon_status status = gnomon_device_set(device, blocks + GNOMON_PROFILE_ARC_PART, part, error);
    return status ? status : gnomon_device_set(device, blocks + GNOMON_PROFILE_ARC_HASH, arcs->hash, error);
}

/* Arcs can be added only if they come from the same run: this one must have ended after the same number of cycles. */
static bool same(struct arcs *arcs, const struct gnomon_measured *measured) {
    if (measured->end == GNOMON_END_EXIT && measured->cycles == arcs->cycles)
        return true;
    if (measured->end == GNOMON_END_EXIT)
        cli_warn(arcs->context,
                 "run %" PRIu64 " took %" PRIu64 " %s, the recorded one %" PRIu64
                 ": the call graph of the recorded run is kept",
                 arcs->run, measured->cycles, arcs->unit, arcs->cycles);
    else
        cli_warn(arcs->context, "run %" PRIu64 " did not end: the call graph stays incomplete", arcs->run);
    arcs->stopped = true;
    return false;
}

static enum gnomon_status run_part(struct arcs *arcs, struct gnomon_error *error) {
    struct gnomon_measured measured;
    struct gnomon_records found = {0};
    arcs->run++;
    arcs->hash = (uint32_t)arcs->run * HASHES >> 16;
    enum gnomon_status status = gnomon_measure(&arcs->session, set_part, &measured, error);
    if (status || !same(arcs, &measured))
        return status;
    status = gnomon_records_read_arcs(arcs->target->device, &arcs->target->board, arcs->kept->hart, &found, error);
    if (!status)
        status = gnomon_records_add_arcs(arcs->kept, &found, error);
    gnomon_records_free(&found);
    return status;
}

static bool misses_any(const struct arcs *arcs, size_t from, size_t to) {
    bool any = false;
    for (size_t i = from; i < to; i++)
        any |= arcs->missing[arcs->called[i]] > 0;
    return any;
}

static uint64_t count_missing(struct arcs *arcs) {
    return gnomon_records_missing(arcs->kept, arcs->missing);
}

/* Makes a run for each part of the callees that has missing arcs. */
static enum gnomon_status run_round(struct arcs *arcs, size_t parts, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t part = 0; part < parts && !status && !arcs->stopped && arcs->run < arcs->runs; part++) {
        size_t from = arcs->called_count * part / parts, to = arcs->called_count * (part + 1) / parts;
        if (!misses_any(arcs, from, to))
            continue;
        arcs->first = arcs->called[from];
        arcs->last = arcs->called[to - 1];
        status = run_part(arcs, error);
    }
    return status;
}

/* The number of parts that leaves two thirds of the table empty, estimated from the calls that found a place. */
static size_t first_parts(const struct arcs *arcs, uint64_t missing) {
    uint64_t calls = gnomon_records_calls(arcs->kept), placed = calls > missing ? calls - missing : 1;
    double all = (double)arcs->kept->arc_count * (double)calls / (double)placed;
    size_t parts = (size_t)(3 * all / arcs->kept->size) + 1;
    return parts < MOST_PARTS ? parts : MOST_PARTS;
}

static enum gnomon_status run_rounds(struct arcs *arcs, uint64_t missing, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    size_t parts = first_parts(arcs, missing);
    while (missing && !status && !arcs->stopped && arcs->run < arcs->runs) {
        uint64_t before = missing;
        status = run_round(arcs, parts, error);
        missing = count_missing(arcs);
        if (missing > before / 2)
            parts *= 2;
        arcs->stopped |= missing == before && parts > MOST_PARTS;
    }
    arcs->kept->arc_overflow = missing;
    return status;
}

static bool list_called(struct arcs *arcs) {
    const struct gnomon_records *kept = arcs->kept;
    arcs->missing = calloc(kept->size, sizeof *arcs->missing);
    arcs->called = calloc(kept->count + 1, sizeof *arcs->called);
    for (size_t i = 0; arcs->called && i < kept->count; i++)
        if (kept->list[i].calls)
            arcs->called[arcs->called_count++] = kept->list[i].number;
    return arcs->missing && arcs->called;
}

enum gnomon_status arcs_complete(struct cli_context *context, const struct target *target,
                                 const struct gnomon_session *recorded, uint64_t cycles, const char *unit,
                                 uint64_t runs, struct gnomon_records *kept, struct gnomon_error *error) {
    struct arcs arcs = {
        .context = context, .target = target, .kept = kept, .cycles = cycles, .unit = unit, .run = 1, .runs = runs};
    if (kept->arc_overflow <= kept->deep || runs < 2 || !target->board.arc_parts)
        return GNOMON_OK;
    arcs.session = target_session(target, &arcs);
    arcs.session.tick = on_tick;
    arcs.session.progress = NULL;
    arcs.session.profile_control = recorded->profile_control;
    arcs.session.both_harts = recorded->both_harts;
    arcs.session.watch = recorded->watch;
    enum gnomon_status status = list_called(&arcs) ? GNOMON_OK : gnomon_fail_memory(error);
    uint64_t missing = status ? 0 : count_missing(&arcs);
    if (missing)
        cli_note(context,
                 "the device had no place for the callers of %" PRIu64 " calls: running the program again for them",
                 missing);
    cli_progress_begin(&arcs.progress, context);
    if (missing)
        status = run_rounds(&arcs, missing, error);
    cli_progress_end(&arcs.progress);
    free(arcs.missing);
    free(arcs.called);
    return status;
}
