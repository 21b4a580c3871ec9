/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/locks/lock_run.h"

#include <inttypes.h>

static bool is_about_interrupts(const struct gnomon_event *event) {
    return event->type == GNOMON_EVENT_CHANNEL && (event->number & ~1u) == GNOMON_CHANNEL_INTERRUPTS;
}

static bool is_lock_function(const struct gnomon_analysis *analysis, uint32_t number) {
    const struct gnomon_watch *watch = &analysis->watch;
    return watch->roles && number >= watch->first && number - watch->first < watch->count;
}

/* The calls that are open when the event comes, as ids of a profile. */
static void take_stack(const struct gnomon_analysis *analysis, const struct gnomon_event *event,
                       struct gnomon_lock_stack *stack) {
    unsigned kept = 0;
    stack->count = 0;
    if (event->type != GNOMON_EVENT_LOCK && !is_about_interrupts(event))
        return;
    stack->count = gnomon_analysis_stack(analysis, event, stack->ids, GNOMON_LOCK_STACK);
    for (unsigned i = 0; i < stack->count; i++)
        if (!is_lock_function(analysis, stack->ids[i]))
            stack->ids[kept++] = stack->ids[i];
    stack->count = kept;
}

/* The account takes an event of the trace, or one made of calls. */
static enum gnomon_status account_for(struct gnomon_lock_run *run, const struct gnomon_analysis *analysis,
                                      const struct gnomon_event *event, struct gnomon_error *error) {
    struct gnomon_lock_stack stack;
    take_stack(analysis, event, &stack);
    if (is_about_interrupts(event))
        run->tables.locks[0].kind = GNOMON_LOCK_INTERRUPTS;
    return gnomon_lock_account_event(run->account, event, &stack) ? GNOMON_OK : gnomon_fail_memory(error);
}

enum gnomon_status gnomon_lock_run_take(struct gnomon_lock_run *run, const struct gnomon_analysis *analysis,
                                        const struct gnomon_event *event, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    struct gnomon_event next;
    if (!run->calls)
        return account_for(run, analysis, event, error);
    if (!gnomon_lock_calls_take(run->calls, event))
        return gnomon_fail_memory(error);
    while (!status && gnomon_lock_calls_next(run->calls, &next))
        status = account_for(run, analysis, &next, error);
    return status;
}

enum gnomon_status gnomon_lock_run_open(struct gnomon_lock_run *run, const struct gnomon_analysis *analysis,
                                        struct gnomon_error *error) {
    *run = (struct gnomon_lock_run){.names = {.fd = -1}};
    enum gnomon_status status = gnomon_analysis_tables(analysis, &run->tables, error);
    if (status)
        return status;
    run->account = gnomon_lock_account_new(&run->tables);
    if (!run->account || !gnomon_lock_names_open(&run->names, &run->tables, analysis))
        return gnomon_fail_memory(error);
    if (analysis->watch.roles && !(run->calls = gnomon_lock_calls_new(&analysis->watch, &run->tables)))
        return gnomon_fail_memory(error);
    return GNOMON_OK;
}

/* Calls of several threads that cannot be told apart make no sense together. */
static enum gnomon_status check_calls(struct gnomon_lock_run *run, const struct gnomon_analysis *analysis,
                                      struct gnomon_error *error) {
    const uint64_t unseen =
        analysis->file ? gnomon_gnt_count(gnomon_gnt_trailer(analysis->file), "unseen_switches") : 0;
    run->kinds_unknown = gnomon_lock_calls_kinds_unknown(run->calls);
    if (!unseen || gnomon_lock_calls_know_threads(run->calls))
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED,
                "%s: the program switched threads %" PRIu64
                " times and sent no message THREAD, so it is not known which thread called a lock function",
                analysis->path, unseen);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                         "FreeRTOS: compile and link with gnomon cc --gnomon-freertos, or send GNOMON_THREAD(number) "
                         "in traceTASK_SWITCHED_IN of FreeRTOSConfig.h; other kernels: send it at each switch");
}

enum gnomon_status gnomon_lock_run_finish(struct gnomon_lock_run *run, const struct gnomon_analysis *analysis,
                                          struct gnomon_error *error) {
    enum gnomon_status status = run->calls ? check_calls(run, analysis, error) : GNOMON_OK;
    if (status)
        return status;
    if (!gnomon_lock_account_finish(run->account))
        return gnomon_fail_memory(error);
    run->results = gnomon_lock_account_results(run->account);
    return GNOMON_OK;
}

enum gnomon_status gnomon_lock_run_read(struct gnomon_lock_run *run, struct gnomon_analysis *analysis,
                                        struct gnomon_error *error) {
    struct gnomon_event event;
    bool got;
    enum gnomon_status status = gnomon_lock_run_open(run, analysis, error);
    while (!status && !(status = gnomon_analysis_next(analysis, &event, &got, error)) && got)
        status = gnomon_lock_run_take(run, analysis, &event, error);
    return status ? status : gnomon_lock_run_finish(run, analysis, error);
}

void gnomon_lock_run_exactness(const struct gnomon_lock_run *run, const struct gnomon_analysis *analysis,
                               struct gnomon_exactness *exactness) {
    const size_t count = run->kinds_unknown;
    gnomon_analysis_message_exactness(analysis, exactness);
    if (count)
        gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "lock-kinds", count,
                             "semaphores may be mutexes: figures are inexact",
                             "%zu lock%s of FreeRTOS %s made by a call that was not watched, and %s as a semaphore: if "
                             "it is a mutex, its holds and owners are missing; watch the functions that create locks, "
                             "too",
                             count, count == 1 ? "" : "s", count == 1 ? "was" : "were",
                             count == 1 ? "counts" : "count each");
}

void gnomon_lock_run_close(struct gnomon_lock_run *run) {
    gnomon_lock_calls_free(run->calls);
    gnomon_lock_account_free(run->account);
    if (run->names.tables)
        gnomon_lock_names_close(&run->names);
    gnomon_lock_tables_free(&run->tables);
    *run = (struct gnomon_lock_run){.names = {.fd = -1}};
}
