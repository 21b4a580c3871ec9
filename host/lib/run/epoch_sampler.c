/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/epoch_sampler.h"

#include "gnomon/registers.h"
#include "lib/model/function_records.h"

#define SEED UINT64_C(0x9E3779B97F4A7C15)
#define SOON_HZ 500 /* the host waits for a moment that comes within 1 / SOON_HZ seconds of the device's time */
#define MOST_AT_ONCE 16
#define MOST_LOOKS 200 /* at the device's clock, which may stand still */

/* ---- The stack ---- */

static uint32_t start_of(const struct gnomon_function_starts *starts, uint32_t number) {
    const struct gnomon_watch *watch = starts->watch;
    if (watch && number >= watch->first && number - watch->first < watch->count)
        return watch->addresses[number - watch->first];
    const struct gnomon_function *function = gnomon_symbols_function(starts->symbols, number);
    return function ? function->address & ~UINT32_C(1) : GNOMON_SAMPLED_NAMELESS;
}

/* The frames of the running thread come first; the outermost of a thread or trap is a trap's record. */
void gnomon_open_stack(const struct gnomon_epoch *epoch, const struct gnomon_board *board,
                       const struct gnomon_function_starts *starts, struct gnomon_open_stack *stack) {
    const uint32_t traps = board->records - GNOMON_RECORD_TRAPS;
    size_t i = 0;
    stack->thread = stack->depth = 0;
    stack->cut = false;
    for (bool ended = false; !ended && i < epoch->open_count; i++) {
        const uint32_t number = epoch->open[i].number;
        ended = number >= traps;
        if (number == traps + GNOMON_RECORD_NONE)
            break;
        if (stack->depth == GNOMON_SAMPLED_DEEPEST) {
            stack->cut = true;
            continue;
        }
        const uint32_t start = ended ? 2 * (number - traps) : start_of(starts, number);
        stack->addresses[stack->depth] = start + (stack->depth ? 2 : 0);
        stack->depth++;
    }
    for (i = 0; i < epoch->open_count && epoch->open[i].context >= GNOMON_EPOCH_TRAPS; i++)
        ;
    if (i < epoch->open_count)
        stack->thread = epoch->open[i].context;
}

/* ---- The run ---- */

enum gnomon_status gnomon_epoch_sampler_open(struct gnomon_epoch_sampler *sampler, struct gnomon_samples *samples,
                                             struct gnomon_device *device, const struct gnomon_board *board,
                                             struct gnomon_error *error) {
    *sampler = (struct gnomon_epoch_sampler){.samples = samples,
                                             .device = device,
                                             .board = board,
                                             .period = samples->period,
                                             .spread = samples->period,
                                             .random = SEED};
    if (board->epochs)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s cannot tell which calls are open while a program runs",
                board->address);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                         "link the program with gnomon cc --gnomon-monitor, which takes the stacks then; or take a "
                         "device that keeps function records in epochs (gnomon info)");
}

/* From 0 to `below` - 1. */
static uint64_t draw(struct gnomon_epoch_sampler *sampler, uint64_t below) {
    sampler->random ^= sampler->random << 13;
    sampler->random ^= sampler->random >> 7;
    sampler->random ^= sampler->random << 17;
    return (sampler->random >> 16) % below;
}

static enum gnomon_status read_clock(const struct gnomon_epoch_sampler *sampler, uint64_t *cycle,
                                     struct gnomon_error *error) {
    uint32_t words[2] = {0};
    const enum gnomon_status status = gnomon_device_read(sampler->device, GNOMON_SYSCTL_CYCLE_LO, words, 2, error);
    *cycle = (uint64_t)words[1] << 32 | words[0];
    return status;
}

static enum gnomon_status take(struct gnomon_epoch_sampler *sampler, struct gnomon_error *error) {
    struct gnomon_epoch epoch;
    struct gnomon_open_stack stack;
    struct gnomon_samples *samples = sampler->samples;
    const enum gnomon_status status = gnomon_epoch_open(sampler->device, sampler->board, &epoch, error);
    if (status)
        return status;
    const bool running = epoch.open_count > 0;
    gnomon_open_stack(&epoch, sampler->board, &sampler->starts, &stack);
    gnomon_epoch_free(&epoch);
    if (!running)
        return GNOMON_OK;
    samples->cut += stack.cut;
    samples->unattributed += !stack.depth;
    return !stack.depth || gnomon_samples_add(samples, stack.thread, stack.addresses, stack.depth, 1)
               ? GNOMON_OK
               : gnomon_fail_memory(error);
}

/* Takes the next sample if its moment comes soon. It is drawn before it comes: what woke the host, as output of the
 * program, does not choose it. If a sample takes longer than the period, moments still differ by as much. */
static enum gnomon_status take_next(struct gnomon_epoch_sampler *sampler, bool *taken, struct gnomon_error *error) {
    uint64_t now, after;
    enum gnomon_status status = read_clock(sampler, &now, error);
    *taken = false;
    if (status)
        return status;
    if (sampler->next <= now)
        sampler->next = now + 1 + draw(sampler, sampler->spread);
    if (sampler->next > now + sampler->board->clock_hz / SOON_HZ)
        return GNOMON_OK;
    for (unsigned looks = 0; !status && now < sampler->next && looks < MOST_LOOKS; looks++)
        status = read_clock(sampler, &now, error);
    if (status || now < sampler->next)
        return status;
    status = take(sampler, error);
    if (!status)
        status = read_clock(sampler, &after, error);
    if (status)
        return status;
    *taken = true;
    sampler->spread = after - now > sampler->period ? after - now : sampler->period;
    sampler->next = now + sampler->period / 2;
    sampler->next = (sampler->next > after ? sampler->next : after) + draw(sampler, sampler->spread);
    return GNOMON_OK;
}

enum gnomon_status gnomon_epoch_sampler_take(struct gnomon_epoch_sampler *sampler, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    bool taken = true;
    for (unsigned times = 0; !status && taken && times < MOST_AT_ONCE; times++)
        status = take_next(sampler, &taken, error);
    return status;
}

void gnomon_epoch_sampler_end(struct gnomon_epoch_sampler *sampler, uint64_t cycles) {
    const uint64_t all = gnomon_samples_all(sampler->samples), mean = all ? cycles / all : sampler->period;
    sampler->samples->period = mean > UINT32_MAX ? UINT32_MAX : mean ? (uint32_t)mean : 1;
}
