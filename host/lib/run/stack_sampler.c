/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/stack_sampler.h"

#include <stdlib.h>
#include <string.h>

#include "lib/run/callers_monitor.h"

#define INTERRUPT 0x20u /* in the number of a trap */
#define HEAD_WORDS (sizeof(struct gnomon_stack_head) / sizeof(uint32_t))

enum gnomon_status gnomon_stack_sampler_open(struct gnomon_stack_sampler *sampler, struct gnomon_samples *samples,
                                             struct gnomon_device *device, const struct gnomon_board *board,
                                             const char *path, struct gnomon_error *error) {
    struct gnomon_pmu pmu;
    *sampler = (struct gnomon_stack_sampler){.samples = samples, .device = device, .board = board};
    enum gnomon_status status = gnomon_monitor_find(board, path, "__gnomon_stacks_request",
                                                    sizeof(struct gnomon_stacks_request), &sampler->request, error);
    if (!status)
        status = gnomon_monitor_find(board, path, "__gnomon_stacks_results", sizeof(struct gnomon_stacks_results),
                                     &sampler->results, error);
    return status ? status : gnomon_pmu_open(&pmu, device, board, error);
}

/* Results of an earlier run may still be in memory. */
enum gnomon_status gnomon_stack_sampler_begin(struct gnomon_stack_sampler *sampler,
                                              const struct gnomon_pmu_event *event, uint32_t sets, uint32_t depth,
                                              uint32_t seed, struct gnomon_error *error) {
    const struct gnomon_stacks_results none = {0};
    const struct gnomon_stacks_request request = {.magic = GNOMON_STACKS_MAGIC,
                                                  .version = GNOMON_STACKS_VERSION,
                                                  .event = event->number,
                                                  .period = sampler->samples->period,
                                                  .seed = seed,
                                                  .sets = sets,
                                                  .depth = depth};
    sampler->depth = depth;
    const enum gnomon_status status =
        gnomon_device_write_bytes(sampler->device, sampler->results, &none, sizeof none, error);
    return status ? status
                  : gnomon_device_write_bytes(sampler->device, sampler->request, &request, sizeof request, error);
}

/* ---- Stacks ---- */

static uint32_t depth_of(uint32_t what) {
    return what & GNOMON_STACK_DEPTH;
}

/* What the program says is not trusted. */
static bool makes_sense(const struct gnomon_stack_sampler *sampler, uint32_t what) {
    return depth_of(what) >= 1 && depth_of(what) <= sampler->depth;
}

static void add(struct gnomon_stack_sampler *sampler, uint32_t what, uint32_t count, const uint32_t *addresses) {
    const uint32_t number = what >> GNOMON_STACK_THREAD_SHIFT;
    const uint32_t thread = number < GNOMON_SAMPLED_OTHER ? number : GNOMON_SAMPLED_OTHER;
    uint32_t clean[GNOMON_STACKS_DEEPEST];
    for (uint32_t i = 0; i < depth_of(what); i++)
        clean[i] = addresses[i] & ~UINT32_C(1);
    if (what & GNOMON_STACK_CUT)
        sampler->samples->cut += count;
    if (count && !gnomon_samples_add(sampler->samples, thread, clean, depth_of(what), count))
        sampler->failed = true;
}

static void take_word(struct gnomon_stack_sampler *sampler, uint32_t value) {
    if (!sampler->coming)
        return;
    if (sampler->words == 0)
        sampler->stack.count = value;
    else
        sampler->stack.addresses[sampler->words - 1] = value;
    if (++sampler->words <= depth_of(sampler->what))
        return;
    add(sampler, sampler->what, sampler->stack.count, sampler->stack.addresses);
    sampler->coming = false;
    sampler->last = true;
}

/* ---- Events ---- */

void gnomon_stack_sampler_event(struct gnomon_stack_sampler *sampler, const struct gnomon_event *event) {
    switch (event->type) {
    case GNOMON_EVENT_TRAP_ENTER:
        sampler->in_monitor = event->number == (INTERRUPT | GNOMON_STACKS_INTERRUPT);
        sampler->since = event->cycle;
        break;
    case GNOMON_EVENT_TRAP_LEAVE:
        if (sampler->in_monitor)
            sampler->samples->cost += event->cycle - sampler->since;
        sampler->in_monitor = false;
        break;
    case GNOMON_EVENT_CHANNEL:
        if (event->number == GNOMON_CHANNEL_STACK_WORD)
            take_word(sampler, event->value);
        if (event->number != GNOMON_CHANNEL_STACK)
            break;
        sampler->coming = makes_sense(sampler, event->value);
        sampler->what = event->value;
        sampler->words = 0;
        sampler->last = false;
        break;
    case GNOMON_EVENT_LOST:
    case GNOMON_EVENT_DAMAGE:
    case GNOMON_EVENT_GAP: /* words of the stack may be missing */
        sampler->coming = false;
        break;
    default:
        break;
    }
}

/* ---- The table ---- */

static enum gnomon_status nonsense(const struct gnomon_stack_sampler *sampler, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_PROTOCOL, "the program's monitor on %s has left no valid table of stacks",
                sampler->board->address);
    return gnomon_remedy(error, GNOMON_ERR_PROTOCOL, "check whether the program writes beyond its memory");
}

static enum gnomon_status no_memory(uint32_t sets, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_TOO_BIG, "the program has no memory for a table of %u stacks",
                (unsigned)(sets * GNOMON_STACKS_WAYS));
    return gnomon_remedy(error, GNOMON_ERR_TOO_BIG, "give a smaller --stack-table, or a smaller --stack-depth");
}

/* A stack that was being sent when the host stopped the hart may have come, and may still be in the table. */
static bool has_come(const struct gnomon_stack_sampler *sampler, const uint32_t *entry) {
    const uint32_t *addresses = entry + HEAD_WORDS;
    return sampler->last && entry[0] == sampler->stack.count && entry[1] == sampler->what &&
           memcmp(addresses, sampler->stack.addresses, depth_of(sampler->what) * sizeof *addresses) == 0;
}

static enum gnomon_status add_table(struct gnomon_stack_sampler *sampler, const struct gnomon_stacks_results *results,
                                    const uint32_t *words, struct gnomon_error *error) {
    const uint32_t size = (uint32_t)HEAD_WORDS + sampler->depth;
    for (uint32_t at = 0; at + size <= results->bytes / sizeof *words; at += size) {
        const uint32_t *entry = words + at;
        if (!entry[0] || (results->leaving == results->table + at * sizeof *words && has_come(sampler, entry)))
            continue;
        if (!makes_sense(sampler, entry[1]))
            return nonsense(sampler, error);
        add(sampler, entry[1], entry[0], entry + HEAD_WORDS);
    }
    return GNOMON_OK;
}

static enum gnomon_status read_table(struct gnomon_stack_sampler *sampler, const struct gnomon_stacks_results *results,
                                     struct gnomon_error *error) {
    if (results->bytes % sizeof(uint32_t) || !gnomon_board_holds(sampler->board, results->table, results->bytes))
        return nonsense(sampler, error);
    uint32_t *words = malloc(results->bytes + 1);
    if (!words)
        return gnomon_fail_memory(error);
    enum gnomon_status status = gnomon_device_read_bytes(sampler->device, results->table, words, results->bytes, error);
    if (!status)
        status = add_table(sampler, results, words, error);
    free(words);
    return status;
}

/* What the monitor has taken and what has come differ by what was lost. One more has come if the host stopped the hart
 * between the two counts. */
static enum gnomon_status count_lost(struct gnomon_stack_sampler *sampler, uint32_t taken, struct gnomon_error *error) {
    const uint64_t kept = gnomon_samples_kept(sampler->samples);
    if (kept > taken + UINT64_C(1))
        return nonsense(sampler, error);
    sampler->samples->lost = kept < taken ? taken - kept : 0;
    return sampler->failed ? gnomon_fail_memory(error) : GNOMON_OK;
}

enum gnomon_status gnomon_stack_sampler_end(struct gnomon_stack_sampler *sampler, struct gnomon_error *error) {
    struct gnomon_stacks_results results;
    struct gnomon_stacks_request request;
    enum gnomon_status status =
        gnomon_device_read_bytes(sampler->device, sampler->results, &results, sizeof results, error);
    if (!status)
        status = gnomon_device_read_bytes(sampler->device, sampler->request, &request, sizeof request, error);
    if (status || !results.magic) /* it ended before the monitor began */
        return status;
    if (results.magic == GNOMON_STACKS_MAGIC && results.state == GNOMON_STACKS_NO_MEMORY)
        return no_memory(request.sets, error);
    if (results.magic != GNOMON_STACKS_MAGIC || results.version != GNOMON_STACKS_VERSION)
        return nonsense(sampler, error);
    sampler->samples->evictions = results.evictions;
    status = read_table(sampler, &results, error);
    return status ? status : count_lost(sampler, results.samples, error);
}
