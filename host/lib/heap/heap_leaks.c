/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/heap/heap_leaks.h"

#include <stdlib.h>
#include <string.h>

#include "gnomon/heap.h"
#include "lib/heap/heap_reach.h"

static const char *const names[] = {
    [GNOMON_HEAP_MINIMAL] = "minimal",
    [GNOMON_HEAP_NORMAL] = "normal",
    [GNOMON_HEAP_STRICT] = "strict",
    [GNOMON_HEAP_DRACONIAN] = "draconian",
};

bool gnomon_heap_mode_named(const char *name, enum gnomon_heap_mode *mode) {
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) {
            *mode = (enum gnomon_heap_mode)i;
            return true;
        }
    return false;
}

const char *gnomon_heap_mode_name(enum gnomon_heap_mode mode) {
    return names[mode];
}

/* ---- The look ---- */

static enum gnomon_status no_memory(const struct gnomon_heap_leaks *leaks, const struct gnomon_analysis *analysis,
                                    struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND,
                "%s does not say what the program could reach at its end, which mode %s needs", analysis->path,
                names[leaks->mode]);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                         "record a program linked with this gnomon cc --gnomon-heap up to its end, into a regular "
                         "file; mode draconian needs only the messages");
}

static enum gnomon_status no_look(const char *what, const char *remedy, const struct gnomon_heap_leaks *leaks,
                                  struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "mode %s needs to know what the program could reach %s",
                names[leaks->mode], what);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "%s", remedy);
}

static const struct gnomon_heap_look *at_end(const struct gnomon_heap_memory *memory) {
    for (size_t i = 0; i < memory->look_count; i++)
        if (!memory->looks[i].number)
            return &memory->looks[i];
    return NULL;
}

/* The look right before the mark at the end of the span; NULL: the mark was sent without one. */
static const struct gnomon_heap_look *at_mark(const struct gnomon_heap_memory *memory,
                                              const struct gnomon_heap_results *results) {
    const struct gnomon_heap_look *found = NULL;
    for (size_t i = 0; i < memory->look_count; i++) {
        const struct gnomon_heap_look *look = &memory->looks[i];
        if (look->number && !look->at_exit && look->cycle < results->end_cycle &&
            results->end_value == GNOMON_HEAP_LOOK(look->number))
            found = look;
    }
    return found;
}

static const struct gnomon_heap_look *at_exit(const struct gnomon_heap_memory *memory) {
    for (size_t i = 0; i < memory->look_count; i++)
        if (memory->looks[i].at_exit)
            return &memory->looks[i];
    return NULL;
}

enum gnomon_status gnomon_heap_leaks_open(struct gnomon_heap_leaks *leaks, enum gnomon_heap_mode mode,
                                          const struct gnomon_analysis *analysis, struct gnomon_heap_span *span,
                                          struct gnomon_error *error) {
    *leaks = (struct gnomon_heap_leaks){.mode = mode};
    if (mode == GNOMON_HEAP_DRACONIAN)
        return GNOMON_OK;
    enum gnomon_status status = gnomon_analysis_heap(analysis, &leaks->memory, error);
    if (status)
        return status;
    if (!leaks->memory.known)
        return no_memory(leaks, analysis, error);
    if (mode == GNOMON_HEAP_MINIMAL)
        span->first_cycle = leaks->memory.main_cycle;
    if (span->to >= 0) /* the mark names the look */
        return GNOMON_OK;
    const bool before = mode != GNOMON_HEAP_STRICT && leaks->memory.exited;
    leaks->look = before ? at_exit(&leaks->memory) : at_end(&leaks->memory);
    if (!leaks->look && before)
        return no_look("before its destructors ran",
                       "record it with gnomon record --leak-check; mode strict needs only its end", leaks, error);
    if (!leaks->look)
        return no_memory(leaks, analysis, error);
    if (before)
        span->last_cycle = leaks->look->cycle;
    return GNOMON_OK;
}

/* ---- The check ---- */

static enum gnomon_status reach(struct gnomon_heap_leaks *leaks, const struct gnomon_analysis *analysis,
                                const struct gnomon_heap_results *results, struct gnomon_error *error) {
    struct gnomon_objects objects;
    const bool good = gnomon_objects_load(&objects, analysis->elf_path) &&
                      gnomon_heap_reach(results, leaks->look, &objects, leaks->reached);
    gnomon_objects_free(&objects);
    return good ? GNOMON_OK : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_heap_leaks_find(struct gnomon_heap_leaks *leaks, const struct gnomon_analysis *analysis,
                                          const struct gnomon_heap_span *span,
                                          const struct gnomon_heap_results *results, struct gnomon_error *error) {
    const bool draconian = leaks->mode == GNOMON_HEAP_DRACONIAN;
    if (!draconian && span->to >= 0)
        leaks->look = at_mark(&leaks->memory, results);
    if (!draconian && !leaks->look)
        return no_look("at the mark TO",
                       "send the mark with GNOMON_HEAP_MARK instead of GNOMON_MARK, and record it with gnomon record "
                       "--leak-check",
                       leaks, error);
    leaks->reached = calloc(results->live_count + 1, sizeof *leaks->reached);
    if (!leaks->reached)
        return gnomon_fail_memory(error);
    for (size_t i = 0; i < results->live_count; i++)
        leaks->reached[i] = results->live[i].ignored;
    enum gnomon_status status = draconian ? GNOMON_OK : reach(leaks, analysis, results, error);
    for (size_t i = 0; i < results->live_count && !status; i++)
        if (!leaks->reached[i]) {
            leaks->blocks++;
            leaks->bytes += results->live[i].size;
        }
    return status;
}

void gnomon_heap_leaks_free(struct gnomon_heap_leaks *leaks) {
    gnomon_heap_memory_free(&leaks->memory);
    free(leaks->reached);
}
